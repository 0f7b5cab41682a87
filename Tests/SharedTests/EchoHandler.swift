import JSON
import Shared

/// A service for tests of the host: `echo` answers its params, `later` and the change `laterTick` answer when the test says
/// so, `tick` is a change that tells every subscriber, `big` answers a string of `bytes` letters in two pieces.
final class EchoHandler: Handler {
    let server: Server
    var subscriptions: Set<SubscriptionID> = []
    var waiting: [RequestToken] = []
    var handled = 0
    /// Changes that were made.
    var ticks = 0
    /// What was handed on for the last request.
    var recurrence: Recurrence?

    init(_ service: Service) { server = service.server }

    var methods: [Method] {
        [
            Method("echo", .read, "Echoes."), Method("later", .read, "Waits."),
            Method("tick", .change, "Ticks."), Method("laterTick", .change, "Ticks, then waits."),
            Method("big", .read, "Is big."),
            Method("subscribe", .subscribe, "Subscribes."), Method("unsubscribe", .read, "Ends it."),
        ]
    }

    func handle(_ request: Request) throws(RPCError) {
        handled += 1
        recurrence = request.recurrence
        var params = try ObjectReader(request.params)
        switch request.method {
        case "later": waiting.append(request.token)
        case "laterTick":
            ticks += 1
            waiting.append(request.token)
        case "subscribe":
            let keepAfterEof = try params.bool("keepAfterEof") ?? false
            let id = try server.subscribe(request, keepAfterEof: keepAfterEof)
            subscriptions.insert(id)
            server.answer(request.token, result: Array(#"{"subscription":"\#(id)"}"#.utf8))
        case "unsubscribe":
            let id = try params.identifier("subscription")
            try server.unsubscribe(request, id)
            subscriptions.remove(id)
            server.answer(request.token, result: Array("{}".utf8))
        case "tick":
            ticks += 1
            let said = request.params.map { Array($0.raw) } ?? Array("{}".utf8)
            server.answer(
                request.token, result: said,
                events: subscriptions.sorted().map {
                    (subscription: $0, method: "ticked", params: said)
                })
        case "big":
            let count = try params.int("bytes", in: 0...10_000_000) ?? 0
            let letters = [UInt8](repeating: 0x78, count: count)
            server.answer(
                request.token, result: [0x22] + letters[..<(count / 2)],
                rest: letters[(count / 2)...] + [0x22])
        default:
            server.answer(request.token, result: request.params.map { Array($0.raw) } ?? Array("{}".utf8))
        }
    }

    func answerWaiting() {
        for token in waiting { server.answer(token, result: Array("\"done\"".utf8)) }
        waiting = []
    }

    func stop() {}
    func subscriptionEnded(_ subscription: SubscriptionID) { subscriptions.remove(subscription) }
    var checks: [(name: String, problem: String?)] { [] }
    var metrics: [(name: String, value: Int)] { [] }
}
