import Shared

/// The places around the current one, in the order in which they were visited.
///
/// The current place itself is in the session's state. Every place has a position, which only grows and is
/// never used twice, so that a store can keep places as rows of their own and an event writes only what it
/// changed.
struct History: Equatable {
    /// A place that is not the current one.
    ///
    /// An immutable object, because a history is copied with each event, and what was not left anew is known
    /// by it.
    final class Entry: Equatable {
        let position: Int
        let place: Place
        let weightBytes: Int

        init(position: Int, place: Place) {
            (self.position, self.place, weightBytes) = (position, place, place.weightBytes)
        }

        static func == (a: Entry, b: Entry) -> Bool {
            a === b || (a.position == b.position && a.place == b.place)
        }
    }

    /// Earlier places, the nearest one last.
    private(set) var back: [Entry] = []
    /// Later places, the nearest one last.
    private(set) var forward: [Entry] = []
    /// The position of the current place.
    private(set) var position = 0
    /// The position that the next new place gets.
    private(set) var nextPosition = 1

    /// The history of a session that was nowhere yet.
    init() {}

    /// A history as it was kept; `entries` are all places but the current one, by position.
    init(position: Int, nextPosition: Int, entries: [Entry]) {
        (self.position, self.nextPosition) = (position, nextPosition)
        back = entries.filter { $0.position < position }
        forward = entries.filter { $0.position > position }.reversed()
    }

    /// Whether there is an earlier or a later place.
    var canMove: Bool { !back.isEmpty || !forward.isEmpty }

    /// What the places but the current one take, in bytes.
    var othersBytes: Int {
        var bytes = 0
        for entry in back { bytes += entry.weightBytes }
        for entry in forward { bytes += entry.weightBytes }
        return bytes
    }

    /// All places but the current one.
    var others: [Entry] { back + forward.reversed() }

    // MARK: Steps

    /// The session has gone from `place` to `current`: later places are dropped.
    mutating func go(from place: Place, to current: Place) {
        back.append(Entry(position: position, place: place))
        forward = []
        position = nextPosition
        nextPosition += 1
        keepBounds(current)
    }

    /// The current place has become `current` without a step; what equals a neighbour is one with it.
    mutating func amend(to current: Place) {
        while back.last?.place == current { back.removeLast() }
        while forward.last?.place == current { forward.removeLast() }
        keepBounds(current)
    }

    /// Goes one step back from `current`; nil if there is no earlier place.
    mutating func goBack(from current: Place) -> Place? {
        guard let entry = back.popLast() else { return nil }
        forward.append(Entry(position: position, place: current))
        position = entry.position
        return entry.place
    }

    /// Goes one step forward from `current`; nil if there is no later place.
    mutating func goForward(from current: Place) -> Place? {
        guard let entry = forward.popLast() else { return nil }
        back.append(Entry(position: position, place: current))
        position = entry.position
        return entry.place
    }

    /// Forgets all places but the current one, which is a new one.
    mutating func clear() {
        (back, forward) = ([], [])
        position = nextPosition
        nextPosition += 1
    }

    /// Forgets places for which `holds` is false, and then makes equal neighbours one.
    mutating func prune(around current: Place, _ holds: (Place) -> Bool) {
        // From the current place outwards, so that what merges with it goes.
        back = Self.pruned(back.reversed(), from: current, holds).reversed()
        forward = Self.pruned(forward.reversed(), from: current, holds).reversed()
    }

    private static func pruned(
        _ entries: some Sequence<Entry>, from current: Place, _ holds: (Place) -> Bool
    ) -> [Entry] {
        var nearest = current
        var kept: [Entry] = []
        for entry in entries where holds(entry.place) && entry.place != nearest {
            kept.append(entry)
            nearest = entry.place
        }
        return kept
    }

    private mutating func keepBounds(_ current: Place) {
        var count = back.count + forward.count + 1
        var bytes = current.weightBytes + othersBytes
        while count > Limits.placesMax || bytes > Limits.placesBytesMax, count > 1 {
            // The oldest go first; from the oldest place on there are only later ones to lose.
            let lost = back.isEmpty ? forward.removeFirst() : back.removeFirst()
            count -= 1
            bytes -= lost.weightBytes
        }
    }
}
