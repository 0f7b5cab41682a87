import CWebSockets

/// A WebSocket with a browser at the other end.
@safe public final class WebSocket {
    /// What is told.
    public enum Event {
        /// It is open.
        case opened
        /// A whole text message has come.
        case message([UInt8])
        /// All that was sent so far has been taken, or some of it.
        case sent(bytes: Int)
        /// It is no more.
        case closed
    }

    /// Why a WebSocket ends, by the codes of RFC 6455 and IANA's registry.
    public enum CloseCode: Int, Sendable {
        /// The process ends.
        case goingAway = 1001
        /// It sent no text.
        case unsupportedData = 1003
        /// It did what it may not.
        case policyViolation = 1008
        /// Its message was too big.
        case messageTooBig = 1009
        /// What it needs can't be had now: it may try again.
        case tryAgainLater = 1013
    }

    private let messageBytesMax: Int
    private var onEvent: ((Event) -> Void)?
    private var connection: OpaquePointer?
    private var message: [UInt8] = []
    private var output: [[UInt8]] = []
    /// Where in `output` the first message is that was not sent.
    private var next = 0
    /// Bytes of messages that libwebsockets has not taken yet.
    public private(set) var queuedBytes = 0
    /// Places of sent messages that are kept before the others move up.
    private static let sentMax = 256
    private var isClosing = false

    /// Makes what a request can become; longer messages than `messageBytesMax` close it.
    public init(messageBytesMax: Int, onEvent: @escaping (Event) -> Void) {
        (self.messageBytesMax, self.onEvent) = (messageBytesMax, onEvent)
    }

    /// Whether it is open and nobody has asked for its end.
    public var isOpen: Bool { unsafe connection != nil && !isClosing }

    /// Sends a text message, as soon as it can.
    public func send(_ text: [UInt8]) {
        guard isOpen else { return }
        output.append(text)
        queuedBytes += text.count
        wantWritable()
    }

    /// Ends it when what was sent before has been taken; not while it is told something.
    ///
    /// It learns why if nothing was left to take.
    public func close(_ code: CloseCode, _ reason: String) {
        guard isOpen, let connection = unsafe connection else { return }
        isClosing = true
        guard queuedBytes == 0 else { return wantWritable() }
        _ = refuse(code, reason)
        unsafe CWebSockets_end(connection)
    }

    /// Ends it soon, whatever is queued.
    public func cut() {
        guard let connection = unsafe connection else { return }
        unsafe CWebSockets_cut(connection)
    }

    /// Whether what arrives is taken; what is not stays in the socket, so that the browser has to wait.
    public var isReading = true {
        didSet {
            guard isReading != oldValue, let connection = unsafe connection else { return }
            unsafe CWebSockets_read(connection, isReading)
        }
    }

    private func wantWritable() {
        guard let connection = unsafe connection else { return }
        unsafe CWebSockets_want_writable(connection)
    }

    // MARK: Callbacks

    func open(_ connection: OpaquePointer?) {
        unsafe self.connection = connection
        onEvent?(.opened)
    }

    func receive(_ part: RawSpan, isText: Bool, isLast: Bool) -> Bool {
        // Nothing more is taken of who is asked to go, but what is queued for it may still go out.
        guard isOpen else { return true }
        guard isText else { return refuse(.unsupportedData, "Messages are text.") }
        guard message.count + part.byteCount <= messageBytesMax else {
            return refuse(.messageTooBig, "A message has at most \(messageBytesMax) bytes.")
        }
        unsafe part.withUnsafeBytes { unsafe message.append(contentsOf: $0) }
        guard isLast else { return true }
        let whole = message
        message = []
        onEvent?(.message(whole))
        return true
    }

    /// libwebsockets takes one message each time it is ready; behind the last one comes the end, if it was asked for.
    func sendNext() -> Bool {
        guard next < output.count else {
            return !isClosing
        }
        let text = output[next]
        output[next] = []
        next += 1
        if next == output.count || next == Self.sentMax {
            output.removeSubrange(..<next)
            next = 0
        }
        guard let connection = unsafe connection, unsafe CWebSockets_send(connection, text, text.count) else {
            return false
        }
        queuedBytes -= text.count
        onEvent?(.sent(bytes: text.count))
        if next < output.count || isClosing { wantWritable() }
        return true
    }

    func end() {
        unsafe connection = nil
        (output, message, queuedBytes) = ([], [], 0)
        let told = onEvent
        onEvent = nil
        told?(.closed)
    }

    private func refuse(_ code: CloseCode, _ reason: String) -> Bool {
        guard let connection = unsafe connection else { return false }
        let bytes = Array(reason.utf8CString)
        unsafe CWebSockets_set_reason(connection, UInt32(code.rawValue), bytes, bytes.count - 1)
        return false
    }

    static func of(_ object: UnsafeMutableRawPointer?) -> WebSocket {
        guard let object = unsafe object else { preconditionFailure("a WebSocket without its object") }
        return unsafe Unmanaged<WebSocket>.fromOpaque(object).takeUnretainedValue()
    }
}
