import Shared

/// What `catalog.items` asks for.
struct ItemsRequest {
    let catalog: Identifier
    let category: Identifier?
    let isGrouped: Bool
    /// What must occur; empty for every item.
    let match: WordQuery
    let sort: Sort
    let limit: Int
    let window: Window
    /// What the cursors of this list have in common.
    let mark: Cursor.Mark

    init(_ params: ObjectReader) throws(RPCError) {
        var params = params
        catalog = try params.identifier("catalog")
        category = try params.optionalIdentifier("category")
        isGrouped = try params.bool("grouped") ?? false
        if isGrouped, category != nil {
            throw params.wrong("grouped", "can't be true with a category: leave one of them out")
        }
        let query = try ChangeReader.bounded(&params, "query", Limits.queryBytesMax)
        match = WordQuery(query ?? "")
        sort = try Self.sort(&params)
        limit = try params.int("limit", in: 1...Limits.pageRowsMax) ?? Limits.pageRowsDefault
        mark = Cursor.Mark(
            catalog: catalog, category: category, isGrouped: isGrouped, query: match.expression, sort: sort)
        window = try Self.window(&params, of: mark)
        try params.finish()
    }

    private static func sort(_ params: inout ObjectReader) throws(RPCError) -> Sort {
        guard var sort = try params.object("sort") else { return Sort() }
        let by = try sort.required("by", sort.word("by", SortKey.self))
        let descending = try sort.bool("descending") ?? false
        try sort.finish()
        return Sort(by: by, descending: descending)
    }

    private static func window(_ params: inout ObjectReader, of mark: Cursor.Mark) throws(RPCError) -> Window
    {
        let after = try position(&params, "after", of: mark)
        let before = try position(&params, "before", of: mark)
        let around = try params.optionalIdentifier("around")
        switch (after, before, around) {
        case (nil, nil, nil): return .first
        case (let position?, nil, nil): return .after(position)
        case (nil, let position?, nil): return .before(position)
        case (nil, nil, let id?): return .around(id)
        default:
            let second: StaticString = around == nil ? "before" : "around"
            throw params.wrong(second, "can't be there with another one of after, before and around")
        }
    }

    private static func position(
        _ params: inout ObjectReader, _ name: StaticString, of mark: Cursor.Mark
    ) throws(RPCError) -> Cursor.Position? {
        guard let text = try params.string(name) else { return nil }
        guard let cursor = Cursor(text, of: mark) else {
            throw params.wrong(name, "is no cursor of this list: use the ones of an answer to the same list")
        }
        return cursor.position
    }
}
