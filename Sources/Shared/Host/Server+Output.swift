import UV

// What goes out, in which order, and what becomes of clients that don't take it.

extension Server {
    // MARK: Output

    func send(_ line: [UInt8], to connection: Connection, isChange: Bool = false) {
        guard !connection.isClosed else { return }
        if isChange {
            if connection.hasUrgentOutput { flushUrgent() }
            connection.hasChangeAnswer = true
        }
        markDirty(connection)
        connection.output.append(contentsOf: line)
        connection.output.append(0x0A)
    }

    func markDirty(_ connection: Connection) {
        if connection.output.isEmpty { dirty.append(connection) }
    }

    /// Sends events before the answers of the changes that caused them.
    ///
    /// The peers of this service learn of a change by an event. Whoever gets its answer may at once ask one of them,
    /// so the event must have been given to the system first. It would be enough to write every event at once; but a
    /// write costs more than all else, so each connection's output waits for the end of the turn unless the output of
    /// one connection has both events and answers to changes, so that no order of connections would do.
    func flushUrgent() {
        for connection in dirty where connection.hasUrgentOutput { write(connection) }
    }

    func flush() {
        guard !dirty.isEmpty else { return }
        flushUrgent()
        let all = dirty
        dirty = []
        for connection in all { write(connection) }
    }

    func write(_ connection: Connection) {
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

    func closeIfDone(_ connection: Connection) {
        if connection.closesAfterOutput, connection.queuedBytes == 0 { close(connection) }
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
}
