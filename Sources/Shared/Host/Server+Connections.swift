import JSON
import UV

// Whom it serves: connections are accepted up to a bound, and closed when nothing is left to do for them.

extension Server {
    // MARK: Listening

    func listen() throws(UVError) {
        try listener.listen(
            on: socket, onConnection: { [weak self] in self?.accept() },
            onFailure: { [weak self] error in self?.rest(after: error) })
    }

    /// Leaves waiting connections where they are until the system has descriptors again.
    private func rest(after error: UVError) {
        if isListening {
            log.write(.error, "no connections can be accepted") { $0.member("why", "\(error)") }
        }
        isListening = false
        listener.close()
        listenAgain.start(milliseconds: Limits.listenAgainMs) { [weak self] in
            guard let self else { return }
            listener = Pipe(on: loop)
            do throws(UVError) { try listen() } catch { rest(after: error) }
        }
    }

    // MARK: Connections

    func accept() {
        let pipe: Pipe
        do throws(UVError) { pipe = try listener.accept() } catch { return }
        isListening = true
        let peer = pipe.peer
        guard let user = peer?.user, trust.mayConnect(peer, groups: pipe.peerGroups) else {
            return refuse(pipe, RPCError(.permissionDenied, trust.refusal))
        }
        guard connections.count < bounds.connectionsMax,
            perUser[user, default: 0] < Limits.connectionsPerUserMax
        else {
            let all = connections.count >= bounds.connectionsMax
            let bound = all ? bounds.connectionsMax : Limits.connectionsPerUserMax
            return refuse(
                pipe,
                RPCError(
                    .tooManyConnections,
                    "There are \(bound) connections\(all ? "" : " of this user"): close some.",
                    limit: all ? "connections" : "connectionsPerUser"))
        }
        pipe.setSendBuffer(bytes: Limits.sentBytesUnread)
        let connection = Connection(
            id: ConnectionID(nextNumber()), pipe: pipe, acceptedAt: loop.now)
        connections[connection.id] = connection
        perUser[user, default: 0] += 1
        counters.connectionsAccepted += 1
        // The pipe drops what it calls when it is closed: until then the two keep each other.
        pipe.startReading(
            onBytes: { [weak self] bytes in
                guard let self else { return }
                connection.decoder.append(bytes)
                self.hasReceived(connection)
            },
            onEnd: { [weak self] event in
                guard let self else { return }
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

    /// Says why, and closes when the client has read it.
    private func refuse(_ pipe: Pipe, _ error: RPCError) {
        counters.connectionsRefused += 1
        if let leftOut = refusalLog.pass(now: loop.now) {
            log.write(.warning, "connection refused") { json in
                json.member("why", error.reason.rawValue)
                json.member("pid", pipe.peer.map { Int($0.process) })
                json.member("uid", pipe.peer.map { Int($0.user) })
                if leftOut > 0 { json.member("leftOut", leftOut) }
            }
        }
        pipe.write(answer(id: Message.nullId, error: error) + [0x0A]) { [weak self] failure in
            guard let self, failure == nil, lingering.count < Limits.refusedLingeringMax else {
                return pipe.close()
            }
            linger(pipe)
        }
    }

    /// Takes no notice of what a refused client sends until it ends.
    ///
    /// Its next write would otherwise fail, and it might never read why: socat does not.
    private func linger(_ pipe: Pipe) {
        lingering[ObjectIdentifier(pipe)] = (pipe, until: loop.now + Limits.refusedLingerMs)
        pipe.shutDownWriting()
        pipe.startReading(
            onBytes: { _ in },
            onEnd: { [weak self, weak pipe] _ in
                guard let pipe else { return }
                self?.lingering[ObjectIdentifier(pipe)] = nil
                pipe.close()
            })
        startWatching()
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
            if let leftOut = cutLog.pass(now: loop.now) {
                log.write(.warning, "connection cut") { json in
                    json.member("why", why)
                    json.member("pid", connection.peer.map { Int($0.process) })
                    json.member("uid", connection.peer.map { Int($0.user) })
                    if leftOut > 0 { json.member("leftOut", leftOut) }
                }
            }
        }
        connection.isClosed = true
        connections[connection.id] = nil
        count(connection)
        if let user = connection.peer?.user, let count = perUser[user] {
            perUser[user] = count > 1 ? count - 1 : nil
        }
        endSubscriptions(of: connection) { _ in true }
        connection.pipe.close()
    }
}
