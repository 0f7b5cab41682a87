import Shared

/// What clients can ask of this service.
enum CatalogMethods {
    static let list = Method(
        "catalog.list", .read, "Tells all catalogs in order of creation; the first is the default.")
    static let describe = Method(
        "catalog.describe", .read, "Tells a catalog's title, columns, nesting, texts and counts.",
        params: [.id("catalog", isRequired: true)])
    static let categories = Method(
        "catalog.categories", .read, "Tells the categories of a catalog in position order.",
        params: [.id("catalog", isRequired: true)])
    static let items = Method(
        "catalog.items", .read, "Tells some rows of a category, or of the whole catalog.",
        params: [
            .id("catalog", isRequired: true), .id("category"), .init("grouped", #"{"type":"boolean"}"#),
            .init("query", #"{"type":"string"}"#), .init("sort", sort), .init("after", #"{"type":"string"}"#),
            .init("before", #"{"type":"string"}"#),
            .id("around"), .init("limit", #"{"type":"integer","minimum":1,"maximum":500,"default":50}"#),
        ])
    static let item = Method(
        "catalog.item", .read, "Tells an item with its categories and its detail.",
        params: [.id("catalog", isRequired: true), .id("id", isRequired: true)])
    static let locate = Method(
        "catalog.locate", .read, "Tells where categories and items are, and since when they have been there.",
        params: [
            .id("catalog", isRequired: true), .init("categories", ids, isRequired: true),
            .init("items", ids, isRequired: true),
        ])
    static let apply = Method(
        "catalog.apply", .change, "Makes all of the changes, or none of them.",
        params: [
            .id("catalog", isRequired: true),
            .init(
                "changes", #"{"type":"array","items":{"type":"object","required":["op"]}}"#, isRequired: true),
            .init("expectedRevision", #"{"type":"integer","minimum":0}"#),
        ])
    static let drop = Method(
        "catalog.drop", .change, "Removes a catalog with everything in it.",
        params: [.id("catalog", isRequired: true)])
    static let subscribe = Method(
        "catalog.subscribe", .subscribe, "Tells of every change of a catalog, or of all of them.",
        params: [.id("catalog"), .init("keepAfterEof", #"{"type":"boolean"}"#)])
    static let unsubscribe = Method(
        "catalog.unsubscribe", .read, "Ends a subscription of this connection.",
        params: [.id("subscription", isRequired: true)])

    static let all = [
        list, describe, categories, items, item, locate, apply, drop, subscribe, unsubscribe,
    ]

    private static let ids = #"{"type":"array","items":{"type":"string","minLength":1,"maxLength":128}}"#
    private static let sort =
        #"{"type":"object","required":["by"],"properties":{"by":{"enum":["position","title","date"]},"#
        + #""descending":{"type":"boolean"}}}"#
}
