import JSON
import Shared

/// What `view.get` and `view.send` ask for.
struct ViewRequest {
    /// The event that is applied first, with what belongs to it.
    struct Send {
        /// The event object as it came: its shape is the selection service's business.
        let event: JSONValue
        /// The revision that the caller has seen.
        let expectedRevision: Int?

        /// Why a window is drawn anew after this event.
        var cause: LayoutCause {
            switch event["type"]?.string {
            case "setVisibility", "setStyle", "showColumn", "reset": .explicitRequest
            default: .contentChange
            }
        }
    }

    /// The session that is shown.
    let session: Identifier
    /// The catalog of a session that does not exist yet.
    let catalog: Identifier?
    /// The window it is drawn for.
    let window: ViewWindow
    /// What to apply first; nil for `view.get`.
    let send: Send?

    /// The session of a request that names none.
    static let defaultSession: Identifier = "default"

    /// Reads the params.
    ///
    /// - Throws: `invalid_params`.
    init(_ params: JSONValue?, isSend: Bool) throws(RPCError) {
        var reader = try ObjectReader(params)
        session = try reader.optionalIdentifier("session") ?? Self.defaultSession
        catalog = try reader.optionalIdentifier("catalog")
        window = try ViewWindow(&reader)
        if isSend {
            let expected = try reader.int("expectedRevision", in: 0...Int.max)
            let event = try reader.required("event", reader.value("event"))
            guard event.kind == .object else { throw reader.wrong("event", "must be an object") }
            send = Send(event: event, expectedRevision: expected)
        } else {
            send = nil
        }
        try reader.finish()
    }
}
