public import JSON
public import UV

// One connection to a peer service, kept up for as long as the process lives. Calls are pipelined; when the
// connection is lost all of them fail at once, because nobody knows what became of them.

/// Calls another service and hears its events.
public final class Client {
    /// The peer's name, such as `catalog`.
    public let name: String
    /// Whether there is a connection.
    public private(set) var isUp = false
    /// Told after each connect: subscriptions are to be made anew.
    public var onUp: (() -> Void)?
    /// Told after each loss, when all pending calls have failed.
    public var onDown: (() -> Void)?
    /// Told of each event, in the order in which the peer sent them.
    public var onEvent: ((_ method: String, _ params: JSONValue) -> Void)?
    /// Told the line of each event first: whoever knows all of it, so that nobody has to read it, returns true.
    public var onKnownEvent: ((_ line: ArraySlice<UInt8>) -> Bool)?

    private let path: String
    private let loop: Loop
    private let log: Log
    private let parser = JSONParser(depthMax: Limits.nestingLevelsMax)
    private var decoder = LineDecoder(lineBytesMax: Limits.outgoingLineBytesMax)
    private var pipe: Pipe?
    private var pending: [CallID: Pending] = [:]
    private var lastId = 0
    private var output: [UInt8] = []
    /// Where a call is written first.
    private var line = JSONWriter(capacity: 512)
    /// The last call before so much was received at once that the peer may have had no room for more: until a later one is
    /// answered it may keep something back.
    private var doubtfulUpTo: Int?
    private let reconnect: Timer
    private let expiry: Timer
    private var nextExpiry: UInt64?
    private var backoffMs = Limits.reconnectMsMin
    private var hasToldDown = false
    private var isClosed = false

    private struct CallID: SerialNumber {
        let number: Int
    }

    private struct Pending {
        let method: String
        let deadline: UInt64
        let knows: ((ArraySlice<UInt8>) -> Bool)?
        let then: (Result<JSONValue, RPCError>) -> Void
    }

    /// Makes a client that isn't connected yet; `start` connects it.
    public init(name: String, path: String, loop: Loop, log: Log) {
        (self.name, self.path, self.loop, self.log) = (name, path, loop, log)
        reconnect = Timer(on: loop)
        expiry = Timer(on: loop)
    }

    // MARK: Connection

    /// Connects, and from then on connects again whenever the connection is lost.
    public func start() {
        guard pipe == nil, !isClosed else { return }
        let pipe = Pipe(on: loop)
        self.pipe = pipe
        pipe.connect(to: path) { [weak self] error in
            guard let self, self.pipe === pipe, !pipe.isClosing else { return }
            if let error { return self.lose("\(error)") }
            self.connected(pipe)
        }
    }

    private func connected(_ pipe: Pipe) {
        decoder = LineDecoder(lineBytesMax: Limits.outgoingLineBytesMax)
        doubtfulUpTo = nil
        isUp = true
        hasToldDown = false
        log.write(.info, "peer connected") { $0.member("peer", name) }
        pipe.startReading(
            onBytes: { [weak self] bytes in self?.received(bytes) },
            onEnd: { [weak self] event in
                switch event {
                case .end: self?.lose("it closed the connection")
                case .failure(let error): self?.lose("\(error)")
                }
            })
        onUp?()
    }

    private func lose(_ why: String) {
        guard let pipe else { return }
        pipe.close()
        self.pipe = nil
        isUp = false
        output = []
        if !hasToldDown {
            hasToldDown = true
            log.write(.warning, "peer lost") { json in
                json.member("peer", name)
                json.member("why", why)
            }
        }
        let lost = pending
        pending = [:]
        for (_, call) in lost.sorted(by: { $0.key < $1.key }) { call.then(.failure(unavailable)) }
        onDown?()
        guard !isClosed else { return }
        reconnect.start(milliseconds: backoffMs) { [weak self] in self?.start() }
        backoffMs = min(backoffMs * 2, Limits.reconnectMsMax)
    }

    private var unavailable: RPCError {
        RPCError(.upstreamUnavailable, "The \(name) service can't be reached: start it, then try again.")
    }

    /// Ends the connection for good; pending calls fail.
    public func close() {
        (isClosed, hasToldDown) = (true, true)
        reconnect.close()
        expiry.close()
        lose("this service stops")
    }

    // MARK: Calls

