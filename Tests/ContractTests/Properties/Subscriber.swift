import Shared
import TestSupport

/// A window that is kept current by what it is told, and by nothing else.
final class Subscriber {
    let session: Identifier
    let format: String
    var window: ViewWindow
    private let client: TestClient
    private let id: Tree
    private(set) var view: Tree
    private var seq = 0
    private var requests = 0
    private(set) var isOver = false
    /// What it showed when it was checked last; nil after it was scrolled or given another limit.
    var hold: Hold?

    init(_ client: TestClient, session: Identifier, catalog: Identifier, format: String, _ window: ViewWindow)
        throws
    {
        (self.session, self.format, self.window, self.client) = (session, format, window, client)
        var params = window.params
        params["session"] = .text(session)
        params["catalog"] = .text(catalog)
        params["format"] = .string(format)
        let result = try client.call("view.subscribe", Tree.object(params).json)
        (id, view) = (Tree(result)["subscription"], Tree(result)["view"])
    }

    /// Says a request about the subscription; events that come before its answer are taken in.
    @discardableResult
    func ask(_ method: String, _ params: [Identifier: Tree] = [:]) throws -> Tree {
        requests += 1
        var params = params
        params["subscription"] = id
        client.send(
            #"{"jsonrpc":"2.0","id":\#(requests),"method":"\#(method)","params":\#(Tree.object(params).json)}"#
        )
        while true {
            let message = Tree(try client.message())
            if message["id"].int == requests { return message }
            try take(message)
        }
    }

    private func take(_ message: Tree) throws {
        try same("event", .string("view.changed"), message["method"])
        let event = message["params"]
        try same("subscription", id, event["subscription"])
        seq += 1
        try same("seq", .number(Double(seq)), event["seq"])
        try holds("an event after the end", !isOver)
        if !event["ended"].isNull {
            isOver = true
        } else if !event["view"].isNull {
            try holds("a full view only when asked for", format == "full" || event["lagged"].bool == true)
            try holds("an event that changes nothing", event["view"] != view)
            view = event["view"]
        } else {
            let next = try view.patched(event["patch"])
            try holds("a patch that changes nothing: \(event["patch"].json)", next != view)
            view = next
        }
    }

    /// Checks that what was told is exactly what the service says that this window shows.
    func checkIsCurrent() throws {
        let answer = try ask("view.get")
        guard !isOver else {
            return try same("a window that is over", .number(1_001), answer["error"]["code"])
        }
        try same("view of \(session)'s window, \(format)", answer["result"]["view"], view)
    }
}

extension World {
    /// Opens a window that is kept current.
    func subscribe() throws {
        let session = chance.one(of: Self.sessionIds)
        guard let catalog = catalog(sessions[session]?.catalog) ?? catalogs.first else { return }
        let window = chance.window()
        note("subscribe \(session) \(window.params)")
        subscribers.append(
            try Subscriber(
                harness.connect("gateway"), session: session, catalog: catalog.id,
                format: chance.one(of: ["full", "patch", "patch"]), window))
    }

    /// Does something that a window does: another size, other rows, or an event sent from it.
    func useAWindow() throws {
        guard let one = chance.maybe(subscribers.filter { !$0.isOver }) else { return try subscribe() }
        try check(one)
        if one.isOver { return }
        let page = one.view["content"].isNull ? one.view["sidebar"]["page"] : one.view["content"]["page"]
        switch chance.number(0...3) {
        case 0:
            let window = chance.window()
            var params = window.params
            if window.sizeClass == nil { params["sizeClass"] = one.window.sizeClass.map { .string($0) } }
            params["limit"] = nil
            one.window.width = window.width
            one.window.scale = window.scale
            one.window.sizeClass = window.sizeClass ?? one.window.sizeClass
            note("view.resize \(one.session) \(Tree.object(params).json)")
            try same("resize", .null, try one.ask("view.resize", params)["error"])
        case 1:
            one.hold = nil
            var params: [Identifier: Tree] = [:]
            if chance.isOne(in: 2) {
                one.window.limit = chance.number(1...6)
                params["limit"] = .number(Double(one.window.limit ?? 0))
            }
            let cursor: Identifier = chance.one(of: ["after", "before"])
            if !chance.isOne(in: 3), !page[cursor].isNull { params[cursor] = page[cursor] }
            note("view.scroll \(one.session) \(Tree.object(params).json)")
            try same("scroll", .null, try one.ask("view.scroll", params)["error"])
        default:
            guard let event = chance.maybe(Self.events(in: one.view)) else { return }
            try send(event, from: one)
        }
    }

    /// Checks all windows against what the gateway says that they show, and that against the models.
    func checkWindows() throws {
        for one in subscribers { try check(one) }
        subscribers.removeAll { $0.isOver }
    }

    private func check(_ one: Subscriber) throws {
        // News of the session and of the catalog may be under way.
        var rounds = 200
        while true {
            try one.checkIsCurrent()
            guard !one.isOver, let violation = violation(of: one) else { return try checkRows(of: one) }
            rounds -= 1
            if rounds == 0 { throw violation }
            harness.settle(turns: 1)
        }
    }

    /// A window's rows stay where they are, unless there is a reason that they do not.
    private func checkRows(of one: Subscriber) throws {
        guard !one.isOver, let check = viewCheck(of: one), let now = Hold(check, moment) else {
            one.hold = nil
            return
        }
        if let before = one.hold, now.moment - before.moment == 1, let first = before.next(now) {
            try holds(
                "rows \(now.shown) of \(one.session)'s window of \(now.limit), expected from \(first), "
                    + "before \(before.shown)", now.shown.lowerBound == first)
        }
        one.hold = now
    }

    private func violation(of one: Subscriber) -> Violation? {
        do { try viewCheck(of: one)?.check() } catch { return error }
        return nil
    }

    private func viewCheck(of one: Subscriber) -> ViewCheck? {
        guard let session = sessions[one.session], let catalog = catalog(session.catalog) ?? catalogs.first
        else { return nil }
        return ViewCheck(
            view: one.view, session: session, catalog: catalog, window: one.window, isAround: false)
    }
}
