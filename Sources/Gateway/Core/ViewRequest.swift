import JSON
import Shared

// What clients ask of the gateway, read strictly.

/// A request for a view, or for one that is kept current.
struct ViewRequest {
    /// An event that is applied first, with what belongs to it.
    struct Send {
        /// The event object as it came: its shape is the selection service's business.
        let event: JSONValue
        /// The revision that the caller has seen.
        let expectedRevision: Int?
        /// Why a window is drawn anew after this event.
        let cause: LayoutCause

        /// Takes the members of params that are an event.
        ///
        /// - Throws: `invalid_params`.
        init(_ reader: inout ObjectReader) throws(RPCError) {
            expectedRevision = try reader.int("expectedRevision", in: 0...Int.max)
            event = try reader.required("event", reader.value("event"))
            guard event.kind == .object else { throw reader.wrong("event", "must be an object") }
            cause =
                switch event["type"]?.string {
                case "setVisibility", "setStyle", "showColumn", "reset": .explicitRequest
                default: .contentChange
                }
        }
    }

    /// How a view is kept current.
    struct Stream {
        /// Whether changes are told as patches.
        let isPatch: Bool
        /// Whether they are told after the client has said its last.
        let keepsAfterEof: Bool

        /// Takes the members of params that are about a stream.
        ///
        /// - Throws: `invalid_params`.
        init(_ reader: inout ObjectReader) throws(RPCError) {
            isPatch = try reader.word("format", Format.self) == .patch
            keepsAfterEof = try reader.bool("keepAfterEof") ?? false
        }

        private enum Format: String, CaseIterable { case full, patch }
    }

    /// The session that is shown.
    let session: Identifier
    /// The catalog of a session that does not exist yet.
    var catalog: Identifier?
    /// The window it is drawn for.
    var window: ViewWindow
    /// What to apply first; nil for looking.
    var send: Send?
    /// How it is kept current; nil for one view.
    var stream: Stream?

    /// What tells its view from others.
    var key: ViewCache.Key { ViewCache.Key(session: session, catalog: catalog, window: window) }

    /// The session of a request that names none.
    static let defaultSession: Identifier = "default"

    /// A request for a window that is known already.
    init(session: Identifier, catalog: Identifier?, window: ViewWindow) {
        (self.session, self.catalog, self.window) = (session, catalog, window)
    }

    /// Reads the params of `view.get`, `view.send` or `view.subscribe`.
    ///
    /// - Throws: `invalid_params`.
    init(_ params: JSONValue?, method: String) throws(RPCError) {
        var reader = try ObjectReader(params)
        session = try reader.optionalIdentifier("session") ?? Self.defaultSession
        catalog = try reader.optionalIdentifier("catalog")
        window = try ViewWindow(&reader)
        if method == "view.send" { send = try Send(&reader) }
        if method == "view.subscribe" { stream = try Stream(&reader) }
        try reader.finish()
    }
}

/// What a `view.send` was found to ask for, to be remembered until the same line comes again.
final class KnownSend {
    let request: ViewRequest
    /// Where its views are kept.
    var slot: ViewCache.Slot?
    /// What the selection service is asked with.
    var params: [UInt8]?
    /// Where its event has led to, which is mostly where it leads to again.
    var whereabouts: Whereabouts?

    init(_ request: ViewRequest) { self.request = request }
}

/// A request for a window that is kept current.
struct WindowRequest {
    /// What is wanted of the window.
    enum Wish {
        case get
        case send(ViewRequest.Send)
        case resize(ViewWindow.Resize)
        case scroll(ViewWindow.Rows, limit: Int?)
        case unsubscribe
    }

    let subscription: SubscriptionID
    let wish: Wish

    /// Whether these params are about a window that is kept current.
    static func isMeant(_ params: JSONValue?, method: String) -> Bool {
        switch method {
        case "view.get", "view.send": params?["subscription"].map { !$0.isNull } ?? false
        default: method != "view.subscribe"
        }
    }

    /// Reads the params.
    ///
    /// - Throws: `invalid_params`.
    init(_ params: JSONValue?, method: String) throws(RPCError) {
        var reader = try ObjectReader(params)
        subscription = try reader.identifier("subscription")
        switch method {
        case "view.get": wish = .get
        case "view.send": wish = .send(try ViewRequest.Send(&reader))
        case "view.resize": wish = .resize(try ViewWindow.Resize(&reader))
        case "view.scroll":
            let rows = try ViewWindow.Rows(&reader)
            wish = .scroll(rows, limit: try ViewWindow.limit(&reader))
        default: wish = .unsubscribe
        }
        try reader.finish()
    }
}
