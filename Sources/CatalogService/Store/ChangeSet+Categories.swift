import Shared

// Changes of categories.

extension ChangeSet {
    func put(
        _ fields: CategoryFields, at anchor: Anchor?, in catalog: CatalogRow, _ path: String
    ) throws(RPCError) {
        let old = try store.categories.find(fields.id, in: catalog.key)
        let parent = try parent(of: fields, old, in: catalog, path)
        if old == nil, catalog.categoryCount >= Limits.categoriesMax {
            throw RPCError(
                .notPossible, "A catalog may have at most \(Limits.categoriesMax) categories.", path: path,
                limit: "categories")
        }
        let place = try place(for: old?.key, at: anchor ?? (old == nil ? .last : nil), in: catalog, path)
        if let old {
            try store.categories.update(old.key, at: place ?? old.place, parent: parent, row: fields.row)
        } else {
            try store.categories.insert(
                fields, in: catalog.key, at: place ?? .middle, parent: parent, created: revision)
            self.catalog?.categoryCount += 1
        }
        log.put(category: fields.id)
    }

    /// The key of the parent, which must exist and not be below the category itself.
    private func parent(
        of fields: CategoryFields, _ old: CategoryRow?, in catalog: CatalogRow, _ path: String
    ) throws(RPCError) -> Int? {
        guard let id = fields.parent else { return nil }
        let path = "\(path)/category/parent"
        let cycle = RPCError(
            .notPossible, "The category \"\(fields.id)\" can't be below itself: choose another parent.",
            path: path)
        if id == fields.id { throw cycle }
        let parent = try store.category(id, in: catalog, path: path)
        guard let old else { return parent.key }
        var above = parent.parent
        while let key = above {
            if key == old.key { throw cycle }
            above = try store.categories.parent(of: key)
        }
        return parent.key
    }

    /// A place at the anchor; nil if the category is there already, or stays.
    private func place(
        for category: Int?, at anchor: Anchor?, in catalog: CatalogRow, _ path: String
    ) throws(RPCError) -> Place? {
        let places = store.categories.places(of: catalog.key)
        guard let target = try target(anchor, in: catalog, path),
            let place = try places.place(for: category, at: target)
        else { return nil }
        guard place.bytes.count > Limits.placeBytesMax else { return place }
        for (row, place) in try places.spread(around: place) { try store.categories.move(row.key, to: place) }
        return try self.place(for: category, at: anchor, in: catalog, path)
    }

    private func target(
        _ anchor: Anchor?, in catalog: CatalogRow, _ path: String
    ) throws(RPCError) -> Places.Target? {
        switch anchor {
        case nil: nil
        case .first: .first
        case .last: .last
        case .before(let id): .before(try store.category(id, in: catalog, path: "\(path)/at/before").place)
        case .after(let id): .after(try store.category(id, in: catalog, path: "\(path)/at/after").place)
        }
    }

    func moveCategory(
        _ id: Identifier, to anchor: Anchor, in catalog: CatalogRow, _ path: String
    ) throws(RPCError) {
        let row = try store.category(id, in: catalog, path: "\(path)/id")
        if anchor.id != id, let place = try place(for: row.key, at: anchor, in: catalog, path) {
            try store.categories.move(row.key, to: place)
        }
        log.put(category: id)
    }

    /// Deletes what is below it first, then its items, then itself.
    func deleteCategory(_ id: Identifier, in catalog: CatalogRow, _ path: String) throws(RPCError) {
        var found = [try store.category(id, in: catalog, path: "\(path)/id")]
        var index = 0
        while index < found.count {
            found += try store.categories.children(of: found[index].key)
            index += 1
        }
        add(found.reversed().flatMap { [.empty($0), .delete($0)] })
    }
}