    /// Calls a method; `params` writes the members of the params object.
    ///
    /// `then` is told the result, which is valid for as long as it is kept, or the refusal: at once if there is no
    /// connection, at `deadline` (in milliseconds of `Loop.now`) if there is no answer by then. `knows` is told the text
    /// of the result before that is read: it returns true if it knows all of it, and then it is the one that has taken it.
    public func call(
        _ method: String, deadline: UInt64, params: (inout JSONWriter) -> Void = { _ in },
        knows: ((_ result: ArraySlice<UInt8>) -> Bool)? = nil,
        then: @escaping (Result<JSONValue, RPCError>) -> Void
    ) {
        guard isUp, let pipe else { return then(.failure(unavailable)) }
        guard pending.count < Limits.pendingPerPeerMax,
            output.count + pipe.queuedBytes <= Limits.outputBytesMax
        else {
            return then(
                .failure(
                    RPCError(
                        .overloaded, "Too many calls wait for the \(name) service: try again in a moment.",
                        limit: "pendingPerPeer")))
        }
        defer { line.reset() }
        line.verbatim(Message.head)
        line.value(lastId + 1)
        line.member("method", method)
        line.object("params", params)
        line.verbatim("}")
        guard line.count <= Limits.incomingLineBytesMax else {
            return then(
                .failure(
                    RPCError(
                        .messageTooLarge, "The \(name) service takes no line that long: send less at once.",
                        limit: "incomingLineBytes")))
        }
        lastId += 1
        pending[CallID(number: lastId)] = Pending(
            method: method, deadline: deadline, knows: knows, then: then)
        unsafe line.withBytes { unsafe output.append(contentsOf: $0) }
        output.append(0x0A)
        if nextExpiry.map({ deadline < $0 }) ?? true { watchExpiry(deadline) }
    }

    /// Sends what was called in this turn.
    public func flush() {
        guard let pipe, isUp, !output.isEmpty else { return }
        let lines = output
        output.removeAll(keepingCapacity: output.count <= Limits.outputSpareBytesMax)
        pipe.write(lines) { [weak self] error in
            guard let self, self.pipe === pipe, let error else { return }
            self.lose("\(error)")
        }
    }

    private func watchExpiry(_ deadline: UInt64) {
        nextExpiry = deadline
        expiry.start(milliseconds: deadline > loop.now ? deadline - loop.now : 0) { [weak self] in
            self?.expire()
        }
    }

    private func expire() {
        nextExpiry = nil
        let expired = pending.filter { $0.value.deadline <= loop.now }.sorted { $0.key < $1.key }
        for (id, _) in expired { pending[id] = nil }
        if let next = pending.values.map(\.deadline).min() { watchExpiry(next) }
        for (_, call) in expired {
            call.then(
                .failure(
                    RPCError(.deadlineExceeded, "The \(name) service did not answer \(call.method) in time."))
            )
        }
    }

    // MARK: Answers and events

    /// Reads what the peer has sent by now.
    public func readPending() { pipe?.readPending() }

    /// Whether the peer may have said more by now than could be read: much has come at once, and no call that was made
    /// since was answered; or half a line has come.
    ///
    /// A peer whose socket is full keeps what it says for later, but may have answered others by then.
    public var mayBeBehind: Bool { doubtfulUpTo != nil || decoder.isInsideLine }

    private func received(_ bytes: RawSpan) {
        let lastId = lastId
        var lines = 1  // the end of one, perhaps
        decoder.append(bytes)
        while isUp, let line = decoder.next() {
            lines += 1
            guard case .text(let text) = line else { return lose(Self.noLine) }
            if isKnown(text) { continue }
            guard let document = try? parser.parse(text) else { return lose(Self.noLine) }
            take(document.root)
        }
        if !Self.isSurelyAll(bytes: bytes.byteCount, lines: lines) { doubtfulUpTo = lastId }
    }

    private static let noLine = "it sent something that is no JSON line"

    // MARK: What need not be read

    /// How our own services begin an event.
    private static let eventHead: StaticString = #"{"jsonrpc":"2.0","method":"#

    /// Whether somebody knows a line without its being read, and has taken it.
    private func isKnown(_ line: ArraySlice<UInt8>) -> Bool {
        var text = TextScanner(line)
        guard text.skip(Message.head) else {
            guard let onKnownEvent, text.skip(Self.eventHead) else { return false }
            return onKnownEvent(line)
        }
        guard let id = text.number(), text.skip(Server.middle), text.skipLast("}"),
            let call = pending.removeValue(forKey: CallID(number: id))
        else { return false }
        guard let knows = call.knows, knows(text.rest) else {
            pending[CallID(number: id)] = call
            return false
        }
        hasAnswered(id)
        return true
    }

    private func hasAnswered(_ id: Int) {
        // Who answers is well; who only takes connections is tried again ever more seldom.
        backoffMs = Limits.reconnectMsMin
        if let last = doubtfulUpTo, id > last { doubtfulUpTo = nil }
    }

    private func take(_ value: JSONValue) {
        if let method = value["method"]?.string {
            if let params = value["params"] { onEvent?(method, params) }
            return
        }
        guard let id = value["id"]?.int, id > 0, id <= lastId else {
            let refusal = value["error"]?["message"]?.string
            return lose(refusal.map { "it refused a line: \($0)" } ?? "it answered what it was not asked")
        }
        hasAnswered(id)
        // An answer that came too late, or twice.
        guard let call = pending.removeValue(forKey: CallID(number: id)) else { return }
        if let result = value["result"] {
            call.then(.success(result))
        } else if let error = value["error"] {
            call.then(.failure(RPCError(ofPeer: error)))
        } else {
            call.then(
                .failure(RPCError(.internal, "The \(name) service answered neither a result nor an error.")))
            lose("it answered neither a result nor an error")
        }
    }
}
