import JSON
import Shared

/// What `selection.send` asks for.
///
/// An object, because it is handed on several times, and remembered until the same line comes again.
final class Send {
    let session: Identifier
    let event: NavigationEvent
    /// The catalog that is named; a session that is not there yet needs one.
    let catalog: Identifier?
    let expectedRevision: Int?

    private init(
        _ session: Identifier, _ event: NavigationEvent, catalog: Identifier? = nil,
        expectedRevision: Int? = nil
    ) {
        (self.session, self.event, self.catalog, self.expectedRevision) = (
            session, event, catalog, expectedRevision
        )
    }

    /// What was found when the same line came before; nil if it did not, or asks for something else.
    static func remembered(for request: Request) -> Send? { request.recurrence?.found as? Send }

    /// Reads what a request asks for, and has it remembered.
    ///
    /// - Throws: `invalid_params`, or `not_possible` for an event past a bound.
    static func read(_ request: Request) throws(RPCError) -> Send {
        let send = if let plain = plain(request.params) { plain } else { try closely(request.params) }
        request.recurrence?.found = send
        return send
    }

    /// Reads whatever params may be.
    ///
    /// - Throws: see `read`.
    static func closely(_ params: JSONValue?) throws(RPCError) -> Send {
        var params = try ObjectReader(params)
        let session = try params.optionalIdentifier("session") ?? Session.defaultId
        let event = try NavigationEvent(reading: &params)
        let catalog = try params.optionalIdentifier("catalog")
        let expectedRevision = try params.int("expectedRevision", in: 0...Int.max)
        try params.finish()
        return Send(session, event, catalog: catalog, expectedRevision: expectedRevision)
    }

    // MARK: Plain choices

    /// Reads in one go what most params are: the choice of one thing in a session, and nothing else.
    ///
    /// Whatever is not exactly like `{"session":"s","event":{"type":"select","column":"content","id":"a"}}` gives nil: it
    /// is left to be read closely, which also finds what is wrong with it.
    static func plain(_ params: JSONValue?) -> Send? {
        guard let params, params.count <= 3 else { return nil }
        var session: Identifier?
        var event: NavigationEvent?
        for member in params.members {
            if session == nil, member.isNamed("session") {
                session = try? ObjectReader.identifier(member.value, path: "")
                guard session != nil else { return nil }
            } else if event == nil, member.isNamed("event") {
                event = plainEvent(member.value)
                guard event != nil else { return nil }
            } else if !member.isNamed("_meta") {
                return nil
            }
        }
        guard let session, let event else { return nil }
        return Send(session, event)
    }

    private static func plainEvent(_ value: JSONValue) -> NavigationEvent? {
        var isSelect = false
        var column: Column?
        var id: Identifier?
        for member in value.members {
            if !isSelect, member.isNamed("type") {
                guard member.value.isString("select") else { return nil }
                isSelect = true
            } else if column == nil, member.isNamed("column") {
                column = plainColumn(member.value)
                guard column != nil else { return nil }
            } else if id == nil, member.isNamed("id") {
                id = try? ObjectReader.identifier(member.value, path: "")
                guard id != nil else { return nil }
            } else {
                return nil
            }
        }
        guard isSelect, let column, let id else { return nil }
        return .select(column, Choice(ids: [id]))
    }

    private static func plainColumn(_ value: JSONValue) -> Column? {
        if value.isString("content") { return .content }
        if value.isString("sidebar") { return .sidebar }
        return value.isString("detail") ? .detail : nil
    }
}
