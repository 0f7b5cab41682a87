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
    private(set) var sessions: [Identifier: ModelSession] = [:]
    /// What was said last, for a person to repeat.
    private(set) var log: [String] = []
    private var clients: [String: TestClient] = [:]
    private var lastRevision = 0
    /// Changes that the selection service has not seen; nil while it sees them.
    private var unseen: [Identifier: ModelCatalog.Deleted]?
    /// The events that the last view of a session handed out.
    var handedOut: [Identifier: [Tree]] = [:]
    var subscribers: [Subscriber] = []

    static let sessionIds: [Identifier] = ["default", "s1", "s2", "s/~3", "copy"]

    init(seed: UInt64) throws {
        harness = try Harness()
        chance = Chance(seed: seed)
        try harness.serveProduct()
        for id in Self.sessionIds { sessions[id] = ModelSession(id) }
    }

    // MARK: Talking

    private func client(_ service: String) throws -> TestClient {
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

    private func index(_ id: Identifier) -> Int { catalogs.firstIndex { $0.id == id } ?? 0 }

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
            for (session, _) in sessions { handedOut[session] = [] }
            try holds("applied: \(answer.json)", answer["result"]["revision"].int != nil)
            try prune(deleted, id)
        } catch let refusal as ModelCatalog.Refusal {
            try same("refusal", .number(Double(refusal.code)), answer["error"]["code"])
        }
    }

    /// Drops a catalog, and makes it anew.
    func replaceCatalog() throws {
        guard let old = chance.maybe(catalogs) else { return }
        _ = try call("catalog.drop", ["catalog": .text(old.id)])
        catalogs.removeAll { $0.id == old.id }
        for (id, session) in sessions where session.catalog == old.id {
            sessions[id] = ModelSession(id)
            handedOut[id] = []
        }
        if unseen == nil { try checkSessions(mayWait: true) }
        try makeCatalog(old.id, columns: chance.isOne(in: 3) ? 2 : 3, isDrillDown: chance.isOne(in: 2))
    }

    private func prune(_ deleted: ModelCatalog.Deleted, _ id: Identifier) throws {
        guard unseen == nil else {
            unseen?[id, default: ModelCatalog.Deleted()].formUnion(deleted)
            return
        }
        let touched = Self.sessionIds.filter { session in
            sessions[session]?.catalog == id
                && sessions[session]?.prune(deleted, catalogs[index(id)]) == true
        }
        try checkSessions(touched: touched, mayWait: true)
    }

    // MARK: Sessions

    /// Checks that all sessions are what their models are.
    ///
    /// `touched` are those that must have a new revision. What a change of the catalog does to sessions may
    /// follow a moment later.
    func checkSessions(touched: [Identifier] = [], mayWait: Bool = false) throws {
        let before = lastRevision
        var states: [Tree] = []
        for _ in 0..<(mayWait ? 400 : 1) {
            states = try askStates()
            if zip(Self.sessionIds, states).allSatisfy({ expected($0, $1) == $1 }) { break }
            harness.settle(turns: 1)
        }
        for (id, state) in zip(Self.sessionIds, states) {
            try same("session \(id)", expected(id, state), state)
            let old = sessions[id]?.revision ?? 0
            let new = state["revision"].int ?? -1
            try holds(
                "revision \(new) of \(id), before \(old), last \(before), touched \(touched)",
                touched.contains(id) ? new > before : new == old)
            sessions[id]?.revision = new
            sessions[id]?.compact = state["compactColumn"].string
            lastRevision = max(lastRevision, new)
        }
    }

    /// The state that a session must have, but for what its answer alone tells.
    private func expected(_ id: Identifier, _ state: Tree) -> Tree {
        var model = sessions[id] ?? ModelSession(id)
        if model.catalog != nil { model.revision = state["revision"].int ?? -1 }
        // Whether a deleted category takes this request back is open: nothing shows it.
        if model.place.category == nil { model.compact = state["compactColumn"].string }
        return model.tree
    }

    private func askStates() throws -> [Tree] {
        let requests = Self.sessionIds.enumerated().map { index, id in
            let params = Tree.object(["session": .text(id)]).json
            return #"{"jsonrpc":"2.0","id":\#(index),"method":"selection.get","params":\#(params)}"#
        }
        let client = try client("selection")
        client.send("[\(requests.joined(separator: ","))]")
        let answers = Tree(try client.message()).elements
        try holds("an answer for each session", answers.count == requests.count)
        return answers.map { $0["result"]["state"] }
    }

    private func take(_ state: Tree, _ id: Identifier) {
        let revision = state["revision"].int ?? -1
        sessions[id]?.revision = revision
        lastRevision = max(lastRevision, revision)
    }

    /// Sends an event to a session and compares what comes of it with the model.
    func send(_ event: Tree, to id: Identifier, isHandedOut: Bool = false) throws {
        guard let session = sessions[id] else { return }
        // A view of no session shows the first catalog, and so does what it hands out.
        let catalog = catalog(session.catalog) ?? (isHandedOut ? catalogs[0] : chance.one(of: catalogs))
        let isByView = chance.isOne(in: 2)
        var params: [Identifier: Tree] = ["session": .text(id), "event": event]
        let isNamed =
            session.catalog == nil ? !isByView || catalog.id != catalogs[0].id : chance.isOne(in: 10)
        if isNamed { params["catalog"] = .text(catalog.id) }
        if chance.isOne(in: 10) { params["expectedRevision"] = .number(Double(session.revision)) }
        let window = isByView ? chance.window() : nil
        params.merge(window?.params ?? [:]) { $1 }
        let answer = try ask(isByView ? "view.send" : "selection.send", params)
        let isDone = try compare(event, id, catalog, answer, isHandedOut: isHandedOut)
        if isDone, let window { try check(answer["result"]["view"], id, catalog, window) }
    }

    /// Sends an event that a window was handed, from that window.
    func send(_ event: Tree, from window: Subscriber) throws {
        guard let catalog = catalog(sessions[window.session]?.catalog) ?? catalogs.first else { return }
        note("view.send from a window of \(window.session): \(event.json)")
        var event = event
        if event["type"].string == "search", case .object(var members) = event {
            members["text"] = .string(chance.query())
            event = .object(members)
        }
        let answer = try window.ask("view.send", ["event": event])
        guard try compare(event, window.session, catalog, answer, isHandedOut: true) else { return }
        guard let session = sessions[window.session] else { return }
        try ViewCheck(
            view: answer["result"]["view"], session: session, catalog: catalog, window: window.window,
            isAround: false
        ).check()
        try window.checkIsCurrent()
        try same("the answer and what is shown", answer["result"]["view"], window.view)
    }

    /// Compares an answer with what the model says; true if the event was carried out.
    private func compare(
        _ event: Tree, _ id: Identifier, _ catalog: ModelCatalog, _ answer: Tree, isHandedOut: Bool
    ) throws -> Bool {
        guard var session = sessions[id] else { return false }
        let outcome = session.apply(event, catalog)
        if case .refused(let code) = outcome {
            try holds("\(event.json) was handed out and is not possible", !isHandedOut)
            try same("refusal of \(event.json)", .number(Double(code)), answer["error"]["code"])
            return false
        }
        let result = answer["result"]
        try same(
            "changed by \(event.json): \(answer["error"].json)", .bool(outcome == .changed), result["changed"]
        )
        if outcome == .changed {
            session.catalog = catalog.id
            sessions[id] = session
            handedOut[id] = []
        }
        let before = session.revision
        let state =
            result["state"].isNull
            ? try call("selection.get", ["session": .text(id)])["state"] : result["state"]
        sessions[id]?.revision = state["revision"].int ?? -1
        try same("state after \(event.json)", sessions[id]?.tree ?? .null, state)
        let revision = state["revision"].int ?? 0
        try holds(
            "revision \(revision) after \(lastRevision), \(outcome)",
            outcome == .changed ? revision > lastRevision : revision == before)
        take(state, id)
        return true
    }

    /// Copies one session onto another.
    func copy(_ from: Identifier, to: Identifier) throws {
        guard let source = sessions[from], source.catalog != nil, from != to else { return }
        var copy = ModelSession(to)
        let revision = sessions[to]?.revision ?? 0
        (copy.catalog, copy.place, copy.earlier, copy.later) = (
            source.catalog, source.place, source.earlier, source.later
        )
        (copy.visibility, copy.style, copy.compact, copy.widths) = (
            source.visibility, source.style, source.compact, source.widths
        )
        (copy.sortBy, copy.isDescending, copy.expanded) = (
            source.sortBy, source.isDescending, source.expanded
        )
        copy.revision = revision
        let state = try call("selection.copy", ["from": .text(from), "to": .text(to)])["state"]
        sessions[to] = copy
        sessions[to]?.revision = state["revision"].int ?? -1
        try same("copy", sessions[to]?.tree ?? .null, state)
        sessions[to]?.revision = revision
        try holds("revision of a copy", state["revision"].int ?? -1 > lastRevision)
        take(state, to)
        handedOut[to] = []
    }

    /// Deletes a session.
    func delete(_ id: Identifier) throws {
        let wasThere = sessions[id]?.catalog != nil
        try same(
            "deleted", .bool(wasThere), try call("selection.delete", ["session": .text(id)])["deleted"])
        sessions[id] = ModelSession(id)
        handedOut[id] = []
        try checkSessions()
    }

    // MARK: Views

    /// Draws a session for a random window, and checks what is drawn.
    func look(at id: Identifier) throws {
        let window = chance.window()
        var params = window.params
        params["session"] = .text(id)
        let view = try call("view.get", params)["view"]
        guard let catalog = catalog(sessions[id]?.catalog) ?? catalogs.first else { return }
        try check(view, id, catalog, window)
    }

    private func check(_ view: Tree, _ id: Identifier, _ catalog: ModelCatalog, _ window: ViewWindow) throws {
        guard let session = sessions[id] else { return }
        try ViewCheck(view: view, session: session, catalog: catalog, window: window).check()
        let isSame = session.catalog != nil || catalog.id == catalogs[0].id
        handedOut[id] = isSame ? Self.events(in: view) : []
    }

    /// Every event in a view.
    static func events(in value: Tree) -> [Tree] {
        switch value {
        case .array(let elements): return elements.flatMap { events(in: $0) }
        case .object(let members):
            return members.sorted { $0.key < $1.key }.flatMap { name, value in
                name == "event" && !value.isNull ? [value] : events(in: value)
            }
        default: return []
        }
    }
}

extension World {
    /// Stops a service and starts it again on its files, with something happening in between.
    func restart(_ service: String, _ meanwhile: () throws -> Void = {}) throws {
        note("-- \(service) stops")
        clients.removeValue(forKey: service)?.close()
        if service == "gateway" { subscribers = [] }
        if service == "selection" { unseen = [:] }
        try harness.stop(service)
        try meanwhile()
        note("-- \(service) starts")
        switch service {
        case "catalog": try harness.serveCatalog()
        case "selection": try harness.serveSelection()
        default: try harness.serveGateway()
        }
        if let missed = unseen {
            unseen = nil
            let touched = Self.sessionIds.filter { id in
                guard let home = sessions[id]?.catalog, let deleted = missed[home] else { return false }
                return sessions[id]?.prune(deleted, catalogs[index(home)]) == true
            }
            // What was missed is made good before the first answer that shows it.
            try checkSessions(touched: touched)
        }
        for name in ["catalog", "selection", "gateway"] {
            let client = try client(name)
            try harness.until("\(name) is ok") {
                (try? client.call("rpc.health")["status"]?.string) == "ok"
            }
        }
        try checkSessions()
    }
}
