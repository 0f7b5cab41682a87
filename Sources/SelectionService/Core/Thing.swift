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
    /// What is known about the only thing that an event names, as most do.
    private var only: (thing: Thing, fact: Fact?)?
    /// What is known about several.
    private var several: [Thing: Fact?] = [:]

    init(columns: Int) { self.columns = columns }

    init(columns: Int, things: [Thing: Fact?]) {
        self.columns = columns
        for (thing, fact) in things { learn(fact, about: thing) }
    }

    /// What is known about a thing; `.some(nil)` is an id that does not exist.
    subscript(thing: Thing) -> Fact?? {
        if let only, only.thing == thing { return .some(only.fact) }
        return several[thing]
    }

    /// Takes in what is known about a thing; nil if it does not exist.
    mutating func learn(_ fact: Fact?, about thing: Thing) {
        if only == nil { only = (thing, fact) } else { several[thing] = .some(fact) }
    }

    static func == (a: Facts, b: Facts) -> Bool { a.columns == b.columns && a.all == b.all }

    private var all: [Thing: Fact?] {
        var all = several
        if let only { all[only.thing] = .some(only.fact) }
        return all
    }
}
