import JSON
import Shared

// What clients were told, and what that forbids all services to tell them later.

/// What has to hold whatever happens; the first violation ends a world.
final class Ledger {
    unowned var world: World {
        get {
            guard let owner else { preconditionFailure("a ledger without its world") }
            return owner
        }
        set { owner = newValue }
    }
    private weak var owner: World?

    /// What is wrong.
    private(set) var violation: String?
    /// What whoever asks from now on must see.
    private(set) var floors = Floors()
    /// Sessions and catalogs that somebody wanted to delete.
    var mayBeGone: Set<String> = []
    var sessionsMayBeGone = false
    /// What each revision of a session is.
    private var states: [Int: KnownState] = [:]
    /// Who was answered a revision: it is given once.
    private var given: [String: String] = [:]
    /// Views by everything that decides what is in them.
    private var views: [String: [UInt8]] = [:]
    /// What the catalog says of itself, by method, params and revision.
    private var answers: [String: [UInt8]] = [:]
    /// What was acknowledged of items.
    var items: [String: ItemRecord] = [:]

    /// Revisions that were answered to who has changed something.
    struct Floors {
        var sessions: [String: Int] = [:]
        var catalogs: [String: Int] = [:]
    }

    /// What may be found of an item when all is over.
    struct ItemRecord {
        /// The change with the greatest revision that was answered; nil is a deletion.
        var revision = 0
        var serial: Int?
        /// Changes of which nobody knows what became of them.
        var open: Set<Int> = []
        var mayBeDeleted = false
    }

    struct KnownState {
        let session: String
        let raw: [UInt8]
        /// The category whose items are listed, unless a search covers it.
        let listed: String?
        let isSearching: Bool
        let detail: String?
    }

    func fail(_ what: String) {
        guard violation == nil else { return }
        violation = what
    }

    // MARK: Changes that were answered

    /// A session's change was answered: everybody must see it from now on.
    func changed(session: String, to revision: Int, isNew: Bool) {
        floors.sessions[session] = max(floors.sessions[session] ?? 0, revision)
        if isNew { give("selection \(revision)", to: session) }
    }

    func changed(catalog: String, to revision: Int) {
        floors.catalogs[catalog] = max(floors.catalogs[catalog] ?? 0, revision)
        give("catalog \(revision)", to: catalog)
    }

    private func give(_ revision: String, to whom: String) {
        if given[revision] != nil { fail("revision \(revision) was answered to two changes") }
        given[revision] = whom
    }

    // MARK: States

    /// Takes a session's state, from whatever source.
    func see(_ state: JSONValue, by client: Client, since floors: Floors) {
        guard let session = state["session"]?.string, let revision = state["revision"]?.int else {
            return fail("no state: \(state.text)")
        }
        see(session: session, revision: revision, by: client, since: floors)
        guard revision > 0 else { return }
        let raw = Array(state.raw)
        if let known = states[revision] {
            if known.raw != raw {
                fail("revision \(revision) is two states:\n\(known.raw.text)\n\(state.text)")
            }
            return
        }
        let path = lastText(state["paths"]?["content"])
        let items = state["items"]?.elements.compactMap(\.string) ?? []
        states[revision] = KnownState(
            session: session, raw: raw, listed: path ?? state["category"]?.string,
            isSearching: state["query"]?["scope"]?.string == "catalog"
                && state["query"]?["text"]?.string?.isEmpty == false,
            detail: lastText(state["paths"]?["detail"]) ?? (items.count == 1 ? items[0] : nil))
    }

    private func lastText(_ list: JSONValue?) -> String? { list?.elements.map(\.string).last ?? nil }

    /// A connection is shown a revision of a session.
    func see(session: String, revision: Int, by client: Client, since floors: Floors) {
        if revision == 0, sessionsMayBeGone || mayBeGone.contains(session) { return }
        let floor = floors.sessions[session] ?? 0
        if revision < floor {
            fail("\(session) is at \(revision), though \(floor) was answered before this was asked")
        }
        if !client.isReadingBatch {
            let seen = client.seen.sessions[session] ?? 0
            if revision < seen { fail("\(session) goes back from \(seen) to \(revision) on one connection") }
            client.seen.sessions[session] = max(seen, revision)
        }
        if let known = states[revision], known.session != session {
            fail("revision \(revision) is of \(known.session) and of \(session)")
        }
    }

