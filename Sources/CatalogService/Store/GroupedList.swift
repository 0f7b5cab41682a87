import Shared

/// The items of a catalog, category by category; an item is there once in each of its categories.
struct GroupedList: RowList {
    private let store: Store
    private let catalog: Int
    private let groups: [(category: CategoryRow, list: ItemList)]
    /// The order inside every category.
    private let inner: ItemList
    /// How many rows it has.
    let total: Int

    init(_ store: Store, _ catalog: CatalogRow, sort: Sort) throws(RPCError) {
        (self.store, self.catalog) = (store, catalog.key)
        groups = try store.categories.all(of: catalog.key).map { category in
            (category, ItemList(store, catalog, category, sort: sort, isGroup: true))
        }
        inner = ItemList(store, catalog, nil, sort: sort, isGroup: true)
        total = groups.reduce(0) { $0 + $1.category.itemCount }
    }

    func rows(from position: Cursor.Position?, isReverse: Bool, count: Int) throws(RPCError) -> [Entry] {
        var entries: [Entry] = []
        var from = position
        for (category, list) in isReverse ? groups.reversed() : groups where category.itemCount > 0 {
            if let place = position?.group {
                let isPassed = isReverse ? place < category.place : category.place < place
                if isPassed { continue }
                if category.place != place { from = nil }
            }
            entries += try list.rows(from: from, isReverse: isReverse, count: count - entries.count)
            if entries.count == count { break }
            from = nil
        }
        return entries
    }

    func index(of position: Cursor.Position) throws(RPCError) -> Int? {
        guard let place = position.group else { return 0 }
        var index = 0
        for (category, list) in groups where category.place <= place {
            guard category.place == place else {
                index += category.itemCount
                continue
            }
            guard let inside = try list.index(of: position) else { return nil }
            index += inside
        }
        return index
    }

    func entry(of item: Identifier) throws(RPCError) -> Entry? {
        guard let item = try store.items.find(item, in: catalog) else { return nil }
        let categories = try store.items.memberships(of: item.key).map(\.category)
        guard let group = groups.first(where: { categories.contains($0.category.key) }) else { return nil }
        return try group.list.entry(of: item)
    }

    func entries(of item: ItemRow) throws(RPCError) -> [Entry] {
        var entries: [Entry] = []
        for membership in try store.items.memberships(of: item.key) {
            guard let group = groups.first(where: { $0.category.key == membership.category }) else {
                continue
            }
            entries += try group.list.entries(of: item)
        }
        return entries
    }

    func precedes(_ a: Cursor.Position, _ b: Cursor.Position) -> Bool {
        guard let groupA = a.group, let groupB = b.group, groupA == groupB else {
            return (a.group ?? .middle) < (b.group ?? .middle)
        }
        return inner.precedes(a, b)
    }

}
