import JSON
import Testing

@testable import Gateway
@testable import Shared

/// Plays the host: keeps the calls until the test has them answered, and the clock.
struct CoreDriver {
    var core = GatewayCore()
    var now: UInt64 = 1_000
    /// Nanoseconds since then.
    var later: UInt64 = 0
    /// Calls that were made and not answered, in their order.
    var calls: [(id: GatewayCore.CallID, call: GatewayCore.Call)] = []
    /// All calls that were ever made, as `method params`.
    var made: [String] = []
    /// What the clients were told, by the number of their request.
    var results: [UInt64: Result<JSONValue, RPCError>] = [:]
    /// The requests in the order of their answers.
    var order: [UInt64] = []
    var wakeAt: UInt64?
    /// What subscribers were told.
    var told: [(window: SubscriptionID, news: JSONValue)] = []
    /// Subscriptions that were ended.
    var ended: [SubscriptionID] = []
    /// Subscribers that read too slowly.
    var congested: Set<SubscriptionID> = []
    var refusesSubscriptions = false
    /// Events of peers that nobody had to read.
    var echoes = 0
    private var lastToken: UInt64 = 0
    /// What the server would recognise, by the method and the params: what came before.
    private var recurrences: [String: Recurrence] = [:]
    /// Events that effects have caused at once: they come after the effects of the same event.
    private var inbox: [GatewayCore.Event] = []

    private var nanoseconds: UInt64 { now * 1_000_000 + later }

    /// Asks as a client, in a turn of its own or in that of the last request, and returns the number of the request.
    @discardableResult
    mutating func ask(
        _ method: String, _ params: String = "{}", connection: Int = 1, patience: UInt64 = 5_000,
        inSameTurn: Bool = false
    ) throws -> UInt64 {
        if !inSameTurn { try endTurn() }
        lastToken += 1
        let number = lastToken
        let line = "\(method) \(params)"
        let recurrence = recurrences[line]
        if recurrence == nil, ["view.get", "view.send"].contains(method) { recurrences[line] = Recurrence() }
        let request = Request(
            token: RequestToken(lastToken), connection: ConnectionID(connection), method: method,
            params: try parse(params), deadline: now + patience, recurrence: recurrence)
        try take(.request(request))
        return number
    }

    mutating func take(_ event: GatewayCore.Event) throws {
        try perform(event)
        while !inbox.isEmpty { try perform(inbox.removeFirst()) }
    }

    /// Ends the turn in which the requests so far have come.
    mutating func endTurn() throws { try take(.turnEnded) }

    private mutating func perform(_ event: GatewayCore.Event) throws {
        var effects: [GatewayCore.Effect] = []
        core.handle(event, now: now, nanoseconds: nanoseconds, &effects)
        for effect in effects {
            switch effect {
            case .call(let id, let call):
                calls.append((id, call))
                made.append("\(call.method) \(String(decoding: call.params, as: UTF8.self))")
            case .answer(let token, let result, let news):
                #expect(results[token.number] == nil, "answered twice")
                results[token.number] = .success(try parse(result.opening + result.rest))
                order.append(token.number)
                told += try news.map { ($0.0, try parse($0.1)) }
            case .refuse(let token, let error):
                #expect(results[token.number] == nil, "answered twice")
                results[token.number] = .failure(error)
                order.append(token.number)
            case .subscribe(let job, let token, _, _, let view):
                #expect(results[token.number] == nil, "answered twice")
                lastToken += 1
                let id = SubscriptionID("w\(lastToken)")
                inbox.append(
                    .subscribed(job, refusesSubscriptions ? .failure(Self.tooMany) : .success(id)))
                results[token.number] =
                    refusesSubscriptions
                    ? .failure(Self.tooMany) : .success(try parse(GatewayCore.answer(id, view: view)))
                order.append(token.number)
            case .tell(let window, let news):
                if congested.contains(window) {
                    inbox.append(.congested(window))
                } else {
                    told.append((window, try parse(news)))
                }
            case .end(let window, let news):
                if let news { told.append((window, try parse(news))) }
                ended.append(window)
            case .wake(let time): wakeAt = min(wakeAt ?? time, time)
            }
        }
    }

    static let tooMany = RPCError(.overloaded, "too many subscriptions")

