import JSON
import UV

// Connections in, requests to the handler, answers and events out. What is received in a turn is handled at its
// end, and all lines of a turn go out in one write.

/// Serves clients on a Unix socket.
public final class Server {
    let loop: Loop
    let log: Log
    let service: String
    weak var handler: (any Handler)?
    /// What answers `rpc.*`, at once.
    var host: ((_ method: String, _ params: JSONValue?) throws(RPCError) -> [UInt8]?)?
    /// The service is stopping: no new work.
    var isDraining = false
    var counters = Counters()

    private let socket: ListeningSocket
    private let listener: Pipe
    private let parser = JSONParser(depthMax: Limits.nestingLevelsMax)
    private var connections: [ConnectionID: Connection] = [:]
    private var perUser: [UInt32: Int] = [:]
    private var destinations: [RequestToken: Destination] = [:]
    private var subscribers: [SubscriptionID: Connection] = [:]
    private var kinds: [String: Method.Kind] = [:]
    private var received: [Connection] = []
    private var dirty: [Connection] = []
    private var lastNumber: UInt64 = 0
    private let watch: Timer
    private var isWatching = false
    private let connectionsMax: Int
    /// Told when a stopping service has nothing left to answer.
    private var onDrained: (() -> Void)?

    /// What is counted, for `rpc.metrics`.
    struct Counters {
        var connectionsAccepted = 0
        var connectionsRefused = 0
        var connectionsCut = 0
        var requests = 0
        var notificationsDropped = 0
        var responsesDropped = 0
        var events = 0
        var errors: [ErrorReason: Int] = [:]
    }

    init(
        service: String, socket: ListeningSocket, loop: Loop, log: Log, connectionsMax: Int
    ) throws(UVError) {
        (self.service, self.socket, self.loop, self.log) = (service, socket, loop, log)
        self.connectionsMax = connectionsMax
        listener = Pipe(on: loop)
        watch = Timer(on: loop)
        try listener.listen(on: socket) { [weak self] in self?.accept() }
    }

    func install(_ handler: any Handler) {
        self.handler = handler
        for method in handler.methods + HostMethods.all { kinds[method.name] = method.kind }
    }

    // MARK: Connections

    private func accept() {
        let pipe: Pipe
        do throws(UVError) { pipe = try listener.accept() } catch { return }
        let peer = pipe.peer
        guard let user = peer?.user, Credentials.mayConnect(user) else {
            log.write(.warning, "connection refused") { json in
                json.member("pid", peer.map { Int($0.process) })
                json.member("uid", peer.map { Int($0.user) })
                json.member("why", "another user")
            }
            return refuse(
                pipe, RPCError(.permissionDenied, "This socket serves the user it belongs to, and root."))
        }
        guard connections.count < connectionsMax, perUser[user, default: 0] < Limits.connectionsPerUserMax
        else {
            let all = connections.count >= connectionsMax
            let bound = all ? connectionsMax : Limits.connectionsPerUserMax
            return refuse(
                pipe,
                RPCError(
                    .tooManyConnections,
                    "There are \(bound) connections\(all ? "" : " of this user"): close some.",
                    limit: all ? "connections" : "connectionsPerUser"))
        }
        let connection = Connection(id: ConnectionID(nextNumber()), pipe: pipe)
        connections[connection.id] = connection
        perUser[user, default: 0] += 1
        counters.connectionsAccepted += 1
        pipe.startReading(
            onBytes: { [weak self, weak connection] bytes in
                guard let self, let connection else { return }
                connection.decoder.append(bytes)
                self.hasReceived(connection)
            },
            onEnd: { [weak self, weak connection] event in
                guard let self, let connection else { return }
                switch event {
                case .end:
                    connection.isAtEnd = true
                    connection.decoder.finish()
                    self.hasReceived(connection)
                case .failure: self.close(connection)
                }
            })
    }

    private func refuse(_ pipe: Pipe, _ error: RPCError) {
        counters.connectionsRefused += 1
        pipe.write(answer(id: Message.nullId, error: error) + [0x0A]) { _ in pipe.close() }
    }

    private func hasReceived(_ connection: Connection) {
        queue(connection)
        if !connection.mayBeRead { connection.pipe.pauseReading() }
    }

    /// Has the connection's lines handled at the end of this turn.
    private func queue(_ connection: Connection) {
        guard !connection.isQueued, !connection.isClosed else { return }
        connection.isQueued = true
        received.append(connection)
    }

