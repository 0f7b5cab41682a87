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

    init(_ client: TestClient, session: Identifier, catalog: Identifier, format: String, _ window: ViewWindow) throws {
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
    func ask(_ method: String, _ params: [String: Tree] = [:]) throws -> Tree {
        requests += 1
        var params = params
        params["subscription"] = id
        client.send(
            #"{"jsonrpc":"2.0","id":\#(requests),"method":"\#(method)","params":\#(Tree.object(params).json)}"#)
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