    /// Has the first call answered that was made, and hears what it has caused.
    mutating func answerNext(_ peers: TestPeers) throws {
        let (id, call) = calls.removeFirst()
        try takeAnswer(to: call, id, peers)
        try hear(peers)
    }

    /// Hands over the answer to a call, as its text if that is known.
    private mutating func takeAnswer(
        to call: GatewayCore.Call, _ id: GatewayCore.CallID, _ peers: TestPeers
    ) throws {
        let answer = try answer(call, peers)
        if case .success(let result) = answer, let known = core.recognise(result.raw, of: id) {
            try take(.recognised(id, known))
        } else {
            try take(.answered(id, answer))
        }
    }

    /// Hears what the peers tell.
    mutating func hear(_ peers: TestPeers) throws {
        while !peers.news.isEmpty {
            let (peer, params) = peers.news.removeFirst()
            let method = peer == .catalog ? "catalog.changed" : "selection.changed"
            let line = Array(#"{"jsonrpc":"2.0","method":"\#(method)","params":"#.utf8) + params + [0x7D]
            if core.isEcho(line[...]) {
                echoes += 1
            } else {
                try take(.told(peer, try parse(params)))
            }
        }
    }

    /// Connects to the peers, which tell of their changes from now on.
    mutating func connect(_ peers: TestPeers) throws {
        for peer in GatewayCore.Peer.allCases { try take(.up(peer)) }
        try settle(peers)
    }

    /// Opens a window, has everything answered, and gives its subscription and view.
    mutating func open(
        _ peers: TestPeers, _ params: String = "{}", connection: Int = 1
    ) throws -> (id: SubscriptionID, view: JSONValue) {
        let number = try ask("view.subscribe", params, connection: connection)
        try settle(peers)
        let result = try #require(results[number])
        let answer = try result.get()
        let id = try #require(answer["subscription"]?.string)
        return (SubscriptionID(id), try #require(answer["view"]))
    }

    /// The last view that a window was told, whole.
    func lastView(_ window: SubscriptionID) -> JSONValue? {
        told.last { $0.window == window }?.news["view"]
    }

    private func answer(
        _ call: GatewayCore.Call, _ peers: TestPeers
    ) throws -> Result<JSONValue, RPCError> {
        if peers.down.contains(call.peer) { return .failure(RPCError(.upstreamUnavailable, "down")) }
        switch peers.respond(call.method, try parse(call.params)) {
        case .success(let result): return .success(try parse(result))
        case .failure(let error): return .failure(error)
        }
    }

    /// Has all calls answered, and those that they cause, but those of silent peers.
    mutating func settle(_ peers: TestPeers) throws {
        try hear(peers)
        while let index = calls.firstIndex(where: { !peers.silent.contains($0.call.peer) }) {
            let (id, call) = calls.remove(at: index)
            try takeAnswer(to: call, id, peers)
            try hear(peers)
        }
    }

    /// Lets time pass until the calls under way have come too late.
    mutating func runOut() throws {
        guard let deadline = calls.map(\.call.deadline).min() else { return }
        now = max(now, deadline)
        for (id, call) in calls where call.deadline <= now {
            calls.removeAll { $0.id == id }
            try take(.answered(id, .failure(RPCError(.deadlineExceeded, "\(call.method) is late"))))
        }
    }

    /// Asks, has everything answered, and gives the result.
    mutating func result(
        _ peers: TestPeers, _ method: String = "view.get", _ params: String = "{}"
    ) throws -> JSONValue {
        let number = try ask(method, params)
        try settle(peers)
        let result = try #require(results[number])
        return try result.get()
    }

    /// Asks for a view, has everything answered, and gives the view.
    mutating func view(
        _ peers: TestPeers, _ params: String = "{}", method: String = "view.get"
    ) throws -> JSONValue {
        let result = try result(peers, method, params)
        return try #require(result["view"])
    }

    /// The refusal of a request.
    func error(_ number: UInt64) -> RPCError? {
        guard case .failure(let error)? = results[number] else { return nil }
        return error
    }

    /// The view that answers a request.
    func view(_ number: UInt64) throws -> JSONValue {
        let result = try #require(results[number])
        let answer = try result.get()
        return try #require(answer["view"])
    }
}

/// The view of a session in memory.
func view(_ peers: TestPeers, _ params: String = "{}") throws -> JSONValue {
    var driver = CoreDriver()
    return try driver.view(peers, params)
}
