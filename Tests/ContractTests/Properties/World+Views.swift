import JSON
import Shared
import TestSupport

// Views, and services that stop.

extension World {
    /// Draws a session for a random window, and checks what is drawn.
    func look(at id: Identifier) throws {
        let window = chance.window()
        var params = window.params
        params["session"] = .text(id)
        let view = try call("view.get", params)["view"]
        guard let catalog = catalog(sessions[id]?.catalog) ?? catalogs.first else { return }
        try check(view, id, catalog, window)
    }

    func check(_ view: Tree, _ id: Identifier, _ catalog: ModelCatalog, _ window: ViewWindow) throws {
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
        if service == "selection" { (unseen, watcher) = ([:], nil) }
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
            watcher = try Watcher(harness.connect("selection"), "selection")
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

extension World {
    /// Looks and acts while the catalog is away: nothing wrong is shown, and what names no id works.
    func actWithoutCatalog() throws {
        isCatalogAway = true
        defer { isCatalogAway = false }
        for _ in 0..<chance.number(1...4) {
            let id = chance.one(of: Self.sessionIds)
            guard let session = sessions[id], let home = catalog(session.catalog) else { continue }
            switch chance.number(0...2) {
            case 0:
                let by = chance.one(of: ["position", "title", "date"])
                try send(
                    .object([
                        "type": .string("sort"), "by": .string(by), "descending": .bool(chance.isOne(in: 2)),
                    ]),
                    to: id)
            case 1: try send(.object(["type": .string(chance.one(of: ["historyBack", "back"]))]), to: id)
            default:
                let unknown = Identifier("never seen \(chance.number(0...99))")
                let event = Tree.object([
                    "type": .string("push"), "column": .string("detail"), "id": .text(unknown),
                ])
                let answer = try ask("selection.send", ["session": .text(id), "event": event])
                try same("an unknown id: \(answer.json)", .number(-32_005), answer["error"]["code"])
            }
            let window = chance.window()
            var params = window.params
            params["session"] = .text(id)
            let view = try call("view.get", params)["view"]
            try checkDegraded(view, sessions[id] ?? session, home, window)
        }
    }

    /// A view without the catalog: never a wrong column under a right title, and no column is blank.
    private func checkDegraded(
        _ view: Tree, _ session: ModelSession, _ catalog: ModelCatalog, _ window: ViewWindow
    ) throws {
        let check = ViewCheck(view: view, session: session, catalog: catalog, window: window)
        try check.keys("view", view, "schema session revision catalog layout sidebar content detail history")
        try same("revision", .number(Double(session.revision)), view["revision"])
        try same("back", .bool(!session.earlier.isEmpty), .bool(!view["history"]["back"].isNull))
        for name in ["sidebar", "content", "detail"] where !view[name].isNull {
            let column = view[name]
            let status = column["status"].string ?? ""
            try holds(
                "\(name) is \(status)",
                ["stale", "unavailable", "empty", "noSelection", "multiple"].contains(status))
            let isFilled = ["stale", "multiple"].contains(status)
            try check.placeholder(column, isThere: !isFilled)
            if status == "unavailable" { try holds("no rows", column["rows"].elements.isEmpty) }
        }
        let content = view["content"]
        if content["status"].string == "stale" {
            let place = session.place
            guard let title = content["title"].id else { throw Violation("a stale list without a title") }
            if place.isCatalogWide {
                try same("content's title", check.listTitle(place), content["title"])
            } else if let shown = place.shown {
                try holds("\(title) was never \(shown)", everNamed.contains([catalog.id, shown, title]))
                for row in content["rows"].elements {
                    let held = [catalog.id, shown, row["id"].id ?? ""]
                    try holds("\(held) was never so", everHeld.contains(held))
                }
            }
        }
        if view["detail"]["status"].string == "stale" {
            let shown = ViewCheck.shownItem(session.place)
            try same("detail's id", Tree(shown), view["detail"]["id"])
            let named = [catalog.id, shown ?? "", view["detail"]["title"].id ?? ""]
            try holds("\(named) was never so", everNamed.contains(named))
        }
    }
}
