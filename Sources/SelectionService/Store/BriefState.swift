import JSON
import Shared

// A state as it is kept: without what is usual, which most of it is, and without what follows from its history.
//
//     {"session":"s","catalog":"c","revision":3,"category":"A","items":["a1"]}
//
// What is there is as everyone is told it. Earlier versions kept all of that; so it is read in the same way.

extension SessionState {
    /// Writes the state as it is kept, and gives where the session's id stands.
    @discardableResult
    func writeBriefly(to json: inout JSONWriter) -> Range<Int> {
        var name = 0..<0
        json.object { json in
            json.key("session")
            let start = json.count
            json.value(session.text)
            name = start..<json.count
            if let catalog { json.member("catalog", catalog.text) }
            json.member("revision", revision)
            if let category { json.member("category", category.text) }
            if !items.isEmpty { json.member("items", items) }
            if !contentPath.isEmpty || !detailPath.isEmpty {
                json.object("paths") { json in
                    json.member("content", contentPath)
                    json.member("detail", detailPath)
                }
            }
            if visibility != .automatic { json.member("visibility", visibility.rawValue) }
            if style != .automatic { json.member("style", style.rawValue) }
            if let compactColumn { json.member("compactColumn", compactColumn.rawValue) }
            if !widths.isEmpty {
                json.object("widths") { json in
                    for column in Column.allCases {
                        guard let width = widths[column] else { continue }
                        json.key(column.rawValue)
                        json.value(width)
                    }
                }
            }
            if query != Query() {
                json.object("query") { json in
                    json.member("text", query.text)
                    json.member("scope", query.scope.rawValue)
                }
            }
            if sort != Sort() {
                json.object("sort") { json in
                    json.member("by", sort.by.rawValue)
                    json.member("descending", sort.descending)
                }
            }
            if !expanded.isEmpty { json.member("expanded", expanded) }
        }
        return name
    }

    /// Reads what `writeBriefly` wrote, or an earlier version; nil if it is something else.
    ///
    /// Whether the session can go back follows from its history: see `Session.tellHistory`.
    static func readBriefly(_ value: JSONValue) -> SessionState? {
        var members = value.inOrder
        guard let session = members.take("session")?.string,
            case let catalog = members.take("catalog"), let revision = members.take("revision")?.int,
            case let category = members.take("category"),
            let items = [Identifier](kept: members.take("items")),
            case let paths = members.take("paths"), let contentPath = [Identifier](kept: paths?["content"]),
            let detailPath = [Identifier](kept: paths?["detail"])
        else { return nil }
        var state = SessionState(
            session: Identifier(session), catalog: catalog?.string.map { Identifier($0) })
        state.revision = revision
        state.category = category?.string.map { Identifier($0) }
        (state.items, state.contentPath, state.detailPath) = (items, contentPath, detailPath)
        return state.readPresentation(&members) ? state : nil
    }

    /// Takes in what is there of how the session is presented; false if it is something else.
    private mutating func readPresentation(_ members: inout JSONValue.MembersInOrder) -> Bool {
        func word<Word: RawRepresentable>(_ value: JSONValue?, else usual: Word) -> Word?
        where Word.RawValue == String {
            guard let value else { return usual }
            return value.string.flatMap(Word.init)
        }
        guard let visibility = word(members.take("visibility"), else: Visibility.automatic),
            let style = word(members.take("style"), else: Style.automatic),
            case let compactColumn = members.take("compactColumn"), case let widths = members.take("widths"),
            case let query = members.take("query"),
            let scope = word(query?["scope"], else: SearchScope.category),
            case let sort = members.take("sort"), let by = word(sort?["by"], else: SortKey.position),
            let expanded = [Identifier](kept: members.take("expanded"))
        else { return false }
        (self.visibility, self.style, self.expanded) = (visibility, style, expanded)
        self.compactColumn = compactColumn?.string.flatMap(Column.init)
        if let widths {
            for member in widths.members {
                if let column = Column(rawValue: member.name) { self.widths[column] = member.value.double }
            }
        }
        self.query = Query(text: query?["text"]?.string ?? "", scope: scope)
        self.sort = Sort(by: by, descending: sort?["descending"]?.bool ?? false)
        return true
    }
}

extension [Identifier] {
    /// Reads a list that need not be there; nil if it is something else.
    init?(kept value: JSONValue?) {
        guard let value else {
            self = []
            return
        }
        guard value.kind == .array else { return nil }
        self = value.elements.compactMap(\.string).map { Identifier($0) }
    }
}

extension JSONWriter {
    /// Writes a member with a list of ids.
    mutating func member(_ name: StaticString, _ ids: [Identifier]) {
        array(name) { json in for id in ids { json.value(id.text) } }
    }
}
