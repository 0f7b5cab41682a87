import Shared
import TestSupport

// Sessions: what is said to the selection service, or to the gateway for it, beside the model.

extension World {
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
        try watcher?.catchUp()
        for (id, state) in zip(Self.sessionIds, states) {
            if let told = watcher?.last[id] { try same("what was told of \(id)", state, told) }
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
        if !isHandedOut, session.catalog != nil, chance.isOne(in: 50) { return try conflict(params, session) }
        let window = isByView ? chance.window() : nil
        params.merge(window?.params ?? [:]) { $1 }
        let answer = try ask(isByView ? "view.send" : "selection.send", params)
        let isDone = try compare(event, id, catalog, answer, isHandedOut: isHandedOut)
        if isDone, !isCatalogAway, let window { try check(answer["result"]["view"], id, catalog, window) }
    }

    /// Sends an event about a state that is none, or of another catalog.
    private func conflict(_ params: [Identifier: Tree], _ session: ModelSession) throws {
        var params = params
        if chance.isOne(in: 2), let other = catalogs.first(where: { $0.id != session.catalog }) {
            params["catalog"] = .text(other.id)
        } else {
            params["expectedRevision"] = .number(Double(session.revision + chance.number(1...3)))
        }
        let answer = try ask(chance.one(of: ["selection.send", "view.send"]), params)
        try same("conflict: \(answer.json)", .number(1_002), answer["error"]["code"])
        try same("its revision", .number(Double(session.revision)), answer["error"]["data"]["revision"])
    }

    /// Sends every event of a view, each to a copy of the session that it is of.
    func tryEverything(of id: Identifier) throws {
        guard id != "copy", sessions[id]?.catalog != nil else { return }
        try look(at: id)
        for event in handedOut[id] ?? [] where event["type"].string != "search" {
            try copy(id, to: "copy")
            if sessions[id]?.catalog != nil { try send(event, to: "copy", isHandedOut: true) }
        }
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
        let old = sessions[window.session]?.place.items ?? []
        let wasOverlay = window.view["layout"]["presentation"].string == "overlay"
        let isDismissal = event == window.view["layout"]["dismiss"]["event"]
        let answer = try window.ask("view.send", ["event": event])
        guard try compare(event, window.session, catalog, answer, isHandedOut: true) else { return }
        guard let session = sessions[window.session] else { return }
        try ViewCheck(
            view: answer["result"]["view"], session: session, catalog: catalog, window: window.window,
            isAround: false
        ).check()
        let isChoice = !Set(session.place.items).subtracting(old).isEmpty
        if wasOverlay, isDismissal || isChoice {
            let presentation = answer["result"]["view"]["layout"]["presentation"]
            try holds("\(event.json) uncovers the detail", presentation.string != "overlay")
        }
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
            moment += 1
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
        moment += 2
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
}
