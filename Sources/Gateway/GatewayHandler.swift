import JSON
import Shared
import UV

// Performs what the core decides: calls to peers, answers to clients, and one timer.

/// The gateway's methods on a socket.
final class GatewayHandler: Handler {
    private let server: Server
    private let loop: Loop
    private let catalog: Client
    private let selection: Client
    private let alarm: Timer
    private var alarmAt: UInt64?
    private var core = GatewayCore()
    private var inbox: [GatewayCore.Event] = []
    private var isHandling = false

    /// Makes the handler; the peers are connected when the service starts.
    init(_ service: Service, catalogPath: String, selectionPath: String) {
        server = service.server
        loop = service.loop
        catalog = service.makeClient("catalog", path: catalogPath)
        selection = service.makeClient("selection", path: selectionPath)
        alarm = Timer(on: service.loop)
    }

    func handle(_ request: Request) throws(RPCError) { take(.request(request)) }

    /// Hands events to the core one by one: what an effect causes at once comes after the effects before it.
    private func take(_ event: GatewayCore.Event) {
        inbox.append(event)
        guard !isHandling else { return }
        isHandling = true
        defer { isHandling = false }
        var next = 0
        while next < inbox.count {
            for effect in core.handle(inbox[next], now: loop.now) { perform(effect) }
            next += 1
        }
        inbox.removeAll(keepingCapacity: true)
    }

    private func perform(_ effect: GatewayCore.Effect) {
        switch effect {
        case .answer(let token, let result): server.answer(token, result: result)
        case .refuse(let token, let error): server.fail(token, error)
        case .call(let id, let call):
            let client = call.peer == .catalog ? catalog : selection
            client.call(call.method, deadline: call.deadline, params: { $0.members(of: call.params) }) {
                [weak self] result in self?.take(.answered(id, result))
            }
        case .wake(let time): wake(at: time)
        }
    }

    private func wake(at time: UInt64) {
        if let alarmAt, alarmAt <= time { return }
        alarmAt = time
        alarm.start(milliseconds: time > loop.now ? time - loop.now : 0) { [weak self] in
            self?.alarmAt = nil
            self?.take(.wake)
        }
    }

    func turnEnded() {}

    func stop() { alarm.close() }

    func subscriptionEnded(_ subscription: SubscriptionID) {}

    var checks: [(name: String, problem: String?)] { [] }

    var metrics: [(name: String, value: Int)] {
        [
            ("views_total", core.counters.views), ("views_degraded_total", core.counters.degradedViews),
            ("view_rounds_repeated_total", core.counters.repeatedRounds),
            ("views_in_flight", core.jobs.count), ("calls_in_flight", core.calls.count),
            ("answers_kept", core.answers.count), ("sessions_kept", core.states.count),
        ]
    }
}
