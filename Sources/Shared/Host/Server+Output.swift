import UV

// What goes out, in which order, and what becomes of clients that don't take it.

extension Server {
    // MARK: Output

    func send(_ line: [UInt8], to connection: Connection, as kind: TurnOutput.Kind = .plain) {
        guard !connection.isClosed, !connection.isBroken else { return }
        output.append(line, to: connection.id, as: kind)
    }

    /// Bytes that a connection has not taken yet.
    func queuedBytes(_ connection: Connection) -> Int {
        connection.isClosed || connection.isBroken
            ? 0 : output.bytes(for: connection.id) + connection.pipe.queuedBytes
    }

    /// Whether a connection's lines may be handled: it has to wait while too much is asked or not taken.
    func mayAsk(_ connection: Connection) -> Bool {
        connection.inFlight < Limits.requestsInFlightMax && queuedBytes(connection) <= Limits.outputBytesPause
    }

    func flush() {
        if !output.isEmpty { for write in output.take() { self.write(write) } }
        let ending = self.ending
        self.ending = []
        for connection in ending { closeIfDone(connection) }
    }

    private func write(_ write: TurnOutput.Write) {
        guard let connection = connections[write.connection], !connection.isBroken else { return }
        connection.pipe.write(write.bytes) { [weak self] error in
            guard let self, !connection.isClosed else { return }
            if error != nil {
                connection.isBroken = true
                return self.end(connection)
            }
            self.closeIfDone(connection)
            self.resume(connection)
        }
        let queued = queuedBytes(connection)
        if queued > Limits.outputBytesSlow { startWatching() }
        if queued > Limits.outputBytesMax { close(connection, why: "slow reader") }
    }

    private func closeIfDone(_ connection: Connection) {
        if connection.closesAfterOutput, queuedBytes(connection) == 0 { close(connection) }
    }

    // MARK: Watching

    /// Looks once a second at what libuv does not tell; runs only while there is something to look at.
    func startWatching() {
        guard !isWatching, !watch.isClosing else { return }
        isWatching = true
        watch.start(milliseconds: 1_000, repeating: 1_000) { [weak self] in self?.look() }
    }

    func look() {
        var isNeeded = false
        for connection in Array(connections.values) {
            if let since = connection.partialLineSince {
                isNeeded = true
                if loop.now - since > Limits.partialLineMs { close(connection, why: "incomplete line") }
            }
            if connection.isAtEnd, !connection.isClosed {
                isNeeded = true
                if connection.pipe.isPeerGone {
                    connection.isBroken = true
                    end(connection)
                }
            }
            if queuedBytes(connection) > Limits.outputBytesSlow {
                isNeeded = true
                let since = connection.slowSince ?? loop.now
                connection.slowSince = since
                if loop.now - since > Limits.outputSlowMs { close(connection, why: "slow reader") }
            } else {
                connection.slowSince = nil
            }
        }
        let queued = connections.values.reduce(0) { $0 + queuedBytes($1) }
        if queued > Limits.outputBytesPerProcessMax,
            let largest = connections.values.max(by: { queuedBytes($0) < queuedBytes($1) })
        {
            close(largest, why: "too much output in all")
        }
        if !isNeeded {
            watch.stop()
            isWatching = false
        }
    }
}
