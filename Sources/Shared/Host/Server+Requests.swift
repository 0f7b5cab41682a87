import JSON
import UV

// From a line to its answer.

extension Server {
    // MARK: Requests

    func handle(_ line: ArraySlice<UInt8>, of connection: Connection) {
        if let found = recurring.find(line) { return handle(found, of: connection) }
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
            // As the document has it, which may be kept: what was received is one buffer.
            let raw = document.root.raw
            return handle(
                Message(document.root), of: connection,
                line: raw.count == line.count ? raw : Array(line)[...])
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
            handle(message, of: connection, batch: batch, index: index)
            if message.answerId != nil { index += 1 }
        }
    }

    /// Handles a message; `line` is where it stands alone, `index` its place among the answers of a batch.
    private func handle(
        _ message: Message, of connection: Connection, batch: Batch? = nil, index: Int = 0,
        line: ArraySlice<UInt8>? = nil
    ) {
        switch message {
        // A read without an answer is nothing, and a change without one is never made.
        case .notification: counters.notificationsDropped += 1
        case .response: counters.responsesDropped += 1
        case .invalid(let id, let error):
            let destination = Destination(
                connection: connection, id: .written(Array(id), key: nil), batch: batch, index: index)
            deliver(answer(id: id, error: error), to: destination)
        case .request(let id, let method, let params):
            counters.requests += 1
            let kind = kinds[method]
            let destination = Destination(
                connection: connection, id: requestID(id), batch: batch, index: index,
                isChange: kind == .change,
                paramBytes: params?.raw.count ?? 0)
            do throws(RPCError) {
                try start(method, kind, params, destination, line)
            } catch {
                deliver(answer(id: id, error: error), to: destination)
            }
        }
    }

    /// Handles a request that is known but for its id.
    private func handle(_ found: RecurringRequests.Found, of connection: Connection) {
        counters.requests += 1
        let known = found.known
        // Nobody is there any more to be told something; changes are still made.
        guard !connection.isBroken || known.isChange else { return }
        let destination = Destination(
            connection: connection, id: .number(found.id), isChange: known.isChange,
            paramBytes: known.paramBytes)
        do throws(RPCError) {
            try start(known.method, nil, deadlineMs: known.deadlineMs, destination, known)
        } catch {
            deliver(answer(id: destination.id, error: error), to: destination)
        }
    }

    private func start(
        _ method: String, _ kind: Method.Kind?, _ params: JSONValue?, _ destination: Destination,
        _ line: ArraySlice<UInt8>?
    ) throws(RPCError) {
        let connection = destination.connection
        if connection.idsInFlight.contains(destination.id) { throw Self.duplicateId }
        // Nobody is there any more to be told something; changes are still made.
        if connection.isBroken, kind != .change { return deliver([], to: destination) }
        guard let kind else {
            throw RPCError(.methodNotFound, "There is no method \"\(method)\": see rpc.discover.")
        }
        #if !CANARY_SUBSCRIPTIONS_ARE_MADE_IN_BATCHES
            if kind == .subscribe, destination.batch != nil {
                throw RPCError(
                    .invalidRequest, "A subscription can't be in a batch: send it as a line of its own.")
            }
        #endif
        let meta = try Meta(params)
        if let result = try host?(method, params) {
            return deliver(answer(id: destination.id, result: result), to: destination)
        }
        if let line, kind != .subscribe {
            let known = RecurringRequests.Known(
                method: method, isChange: kind == .change, params: params, deadlineMs: meta.deadlineMs)
            recurring.remember(line, known)
        }
        try start(method, params, deadlineMs: meta.deadlineMs, destination)
    }

    /// Hands a request to the handler.
    private func start(
        _ method: String, _ params: JSONValue?, deadlineMs: Int?, _ destination: Destination,
        _ recurrence: Recurrence? = nil
    ) throws(RPCError) {
        let connection = destination.connection
        guard !isDraining else {
            if connection.idsInFlight.contains(destination.id) { throw Self.duplicateId }
            throw RPCError(.draining, "The service is stopping: try again in a moment.")
        }
        if !connection.idsInFlight.insert(destination.id) { throw Self.duplicateId }
        connection.inFlight += 1
        connection.paramBytesInFlight += destination.paramBytes
        let token = destinations.add(destination)
        let request = Request(
            token: token, connection: connection.id, method: method, params: params,
            deadline: loop.now + UInt64(deadlineMs ?? Limits.deadlineMsDefault), recurrence: recurrence)
        do throws(RPCError) { try handler?.handle(request) } catch { fail(token, error) }
    }

    private static let duplicateId = RPCError(
        .duplicateId, "A request with this id is still under way on this connection.")

    /// An id, and what tells it from the others under way: strings are the same however they are escaped.
    private func requestID(_ id: ArraySlice<UInt8>) -> RequestID {
        if let number = RecurringRequests.number(id) { return .number(number) }
        let written = Array(id)
        guard written.first != Message.nullId.first else { return .written(written, key: nil) }
        guard written.contains(0x5C), let text = try? parser.parse(written).root.stringBytes else {
            return .written(written, key: written)
        }
        return .written(written, key: [0x22] + text + [0x22])
    }

    // MARK: Answers

    /// Answers a request with a result, which is JSON text as `JSONWriter` writes it, in one piece or in two.
    ///
    /// Long pieces are not copied: what many answers have in common is best given as one.
    public func answer(_ token: RequestToken, result: [UInt8], rest: [UInt8] = []) {
        guard let destination = finish(token) else { return }
        if !mustFollowEvents(destination), destination.batch == nil, destination.id.isPlain,
            Self.envelopeBytes + destination.id.bytesMax + result.count + rest.count
                <= Limits.outgoingLineBytesMax
        {
            return send(result: result, rest, to: destination)
        }
        deliverBehindEvents(answer(id: destination.id, result: result + rest), to: destination)
    }

    /// Refuses a request.
    public func fail(_ token: RequestToken, _ error: RPCError) {
        guard let destination = finish(token) else { return }
        deliverBehindEvents(answer(id: destination.id, error: error), to: destination)
    }

    /// Answers a change together with the events that it causes.
    ///
    /// Other connections' events go out before the answer, so that whoever sees the answer can rely on the peers
    /// knowing of it; the caller's own events follow its answer.
    public func answer(
        _ token: RequestToken, result: [UInt8], rest: [UInt8] = [],
        events: [(subscription: SubscriptionID, method: StaticString, params: [UInt8])]
    ) {
        guard !events.isEmpty else { return answer(token, result: result, rest: rest) }
        let destination = destinations[token]
        let (caller, batch) = (destination?.connection, destination?.batch)
        #if CANARY_OTHERS_HEAR_AFTER_THE_ANSWER
            answer(token, result: result, rest: rest)
            flush()
        #endif
        var hasOwn = false
        for event in events {
            guard let subscriber = subscribers[event.subscription] else { continue }
            if subscriber === caller {
                hasOwn = true
            } else {
                self.event(event.subscription, event.method, event.params, to: subscriber, isOwn: false)
            }
        }
        func tellOwn() {
            guard hasOwn, let caller else { return }
            for event in events where subscribers[event.subscription] === caller {
                self.event(event.subscription, event.method, event.params, to: caller, isOwn: true)
            }
        }
        guard let batch else {
            answer(token, result: result, rest: rest)
            return tellOwn()
        }
        if hasOwn, !batch.holdsEvents {
            batch.holdsEvents = true
            caller?.batchesWithEvents += 1
        }
        tellOwn()
        answer(token, result: result, rest: rest)
    }

    func finish(_ token: RequestToken) -> Destination? {
        guard let destination = destinations.remove(token) else { return nil }
        let connection = destination.connection
        connection.inFlight -= 1
        connection.paramBytesInFlight -= destination.paramBytes
        connection.idsInFlight.remove(destination.id)
        // It is to be closed now, or has a subscription that was just made and is to be ended.
        if connection.isAtEnd { queue(connection) }
        resume(connection)
        return destination
    }

    func deliver(_ answer: [UInt8], to destination: Destination) {
        guard let batch = destination.batch else {
            return send(answer, to: destination.connection, as: destination.isChange ? .changeAnswer : .plain)
        }
        destination.connection.heldBytes += batch.fill(destination.index, answer)
        if destination.isChange { batch.hasChange = true }
        guard batch.missing == 0 else { return }
        let line = batch.line { id in self.answer(id: id[...], error: Self.tooLarge) }
        destination.connection.heldBytes -= batch.heldBytes
        send(line, to: destination.connection, as: batch.hasChange ? .changeAnswer : .plain)
        if batch.holdsEvents { releaseEvents(of: destination.connection) }
    }

    // MARK: Events that wait for a batch

    /// Whether an answer would overtake events that wait: it may show what came after them.
    private func mustFollowEvents(_ destination: Destination) -> Bool {
        destination.batch == nil && destination.connection.batchesWithEvents > 0
    }

    private func deliverBehindEvents(_ answer: [UInt8], to destination: Destination) {
        guard mustFollowEvents(destination) else { return deliver(answer, to: destination) }
        hold(answer, of: destination.connection, as: destination.isChange ? .changeAnswer : .plain)
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
