import CWebSockets
public import UV

// libwebsockets hangs on our loop through its plugin for libuv, so that the process still has one thread and one loop.

/// What a server is asked.
///
/// It is told on the loop's thread, and never closes the server from in there.
public protocol WebHandler: AnyObject {
    /// Answers a request.
    func answer(_ request: WebRequest) -> WebResponse
    /// Decides about a request to become a WebSocket.
    func upgrade(_ request: WebRequest) -> WebUpgrade
    /// One connection more than there may be was refused.
    func connectionRefused()
}

/// What becomes of a request to become a WebSocket.
public enum WebUpgrade {
    /// It becomes this one.
    case accept(WebSocket)
    /// It gets this answer.
    case refuse(WebResponse)
}

/// Serves HTTP and WebSockets at one address.
@safe public final class WebServer {
    /// The bounds of a server.
    public struct Bounds: Sendable {
        /// Bytes of a request's headers together.
        public let headerBytesMax: Int
        /// Connections, also those that are no WebSocket.
        public let connectionsMax: Int
        /// How long a request may take to arrive.
        public let requestSecondsMax: Int
        /// How long a connection is kept without a request.
        public let idleSecondsMax: Int
        /// How long a WebSocket may be silent until it is pinged.
        public let pingSeconds: Int
        /// How long a WebSocket may be silent until it is given up.
        public let deadSeconds: Int

        /// Names the bounds.
        public init(
            headerBytesMax: Int, connectionsMax: Int, requestSecondsMax: Int, idleSecondsMax: Int,
            pingSeconds: Int, deadSeconds: Int
        ) {
            (self.headerBytesMax, self.connectionsMax) = (headerBytesMax, connectionsMax)
            (self.requestSecondsMax, self.idleSecondsMax) = (requestSecondsMax, idleSecondsMax)
            (self.pingSeconds, self.deadSeconds) = (pingSeconds, deadSeconds)
        }
    }

    /// It can't listen there, or the plugin for libuv is missing; libwebsockets does not say which.
    public struct Failure: Error {}

    /// The port that it listens on.
    public private(set) var port: Int
    private let loop: Loop
    private let handler: any WebHandler
    private var server: OpaquePointer?

    /// Listens on a numeric address; port 0 is any free one.
    ///
    /// `headers`, at most 8, are part of every answer.
    ///
    /// - Throws: `Failure`; then the loop can't be run to its end any more.
    public init(
        address: String, port: Int, bounds: Bounds, headers: [WebResponse.Header], handler: any WebHandler,
        on loop: Loop
    ) throws(Failure) {
        (self.loop, self.handler, self.port) = (loop, handler, port)
        var port = Int32(port)
        let limits = CWebSockets_limits(
            headerBytesMax: UInt32(bounds.headerBytesMax), connectionsMax: UInt32(bounds.connectionsMax),
            requestSecondsMax: UInt32(bounds.requestSecondsMax),
            idleSecondsMax: UInt32(bounds.idleSecondsMax),
            pingSeconds: UInt32(bounds.pingSeconds), deadSeconds: UInt32(bounds.deadSeconds))
        var callbacks = Self.callbacks
        unsafe server = CWebSockets_listen(
            loop.address, address, &port, limits, WebResponse.bytes(of: headers), &callbacks,
            Unmanaged.passUnretained(self).toOpaque())
        guard unsafe server != nil else { throw Failure() }
        self.port = Int(port)
    }

    /// Ends all connections at once, and listens no more.
    public func close() {
        guard let server = unsafe server else { return }
        unsafe self.server = nil
        unsafe CWebSockets_close(server)
    }

    private static let callbacks = unsafe CWebSockets_callbacks(
        refused: { owner in unsafe of(owner).handler.connectionRefused() },
        requested: { owner, connection in
            guard let request = unsafe WebRequest(connection) else { return }
            unsafe request.send(of(owner).handler.answer(request))
        },
        upgrading: { owner, connection in
            guard let request = unsafe WebRequest(connection) else { return nil }
            switch unsafe of(owner).handler.upgrade(request) {
            case .accept(let socket): return unsafe Unmanaged.passRetained(socket).toOpaque()
            case .refuse(let response):
                request.send(response)
                return nil
            }
        },
        opened: { object, connection in unsafe WebSocket.of(object).open(connection) },
        received: { object, bytes, count, isText, isLast in
            let part = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
            return unsafe WebSocket.of(object).receive(part.bytes, isText: isText, isLast: isLast)
        },
        writable: { object in unsafe WebSocket.of(object).sendNext() },
        closed: { object in
            guard let object = unsafe object else { return }
            unsafe Unmanaged<WebSocket>.fromOpaque(object).takeRetainedValue().end()
        })

    private static func of(_ owner: UnsafeMutableRawPointer?) -> WebServer {
        guard let owner = unsafe owner else { preconditionFailure("a server without its object") }
        return unsafe Unmanaged<WebServer>.fromOpaque(owner).takeUnretainedValue()
    }
}
