import JSON
import Shared
import TestSupport

/// All three services with catalogs and sessions in them, beside models of both.
///
/// Everything that is said to the services goes through here, so that a failure can show it.
final class World {
    let harness: Harness
    var chance: Chance
    private(set) var catalogs: [ModelCatalog] = []
    var sessions: [Identifier: ModelSession] = [:]
    /// What was said last, for a person to repeat.
    private(set) var log: [String] = []
    var clients: [String: TestClient] = [:]
    /// The greatest revision that the selection service has given so far.
    var lastRevision = 0
    /// Changes that the selection service has not seen; nil while it sees them.
    var unseen: [Identifier: ModelCatalog.Deleted]?
    /// The events that the last view of a session handed out.
    var handedOut: [Identifier: [Tree]] = [:]
    var subscribers: [Subscriber] = []
    /// Whoever is told of all sessions; nil after the service has stopped.
    var watcher: Watcher?
    /// What categories and items were called, and what categories held, at any time.
    var everNamed: Set<[Identifier]> = []
    var everHeld: Set<[Identifier]> = []
    /// Whether views can't be current, because the catalog service is stopped.
    var isCatalogAway = false
    /// How many things have happened, each of them one event or one set of changes.
    var moment = 0

    static let sessionIds: [Identifier] = ["default", "s1", "s2", "s/~3", "copy"]

    init(seed: UInt64) throws {
        harness = try Harness()
        chance = Chance(seed: seed)
        try harness.serveProduct()
        watcher = try Watcher(harness.connect("selection"), "selection")
        for id in Self.sessionIds { sessions[id] = ModelSession(id) }
    }

    // MARK: Talking

    func client(_ service: String) throws -> TestClient {
        if let client = clients[service] { return client }
        let client = try harness.connect(service)
        clients[service] = client
        return client
    }

    /// Says a request and gives the answer, `result` or `error`.
    func ask(_ method: String, _ params: [Identifier: Tree]) throws -> Tree {
        let service =
            method.hasPrefix("catalog.")
            ? "catalog" : method.hasPrefix("selection.") ? "selection" : "gateway"
        let json = Tree.object(params).json
        note("\(method) \(json)")
        return Tree(try client(service).respond(method, json))
    }

    func note(_ line: String) {
        log.append(line)
        if log.count > 40 { log.removeFirst(20) }
    }

    /// Says a request that must succeed.
    func call(_ method: String, _ params: [Identifier: Tree]) throws -> Tree {
        let answer = try ask(method, params)
        guard case .object(let members) = answer, let result = members["result"] else {
            throw Violation("\(method) \(Tree.object(params).json): \(answer.json)")
        }
        return result
    }

    // MARK: Catalogs

    func catalog(_ id: Identifier?) -> ModelCatalog? { catalogs.first { $0.id == id } }

    /// Makes a catalog, and some things in it.
    func makeCatalog(_ id: Identifier, columns: Int, isDrillDown: Bool) throws {
        let catalog = ModelCatalog(id: id, columns: columns, isDrillDown: isDrillDown)
        catalogs.append(catalog)
        try apply([.putCatalog(title: chance.text())], to: id)
        for _ in 0..<6 { try apply([chance.newCategory(in: catalogs[index(id)])], to: id) }
        for _ in 0..<14 { try apply([chance.newItem(in: catalogs[index(id)])], to: id) }
    }

    func index(_ id: Identifier) -> Int { catalogs.firstIndex { $0.id == id } ?? 0 }

    /// Makes a random set of changes in a random catalog.
    func changeCatalog() throws {
        guard let catalog = chance.maybe(catalogs) else { return }
        var copy = catalog
        var changes: [ModelCatalog.Change] = []
        let isValid = !chance.isOne(in: 6)
        for _ in 0..<chance.number(1...4) {
            let change = chance.change(in: copy)
            // Most sets are possible, so that they are not refused for a part.
            if (try? copy.apply([change])) != nil || !isValid { changes.append(change) }
        }
        try apply(changes, to: catalog.id)
    }

    /// Makes changes in the service and in the model.
    func apply(_ changes: [ModelCatalog.Change], to id: Identifier) throws {
        let index = index(id)
        let params: [Identifier: Tree] = [
            "catalog": .text(id), "changes": .array(changes.map { $0.tree(of: catalogs[index]) }),
        ]
        let answer = try ask("catalog.apply", params)
        do {
            let deleted = try catalogs[index].apply(changes)
            moment += 1
            remember(catalogs[index])
            for (session, _) in sessions { handedOut[session] = [] }
            try holds("applied: \(answer.json)", answer["result"]["revision"].int != nil)
            try prune(deleted, id)
        } catch let refusal as ModelCatalog.Refusal {
            try same("refusal", .number(Double(refusal.code)), answer["error"]["code"])
        }
    }

    private func remember(_ catalog: ModelCatalog) {
        for (id, category) in catalog.categories {
            everNamed.insert([catalog.id, id, Identifier(category.title)])
            for item in category.items { everHeld.insert([catalog.id, id, item]) }
        }
        for (id, item) in catalog.items { everNamed.insert([catalog.id, id, Identifier(item.title)]) }
    }

    /// Drops a catalog, and makes it anew.
    func replaceCatalog() throws {
        guard let old = chance.maybe(catalogs) else { return }
        moment += 2
        _ = try call("catalog.drop", ["catalog": .text(old.id)])
        catalogs.removeAll { $0.id == old.id }
        if unseen == nil {
            for (id, session) in sessions where session.catalog == old.id {
                sessions[id] = ModelSession(id)
                handedOut[id] = []
            }
            try checkSessions(mayWait: true)
        } else {
            // Nothing tells a catalog that came back from one that stayed, but all of its things are others.
            unseen?[old.id, default: ModelCatalog.Deleted()].formUnion(
                .init(categories: Set(old.order), items: Set(old.items.keys)))
        }
        try makeCatalog(old.id, columns: chance.isOne(in: 3) ? 2 : 3, isDrillDown: chance.isOne(in: 2))
    }

    private func prune(_ deleted: ModelCatalog.Deleted, _ id: Identifier) throws {
        guard unseen == nil else {
            unseen?[id, default: ModelCatalog.Deleted()].formUnion(deleted)
            return
        }
        let before = chance.one(of: Self.sessionIds)
        let old = sessions[before]
        let touched = Self.sessionIds.filter { session in
            sessions[session]?.catalog == id
                && sessions[session]?.prune(deleted, catalogs[index(id)]) == true
        }
        if let old, old.catalog == id, !isCatalogAway { try lookAtOnce(at: before, was: old) }
        try checkSessions(touched: touched, mayWait: true)
    }
}
