import JSON
import UV

// Connections in, requests to the handler, answers and events out. What is received in a turn is handled at its
// end, and all lines of a turn go out in one write.

/// Serves clients on a Unix socket.
public final class Server {
    let loop: Loop
    let log: Log
    let service: String
    let trust: Trust
    weak var handler: (any Handler)?
    /// What answers `rpc.*`, at once.
    var host: ((_ method: String, _ params: JSONValue?) throws(RPCError) -> [UInt8]?)?
    /// The service is stopping: no new work.
    var isDraining = false
    var counters = Counters()

    let socket: ListeningSocket
    var listener: Pipe
    let listenAgain: Timer
    /// The last connection could be accepted.
    var isListening = true
    let parser = JSONParser(depthMax: Limits.nestingLevelsMax)
    var connections: [ConnectionID: Connection] = [:]
    var perUser: [UInt32: Int] = [:]
    var destinations = Destinations()
    /// Requests that need no parser.
    var recurring = RecurringRequests()
    var subscribers: [SubscriptionID: Connection] = [:]
    var kinds: [String: Method.Kind] = [:]
    /// Connections that have received something since the last turn.
    var received: [Connection] = []
    /// Refused connections whose clients may not have read why yet.
    var lingering: [ObjectIdentifier: (pipe: Pipe, until: UInt64)] = [:]
    var refusalLog = LogLimit()
    var cutLog = LogLimit()
    /// Connections that came after as much as a turn handles: they come first in the next.
    private var unserved: [Connection] = []
    /// Connections with more lines than they get in a turn.
    private var waiting: [Connection] = []
    /// Lines after which no other connection gets its share of a turn.
    ///
    /// Who makes large answers does best with few: the more are made before the first is sent, the less of them is still in
    /// the processor's cache. Who commits what a turn has changed does best with many.
    public var linesPerTurnMax = Int.max
    /// Lines that were handled in this turn.
    private var linesInTurn = 0
    /// What this turn writes.
    var output = TurnOutput()
    /// Connections to be closed when their output is written.
    var ending: [Connection] = []
    var lastNumber: Int = 0
    /// By when all had come that is handled in this turn, in nanoseconds of the loop; its peers have been read since.
    public private(set) var receivedBy: UInt64 = 0
    let watch: Timer
    var isWatching = false
    /// What takes a test too long, or more than a machine has, to reach.
    var bounds: Bounds
    /// Queued output in all, as of each connection's last write.
    var outputBytesQueued = 0
    /// Told when a stopping service has nothing left to answer.
    var onDrained: (() -> Void)?

    /// What is counted, for `rpc.metrics`.
    struct Counters {
        var connectionsAccepted = 0
        var connectionsRefused = 0
        var connectionsCut = 0
        var requests = 0
        /// Turns of the loop.
        var turns = 0
        var notificationsDropped = 0
        var responsesDropped = 0
        var events = 0
        var errors: [ErrorReason: Int] = [:]
    }

    struct Bounds {
        var connectionsMax = Limits.connectionsMax
        var outputBytesMax = Limits.outputBytesPerProcessMax
        var nanosecondsPerTurnMax = Limits.nanosecondsPerTurnMax
        var partialLineMs = Limits.partialLineMs
        var outputSlowMs = Limits.outputSlowMs
        var drainMs = Limits.drainMs
        /// How often is looked at what libuv does not tell.
        var watchMs: UInt64 = 1_000
    }

    init(
        service: String, socket: ListeningSocket, loop: Loop, log: Log, trust: Trust, connectionsMax: Int
    ) throws(UVError) {
        (self.service, self.socket, self.loop, self.log, self.trust) = (service, socket, loop, log, trust)
        bounds = Bounds(connectionsMax: connectionsMax)
        listener = Pipe(on: loop)
        watch = Timer(on: loop)
        listenAgain = Timer(on: loop)
        try listen()
    }

    func install(_ handler: any Handler) {
        self.handler = handler
        for method in handler.methods + HostMethods.all { kinds[method.name] = method.kind }
    }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: A turn

    /// Handles what was received and sends what that gave.
    ///
    /// Returns whether something is left for another turn.
    func endTurn(readPeers: () -> Void, callPeers: () -> Void = {}) -> Bool {
        counters.turns += 1
        if hasLines {
            receivedBy = loop.nanoseconds
            // What a peer sent before a client wrote its request must be known when the request is handled.
            #if !CANARY_PEERS_ARE_NOT_READ_FIRST
                readPeers()
            #endif
            handleReceived()
        }
        handler?.turnEnded()
        // They work while clients are written to; but what nobody waits for must not keep those from their answers.
        callPeers()
        flush()
        handler?.turnSent()
        callPeers()
        // A call that fails at once may have been waited for.
        if !output.isEmpty { flush() }
        checkDrained()
        return hasLines
    }