    /// A connection is shown a revision of a catalog.
    func see(catalog: String, revision: Int, by client: Client, since floors: Floors) {
        if revision == 0, mayBeGone.contains(catalog) { return }
        let floor = floors.catalogs[catalog] ?? 0
        if revision < floor {
            fail("\(catalog) is at \(revision), though \(floor) was answered before this was asked")
        }
        if !client.isReadingBatch {
            let seen = client.seen.catalogs[catalog] ?? 0
            if revision < seen { fail("\(catalog) goes back from \(seen) to \(revision) on one connection") }
            client.seen.catalogs[catalog] = max(seen, revision)
        }
    }

    /// An answer of the catalog's is decided by its question and its revision.
    func see(_ answer: JSONValue, to question: String, revision: Int) {
        let key = "\(question) \(revision)"
        let raw = Array(answer.raw)
        if let known = answers.updateValue(raw, forKey: key), known != raw {
            fail("\(key) has two answers:\n\(known.text)\n\(answer.text)")
        }
    }

    // MARK: Views

    /// Takes a view, from whatever source; `question` is what else has decided it, if it is known.
    ///
    /// Returns whether nothing in it is older than when it was asked for.
    @discardableResult
    func see(view: JSONValue, by client: Client, since floors: Floors, question: String?) -> Bool {
        guard let session = view["session"]?.string, let revision = view["revision"]?.int else {
            fail("no view: \(view.text)")
            return false
        }
        let columns = [view["sidebar"], view["content"], view["detail"]].compactMap { $0 }
        let statuses = columns.compactMap { $0["status"]?.string }
        let isFresh = !statuses.contains { $0 == "stale" || $0 == "unavailable" }
        if statuses.contains("unavailable") { world.reached.insert(.columnsUnavailable) }
        world.reached.insert(isFresh ? .viewsFresh : .viewsStale)
        // What is shown while its owner can't be asked may be older than what others were told elsewhere.
        let floors = isFresh ? floors : Floors()
        see(session: session, revision: revision, by: client, since: floors)
        if let catalog = view["catalog"]?["id"]?.string, let number = view["catalog"]?["revision"]?.int {
            see(catalog: catalog, revision: number, by: client, since: floors)
            if isFresh, let question {
                let key = "\(session) \(revision) \(catalog) \(number) \(question)"
                let raw = Array(view.raw)
                if let known = views.updateValue(raw, forKey: key), known != raw {
                    fail("\(key) has two views:\n\(known.text)\n\(view.text)")
                }
            }
        }
        checkColumns(view, states[revision])
        return isFresh
    }

    /// What is in a column belongs to what its title says, and that to what is selected.
    private func checkColumns(_ view: JSONValue, _ state: KnownState?) {
        if let content = view["content"], !content.isNull, let title = content["title"]?.string,
            content["search"]?["scope"]?.string != "catalog"
                || content["search"]?["text"]?.string?.isEmpty == true
        {
            let category = title.prefix { $0 != " " }
            for row in content["rows"]?.elements.map({ $0 }) ?? []
            where row["subtitle"]?.string != String(category) {
                return fail("\(row.text) is shown under \(title)")
            }
            if let state, !state.isSearching, state.listed != String(category) {
                return fail("\(title) is shown where \(state.listed ?? "nothing") is chosen")
            }
        }
        if let detail = view["detail"], let title = detail["title"]?.string, let id = detail["id"]?.string {
            if title.prefix(while: { $0 != " " }) != id { fail("\(title) is shown as \(id)") }
            if let state, state.detail != id {
                fail("\(id) is shown where \(state.detail ?? "nothing") is chosen")
            }
        }
    }

    // MARK: Bounds

    /// What a service holds stays in its bounds, and is asked for by somebody.
    func checkBounds(of process: SimulatedProcess) {
        guard violation == nil, let count = process.requestCount else { return }
        if count > world.clients.count * 16 + 64 {
            fail("\(process.name) holds \(count) requests")
        }
    }
}

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
}

extension JSONValue {
    var text: String { String(decoding: raw, as: UTF8.self) }
}