    /// Goes on with a connection that had to wait, if it may.
    private func resume(_ connection: Connection) {
        guard connection.isPaused, connection.mayBeRead else { return }
        connection.isPaused = false
        queue(connection)
    }

    private func close(_ connection: Connection, why: String? = nil) {
        guard !connection.isClosed else { return }
        if let why {
            counters.connectionsCut += 1
            log.write(.warning, "connection cut") { json in
                json.member("why", why)
                json.member("pid", connection.peer.map { Int($0.process) })
            }
        }
        connection.isClosed = true
        connections[connection.id] = nil
        if let user = connection.peer?.user, let count = perUser[user] {
            perUser[user] = count > 1 ? count - 1 : nil
        }
        endSubscriptions(of: connection) { _ in true }
        connection.output = []
        connection.pipe.close()
    }

    private func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: A turn

    /// Handles what was received and sends what that gave. Returns whether something is left for another turn.
    func endTurn(readPeers: () -> Void) -> Bool {
        if !received.isEmpty {
            // What a peer sent before a client wrote its request must be known when the request is handled.
            readPeers()
            let now = received
            received = []
            for connection in now {
                connection.isQueued = false
                handleLines(of: connection)
            }
        }
        handler?.turnEnded()
        flush()
        checkDrained()
        return !received.isEmpty
    }

    /// Handles the lines of one connection, up to its share of a turn.
    private func handleLines(of connection: Connection) {
        let start = Loop.nanoseconds
        for _ in 0..<Limits.messagesPerTurnMax {
            guard !connection.isClosed, !connection.closesAfterOutput else { return }
            guard connection.inFlight < Limits.requestsInFlightMax,
                connection.queuedBytes <= Limits.outputBytesPause
            else {
                connection.isPaused = true
                return connection.pipe.pauseReading()
            }
            guard let line = connection.decoder.next() else { return hasHandledAll(of: connection) }
            connection.partialLineSince = nil
            switch line {
            case .text(let text): handle(text, of: connection)
            case .tooLong: refuseOversize(connection)
            }
            if Loop.nanoseconds - start > Limits.nanosecondsPerTurnMax { break }
        }
        queue(connection)
    }

    private func hasHandledAll(of connection: Connection) {
        if connection.isAtEnd { return hasEnded(connection) }
        if connection.decoder.isInsideLine {
            connection.partialLineSince = connection.partialLineSince ?? loop.now
            startWatching()
        }
        connection.pipe.resumeReading()
    }

    private func refuseOversize(_ connection: Connection) {
        connection.oversizeAt.removeAll { loop.now - $0 > Limits.oversizeWindowMs }
        connection.oversizeAt.append(loop.now)
        let error = RPCError(
            .messageTooLarge, "A line may have \(Limits.incomingLineBytesMax) bytes: send less at once.",
            limit: "incomingLineBytes")
        send(answer(id: Message.nullId, error: error), to: connection)
        if connection.oversizeAt.count >= Limits.oversizeLinesMax {
            connection.closesAfterOutput = true
            connection.pipe.pauseReading()
        }
    }

    /// The client has half-closed, and all of its lines are handled.
    private func hasEnded(_ connection: Connection) {
        endSubscriptions(of: connection) { !$0.keepsAfterEof }
        if connection.inFlight == 0, connection.subscriptions.isEmpty {
            connection.closesAfterOutput = true
            markDirty(connection)
        } else {
            startWatching()
        }
    }

    // MARK: Requests

