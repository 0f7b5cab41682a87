import JSON
import Shared
import UV

// Performs what the core decides: calls to peers, answers and events to clients, and two timers.

/// The gateway's methods on a socket.
final class GatewayHandler: Handler {
    private let server: Server
    private let loop: Loop
    private let catalog: Client
    private let selection: Client
    private let alarm: Timer
    private var alarmAt: UInt64?
    private var core: GatewayCore
    private var inbox: [GatewayCore.Event] = []
    private var effects: [GatewayCore.Effect] = []
    private var isHandling = false
    /// Subscribers that read too slowly.
    private var congested: Set<SubscriptionID> = []
    private let drain: Timer
    /// What takes a test too long to reach.
    var windowOutputBytesMax = Limits.windowOutputBytesMax

    /// Makes the handler; the peers are connected when the service starts.
    init(
        _ service: Service, catalogPath: String, selectionPath: String, keepsViews: Bool = true
    ) {
        core = GatewayCore(keepsViews: keepsViews)
        server = service.server
        server.linesPerTurnMax = Limits.linesPerTurnMax
        loop = service.loop
        // What it is asked takes longest, so it is called first.
        selection = service.makeClient("selection", path: selectionPath)
        catalog = service.makeClient("catalog", path: catalogPath)
        alarm = Timer(on: service.loop)
        drain = Timer(on: service.loop)
        connect(.catalog, catalog)
        connect(.selection, selection)
        selection.onKnownEvent = { [weak self] line in self?.core.isEcho(line) ?? false }
    }

    /// Whether the answer to a call is known from its text; then it is taken.
    private func knows(_ result: ArraySlice<UInt8>, _ id: GatewayCore.CallID) -> Bool {
        guard let answer = core.recognise(result, of: id) else { return false }
        take(.recognised(id, answer))
        return true
    }

    private func connect(_ peer: GatewayCore.Peer, _ client: Client) {
        client.onUp = { [weak self] in self?.take(.up(peer)) }
        client.onDown = { [weak self] in self?.take(.down(peer)) }
        client.onEvent = { [weak self] _, params in self?.take(.told(peer, params)) }
    }

    func handle(_ request: Request) throws(RPCError) {
        (core.behind.catalog, core.behind.selection) = (catalog.mayBeBehind, selection.mayBeBehind)
        take(.request(request))
    }

    func subscriptionEnded(_ subscription: SubscriptionID) {
        congested.remove(subscription)
        take(.subscriptionEnded(subscription))
    }

    /// Hands events to the core one by one: what an effect causes at once comes after the effects of the same event.
    private func take(_ event: GatewayCore.Event) {
        guard !isHandling else { return inbox.append(event) }
        isHandling = true
        defer { isHandling = false }
        performWhatFollows(event)
        guard !inbox.isEmpty else { return }
        var next = 0
        while next < inbox.count {
            performWhatFollows(inbox[next])
            next += 1
        }
        inbox.removeAll(keepingCapacity: true)
    }

    private func performWhatFollows(_ event: GatewayCore.Event) {
        let nanoseconds =
            switch event {
            // It came before the peers were read in this turn: what they said by then, they said after it had come.
            case .request: server.receivedBy
            // Nobody wants to know.
            case .turnEnded where core.served.count == 0: server.receivedBy
            default: loop.nanoseconds
            }
        core.handle(event, now: loop.now, nanoseconds: nanoseconds, &effects)
        // Mostly it is one, which need not be copied then.
        if effects.count == 1, let effect = effects.popLast() { return perform(effect) }
        for index in effects.indices { perform(effects[index]) }
        // In the memory of these the next ones are noted, which are mostly few.
        effects.removeAll(keepingCapacity: effects.count <= 64)
    }

