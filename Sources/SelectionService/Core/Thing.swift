import Shared

/// A category or an item, by its id.
struct Thing: Hashable {
    /// What there is in a catalog.
    enum Kind: UInt8 {
        case category = 1
        case item = 2

        var name: String { self == .category ? "category" : "item" }
    }

    let kind: Kind
    let id: Identifier

    static func category(_ id: Identifier) -> Thing { Thing(kind: .category, id: id) }
    static func item(_ id: Identifier) -> Thing { Thing(kind: .item, id: id) }
}

/// What the catalog says about a thing that exists.
struct Fact: Equatable {
    /// The catalog's revision at which the thing came (back) into being.
    var created: Int
    /// The categories that an item is in, in its own order; nothing for a category.
    var categories: [Identifier] = []
}

/// What an event needs to know: about the catalog, and about each id that the session does not hold.
struct Facts: Equatable {
    /// Columns of the catalog: 3, or 2.
    var columns: Int
    /// What is known about ids; nil is an id that does not exist.
    var things: [Thing: Fact?] = [:]
}
