import JSON
import Shared

/// A change of a catalog, as `catalog.changed` tells of it.
struct CatalogChange: Equatable {
    let catalog: Identifier
    let revision: Int
    /// Items that were put or moved.
    var items: Set<Thing> = []
    /// Categories that were put or moved.
    var categories: Set<Thing> = []
    /// What was deleted; it may have come back in the same change, as another thing.
    var deleted: Set<Thing> = []
    /// Too much has changed to say what.
    var isAll = false
    /// There is no such catalog any more.
    var isDropped = false
}

// What the catalog service says, read leniently: it may have grown since.

extension CatalogChange {
    /// Reads the params of `catalog.changed`; nil if they are something else.
    init?(_ params: JSONValue) {
        guard let catalog = params["catalog"]?.string, let revision = params["revision"]?.int else {
            return nil
        }
        func things(_ ids: JSONValue?, _ make: (Identifier) -> Thing) -> Set<Thing> {
            guard let ids else { return [] }
            return Set(ids.elements.compactMap(\.string).map { make(Identifier($0)) })
        }
        self.init(catalog: Identifier(catalog), revision: revision)
        items = things(params["items"], Thing.item)
        categories = things(params["categories"], Thing.category)
        deleted = things(params["deletedItems"], Thing.item)
        deleted.formUnion(things(params["deletedCategories"], Thing.category))
        isAll = params["all"]?.bool ?? false
        isDropped = params["dropped"]?.bool ?? false
    }
}

/// The answer to `catalog.locate`.
struct Located: Equatable {
    var revision: Int
    var facts: [Thing: Fact?]
}

extension Located {
    /// Reads the answer for things that were asked for; nil if it does not tell of all of them.
    init?(_ result: JSONValue, about things: [Thing]) {
        guard let revision = result["revision"]?.int else { return nil }
        var found: [Thing: Fact?] = [:]
        func read(_ members: JSONValue?, _ make: (Identifier) -> Thing) {
            guard let members else { return }
            for member in members.members {
                let created = member.value["created"]?.int
                let categories = member.value["categories"]?.elements.compactMap(\.string) ?? []
                found[make(Identifier(member.name))] = .some(
                    created.map { Fact(created: $0, categories: categories.map { Identifier($0) }) })
            }
        }
        read(result["categories"], Thing.category)
        read(result["items"], Thing.item)
        guard things.allSatisfy({ found[$0] != nil }) else { return nil }
        self.init(revision: revision, facts: found)
    }
}
