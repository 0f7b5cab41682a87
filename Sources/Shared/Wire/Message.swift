public import JSON

/// One JSON-RPC message, told by its envelope.
public enum Message {
    /// A request, to be answered with its `id` as it was written.
    case request(id: ArraySlice<UInt8>, method: String, params: JSONValue?)
    /// Something to do without an answer.
    case notification(method: String)
    /// An answer to something that was asked.
    case response(id: JSONValue?, result: JSONValue?, error: JSONValue?)
    /// Something else; the refusal goes to this id, as it was written, or to null.
    case invalid(id: ArraySlice<UInt8>, RPCError)

    /// How our own services begin a request and its answer, up to the id.
    static let head: StaticString = #"{"jsonrpc":"2.0","id":"#

    /// The id of answers to what has none.
    public static let nullId: ArraySlice<UInt8> = [0x6E, 0x75, 0x6C, 0x6C]

    /// Reads one message.
    public init(_ value: JSONValue) {
        var version: JSONValue?
        var id: JSONValue?
        var method: JSONValue?
        var params: JSONValue?
        var result: JSONValue?
        var error: JSONValue?
        var isDuplicate = false
        func take(_ slot: inout JSONValue?, _ value: JSONValue) {
            if slot != nil { isDuplicate = true }
            slot = value
        }
        for member in value.members {
            if member.isNamed("jsonrpc") {
                take(&version, member.value)
            } else if member.isNamed("id") {
                take(&id, member.value)
            } else if member.isNamed("method") {
                take(&method, member.value)
            } else if member.isNamed("params") {
                take(&params, member.value)
            } else if member.isNamed("result") {
                take(&result, member.value)
            } else if member.isNamed("error") {
                take(&error, member.value)
            }
        }
        if !isDuplicate, method == nil, result != nil || error != nil {
            self = .response(id: id, result: result, error: error)
            return
        }
        func refuse(_ message: String, _ id: ArraySlice<UInt8> = Message.nullId) -> Message {
            .invalid(id: id, RPCError(.invalidRequest, message))
        }
        guard value.kind == .object else {
            self = refuse("A request is a JSON object.")
            return
        }
        guard !isDuplicate else {
            self = refuse("A member of the envelope stands there twice.")
            return
        }
        if let id, !Self.isValid(id) {
            self = refuse(
                "An id is null, a string of at most \(Limits.requestIdBytesMax) bytes, or a number that is written with at most \(Limits.requestIdBytesWrittenMax)."
            )
            return
        }
        let rawId = id?.raw ?? Self.nullId
        guard version?.isString("2.0") == true else {
            self = refuse("A request has \"jsonrpc\":\"2.0\".", rawId)
            return
        }
        guard let name = method?.string else {
            self = refuse("A request has a \"method\" that is a string.", rawId)
            return
        }
        guard result == nil, error == nil else {
            self = refuse("A message has a method, or a result, or an error.", rawId)
            return
        }
        switch params?.kind {
        case nil, .null?, .object?, .array?: break
        default:
            self = refuse("\"params\" is an object.", rawId)
            return
        }
        guard id != nil else {
            self = .notification(method: name)
            return
        }
        if params?.kind == .array {
            self = .invalid(id: rawId, .invalidParams("", "Params are named: \"params\" is an object."))
            return
        }
        self = .request(id: rawId, method: name, params: params?.isNull == true ? nil : params)
    }

    private static func isValid(_ id: JSONValue) -> Bool {
        switch id.kind {
        case .null: true
        case .number: id.raw.count <= Limits.requestIdBytesWrittenMax
        case .string: (id.stringBytes?.count ?? 0) <= Limits.requestIdBytesMax
        case .bool, .array, .object: false
        }
    }
}
