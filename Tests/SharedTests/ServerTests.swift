import JSON
import Shared
import Testing
import TestSupport
import UV

/// Answers `echo` with its params, `later` never, and `tick` by an event to every subscriber.
final class EchoHandler: Handler {
    let server: Server
    var subscriptions: [SubscriptionID] = []
    var waiting: [RequestToken] = []
    init(_ service: Service) { server = service.server }
    var methods: [Method] {
        [
            Method("echo", .read, "Echoes."), Method("later", .read, "Waits."),
            Method("tick", .change, "Ticks."),
            Method("subscribe", .subscribe, "Subscribes."),
        ]
    }
    func handle(_ request: Request) throws(RPCError) {
        switch request.method {
        case "later": waiting.append(request.token)
        case "subscribe":
            let id = try server.subscribe(
                request, keepAfterEof: request.params?["keepAfterEof"]?.bool ?? false)
            subscriptions.append(id)
            server.answer(request.token, result: Array(#"{"subscription":"\#(id)"}"#.utf8))
        case "tick":
            server.answer(
                request.token, result: Array("{}".utf8),
                events: subscriptions.map { (subscription: $0, method: "ticked", params: Array("{}".utf8)) })
        default:
            server.answer(request.token, result: request.params.map { Array($0.raw) } ?? Array("{}".utf8))
        }
    }
    func turnEnded() {}
    func stop() {}
    func subscriptionEnded(_ subscription: SubscriptionID) { subscriptions.removeAll { $0 == subscription } }
    var checks: [(name: String, problem: String?)] { [] }
    var metrics: [(name: String, value: Int)] { [] }
}

@Suite struct ServerTests {
    @Test func aRequestIsAnsweredWithItsId() throws {
        let harness = try Harness()
        defer { harness.finish() }
        try harness.serve("gateway") { service in EchoHandler(service) }
        let client = try harness.connect("gateway")
        client.send(#"{"jsonrpc":"2.0","id":1.0,"method":"echo","params":{"a":[1,"\u00e9"]}}"#)
        #expect(try client.line() == #"{"jsonrpc":"2.0","id":1.0,"result":{"a":[1,"\u00e9"]}}"#)
        #expect(try client.call("rpc.info")["service"]?.string == "gateway")
    }

    @Test func halfCloseIsAnsweredThenClosed() throws {
        let harness = try Harness()
        defer { harness.finish() }
        try harness.serve("gateway") { service in EchoHandler(service) }
        let client = try harness.connect("gateway")
        client.send(bytes: Array(#"{"jsonrpc":"2.0","id":1,"method":"echo"}"#.utf8))
        client.halfClose()
        #expect(try client.rest() == [#"{"jsonrpc":"2.0","id":1,"result":{}}"#])
    }
}
