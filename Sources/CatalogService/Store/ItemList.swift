import Shared

/// One list of items in one order: a category, or a whole catalog.
struct ItemList: RowList {
    private let store: Store
    private let catalog: Int
    /// The key of a category, or the negative key of a catalog.
    private let number: Int
    private let order: Order
    private let isDescending: Bool
    private let index: EntryTable.Index
    /// What its rows say that they belong to.
    private let group: Entry.Group?

    /// The items of a category, or all of them.
    init(_ store: Store, _ catalog: CatalogRow, _ category: CategoryRow?, sort: Sort, isGroup: Bool = false) {
        (self.store, self.catalog) = (store, catalog.key)
        number = category?.key ?? catalog.list
        (order, isDescending) = Order.of(sort, inCategory: category != nil || isGroup)
        group = isGroup ? category.map { Entry.Group(id: $0.id, place: $0.place) } : nil
        index = store.entries.index(number, order, isDescending: isDescending, group: group)
    }

    func rows(from position: Cursor.Position?, isReverse: Bool, count: Int) throws(RPCError) -> [Entry] {
        try index.rows(from: position, isReverse: isReverse, count: count)
    }

    func index(of position: Cursor.Position) throws(RPCError) -> Int? {
        let max = Limits.countedRowsMax
        // All dates come before a row without one in either direction.
        guard isDescending, order != .date || position.key != SortKeys.undated else {
            return try store.milestones.index(of: position, in: index, max: max)
        }
        // Along the index ids go up: so all rows with larger keys come first, then smaller ids of this one.
        let behind = Cursor.Position(group: nil, key: position.key + [0], id: "")
        let undated = Cursor.Position(group: nil, key: SortKeys.undated, id: "")
        guard let upToIt = try store.milestones.index(of: behind, in: index, max: max),
            let all = order == .date
                ? try store.milestones.index(of: undated, in: index, max: max)
                : try store.milestones.total(of: index)
        else { return nil }
        let ties = try index.count(position.key, before: position.id, max: max + 1)
        return ties <= max ? all - upToIt + ties : nil
    }

    func entry(of item: Identifier) throws(RPCError) -> Entry? {
        guard let item = try store.items.find(item, in: catalog) else { return nil }
        return try entry(of: item)
    }

    /// The row of an item that exists; nil if the list does not have it.
    func entry(of item: ItemRow) throws(RPCError) -> Entry? {
        let place = number > 0 ? try store.items.place(of: item.key, in: number) : nil
        guard number < 0 || place != nil,
            let key = item.keys.keys(at: place).first(where: { $0.order == order })?.key
        else { return nil }
        return Entry(key: key, id: item.id.text, item: item.key, group: group)
    }

    func entries(of item: ItemRow) throws(RPCError) -> [Entry] { try entry(of: item).map { [$0] } ?? [] }

    func precedes(_ a: Cursor.Position, _ b: Cursor.Position) -> Bool {
        index.precedes(a, b)
    }
}
