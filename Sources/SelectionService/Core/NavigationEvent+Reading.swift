import JSON
import Shared

extension NavigationEvent {
    private enum Name: String, CaseIterable {
        case select, open, push, pop, popToRoot, setPath, back, historyBack, historyForward, setVisibility
        case setStyle, showColumn, setWidth, search, sort, expand, collapse, reset
    }

    /// Reads the `event` of a request.
    ///
    /// - Throws: `invalid_params` for an unknown shape, `not_possible` for a count or size past its bound.
    init(reading params: inout ObjectReader) throws(RPCError) {
        guard var event = try params.object("event") else { throw params.wrong("event", "is missing") }
        // What most events are is found without a text being made of it.
        let isSelect = event.value("type")?.isString("select") ?? false
        let name = isSelect ? Name.select : try event.required("type", event.word("type"))
        self = try Self.read(name, &event)
        try event.finish()
    }

    private static func read(_ name: Name, _ event: inout ObjectReader) throws(RPCError) -> Self {
        switch name {
        case .select: .select(try column(&event), try choice(&event))
        case .open: try open(&event)
        case .push: .push(try column(&event), try event.identifier("id"))
        case .pop: .pop(try column(&event), count: try event.int("count", in: 1...Int.max) ?? 1)
        case .popToRoot: .setPath(try column(&event), [])
        case .setPath: .setPath(try column(&event), try event.required("path", path(&event)))
        case .back: .back(collapsed: try event.bool("collapsed") ?? false)
        case .historyBack: .historyBack
        case .historyForward: .historyForward
        case .setVisibility: .setVisibility(try event.required("visibility", event.word("visibility")))
        case .setStyle: .setStyle(try event.required("style", event.word("style")))
        case .showColumn: .showColumn(try column(&event), collapsed: try event.bool("collapsed") ?? false)
        case .setWidth: .setWidth(try column(&event), try width(&event))
        case .search: .search(try query(&event, isTextRequired: true))
        case .sort: .sort(try sort(&event))
        case .expand: .expand(try event.identifier("id"))
        case .collapse: .collapse(try event.identifier("id"))
        case .reset: .reset
        }
    }

    private static func column(_ event: inout ObjectReader) throws(RPCError) -> Column {
        if let name = event.value("column") {
            if name.isString("content") { return .content }
            if name.isString("sidebar") { return .sidebar }
            if name.isString("detail") { return .detail }
        }
        return try event.required("column", event.word("column"))
    }

    /// `id`, `ids`, or null, which clears.
    private static func choice(_ event: inout ObjectReader) throws(RPCError) -> Choice {
        let isNamed = event.has("id") || event.has("ids")
        let id = try event.optionalIdentifier("id")
        let ids = try event.optionalIdentifiers("ids")
        guard isNamed else { throw event.wrong("id", "is missing: name an id, or null to clear") }
        guard id == nil || ids == nil else { throw event.wrong("ids", "can't stand beside /event/id") }
        var chosen = ids ?? id.map { [$0] } ?? []
        if chosen.count > 1 {
            var taken: Set<Identifier> = []
            chosen.removeAll { !taken.insert($0).inserted }
        }
        guard chosen.count <= Limits.itemsMax else {
            throw .notPossible("/event/ids", "At most \(Limits.itemsMax) items can be selected.")
        }
        return Choice(ids: chosen, isList: ids != nil)
    }

    private static func open(_ event: inout ObjectReader) throws(RPCError) -> Self {
        let category = try event.optionalIdentifier("category")
        let item = try event.optionalIdentifier("item")
        let path = try path(&event) ?? []
        var query = Query()
        if var reader = try event.object("query") {
            query = try self.query(&reader, isTextRequired: false)
            try reader.finish()
        }
        return .open(category: category, item: item, path: path, query: query)
    }

    private static func path(_ event: inout ObjectReader) throws(RPCError) -> [Identifier]? {
        let path = try event.optionalIdentifiers("path")
        guard path?.count ?? 0 <= Limits.pathElementsMax else {
            throw .notPossible("/event/path", "A path may have at most \(Limits.pathElementsMax) elements.")
        }
        return path
    }

    private static func query(
        _ reader: inout ObjectReader, isTextRequired: Bool
    ) throws(RPCError) -> Query {
        let text = try reader.string("text")
        if isTextRequired, text == nil { throw reader.wrong("text", "is missing") }
        let scope = try reader.word("scope", SearchScope.self)
        guard Self.jsonBytes(text ?? "") <= Limits.queryBytesMax else {
            throw .notPossible(
                reader.path(to: "text"), "A search may have at most \(Limits.queryBytesMax) bytes of text.")
        }
        return Query(text: text ?? "", scope: scope ?? .category)
    }

    /// What a text takes as JSON, without its quotes.
    private static func jsonBytes(_ text: String) -> Int {
        var json = JSONWriter()
        json.value(text)
        return json.count - 2
    }

    private static func sort(_ event: inout ObjectReader) throws(RPCError) -> Sort {
        let by: SortKey = try event.required("by", event.word("by"))
        return Sort(by: by, descending: try event.required("descending", event.bool("descending")))
    }

    /// A number of points, or null, which takes the width back.
    private static func width(_ event: inout ObjectReader) throws(RPCError) -> Double? {
        guard event.has("width") else {
            throw event.wrong("width", "is missing: name a number of points, or null")
        }
        return try event.double("width", in: Limits.widthPoints)
    }
}
