import JSON
import Shared

/// What most requests for a change are, read in one go: the choice of one thing in a session, and nothing else.
///
/// Whatever is not exactly that is left to be read closely, which also finds what is wrong with it.
final class PlainSelect {
    let session: Identifier
    let event: NavigationEvent

    /// What a request asks for, which is remembered until the same line comes again.
    static func of(_ request: Request) -> PlainSelect? {
        if let known = request.recurrence?.found as? PlainSelect { return known }
        guard let select = PlainSelect(request.params) else { return nil }
        request.recurrence?.found = select
        return select
    }

    /// Reads params like `{"session":"s","event":{"type":"select","column":"content","id":"a"}}`.
    init?(_ params: JSONValue?) {
        guard let params, params.count <= 3 else { return nil }
        var session: Identifier?
        var event: NavigationEvent?
        for member in params.members {
            if session == nil, member.isNamed("session") {
                session = try? ObjectReader.identifier(member.value, path: "")
                guard session != nil else { return nil }
            } else if event == nil, member.isNamed("event") {
                event = Self.event(member.value)
                guard event != nil else { return nil }
            } else if !member.isNamed("_meta") {
                return nil
            }
        }
        guard let session, let event else { return nil }
        (self.session, self.event) = (session, event)
    }

    private static func event(_ value: JSONValue) -> NavigationEvent? {
        var isSelect = false
        var column: Column?
        var id: Identifier?
        for member in value.members {
            if !isSelect, member.isNamed("type") {
                guard member.value.isString("select") else { return nil }
                isSelect = true
            } else if column == nil, member.isNamed("column") {
                column = self.column(member.value)
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

    private static func column(_ value: JSONValue) -> Column? {
        if value.isString("content") { return .content }
        if value.isString("sidebar") { return .sidebar }
        return value.isString("detail") ? .detail : nil
    }
}