    /// Whether there are lines to be handled.
    private var hasLines: Bool { !received.isEmpty || !unserved.isEmpty || !waiting.isEmpty }

    /// Handles what was received, as much and for about as long as a turn may take.
    ///
    /// Who has just said something comes before those who had more to say than one gets in a turn, and have waited since: for
    /// half of what a turn takes. The other half is theirs, or they would wait as long as others have something to say.
    private func handleReceived() {
        var (new, waited) = ((unserved + received)[...], waiting[...])
        (unserved, received, waiting, linesInTurn) = ([], [], [], 0)
        // With many at once each gets less, so that all of them get something.
        let share = bounds.nanosecondsPerTurnMax / UInt64(new.count + waited.count)
        serve(&new, share, lines: waited.isEmpty ? linesPerTurnMax : linesPerTurnMax / 2)
        let first = waited.first
        serve(&waited, share, lines: linesPerTurnMax, until: receivedBy + bounds.nanosecondsPerTurnMax)
        serve(&new, share, lines: linesPerTurnMax)
        unserved = Array(new)
        // If there was no room at all, the first comes next before those who say something meanwhile.
        if let first, waited.first === first { unserved.append(waited.removeFirst()) }
        waiting = waited + waiting
    }

    /// Has connections have their share, until the turn has so many lines, or all that it may write, or it is too late for a
    /// second one.
    private func serve(
        _ connections: inout ArraySlice<Connection>, _ share: UInt64, lines: Int, until end: UInt64 = .max
    ) {
        var isFirst = true
        while let connection = connections.first, linesInTurn < lines,
            output.bytes <= Limits.outputBytesPerTurnMax, isFirst || loop.nanoseconds <= end
        {
            isFirst = false
            connections.removeFirst()
            connection.isQueued = false
            handleLines(of: connection, for: share)
        }
    }

    /// Handles the lines of one connection, up to its share of a turn; at least one.
    private func handleLines(of connection: Connection, for share: UInt64) {
        let start = loop.nanoseconds
        for _ in 0..<Limits.messagesPerTurnMax {
            guard !connection.isClosed, !connection.closesAfterOutput else { return }
            guard mayAsk(connection) else {
                connection.isPaused = true
                // A client that is not read can't be late with its line.
                connection.partialLineSince = nil
                return connection.pipe.pauseReading()
            }
            guard let line = connection.decoder.next() else { return hasHandledAll(of: connection) }
            if !connection.decoder.isSkipping { connection.partialLineSince = nil }
            switch line {
            case .text(let text): handle(text, of: connection)
            case .tooLong: refuseOversize(connection)
            }
            linesInTurn += 1
            if loop.nanoseconds - start > share { break }
        }
        connection.isQueued = true
        waiting.append(connection)
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
        if connection.oversizeAt.count >= Limits.oversizeLinesMax { closeAfterOutput(connection) }
    }

    private func closeAfterOutput(_ connection: Connection) {
        connection.closesAfterOutput = true
        connection.pipe.pauseReading()
        ending.append(connection)
    }

    /// Nothing more comes from the client, and all of its lines are handled.
    func hasEnded(_ connection: Connection) {
        endSubscriptions(of: connection) { connection.isBroken || !$0.keepsAfterEof }
        if connection.inFlight == 0, connection.subscriptions.isEmpty {
            closeAfterOutput(connection)
        } else {
            startWatching()
        }
    }

    // MARK: The end

    /// Stops accepting and calls back when everything in flight is answered and sent.
    func drain(then onDrained: @escaping () -> Void) {
        isDraining = true
        listenAgain.close()
        listener.close()
        socket.hide()
        // What clients had sent by now is answered, at the end of this turn; only then it is looked who waits.
        for connection in connections.values { connection.pipe.readPending() }
        self.onDrained = onDrained
    }

    /// Looks whether a stopping service is done.
    func checkDrained() {
        guard let onDrained, destinations.isEmpty, !hasLines,
            connections.values.allSatisfy({ queuedBytes($0) == 0 })
        else { return }
        self.onDrained = nil
        onDrained()
    }

    /// Closes everything.
    func shutDown() {
        for connection in Array(connections.values) { close(connection) }
        for (pipe, _) in lingering.values { pipe.close() }
        lingering = [:]
        listener.close()
        listenAgain.close()
        watch.close()
        socket.hide()
    }

    /// Figures of this moment.
    var gauges: [(name: String, value: Int)] {
        [
            ("connections", connections.count), ("subscriptions", subscribers.count),
            ("requests_in_flight", destinations.count),
            ("output_queued_bytes", connections.values.reduce(0) { $0 + queuedBytes($1) }),
            ("requests_recognised", recurring.count), ("requests_recognised_bytes", recurring.bytes),
        ]
    }
}
