import Shared

// Sessions go to and fro between the same places, and many are where another one was before. What the state says beside
// whose it is and its revision is then known, byte for byte, and so is what its views show.

/// Where a session is, whichever it is: what a state says but for the session's id and the revision.
final class Whereabouts {
    let place: WrittenState.Place
    /// The state of a session without an id, at revision 0.
    private let state: SessionState
    /// What was composed of it, for each way in which windows look at it.
    fileprivate var sceneries: [(look: ViewWindow.Look, scenery: Scenery)] = []
    fileprivate let era: Int
    /// Bytes of memory that it takes without those, about.
    var bytes: Int { 2 * place.count + 512 }

    fileprivate init(_ state: SessionState, _ place: WrittenState.Place, era: Int) {
        (self.state, self.place, self.era) = (state, place, era)
    }

    /// The state of a session that is there.
    func state(of session: Identifier, revision: Int) -> SessionState {
        var state = state
        (state.session, state.revision) = (session, revision)
        return state
    }
}

/// The places where sessions were of late, and what is shown there.
struct KnownPlaces {
    private var known: [WrittenState.Place: Whereabouts] = [:]
    private let bytesMax: Int
    /// Bytes of all that is known, about.
    private(set) var bytes = 0
    /// Goes up with each change of what is shown in a place.
    private var era = 0

    /// Knows nothing yet, and never more than so many bytes.
    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// How many places are known.
    var count: Int { known.count }

    /// The place, if a session was there of late; it is looked for first where it is likely to be.
    func find(_ place: WrittenState.Place, _ likely: Whereabouts? = nil) -> Whereabouts? {
        if let likely, likely.era == era, likely.place == place { return likely }
        return known[place]
    }

    /// Gets to know a place by a state that was written and read.
    ///
    /// Which of them sessions will come back to nobody knows: when there are too many, all are forgotten, and those that
    /// they come back to are soon known again.
    mutating func add(_ written: WrittenState, _ state: SessionState) -> Whereabouts? {
        guard written.place.count <= Limits.placeBytesMax, bytesMax > 0 else { return nil }
        if let known = known[written.place] { return known }
        let new = Whereabouts(state, written.place.copy, era: era)
        known[new.place] = new
        grow(by: new.bytes)
        return new
    }

    /// What is shown in a place to who looks at it in this way, if that is known and still holds.
    func scenery(in whereabouts: Whereabouts, _ look: ViewWindow.Look) -> Scenery? {
        guard whereabouts.era == era else { return nil }
        return whereabouts.sceneries.first { $0.look == look }?.scenery
    }

    /// Notes what is shown in a place to who looks at it in this way.
    mutating func keep(_ scenery: Scenery, in whereabouts: Whereabouts, _ look: ViewWindow.Look) {
        guard whereabouts.era == era, whereabouts.sceneries.count < Limits.looksPerPlaceMax,
            !whereabouts.sceneries.contains(where: { $0.look == look })
        else { return }
        whereabouts.sceneries.append((look, scenery))
        grow(by: scenery.bytes)
    }

    private mutating func grow(by count: Int) {
        bytes += count
        if bytes > bytesMax { forget() }
    }

    /// What is shown may have changed, wherever it is.
    mutating func forget() {
        era += 1
        // Sessions that are there still know the place, and would keep what was shown.
        for whereabouts in known.values { whereabouts.sceneries = [] }
        (known, bytes) = ([:], 0)
    }
}
