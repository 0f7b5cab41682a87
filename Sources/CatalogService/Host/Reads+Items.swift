import JSON
import Shared

// `catalog.items`: rows are stored as they are sent.

extension Reads {
    /// The answer to a request without a query.
    func items(_ request: ItemsRequest) throws(RPCError) -> [UInt8] {
        let catalog = try store.catalog(request.catalog)
        let (list, total) = try rowList(request, of: catalog)
        return try answer(request, catalog, list.page(request.window, limit: request.limit), total: total)
    }

    /// The list that is asked for, and how many rows it has.
    func rowList(
        _ request: ItemsRequest, of catalog: CatalogRow
    ) throws(RPCError) -> (list: any RowList, total: Int) {
        if request.isGrouped {
            let list = try GroupedList(store, catalog, sort: request.sort)
            return (list, list.total)
        }
        guard let id = request.category else {
            return (ItemList(store, catalog, nil, sort: request.sort), catalog.itemCount)
        }
        let category = try store.category(id, in: catalog, path: "/category")
        return (ItemList(store, catalog, category, sort: request.sort), category.itemCount)
    }

    /// The answer with the rows of a page.
    func answer(
        _ request: ItemsRequest, _ catalog: CatalogRow, _ page: Page, total: Int, isCapped: Bool = false
    ) throws(RPCError) -> [UInt8] {
        var json = JSONWriter(capacity: page.entries.count * 160 + 256)
        try json.object { json throws(RPCError) in
            json.member("revision", catalog.revision)
            json.member("total", total)
            json.member("totalCapped", isCapped)
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
