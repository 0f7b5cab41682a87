import Shared

/// The places around the current one, in the order in which they were visited.
///
/// The current place itself is in the session's state. Every place has a position, which only grows and is
/// never used twice, so that a store can keep places apart from the session, and writes only those that came or
/// went.
struct History: Equatable {
    /// A place that is not the current one.
    ///
    /// An object that stays as it is, because a history is copied with each event, and what was not left anew is
    /// known by it.
    final class Entry: Equatable {
        // In this order, so that what is looked at with each event lies in one line of the cache.

        let position: Int
        let weightBytes: Int
        /// Worked out when they are first asked for.
        private var digests: [Int] = []
        let place: Place

        init(position: Int, place: Place) {
            (self.position, self.place, weightBytes) = (position, place, place.weightBytes)
        }

        /// What stands for the things that the place names, in the one catalog that its session ever has.
        func digests(in catalog: Identifier) -> [Int] {
            if digests.isEmpty { digests = place.digests(in: catalog) }
            return digests
        }

        static func == (a: Entry, b: Entry) -> Bool {
            a === b || (a.position == b.position && a.place == b.place)
        }
    }

    // In this order two of them are compared: the numbers of those that differ mostly do, too.

    /// The position of the current place.
    private(set) var position = 0
    /// The position that the next new place gets.
    private(set) var nextPosition = 1
    /// What the places but the current one take, in bytes.
    private(set) var othersBytes = 0
    /// Earlier places, the nearest one last.
    private(set) var back = Entries()
    /// Later places, the nearest one last.
    private(set) var forward = Entries()

    /// The history of a session that was nowhere yet.
    init() {}

    /// A history as it was kept; `entries` are all places but the current one, by position.
    init(position: Int, nextPosition: Int, entries: [Entry]) {
        (self.position, self.nextPosition) = (position, nextPosition)
        back = Entries(entries.filter { $0.position < position })
        forward = Entries(entries.filter { $0.position > position }.reversed())
        countBytes()
    }

    /// Whether there is an earlier or a later place.
    var canMove: Bool { !back.isEmpty || !forward.isEmpty }

    private mutating func countBytes() {
        othersBytes = 0
        for entry in back { othersBytes += entry.weightBytes }
        for entry in forward { othersBytes += entry.weightBytes }
    }

    /// All places but the current one.
    var others: [Entry] { Array(back) + forward.reversed() }

    /// The places but the current one whose positions are in a range, in their order.
    func others(at positions: Range<Int>) -> [Entry] {
        // Positions grow along `back`, so that few are looked at.
        var (low, high) = (0, back.count)
        while low < high {
            let middle = (low + high) / 2
            if back[middle].position < positions.lowerBound { low = middle + 1 } else { high = middle }
        }
        return back[low...].prefix { $0.position < positions.upperBound }
            + forward.reversed().filter { positions.contains($0.position) }
    }

    // MARK: Steps

    /// The session has gone from `place` to `current`: later places are dropped.
    mutating func go(from place: consuming Place, to current: Place) {
        for entry in forward { othersBytes -= entry.weightBytes }
        forward = Entries()
        leave(place, isEarlier: true)
        position = nextPosition
        nextPosition += 1
        keepBounds(current)
    }

    /// The current place has become `current` without a step; what equals a neighbour is one with it.
    mutating func amend(to current: Place) {
        while back.last?.place == current { _ = takeEarlier() }
        while forward.last?.place == current { _ = takeLater() }
        keepBounds(current)
    }

    /// Goes one step back from `current`; nil if there is no earlier place.
    mutating func goBack(from current: Place) -> Place? {
        guard let entry = takeEarlier() else { return nil }
        leave(current, isEarlier: false)
        position = entry.position
        return entry.place
    }

    /// Goes one step forward from `current`; nil if there is no later place.
    mutating func goForward(from current: Place) -> Place? {
        guard let entry = takeLater() else { return nil }
        leave(current, isEarlier: true)
        position = entry.position
        return entry.place
    }

    /// Forgets all places but the current one, which is a new one.
    mutating func clear() {
        (back, forward, othersBytes) = (Entries(), Entries(), 0)
        position = nextPosition
        nextPosition += 1
    }

    /// Forgets places for which `holds` is false, and then makes equal neighbours one.
    mutating func prune(around current: Place, _ holds: (Place) -> Bool) {
        // From the current place outwards, so that what merges with it goes.
        back = Entries(Self.pruned(back.reversed(), from: current, holds).reversed())
        forward = Entries(Self.pruned(forward.reversed(), from: current, holds).reversed())
        countBytes()
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

    /// The current place becomes an earlier, or a later, one.
    private mutating func leave(_ place: consuming Place, isEarlier: Bool) {
        let entry = Entry(position: position, place: place)
        othersBytes += entry.weightBytes
        if isEarlier { back.append(entry) } else { forward.append(entry) }
    }

    private mutating func takeEarlier() -> Entry? {
        guard let entry = back.popLast() else { return nil }
        othersBytes -= entry.weightBytes
        return entry
    }

    private mutating func takeLater() -> Entry? {
        guard let entry = forward.popLast() else { return nil }
        othersBytes -= entry.weightBytes
        return entry
    }

    private mutating func keepBounds(_ current: Place) {
        let currentBytes = current.weightBytes
        while back.count + forward.count + 1 > Limits.placesMax
            || currentBytes + othersBytes > Limits.placesBytesMax, canMove
        {
            // The oldest go first; from the oldest place on there are only later ones to lose.
            othersBytes -= (back.isEmpty ? forward.removeFirst() : back.removeFirst()).weightBytes
        }
    }
}