    private func handle(_ line: ArraySlice<UInt8>, of connection: Connection) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try parser.parse(line)
        } catch {
            let why =
                switch error {
                case .invalid: "The line is no strict JSON in UTF-8."
                case .tooDeep: "The line is nested deeper than \(Limits.nestingLevelsMax) levels."
                case .noMemory: "There is no memory for the line."
                }
            return send(answer(id: Message.nullId, error: RPCError(.parseError, why)), to: connection)
        }
        guard document.root.kind == .array else {
            return handle(Message(document.root), of: connection, batch: nil)
        }
        let count = document.root.count
        guard (1...Limits.batchItemsMax).contains(count) else {
            let error =
                count == 0
                ? RPCError(.invalidRequest, "A batch has at least one item.")
                : RPCError(
                    .batchTooLarge, "A batch may have \(Limits.batchItemsMax) items.", limit: "batchItems")
            return send(answer(id: Message.nullId, error: error), to: connection)
        }
        let messages = document.root.elements.map { Message($0) }
        let batch = Batch(ids: messages.compactMap(\.answerId))
        var index = 0
        for message in messages {
            handle(message, of: connection, batch: message.answerId == nil ? nil : (batch, index))
            if message.answerId != nil { index += 1 }
        }
    }

    private func handle(_ message: Message, of connection: Connection, batch: (Batch, index: Int)?) {
        switch message {
        case .notification: counters.notificationsDropped += 1  // never answered, so nothing but a change matters
        case .response: counters.responsesDropped += 1
        case .invalid(let id, let error):
            deliver(
                answer(id: id, error: error),
                to: Destination(connection: connection, id: Array(id), batch: batch, isChange: false))
        case .request(let id, let method, let params):
            counters.requests += 1
            let kind = kinds[method]
            let destination = Destination(
                connection: connection, id: Array(id), batch: batch, isChange: kind == .change)
            do throws(RPCError) {
                try start(method, kind, params, destination)
            } catch {
                deliver(answer(id: id, error: error), to: destination)
            }
        }
    }

    private func start(
        _ method: String, _ kind: Method.Kind?, _ params: JSONValue?, _ destination: Destination
    ) throws(RPCError) {
        let connection = destination.connection
        guard !connection.idsInFlight.contains(destination.id) else {
            throw RPCError(.duplicateId, "A request with this id is still under way on this connection.")
        }
        guard let kind else {
            throw RPCError(.methodNotFound, "There is no method \"\(method)\": see rpc.discover.")
        }
        if kind == .subscribe, destination.batch != nil {
            throw RPCError(
                .invalidRequest, "A subscription can't be in a batch: send it as a line of its own.")
        }
        let meta = try Meta(params)
        if let result = try host?(method, params) {
            return deliver(answer(id: destination.id[...], result: result), to: destination)
        }
        guard !isDraining else {
            throw RPCError(.draining, "The service is stopping: try again in a moment.")
        }
        let token = RequestToken(nextNumber())
        destinations[token] = destination
        connection.inFlight += 1
        if destination.id != Array(Message.nullId) { connection.idsInFlight.insert(destination.id) }
        let request = Request(
            token: token, connection: connection.id, method: method, params: params,
            deadline: loop.now + UInt64(meta.deadlineMs ?? Limits.deadlineMsDefault))
        do throws(RPCError) { try handler?.handle(request) } catch { fail(token, error) }
    }

    // MARK: Answers

    /// Answers a request with a result, which is JSON text.
    public func answer(_ token: RequestToken, result: [UInt8]) {
        guard let destination = finish(token) else { return }
        deliver(answer(id: destination.id[...], result: result), to: destination)
    }

    /// Refuses a request.
    public func fail(_ token: RequestToken, _ error: RPCError) {
        guard let destination = finish(token) else { return }
        deliver(answer(id: destination.id[...], error: error), to: destination)
    }

    /// Answers a change together with the events that it causes.
    ///
    /// Other connections' events go out before the answer, so that whoever sees the answer can rely on the peers
    /// knowing of it; the caller's own events follow its answer.
    public func answer(
        _ token: RequestToken, result: [UInt8],
        events: [(subscription: SubscriptionID, method: StaticString, params: [UInt8])]
    ) {
        let caller = destinations[token]?.connection
        for event in events where subscribers[event.subscription] !== caller {
            self.event(event.subscription, event.method, event.params)
        }
        answer(token, result: result)
        guard let caller else { return }
        for event in events where subscribers[event.subscription] === caller {
            self.event(event.subscription, event.method, event.params, isOwn: true)
        }
    }

    private func finish(_ token: RequestToken) -> Destination? {
        guard let destination = destinations.removeValue(forKey: token) else { return nil }
        let connection = destination.connection
        connection.inFlight -= 1
        connection.idsInFlight.remove(destination.id)
        if connection.inFlight == 0, connection.isAtEnd { queue(connection) }  // to be closed
        resume(connection)
        return destination
    }

    private func deliver(_ answer: [UInt8], to destination: Destination) {
        guard let (batch, index) = destination.batch else {
            return send(answer, to: destination.connection, isChange: destination.isChange)
        }
        batch.fill(index, answer)
        if destination.isChange { batch.hasChange = true }
        guard batch.missing == 0 else { return }
        let line = batch.line { id in self.answer(id: id[...], error: Self.tooLarge) }
        send(line, to: destination.connection, isChange: batch.hasChange)
    }

    private static let tooLarge = RPCError(
        .responseTooLarge,
        "The answer would have more than \(Limits.outgoingLineBytesMax) bytes: ask for less at once, with a smaller limit.",
        limit: "limit")

    private func answer(id: ArraySlice<UInt8>, result: [UInt8]) -> [UInt8] {
        var json = JSONWriter(capacity: result.count + id.count + 48)
        json.object { json in
            json.member("jsonrpc", "2.0")
            json.member("id", raw: id)
            json.member("result", raw: result)
        }
        guard json.bytes.count <= Limits.outgoingLineBytesMax else {
            return answer(id: id, error: Self.tooLarge)
        }
        return json.bytes
    }

    private func answer(id: ArraySlice<UInt8>, error: RPCError) -> [UInt8] {
        counters.errors[error.reason, default: 0] += 1
        var json = JSONWriter()
        json.object { json in
            json.member("jsonrpc", "2.0")
            json.member("id", raw: id)
            json.key("error")
            error.write(to: &json, service: service)
        }
        return json.bytes
    }

    // MARK: Subscriptions

    /// Makes a subscription for the caller of a request, who must be answered before its first event.
    ///
    /// - Throws: `overloaded` if there are too many.
    public func subscribe(_ request: Request, keepAfterEof: Bool) throws(RPCError) -> SubscriptionID {
        guard let connection = connections[request.connection] else { return "gone" }
        guard connection.subscriptions.count < Limits.subscriptionsPerConnectionMax else {
            throw RPCError(
                .overloaded,
                "A connection may have \(Limits.subscriptionsPerConnectionMax) subscriptions: end some.",
                limit: "subscriptionsPerConnection")
        }
        guard subscribers.count < Limits.subscriptionsMax else {
            throw RPCError(
                .overloaded, "There are \(Limits.subscriptionsMax) subscriptions: try again later.",
                limit: "subscriptions")
        }
        let id = SubscriptionID("s\(nextNumber())")
        connection.subscriptions[id] = Connection.Subscription(keepsAfterEof: keepAfterEof)
        subscribers[id] = connection
        return id
    }

    /// Ends a subscription of the caller of a request; the handler isn't told.
    ///
    /// - Throws: `not_found` if the caller has no such subscription.
    public func unsubscribe(_ request: Request, _ id: SubscriptionID) throws(RPCError) {
        guard let connection = connections[request.connection], subscribers[id] === connection else {
            throw .notFound("subscription", id, path: "/subscription")
        }
        end(id)
    }

    /// Ends a subscription that has nothing to tell any more; the handler isn't told.
    public func end(_ id: SubscriptionID) {
        guard let connection = subscribers.removeValue(forKey: id) else { return }
        connection.subscriptions[id] = nil
        if connection.isAtEnd { queue(connection) }
    }

    /// Tells a subscriber of something: `params` is a JSON object, to which `subscription` and `seq` are added.
    public func event(_ id: SubscriptionID, _ method: StaticString, _ params: [UInt8]) {
        event(id, method, params, isOwn: false)
    }

    private func event(_ id: SubscriptionID, _ method: StaticString, _ params: [UInt8], isOwn: Bool) {
        guard let connection = subscribers[id], let seq = connection.subscriptions[id]?.seq else { return }
        connection.subscriptions[id]?.seq = seq + 1
        counters.events += 1
        var json = JSONWriter(capacity: params.count + 96)
        json.object { json in
            json.member("jsonrpc", "2.0")
            json.member("method", "\(method)")
            json.object("params") { json in
                json.member("subscription", id.text)
                json.member("seq", seq + 1)
                json.members(of: params)
            }
        }
        if !isOwn {
            if connection.hasChangeAnswer { flushUrgent() }
            connection.hasUrgentOutput = true
        }
        send(json.bytes, to: connection)
    }

    private func endSubscriptions(of connection: Connection, where isOver: (Connection.Subscription) -> Bool)
    {
        for (id, subscription) in connection.subscriptions where isOver(subscription) {
            connection.subscriptions[id] = nil
            subscribers[id] = nil
            handler?.subscriptionEnded(id)
        }
    }

    // MARK: Output

    private func send(_ line: [UInt8], to connection: Connection, isChange: Bool = false) {
        guard !connection.isClosed else { return }
        if isChange {
            if connection.hasUrgentOutput { flushUrgent() }
            connection.hasChangeAnswer = true
        }
        markDirty(connection)
        connection.output.append(contentsOf: line)
        connection.output.append(0x0A)
    }

    private func markDirty(_ connection: Connection) {
        if connection.output.isEmpty { dirty.append(connection) }
    }

    /// Sends events before the answers of the changes that caused them.
    ///
    /// The peers of this service learn of a change by an event. Whoever gets its answer may at once ask one of them,
    /// so the event must have been given to the system first. It would be enough to write every event at once; but a
    /// write costs more than all else, so each connection's output waits for the end of the turn unless the output of
    /// one connection has both events and answers to changes, so that no order of connections would do.
    private func flushUrgent() {
        for connection in dirty where connection.hasUrgentOutput { write(connection) }
    }

    private func flush() {
        guard !dirty.isEmpty else { return }
        flushUrgent()
        let all = dirty
        dirty = []
        for connection in all { write(connection) }
    }

    private func write(_ connection: Connection) {
        connection.hasUrgentOutput = false
        connection.hasChangeAnswer = false
        guard !connection.isClosed else { return }
        let output = connection.output
        connection.output = []
        guard !output.isEmpty else { return closeIfDone(connection) }
        connection.pipe.write(output) { [weak self] error in
            guard let self, !connection.isClosed else { return }
            if error != nil { return self.close(connection) }
            self.closeIfDone(connection)
            self.resume(connection)
        }
        let queued = connection.queuedBytes
        if queued > Limits.outputBytesSlow { startWatching() }
        if queued > Limits.outputBytesMax { close(connection, why: "slow reader") }
    }

    private func closeIfDone(_ connection: Connection) {
        if connection.closesAfterOutput, connection.queuedBytes == 0 { close(connection) }
    }

    // MARK: Watching

    /// Looks once a second at what libuv does not tell; runs only while there is something to look at.
    private func startWatching() {
        guard !isWatching, !watch.isClosing else { return }
        isWatching = true
        watch.start(milliseconds: 1_000, repeating: 1_000) { [weak self] in self?.look() }
    }

    private func look() {
        var isNeeded = false
        for connection in Array(connections.values) {
            if let since = connection.partialLineSince {
                isNeeded = true
                if loop.now - since > Limits.partialLineMs { close(connection, why: "incomplete line") }
            }
            if connection.isAtEnd, !connection.isClosed {
                isNeeded = true
                if connection.pipe.isPeerGone { close(connection) }
            }
            if connection.queuedBytes > Limits.outputBytesSlow {
                isNeeded = true
                let since = connection.slowSince ?? loop.now
                connection.slowSince = since
                if loop.now - since > Limits.outputSlowMs { close(connection, why: "slow reader") }
            } else {
                connection.slowSince = nil
            }
        }
        let queued = connections.values.reduce(0) { $0 + $1.queuedBytes }
        if queued > Limits.outputBytesPerProcessMax,
            let largest = connections.values.max(by: { $0.queuedBytes < $1.queuedBytes })
        {
            close(largest, why: "too much output in all")
        }
        if !isNeeded {
            watch.stop()
            isWatching = false
        }
    }

    // MARK: The end

    /// Stops accepting and calls back when everything in flight is answered and sent.
    func drain(then onDrained: @escaping () -> Void) {
        isDraining = true
        listener.close()
        socket.release()
        self.onDrained = onDrained
        checkDrained()
    }

    /// Looks whether a stopping service is done.
    func checkDrained() {
        guard let onDrained, destinations.isEmpty, received.isEmpty,
            connections.values.allSatisfy({ $0.queuedBytes == 0 })
        else { return }
        self.onDrained = nil
        onDrained()
    }

    /// Closes everything.
    func shutDown() {
        for connection in Array(connections.values) { close(connection) }
        listener.close()
        watch.close()
    }

    /// Figures of this moment.
    var gauges: [(name: String, value: Int)] {
        [
            ("connections", connections.count), ("subscriptions", subscribers.count),
            ("requests_in_flight", destinations.count),
            ("output_queued_bytes", connections.values.reduce(0) { $0 + $1.queuedBytes }),
        ]
    }
}

extension Message {
    /// The id of what is said back, or nil if nothing is.
    fileprivate var answerId: [UInt8]? {
        switch self {
        case .request(let id, _, _), .invalid(let id, _): Array(id)
        case .notification, .response: nil
        }
    }
}
