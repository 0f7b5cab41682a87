import JSON
import Shared

/// The answers to methods that change nothing.
struct Reads {
    let store: Store
    private let parser = JSONParser(depthMax: Limits.nestingLevelsMax)

    init(_ store: Store) { self.store = store }

    func list(_ params: ObjectReader) throws(RPCError) -> [UInt8] {
        try params.finish()
        let catalogs = try store.catalogs.all()
        return object { json in
            json.array("catalogs") { json in
                for catalog in catalogs {
                    json.object { json in
                        json.member("id", catalog.id.text)
                        json.member("title", catalog.title)
                        json.member("columns", catalog.columns)
                        json.member("nesting", catalog.nesting)
                        writeFigures(of: catalog, to: &json)
                    }
                }
            }
        }
    }

    func describe(_ params: ObjectReader) throws(RPCError) -> [UInt8] {
        let catalog = try onlyCatalog(params)
        return object { json in
            json.object("catalog") { json in
                json.member("id", catalog.id.text)
                json.member("title", catalog.title)
                json.member("columns", catalog.columns)
                json.member("nesting", catalog.nesting)
                json.member("strings", raw: catalog.strings)
                writeFigures(of: catalog, to: &json)
            }
        }
    }

    private func writeFigures(of catalog: CatalogRow, to json: inout JSONWriter) {
        json.member("revision", catalog.revision)
        json.member("categoryCount", catalog.categoryCount)
        json.member("itemCount", catalog.itemCount)
    }

    func categories(_ params: ObjectReader) throws(RPCError) -> [UInt8] {
        let catalog = try onlyCatalog(params)
        let rows = try store.categories.all(of: catalog.key)
        let ids = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.id) })
        return object { json in
            json.member("revision", catalog.revision)
            json.array("categories") { json in
                for row in rows {
                    json.object { json in
                        json.members(of: row.row)
                        json.member("parent", row.parent.flatMap { ids[$0]?.text })
                        json.member("itemCount", row.itemCount)
                    }
                }
            }
        }
    }

    func item(_ params: ObjectReader) throws(RPCError) -> [UInt8] {
        var params = params
        let id = try params.identifier("catalog")
        let itemId = try params.identifier("id")
        try params.finish()
        let catalog = try store.catalog(id)
        let item = try store.item(itemId, in: catalog, path: "/id")
        let detail = try store.items.detail(item.key)
        let categories = try store.items.categories(of: item.key)
        var json = JSONWriter(capacity: item.row.count + detail.blocks.count + 256)
        try json.object { json throws(RPCError) in
            json.member("revision", catalog.revision)
            try json.object("item") { json throws(RPCError) in
                json.members(of: item.row)
                json.array("categories") { json in for id in categories { json.value(id) } }
                json.key("blocks")
                guard detail.hasLinks, let blocks = try? parser.parse(detail.blocks) else {
                    return json.value(raw: detail.blocks)
                }
                try Blocks.write(blocks.root, to: &json) { link throws(RPCError) in
                    try store.items.exists(link, in: catalog.key)
                }
            }
        }
        return json.bytes
    }

    func locate(_ params: ObjectReader) throws(RPCError) -> [UInt8] {
        var params = params
        let id = try params.identifier("catalog")
        let categories = try params.required("categories", params.optionalIdentifiers("categories"))
        let items = try params.required("items", params.optionalIdentifiers("items"))
        try params.finish()
        let catalog = try store.catalog(id)
        var json = JSONWriter()
        try json.object { json throws(RPCError) in
            json.member("revision", catalog.revision)
            try json.object("categories") { json throws(RPCError) in
                for id in unique(categories) { try writeCategory(id, of: catalog, to: &json) }
            }
            try json.object("items") { json throws(RPCError) in
                for id in unique(items) { try writeItem(id, of: catalog, to: &json) }
            }
        }
        return json.bytes
    }

    private func writeCategory(
        _ id: Identifier, of catalog: CatalogRow, to json: inout JSONWriter
    ) throws(RPCError) {
        json.key(id.text)
        guard let row = try store.categories.find(id, in: catalog.key) else { return json.null() }
        var parent: Identifier?
        if let key = row.parent { parent = try store.categories.id(of: key) }
        json.object { json in
            json.member("parent", parent?.text)
            json.member("created", row.created)
        }
    }

    private func writeItem(_ id: Identifier, of catalog: CatalogRow, to json: inout JSONWriter)
        throws(RPCError)
    {
        json.key(id.text)
        guard let row = try store.items.find(id, in: catalog.key) else { return json.null() }
        let categories = try store.items.categories(of: row.key)
        json.object { json in
            json.array("categories") { json in for id in categories { json.value(id) } }
            json.member("created", row.created)
        }
    }

    /// An object names each of its members once.
    private func unique(_ ids: [Identifier]) -> [Identifier] {
        var seen: Set<Identifier> = []
        return ids.filter { seen.insert($0).inserted }
    }

    /// The revisions of one catalog, or of all of them, as a JSON object.
    func revisions(of catalog: Identifier?) throws(RPCError) -> [UInt8] {
        let catalogs = if let catalog { [try store.catalog(catalog)] } else { try store.catalogs.all() }
        return object { json in
            for catalog in catalogs {
                json.key(catalog.id.text)
                json.value(catalog.revision)
            }
        }
    }

    private func onlyCatalog(_ params: ObjectReader) throws(RPCError) -> CatalogRow {
        var params = params
        let id = try params.identifier("catalog")
        try params.finish()
        return try store.catalog(id)
    }

    private func object(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter(capacity: 1_024)
        json.object(members)
        return json.bytes
    }
}
