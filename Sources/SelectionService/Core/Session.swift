import Shared

/// One window's navigation: its public state, and the places that it came from.
struct Session: Equatable {
    /// The session that is meant when none is named.
    static let defaultId: Identifier = "default"

    // In this order two of them are compared: most of those that differ differ in the first two.

    /// The catalog's revision up to which its changes are taken into account.
    var seen = 0
    /// The places around the current one.
    var history = History()
    /// What everyone is told.
    var state: SessionState

    /// A session in which nothing was done yet.
    init(_ id: Identifier, catalog: Identifier) { state = SessionState(session: id, catalog: catalog) }

    /// A session as it was kept: the state need not tell of its history.
    init(kept state: SessionState, history: History, seen: Int) {
        (self.state, self.history, self.seen) = (state, history, seen)
        tellHistory()
    }

    /// Where it is.
    var place: Place {
        get {
            Place(
                category: state.category, items: state.items, contentPath: state.contentPath,
                detailPath: state.detailPath, query: state.query)
        }
        set {
            (state.category, state.items, state.query) = (newValue.category, newValue.items, newValue.query)
            (state.contentPath, state.detailPath) = (newValue.contentPath, newValue.detailPath)
        }
    }

    /// Every id that it holds, once.
    var things: Set<Thing> {
        var all = Set(place.things).union(state.expanded.map(Thing.category))
        for entry in history.others { all.formUnion(entry.place.things) }
        return all
    }

    /// What it takes in memory, roughly, in bytes.
    var weightBytes: Int {
        var bytes = 576 + history.othersBytes + state.query.text.utf8.count
        if let category = state.category { bytes += category.text.utf8.count + 16 }
        for id in state.items { bytes += id.text.utf8.count + 16 }
        for id in state.contentPath { bytes += id.text.utf8.count + 16 }
        for id in state.detailPath { bytes += id.text.utf8.count + 16 }
        for id in state.expanded { bytes += id.text.utf8.count + 16 }
        return bytes
    }

    /// Whether its state names the thing, so that it is known to exist.
    func holds(_ thing: Thing) -> Bool {
        let id = thing.id
        return switch thing.kind {
        case .category: state.category == id || state.contentPath.contains(id) || state.expanded.contains(id)
        case .item: state.items.contains(id) || state.detailPath.contains(id)
        }
    }

    /// Brings the two flags of the state in line with history.
    mutating func tellHistory() {
        state.canGoBack = !history.back.isEmpty
        state.canGoForward = !history.forward.isEmpty
    }
}
