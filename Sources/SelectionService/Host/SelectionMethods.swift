import Shared

/// The methods of this service.
enum SelectionMethods {
    static let get = Method(
        "selection.get", .read, "Tells where a session is; an unknown one is empty.",
        params: [.id("session")], result: stateResult)
    static let send = Method(
        "selection.send", .change, "Applies a navigation event to a session, which it may create.",
        params: [
            .id("session"), .init("event", #"{"type":"object"}"#, isRequired: true), .id("catalog"),
            .init("expectedRevision", #"{"type":"integer","minimum":0}"#),
        ],
        result:
            #"{"type":"object","properties":{"changed":{"type":"boolean"},"state":{"type":"object"}}}"#)
    static let list = Method(
        "selection.list", .read, "Lists all sessions by their ids.",
        result: #"{"type":"object","properties":{"sessions":{"type":"array"}}}"#)
    static let delete = Method(
        "selection.delete", .change, "Deletes a session.", params: [.id("session", isRequired: true)],
        result: #"{"type":"object","properties":{"deleted":{"type":"boolean"}}}"#)
    static let copy = Method(
        "selection.copy", .change, "Starts a session where another one is, in place of what it was.",
        params: [.id("from", isRequired: true), .id("to", isRequired: true)], result: stateResult)
    static let subscribe = Method(
        "selection.subscribe", .subscribe, "Tells of each change of one session, or of all.",
        params: [.id("session"), .init("keepAfterEof", #"{"type":"boolean"}"#)],
        result: #"{"type":"object","properties":{"subscription":{"type":"string"}}}"#)
    static let unsubscribe = Method(
        "selection.unsubscribe", .read, "Ends a subscription.",
        params: [.id("subscription", isRequired: true)])

    static let all = [get, send, list, delete, copy, subscribe, unsubscribe]

    private static let stateResult = #"{"type":"object","properties":{"state":{"type":"object"}}}"#
}

/// Something that is to be done to sessions, and for whom.
enum Job {
    case get(RequestToken, Identifier)
    case send(RequestToken, Send)
    case list(RequestToken)
    case delete(RequestToken, Identifier)
    case copy(RequestToken, from: Identifier, to: Identifier)
    /// Brings a session in line with its catalog.
    case settle(Identifier)
    /// Deletes a session that did not change since a moment.
    case expire(Identifier, idleSinceMs: Int)

    /// Who is to be answered; nil if the service does it by itself.
    var token: RequestToken? {
        switch self {
        case .get(let token, _), .send(let token, _), .list(let token), .delete(let token, _),
            .copy(let token, _, _):
            token
        case .settle, .expire: nil
        }
    }

    /// The sessions that it reads or changes, each once.
    var sessions: [Identifier] {
        if let onlySession { return [onlySession] }
        guard case .copy(_, let from, let to) = self else { return [] }
        return from == to ? [from] : [from, to]
    }

    /// The session that it reads or changes, if it is one.
    var onlySession: Identifier? {
        switch self {
        case .send(_, let send): send.session
        case .get(_, let id), .delete(_, let id), .settle(let id), .expire(let id, _): id
        case .copy, .list: nil
        }
    }

    /// Whether somebody asked for a change.
    var isChange: Bool {
        switch self {
        case .send, .delete, .copy: true
        case .get, .list, .settle, .expire: false
        }
    }

    /// Whether it tells of all sessions.
    var isList: Bool {
        if case .list = self { return true }
        return false
    }

    /// Reads a request; nil if it is none of those that wait for their turn.
    ///
    /// - Throws: `invalid_params`, or `not_possible` for an event past a bound.
    init?(_ request: Request) throws(RPCError) {
        guard request.method != SelectionMethods.send.name else {
            self = .send(request.token, try Send.read(request))
            return
        }
        var params = try ObjectReader(request.params)
        switch request.method {
        case SelectionMethods.get.name:
            self = .get(request.token, try params.optionalIdentifier("session") ?? Session.defaultId)
        case SelectionMethods.list.name: self = .list(request.token)
        case SelectionMethods.delete.name:
            self = .delete(request.token, try params.identifier("session"))
        case SelectionMethods.copy.name:
            self = .copy(request.token, from: try params.identifier("from"), to: try params.identifier("to"))
        default: return nil
        }
        try params.finish()
    }
}
