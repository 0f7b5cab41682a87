import Shared

/// One change of a catalog, checked in itself; whether the ids in it exist is not known yet.
enum Change {
    case putCatalog(CatalogFields)
    case putCategory(CategoryFields, at: Anchor?)
    case putItem(ItemFields, at: Anchor?)
    case moveCategory(Identifier, at: Anchor)
    case moveItem(Identifier, from: Identifier, to: Identifier, at: Anchor?)
    case deleteCategory(Identifier)
    case deleteItem(Identifier)
}

/// Where a row is put.
enum Anchor: Equatable {
    case first
    case last
    case before(Identifier)
    case after(Identifier)

    /// The row that it names.
    var id: Identifier? {
        switch self {
        case .first, .last: nil
        case .before(let id), .after(let id): id
        }
    }
}

/// How the categories of a catalog are shown.
enum Nesting: String, CaseIterable { case outline, drillDown }

/// What a catalog is but its contents.
struct CatalogFields {
    let title: String
    let columns: Int
    let nesting: Nesting
    /// The given texts, as a JSON object.
    let strings: [UInt8]
}

/// What a category is but its place.
struct CategoryFields {
    let id: Identifier
    let parent: Identifier?
    /// `{"id","title","icon","badge","section"}`, as every list of categories has it.
    let row: [UInt8]
}

/// What an item is but its places.
struct ItemFields {
    let id: Identifier
    let title: String
    let date: String?
    let categories: [Identifier]
    /// `{"id","title","subtitle","icon","badge","date"}`, as every list of items has it.
    let row: [UInt8]
    /// The detail, as a JSON array.
    let blocks: [UInt8]
    /// Whether the detail has links, which are answered with what they lead to.
    let hasLinks: Bool
    /// The words by which it is found.
    let words: String
}
