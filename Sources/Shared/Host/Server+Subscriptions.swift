import UV

// Streams of events, numbered for each subscriber.

extension Server {
    /// Makes a subscription for the caller of a request, who must be answered before its first event.
    ///
    /// - Throws: `overloaded` if there are too many, `not_possible` if the caller has gone.
    public func subscribe(_ request: Request, keepAfterEof: Bool) throws(RPCError) -> SubscriptionID {
        guard let connection = connections[request.connection] else {
            throw RPCError(.notPossible, "The connection has gone.")
        }
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

    /// Ends a subscription that is not wanted any more; the handler isn't told.
    ///
    /// Its events that still wait for a batch would otherwise follow the answer that says that it is over.
    public func end(_ id: SubscriptionID) {
        guard let connection = remove(id) else { return }
        for line in connection.heldLines where line.subscription == id {
            connection.heldBytes -= line.bytes.count
        }
        connection.heldLines.removeAll { $0.subscription == id }
    }

    /// Ends a subscription with a last event; the handler isn't told.
    public func end(_ id: SubscriptionID, telling method: StaticString, _ params: [UInt8]) {
        event(id, method, params)
        _ = remove(id)
    }

    private func remove(_ id: SubscriptionID) -> Connection? {
        guard let connection = subscribers.removeValue(forKey: id) else { return nil }
        connection.subscriptions[id] = nil
        if connection.isAtEnd { queue(connection) }
        return connection
    }

    /// Bytes that wait to be sent to a subscriber's connection, those of this turn included; 0 if he is gone.
    public func queuedBytes(of id: SubscriptionID) -> Int { subscribers[id].map { queuedBytes($0) } ?? 0 }

    /// Tells a subscriber of something: `params` is a JSON object as `JSONWriter` writes it, to which `subscription` and
    /// `seq` are added.
    ///
    /// Long ones are not copied.
    public func event(_ id: SubscriptionID, _ method: StaticString, _ params: [UInt8]) {
        guard let connection = subscribers[id] else { return }
        event(id, method, params, to: connection, isOwn: false)
    }

    func event(
        _ id: SubscriptionID, _ method: StaticString, _ params: [UInt8], to connection: Connection,
        isOwn: Bool
    ) {
        guard let subscription = connection.subscriptions[id] else { return }
        let seq = subscription.seq
        subscription.seq = seq + 1
        counters.events += 1
        func write(to line: inout SplicedBytes) {
            line.append("{\"jsonrpc\":\"2.0\",\"method\":\"")
            line.append(method)
            line.append("\",\"params\":{\"subscription\":\"")
            line.append(Array(id.text.utf8))  // its own ids need no escapes
            line.append("\",\"seq\":", digits: seq + 1, params.count > 2 ? "," : "")
            line.append(params.dropFirst())
            line.append(0x7D)
        }
        guard
            Self.eventEnvelopeBytesMax + method.utf8CodeUnitCount + params.count
                <= Limits.outgoingLineBytesMax
        else {
            // Neither a gap nor a part of an event would be honest.
            return close(connection, why: "an event that is longer than a line may be")
        }
        if connection.batchesWithEvents > 0 {
            var line = SplicedBytes()
            write(to: &line)
            hold(line.joined, of: connection, as: .event, subscription: id)
        } else if !connection.isClosed, !connection.isBroken {
            let kind: TurnOutput.Kind = isOwn ? .plain : .event
            connection.unsentBytes += output.append(to: connection.id, as: kind) { write(to: &$0) }
        }
    }

    /// What stands around the method and the params of an event, with the longest id and number.
    private static let eventEnvelopeBytesMax = 128

    func endSubscriptions(of connection: Connection, where isOver: (Connection.Subscription) -> Bool) {
        for (id, subscription) in connection.subscriptions where isOver(subscription) {
            connection.subscriptions[id] = nil
            subscribers[id] = nil
            handler?.subscriptionEnded(id)
        }
    }

    // MARK: Events that wait for a batch

    /// Has a line wait, which is an event of a subscription, or an answer.
    func hold(
        _ line: [UInt8], of connection: Connection, as kind: TurnOutput.Kind,
        subscription: SubscriptionID? = nil
    ) {
        connection.heldLines.append((line, kind, subscription))
        connection.heldBytes += line.count
        if connection.heldBytes > Limits.outputBytesMax { close(connection, why: "too many events held") }
    }

    /// The answers of a batch are out, so that its events may follow.
    func releaseEvents(of connection: Connection) {
        connection.batchesWithEvents -= 1
        guard connection.batchesWithEvents == 0 else { return }
        let lines = connection.heldLines
        connection.heldLines = []
        for line in lines {
            connection.heldBytes -= line.bytes.count
            send(line.bytes, to: connection, as: line.kind)
        }
    }
}
