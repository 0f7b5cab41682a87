public import JSON

/// Every reason for which a request can be refused: the stable key in `error.data.reason`.
public enum ErrorReason: String, Sendable, CaseIterable {
    /// The line is no strict JSON, or is nested too deep.
    case parseError = "parse_error"
    /// Valid JSON that is no valid request.
    case invalidRequest = "invalid_request"
    /// The line is too long.
    case messageTooLarge = "message_too_large"
    /// A request with this id is still under way on this connection.
    case duplicateId = "duplicate_id"
    /// The batch has too many items.
    case batchTooLarge = "batch_too_large"
    /// The service has no such method.
    case methodNotFound = "method_not_found"
    /// A param is unknown, missing, of a wrong type or out of its range: `data.path` says which.
    case invalidParams = "invalid_params"
    /// A bug of ours, or a peer that answered nonsense.
    case `internal` = "internal"
    /// A bound on work under way is reached: try again when less is under way.
    case overloaded = "overloaded"
    /// The service takes no more connections now.
    case tooManyConnections = "too_many_connections"
    /// The caller's time passed before the answer was there.
    case deadlineExceeded = "deadline_exceeded"
    /// The answer would not fit a line: ask for less.
    case responseTooLarge = "response_too_large"
    /// The service is stopping.
    case draining = "draining"
    /// A service that is needed for the answer can't be reached.
    case upstreamUnavailable = "upstream_unavailable"
    /// The caller may not do this.
    case permissionDenied = "permission_denied"
    /// The data can't be written or read: disk full, I/O error, corrupt file.
    case storage = "storage"
    /// There is no such thing.
    case notFound = "not_found"
    /// It has changed meanwhile: `data.revision` is the current one.
    case conflict = "conflict"
    /// Well-formed, but against a rule or a bound.
    case notPossible = "not_possible"

    /// The number in `error.code`.
    public var code: Int {
        switch self {
        case .parseError: -32700
        case .invalidRequest, .messageTooLarge, .duplicateId, .batchTooLarge: -32600
        case .methodNotFound: -32601
        case .invalidParams: -32602
        case .internal: -32603
        case .overloaded, .tooManyConnections: -32001
        case .deadlineExceeded: -32002
        case .responseTooLarge: -32003
        case .draining: -32004
        case .upstreamUnavailable: -32005
        case .permissionDenied: -32006
        case .storage: -32007
        case .notFound: 1001
        case .conflict: 1002
        case .notPossible: 1004
        }
    }

    /// Whether the same request may succeed later.
    public var isRetryable: Bool {
        switch self {
        case .overloaded, .tooManyConnections, .deadlineExceeded, .draining, .upstreamUnavailable, .storage:
            true
        case .parseError, .invalidRequest, .messageTooLarge, .duplicateId, .batchTooLarge, .methodNotFound,
            .invalidParams, .internal, .responseTooLarge, .permissionDenied, .notFound, .conflict,
            .notPossible:
            false
        }
    }
}

/// A refusal of a request, as it goes to the caller.
///
/// ```json
/// {"code":1001,"message":"There is no item \"x\".","data":{"reason":"not_found","retryable":false,"service":"catalog"}}
/// ```
public struct RPCError: Error, Equatable {
    /// Why.
    public let reason: ErrorReason
    /// A sentence that says what is wrong and what to do.
    public let message: String
    /// The RFC 6901 pointer, from `params`, to what is wrong.
    public let path: String?
    /// The current revision, for conflicts.
    public let revision: Int?
    /// The bound that was passed, by its name in the contract.
    public let limit: String?
    /// The whole error object of the service that said so, passed on as it is.
    private let foreign: [UInt8]?

    /// Makes a refusal of our own.
    public init(
        _ reason: ErrorReason, _ message: String, path: String? = nil, revision: Int? = nil,
        limit: String? = nil
    ) {
        (self.reason, self.message, self.path, self.revision, self.limit) = (
            reason, message, path, revision, limit
        )
        foreign = nil
    }

    /// Takes over the `error` of a peer's answer.
    public init(ofPeer error: JSONValue) {
        let data = error["data"]
        message = error["message"]?.string ?? "The service answered an error without a message."
        path = data?["path"]?.string
        revision = data?["revision"]?.int
        limit = data?["limit"]?.string
        // What has no known reason is no error of our protocol.
        if let known = data?["reason"]?.string.flatMap(ErrorReason.init) {
            (reason, foreign) = (known, Array(error.raw))
        } else {
            (reason, foreign) = (.internal, nil)
        }
    }

    /// The refusal of a param.
    public static func invalidParams(_ path: String, _ message: String) -> RPCError {
        RPCError(.invalidParams, message, path: path)
    }

    /// The refusal of an unknown id.
    public static func notFound(_ kind: String, _ id: Identifier, path: String? = nil) -> RPCError {
        RPCError(.notFound, "There is no \(kind) \"\(id)\".", path: path)
    }

    /// Writes the error object; `service` is who says so.
    public func write(to json: inout JSONWriter, service: String) {
        if let foreign { return json.value(raw: foreign) }
        json.object { json in
            json.member("code", reason.code)
            json.member("message", message)
            json.object("data") { json in
                json.member("reason", reason.rawValue)
                json.member("retryable", reason.isRetryable)
                json.member("service", service)
                if let path { json.member("path", path) }
                if let revision { json.member("revision", revision) }
                if let limit { json.member("limit", limit) }
            }
        }
    }
}
