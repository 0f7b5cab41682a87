public import JSON

/// Where a session is, as its owner tells it to everyone.
///
/// ```json
/// {"session":"default","catalog":"recipes","revision":3,"category":"breakfast","items":["shakshuka"],
///  "paths":{"content":[],"detail":[]},"visibility":"automatic","style":"automatic","compactColumn":null,
///  "widths":{},"query":{"text":"","scope":"category"},"sort":{"by":"position","descending":false},
///  "expanded":[],"canGoBack":true,"canGoForward":false}
/// ```
public struct SessionState: Sendable, Equatable {
    /// Which session.
    public var session: Identifier
    /// The catalog it belongs to; nil for a session that does not exist.
    public var catalog: Identifier?
    /// The number of its last change; 0 for a session that does not exist.
    public var revision = 0
    /// The chosen category.
    public var category: Identifier?
    /// The chosen items, in the order of the event that chose them, none twice.
    public var items: [Identifier] = []
    /// Category ids pushed in the content column.
    public var contentPath: [Identifier] = []
    /// Item ids pushed in the detail column.
    public var detailPath: [Identifier] = []
    /// The columns asked for.
    public var visibility = Visibility.automatic
    /// The style asked for.
    public var style = Style.automatic
    /// The column asked for on top of a collapsed window.
    public var compactColumn: Column?
    /// Widths that a person gave to columns, in points.
    public var widths: [Column: Double] = [:]
    /// What is searched for.
    public var query = Query()
    /// How lists are ordered.
    public var sort = Sort()
    /// The unfolded categories of an outline, in order of their ids.
    public var expanded: [Identifier] = []
    /// Whether `historyBack` would change something.
    public var canGoBack = false
    /// Whether `historyForward` would change something.
    public var canGoForward = false

    /// Makes the state of a session that does not exist (yet).
    public init(session: Identifier, catalog: Identifier? = nil) {
        self.session = session
        self.catalog = catalog
    }

    /// Writes the state as one JSON object.
    ///
    /// Each event has it written, so what stands between the values is written in pieces that are as long as can be.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("session", session.text)
            json.member("catalog", catalog?.text)
            json.member("revision", revision)
            json.member("category", category?.text)
            json.verbatim(#","items":["#)
            for id in items { json.value(id.text) }
            json.verbatim(#"],"paths":{"content":["#)
            for id in contentPath { json.value(id.text) }
            json.verbatim(#"],"detail":["#)
            for id in detailPath { json.value(id.text) }
            json.verbatim("]}")
            if hasUsualPresentation {
                json.verbatim(
                    #","visibility":"automatic","style":"automatic","compactColumn":null,"widths":{},"query":{"text":"","scope":"category"},"sort":{"by":"position","descending":false},"expanded":[]"#
                )
            } else {
                json.verbatim(",")
                writePresentation(to: &json)
            }
            json.verbatim(canGoBack ? #","canGoBack":true"# : #","canGoBack":false"#)
            json.verbatim(canGoForward ? #","canGoForward":true"# : #","canGoForward":false"#)
        }
    }

    /// Whether nobody has asked for another presentation, as in most sessions.
    private var hasUsualPresentation: Bool {
        visibility == .automatic && style == .automatic && compactColumn == nil && query.text.isEmpty
            && query.scope == .category && sort.by == .position && !sort.descending && widths.isEmpty
            && expanded.isEmpty
    }

    private func writePresentation(to json: inout JSONWriter) {
        json.member("visibility", visibility.rawValue)
        json.member("style", style.rawValue)
        json.member("compactColumn", compactColumn?.rawValue)
        json.object("widths") { json in
            for column in widths.isEmpty ? [] : Column.allCases {
                if let width = widths[column] {
                    json.key(column.rawValue)
                    json.value(width)
                }
            }
        }
        json.object("query") { json in
            json.member("text", query.text)
            json.member("scope", query.scope.rawValue)
        }
        json.object("sort") { json in
            json.member("by", sort.by.rawValue)
            json.member("descending", sort.descending)
        }
        json.array("expanded") { json in for id in expanded { json.value(id.text) } }
    }

    /// Reads a state that `write` wrote; nil if it is something else.
    public init?(_ value: JSONValue) {
        func ids(_ value: JSONValue?) -> [Identifier]? {
            guard let value, value.kind == .array else { return nil }
            return value.elements.compactMap(\.string).map { Identifier($0) }
        }
        var members = value.inOrder
        // In the order of `write`; what may be null or missing is looked at below.
        guard let session = members.take("session")?.string,
            case let catalog = members.take("catalog"), let revision = members.take("revision")?.int,
            case let category = members.take("category"), let items = ids(members.take("items")),
            let paths = members.take("paths"), let contentPath = ids(paths["content"]),
            let detailPath = ids(paths["detail"]),
            let visibility = members.take("visibility")?.string.flatMap(Visibility.init),
            let style = members.take("style")?.string.flatMap(Style.init),
            case let compactColumn = members.take("compactColumn"), let widths = members.take("widths"),
            let query = members.take("query"), let text = query["text"]?.string,
            let scope = query["scope"]?.string.flatMap(SearchScope.init), let sort = members.take("sort"),
            let by = sort["by"]?.string.flatMap(SortKey.init), let descending = sort["descending"]?.bool,
            let expanded = ids(members.take("expanded")),
            let canGoBack = members.take("canGoBack")?.bool,
            let canGoForward = members.take("canGoForward")?.bool
        else { return nil }
        self.init(session: Identifier(session), catalog: catalog?.string.map { Identifier($0) })
        self.revision = revision
        self.category = category?.string.map { Identifier($0) }
        (self.items, self.contentPath, self.detailPath, self.expanded) = (
            items, contentPath, detailPath, expanded
        )
        (self.visibility, self.style) = (visibility, style)
        self.compactColumn = compactColumn?.string.flatMap(Column.init)
        for member in widths.members {
            if let column = Column(rawValue: member.name) { self.widths[column] = member.value.double }
        }
        self.query = Query(text: text, scope: scope)
        self.sort = Sort(by: by, descending: descending)
        (self.canGoBack, self.canGoForward) = (canGoBack, canGoForward)
    }
}
