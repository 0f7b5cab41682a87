import JSON
import Shared

// `catalog.items`: rows are stored as they are sent.

extension Reads {
    func items(_ params: ObjectReader) throws(RPCError) -> [UInt8] {
        let request = try ItemsRequest(params)
        let catalog = try store.catalog(request.catalog)
        if request.isGrouped {
            let list = try GroupedList(store, catalog, sort: request.sort)
            return try answer(
                request, catalog, list.page(request.window, limit: request.limit), total: list.total)
        }
        var category: CategoryRow?
        if let id = request.category { category = try store.category(id, in: catalog, path: "/category") }
        let list = ItemList(store, catalog, category, sort: request.sort)
        return try answer(
            request, catalog, list.page(request.window, limit: request.limit),
            total: category?.itemCount ?? catalog.itemCount)
    }

    private func answer(
        _ request: ItemsRequest, _ catalog: CatalogRow, _ page: Page, total: Int
    ) throws(RPCError) -> [UInt8] {
        var json = JSONWriter(capacity: page.entries.count * 160 + 256)
        try json.object { json throws(RPCError) in
            json.member("revision", catalog.revision)
            json.member("total", total)
            json.member("totalCapped", false)
            json.member("first", page.first)
            try json.array("items") { json throws(RPCError) in
                for entry in page.entries { try write(entry, to: &json) }
            }
            json.member("before", page.before.map { Cursor($0, of: request.mark).text })
            json.member("after", page.after.map { Cursor($0, of: request.mark).text })
            json.member("aroundIndex", page.aroundIndex)
        }
        return json.bytes
    }

    private func write(_ entry: Entry, to json: inout JSONWriter) throws(RPCError) {
        let row = try store.items.row(entry.item)
        guard let group = entry.group else { return json.value(raw: row) }
        json.object { json in
            json.members(of: row)
            json.member("category", group.id.text)
        }
    }
}
