import JSON
import UV

// What goes out, in which order, and what becomes of clients that don't take it.

extension Server {
    // MARK: Output

    func send(_ line: [UInt8], to connection: Connection, as kind: TurnOutput.Kind = .plain) {
        guard !connection.isClosed, !connection.isBroken else { return }
        connection.unsentBytes += output.append(line, to: connection.id, as: kind)
    }

    static let middle: StaticString = ",\"result\":"
    /// What stands around an id and a result.
    static let envelopeBytes = Message.head.utf8CodeUnitCount + middle.utf8CodeUnitCount + 1

    /// Sends a result that fits a line, written where it is sent from: a view is not copied on its way.
    func send(result: [UInt8], _ rest: [UInt8], to destination: Destination) {
        let connection = destination.connection
        guard !connection.isClosed, !connection.isBroken else { return }
        let kind: TurnOutput.Kind = destination.isChange ? .changeAnswer : .plain
        connection.unsentBytes += output.append(to: connection.id, as: kind) { bytes in
            bytes.append(Message.head, destination.id, Self.middle)
            bytes.append(result)
            bytes.append(rest)
            bytes.append(0x7D)
        }
    }

    // MARK: Lines

    static let tooLarge = RPCError(
        .responseTooLarge,
        "The answer would have more than \(Limits.outgoingLineBytesMax) bytes: ask for less at once, with a smaller limit.",
        limit: "limit")

    func answer(id: RequestID, result: [UInt8]) -> [UInt8] {
        let written = id.written
        var json = JSONWriter(capacity: result.count + written.count + 48)
        json.verbatim(Message.head)
        json.value(raw: written)
        json.verbatim(Self.middle)
        json.value(raw: result)
        json.verbatim("}")
        guard json.count <= Limits.outgoingLineBytesMax else {
            return answer(id: id, error: Self.tooLarge)
        }
        return json.bytes
    }

    func answer(id: RequestID, error: RPCError) -> [UInt8] { answer(id: id.written[...], error: error) }

    func answer(id: ArraySlice<UInt8>, error: RPCError) -> [UInt8] {
        counters.errors[error.reason, default: 0] += 1
        var json = JSONWriter()
        json.object { json in
            json.member("jsonrpc", "2.0")
            json.member("id", raw: id)
            json.key("error")
            error.write(to: &json, service: service)
        }
        guard json.count <= Limits.outgoingLineBytesMax else {
            return answer(
                id: id, error: RPCError(error.reason, "What is wrong is too long to be repeated here."))
        }
        return json.bytes
    }

    // MARK: Queues

    /// Bytes that a connection has not taken yet.
    func queuedBytes(_ connection: Connection) -> Int {
        connection.isClosed || connection.isBroken
            ? 0 : connection.unsentBytes + connection.heldBytes + connection.pipe.queuedBytes
    }

    /// Whether a connection's lines may be handled: it has to wait while too much is asked or not taken.
    func mayAsk(_ connection: Connection) -> Bool {
        connection.inFlight < Limits.requestsInFlightMax
            && connection.paramBytesInFlight <= Limits.paramBytesInFlightMax
            && queuedBytes(connection) <= Limits.outputBytesPause
    }

    func flush() {
        if !output.isEmpty {
            var writes = output.take()
            for index in writes.indices { write(&writes[index]) }
        }
        let ending = self.ending
        self.ending = []
        for connection in ending { closeIfDone(connection) }
    }

    private func write(_ write: inout TurnOutput.Write) {
        guard let connection = connections[write.connection] else { return }
        connection.unsentBytes -= write.bytes.count
        guard !connection.isBroken else { return }
        connection.pipe.write(write.bytes) { [weak self] error in
            guard let self, !connection.isClosed else { return }
            // What the client sent before it went is still read and carried out; the reading side tells the end.
            if error != nil { connection.isBroken = true }
            self.countOutput(of: connection)
            self.closeIfDone(connection)
            self.resume(connection)
        }
        countOutput(of: connection)
        let queued = queuedBytes(connection)
        if queued == 0 {
            var written = SplicedBytes()
            swap(&written, &write.bytes)
            output.reuse(written)
        }
        if queued > Limits.outputBytesSlow { startWatching() }
        if queued > Limits.outputBytesMax { close(connection, why: "slow reader") }
    }

    /// Keeps the count of all queued output; when it is too much the largest are cut.
    func countOutput(of connection: Connection) {
        count(connection)
        guard outputBytesQueued > bounds.outputBytesMax else { return }
        // What the others took since their last write was not counted off yet.
        for connection in connections.values { count(connection) }
        while outputBytesQueued > bounds.outputBytesMax,
            let largest = connections.values.max(by: { $0.countedBytes < $1.countedBytes })
        {
            close(largest, why: "too much output in all")
        }
    }

    func count(_ connection: Connection) {
        let queued = queuedBytes(connection)
        outputBytesQueued += queued - connection.countedBytes
        connection.countedBytes = queued
    }

    private func closeIfDone(_ connection: Connection) {
        if connection.closesAfterOutput, queuedBytes(connection) == 0 { close(connection) }
    }

    // MARK: Watching

    /// Looks now and then at what libuv does not tell; runs only while there is something to look at.
    func startWatching() {
        guard !isWatching, !watch.isClosing else { return }
        isWatching = true
        watch.start(milliseconds: bounds.watchMs, repeating: bounds.watchMs) { [weak self] in self?.look() }
    }

    func look() {
        var isNeeded = false
        for connection in Array(connections.values) {
            if let since = connection.partialLineSince {
                isNeeded = true
                if loop.now - since > bounds.partialLineMs { close(connection, why: "incomplete line") }
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
                if loop.now - since > bounds.outputSlowMs { close(connection, why: "slow reader") }
            } else {
                connection.slowSince = nil
            }
        }
        for (key, refused) in lingering where loop.now >= refused.until {
            lingering[key] = nil
            refused.pipe.close()
        }
        if !isNeeded, lingering.isEmpty {
            watch.stop()
            isWatching = false
        }
    }
}
