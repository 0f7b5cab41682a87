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

    let socket: ListeningSocket
    let listener: Pipe
    let parser = JSONParser(depthMax: Limits.nestingLevelsMax)
    var connections: [ConnectionID: Connection] = [:]
    var perUser: [UInt32: Int] = [:]
    var destinations: [RequestToken: Destination] = [:]
    var subscribers: [SubscriptionID: Connection] = [:]
    var kinds: [String: Method.Kind] = [:]
    var received: [Connection] = []
    /// What this turn writes.
    var output = TurnOutput()
    /// Connections to be closed when their output is written.
    var ending: [Connection] = []
    var lastNumber: UInt64 = 0
    let watch: Timer
    var isWatching = false
    let connectionsMax: Int
    /// Told when a stopping service has nothing left to answer.
    var onDrained: (() -> Void)?

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

    func accept() {
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
                if case .failure = event { connection.isBroken = true }
                self.end(connection)
            })
    }

    /// Nothing more comes from the client; what has come is carried out.
    func end(_ connection: Connection) {
        connection.isAtEnd = true
        connection.decoder.finish()
        queue(connection)
    }

    func refuse(_ pipe: Pipe, _ error: RPCError) {
        counters.connectionsRefused += 1
        pipe.write(answer(id: Message.nullId, error: error) + [0x0A]) { _ in pipe.close() }
    }

    func hasReceived(_ connection: Connection) {
        queue(connection)
        let isFull = connection.decoder.heldBytes > Limits.incomingLineBytesMax + Limits.receivedBytesPause
        if isFull || !mayAsk(connection) { connection.pipe.pauseReading() }
    }

    /// Has the connection's lines handled at the end of this turn.
    func queue(_ connection: Connection) {
        guard !connection.isQueued, !connection.isClosed else { return }
        connection.isQueued = true
        received.append(connection)
    }

    /// Goes on with a connection that had to wait, if it may.
    func resume(_ connection: Connection) {
        guard connection.isPaused, mayAsk(connection) else { return }
        connection.isPaused = false
        queue(connection)
    }

    func close(_ connection: Connection, why: String? = nil) {
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
        connection.pipe.close()
    }

    func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: A turn

    /// Handles what was received and sends what that gave.
    ///
    /// Returns whether something is left for another turn.
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
    func handleLines(of connection: Connection) {
        let start = Loop.nanoseconds
        for _ in 0..<Limits.messagesPerTurnMax {
            guard !connection.isClosed, !connection.closesAfterOutput else { return }
            guard mayAsk(connection) else {
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

    func hasHandledAll(of connection: Connection) {
        if connection.isAtEnd { return hasEnded(connection) }
        if connection.decoder.isInsideLine {
            connection.partialLineSince = connection.partialLineSince ?? loop.now
            startWatching()
        }
        connection.pipe.resumeReading()
    }

    func refuseOversize(_ connection: Connection) {
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

    /// Nothing more comes from the client, and all of its lines are handled.
    func hasEnded(_ connection: Connection) {
        endSubscriptions(of: connection) { connection.isBroken || !$0.keepsAfterEof }
        if connection.inFlight == 0, connection.subscriptions.isEmpty {
            connection.closesAfterOutput = true
            ending.append(connection)
        } else {
            startWatching()
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
            connections.values.allSatisfy({ queuedBytes($0) == 0 })
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
            ("output_queued_bytes", connections.values.reduce(0) { $0 + queuedBytes($1) }),
        ]
    }
}
