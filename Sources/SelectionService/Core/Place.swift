import Shared

/// Where a session is in its catalog: what history remembers and comes back to.
struct Place {
    var category: Identifier?
    var items: [Identifier] = []
    var contentPath: [Identifier] = []
    var detailPath: [Identifier] = []
    var query = Query()

    /// The category whose list the content column shows.
    var shown: Identifier? { contentPath.last ?? category }

    /// Every id that the place names; an id that it names twice may be there twice.
    var things: [Thing] {
        var things: [Thing] = []
        things.reserveCapacity(1 + contentPath.count + items.count + detailPath.count)
        forEachThing { things.append($0) }
        return things
    }

    /// Tells every id that the place names; one that it names twice may be told twice.
    func forEachThing(_ tell: (Thing) -> Void) {
        if let category { tell(.category(category)) }
        for id in contentPath { tell(.category(id)) }
        for id in items { tell(.item(id)) }
        for id in detailPath { tell(.item(id)) }
    }

    /// Whether the place names the thing.
    func names(_ thing: Thing) -> Bool {
        let id = thing.id
        return switch thing.kind {
        case .category: category == id || contentPath.contains(id)
        case .item: items.contains(id) || detailPath.contains(id)
        }
    }

    /// What stands in the index for every id that the place names.
    func digests(in catalog: Identifier) -> [Int] { things.map { Digest.of($0, in: catalog) } }

    /// What the place takes, in bytes: its texts, and for each id what a `String` takes.
    var weightBytes: Int {
        var bytes = 64 + query.text.utf8.count
        if let category { bytes += category.text.utf8.count + 16 }
        for id in items { bytes += id.text.utf8.count + 16 }
        for id in contentPath { bytes += id.text.utf8.count + 16 }
        for id in detailPath { bytes += id.text.utf8.count + 16 }
        return bytes
    }

    /// Whether something else is chosen there, so that going from one to the other is a step of history.
    ///
    /// Most steps go to other items, so these are looked at first.
    func isElsewhere(than other: Place) -> Bool {
        !Self.areSame(items, other.items) || category != other.category || contentPath != other.contentPath
            || detailPath != other.detailPath
    }

    /// Whether both lists have the same ids, in whatever order; neither has one twice.
    static func areSame(_ a: [Identifier], _ b: [Identifier]) -> Bool {
        a == b || (a.count > 1 && a.count == b.count && Set(a) == Set(b))
    }
}

/// Tells whether an id is one of some: few are looked through, and a set is made of many.
struct OneOf {
    private let few: [Identifier]
    private let many: Set<Identifier>?

    init(_ ids: [Identifier]) {
        few = ids
        many = ids.count > 8 ? Set(ids) : nil
    }

    func contains(_ id: Identifier) -> Bool { many?.contains(id) ?? few.contains(id) }
}

extension Place: Equatable {
    /// Whether both are the same to a person: the items are a set.
    static func == (a: Place, b: Place) -> Bool { a.query == b.query && !a.isElsewhere(than: b) }
}