    private func perform(_ effect: GatewayCore.Effect) {
        switch effect {
        case .answer(let token, let result, let news) where news.isEmpty:
            server.answer(token, result: result.opening, rest: result.rest)
        case .answer(let token, let result, let news):
            server.answer(
                token, result: result.opening, rest: result.rest,
                events: news.map { (subscription: $0, method: "view.changed", params: $1) })
        case .refuse(let token, let error): server.fail(token, error)
        case .call(let id, let call):
            let client = call.peer == .catalog ? catalog : selection
            client.call(
                call.method, deadline: call.deadline, params: { $0.members(written: call.params) },
                // Held until the answer, or the end of the client: it has none of its calls wait for ever.
                knows: { [self] in knows($0, id) }
            ) { [self] result in take(.answered(id, result)) }
        case .subscribe(let job, let token, let connection, let stream, let view):
            let made = subscribe(token, connection, stream)
            // Before the answer, which may be what ends the connection: the core hears of that after this.
            take(.subscribed(job, made))
            switch made {
            case .success(let id): server.answer(token, result: GatewayCore.answer(id, view: view))
            case .failure(let error): server.fail(token, error)
            }
        case .tell(let subscription, let news): tell(subscription, news)
        case .end(let subscription, let news):
            congested.remove(subscription)
            guard let news else { return server.end(subscription) }
            server.end(subscription, telling: "view.changed", news)
        case .wake(let time): wake(at: time)
        }
    }

    private func subscribe(
        _ token: RequestToken, _ connection: ConnectionID, _ stream: ViewRequest.Stream
    ) -> Result<SubscriptionID, RPCError> {
        let request = Request(
            token: token, connection: connection, method: "view.subscribe", params: nil, deadline: 0)
        do throws(RPCError) {
            return .success(try server.subscribe(request, keepAfterEof: stream.keepsAfterEof))
        } catch {
            return .failure(error)
        }
    }

    private func wake(at time: UInt64) {
        if let alarmAt, alarmAt <= time { return }
        alarmAt = time
        // Never at once: libuv would call a timer that is set anew for now again and again in the same turn.
        alarm.start(milliseconds: time > loop.now ? time - loop.now : 1) { [weak self] in
            self?.alarmAt = nil
            self?.take(.wake)
        }
    }

    // MARK: Slow subscribers

    private func tell(_ subscription: SubscriptionID, _ news: [UInt8]) {
        guard server.queuedBytes(of: subscription) <= windowOutputBytesMax else {
            take(.congested(subscription))
            if congested.isEmpty {
                drain.start(milliseconds: Limits.windowDrainMs, repeating: Limits.windowDrainMs) {
                    [weak self] in self?.lookAtCongested()
                }
            }
            congested.insert(subscription)
            return
        }
        server.event(subscription, "view.changed", news)
    }

    private func lookAtCongested() {
        for subscription in congested
        where server.queuedBytes(of: subscription) <= windowOutputBytesMax / 2 {
            congested.remove(subscription)
            take(.drained(subscription))
        }
        if congested.isEmpty { drain.stop() }
    }

    func turnSent() { take(.turnEnded) }

    func stop() {
        alarm.close()
        drain.close()
    }

    var checks: [(name: String, problem: String?)] { [] }

    var metrics: [(name: String, value: Int)] {
        let (kept, bytes) = (core.knowledge.counts, core.knowledge.bytes)
        let views = core.views.size
        return [
            ("views_total", core.counters.views), ("views_degraded_total", core.counters.degradedViews),
            ("view_rounds_repeated_total", core.counters.repeatedRounds),
            ("known_answers_total", core.counters.knownAnswers),
            ("familiar_views_total", core.counters.familiarViews), ("places_known", core.places.count),
            ("places_known_bytes", core.places.bytes),
            ("shared_views_total", core.counters.sharedViews), ("views_in_flight", core.jobs.count),
            ("calls_in_flight", core.calls.count), ("windows", core.windows.count),
            ("window_views_bytes", core.windowViewsBytes),
            ("answers_kept", kept.answers), ("answers_kept_bytes", bytes.answers),
            ("sessions_kept", kept.states), ("sessions_kept_bytes", bytes.states),
            ("views_kept_total", core.counters.keptViews), ("views_laid_out_total", core.views.laidOut),
            ("views_kept", views.views),
            ("views_kept_bytes", views.bytes),
        ]
    }
}
