import Shared
import TestSupport

// Many requests in one write: they share turns and transactions, and still happen one after the other.

extension World {
    /// Sends events to random sessions all at once, and then compares what came of each.
    func burst() throws {
        let isByView = chance.isOne(in: 2)
        var sent: [(id: Identifier, event: Tree, outcome: ModelSession.Outcome, state: Tree)] = []
        var lines: [String] = []
        let (only, isOneSession) = (chance.one(of: Self.sessionIds), chance.isOne(in: 2))
        for number in 0..<chance.number(2...12) {
            let id = isOneSession ? only : chance.one(of: Self.sessionIds)
            guard var session = sessions[id], let catalog = catalog(session.catalog) ?? catalogs.first else {
                continue
            }
            let event = chance.event(session, catalog)
            let outcome = session.apply(event, catalog)
            if outcome == .changed {
                moment += 2
                session.catalog = catalog.id
                sessions[id] = session
                handedOut[id] = []
            }
            let params = Tree.object([
                "session": .text(id), "event": event, "catalog": .text(catalog.id),
            ]).json
            let method = isByView ? "view.send" : "selection.send"
            note("at once: \(method) \(params)")
            lines.append(#"{"jsonrpc":"2.0","id":\#(number),"method":"\#(method)","params":\#(params)}"#)
            sent.append((id, event, outcome, sessions[id]?.tree ?? .null))
        }
        let client = try client(isByView ? "gateway" : "selection")
        client.send(lines.joined(separator: "\n"))
        var answers: [Int: Tree] = [:]
        while answers.count < lines.count {
            let answer = Tree(try client.message())
            answers[answer["id"].int ?? -1] = answer
        }
        var last: [Identifier: Int] = [:]
        for (number, one) in sent.enumerated() {
            let answer = answers[number] ?? .null
            if case .refused(let code) = one.outcome {
                try same("refusal of \(one.event.json)", .number(Double(code)), answer["error"]["code"])
                continue
            }
            let result = answer["result"]
            try same("changed by \(one.event.json)", .bool(one.outcome == .changed), result["changed"])
            let shown = isByView ? result["view"] : result["state"]
            let revision = shown["revision"].int ?? -1
            if !isByView {
                var state = one.state.members
                state["revision"] = .number(Double(revision))
                try same("state after \(one.event.json)", .object(state), result["state"])
            }
            let before = last[one.id] ?? sessions[one.id]?.revision ?? 0
            // A view may be of a later state of its session, which the next answers are of, too.
            let isGrown = one.outcome == .changed && !isByView ? revision > before : revision >= before
            try holds("revision \(revision) after \(before), \(one.outcome)", isGrown)
            last[one.id] = revision
        }
        let touched = Self.sessionIds.filter { id in
            sent.contains { $0.id == id && $0.outcome == .changed }
        }
        try checkSessions(touched: touched)
    }

    /// Draws a session right after its catalog has changed, when the session may not have followed yet.
    func lookAtOnce(at id: Identifier, was old: ModelSession) throws {
        guard let session = sessions[id], let catalog = catalog(old.catalog), session.catalog == old.catalog
        else { return }
        let window = chance.window()
        var params = window.params
        params["session"] = .text(id)
        let view = try call("view.get", params)["view"]
        let isOld = view["revision"].int == old.revision && session.tree != old.tree
        var shown = isOld ? old : session
        shown.revision = view["revision"].int ?? -1
        if !isOld {
            return try ViewCheck(view: view, session: shown, catalog: catalog, window: window).check()
        }
        note("an old state was drawn")
        let check = ViewCheck(view: view, session: shown, catalog: catalog, window: window)
        if catalog.columns == 3 { try check.checkCategorySidebar() }
        if let item = ViewCheck.shownItem(old.place), catalog.items[item] == nil {
            try same("a detail that is gone", .string("missing"), view["detail"]["status"])
        }
        if let shown = old.place.shown, catalog.categories[shown] == nil, !old.place.isCatalogWide {
            try same("a list that is gone", .string("missing"), view["content"]["status"])
        }
    }
}
