import Shared

// Changes of items.

extension ChangeSet {
    func put(
        _ fields: ItemFields, at anchor: Anchor?, in catalog: CatalogRow, _ path: String
    ) throws(RPCError) {
        var categories: [CategoryRow] = []
        for (index, id) in fields.categories.enumerated() {
            categories.append(try category(id, in: catalog, "\(path)/item/categories", index))
        }
        let keys = SortKeys(title: fields.title, date: fields.date)
        let item: ItemRow
        var memberships: [Membership] = []
        if let old = try store.items.find(fields.id, in: catalog.key) {
            item = ItemRow(key: old.key, id: old.id, created: old.created, row: fields.row, keys: keys)
            memberships = try store.items.memberships(of: old.key)
            try replace(old, by: item, fields, memberships, in: catalog)
        } else {
            if let id = anchor?.id, id == fields.id { throw .notFound("item", id, path: "\(path)/at") }
            let key = try store.items.insert(fields, in: catalog.key, keys: keys, created: revision)
            item = ItemRow(key: key, id: fields.id, created: revision, row: fields.row, keys: keys)
            try store.list(item, in: catalog.list, at: nil)
            self.catalog?.itemCount += 1
        }
        try setCategories(of: item, memberships, to: categories.map(\.key), words: fields.words)
        if let anchor {
            try move(item, in: categories[0], to: anchor, of: catalog, "\(path)/at")
        }
        log.put(item: item.id)
    }

    private func category(
        _ id: Identifier, in catalog: CatalogRow, _ path: @autoclosure () -> String, _ index: Int
    ) throws(RPCError) -> CategoryRow {
        if let known = recent.categories[id] { return known }
        let row = try store.category(id, in: catalog, path: "\(path())/\(index)")
        recent.categories[id] = row
        return row
    }

    /// Changes the row, the index if it has other words, and the lists if it sorts differently.
    private func replace(
        _ old: ItemRow, by new: ItemRow, _ fields: ItemFields, _ memberships: [Membership],
        in catalog: CatalogRow
    ) throws(RPCError) {
        let words = try store.items.words(old.key)
        if !words.utf8.elementsEqual(fields.words.utf8) {
            for membership in memberships {
                try store.words.delete(old.key, from: membership.category, words)
                try store.words.insert(old.key, in: membership.category, fields.words)
            }
        }
        try store.items.update(new.key, fields, keys: new.keys)
        guard new.keys != old.keys else { return }
        for membership in memberships {
            try store.unlist(old, from: membership.category, at: membership.place)
            try store.list(new, in: membership.category, at: membership.place)
        }
        try store.unlist(old, from: catalog.list, at: nil)
        try store.list(new, in: catalog.list, at: nil)
    }

    /// Puts an item into exactly these categories: where it is already it stays, elsewhere it goes last.
    private func setCategories(
        of item: ItemRow, _ old: [Membership], to categories: [Int], words: String
    ) throws(RPCError) {
        for membership in old where !categories.contains(membership.category) {
            try remove(item, from: membership)
        }
        for (ordinal, category) in categories.enumerated() {
            if var membership = old.first(where: { $0.category == category }) {
                guard membership.ordinal != ordinal else { continue }
                membership.ordinal = ordinal
                try store.items.set(membership, of: item.key)
            } else {
                let place = try lastPlace(in: category)
                try store.add(
                    item, to: Membership(category: category, ordinal: ordinal, place: place), words: words)
                countItems(of: category, by: 1)
            }
        }
    }

    /// A place behind all items of a category.
    private func lastPlace(in category: Int) throws(RPCError) -> Place {
        let place =
            if let last = recent.lastPlaces[category] { Place.between(last, nil) } else {
                try store.entries.places(of: category).place(for: nil, at: .last) ?? .middle
            }
        recent.lastPlaces[category] = place
        return place
    }

    private func remove(_ item: ItemRow, from membership: Membership) throws(RPCError) {
        try store.remove(item, from: membership)
        countItems(of: membership.category, by: -1)
    }

    // MARK: Places

    /// Moves an item inside a category that it is in.
    private func move(
        _ item: ItemRow, in category: CategoryRow, to anchor: Anchor, of catalog: CatalogRow, _ path: String
    ) throws(RPCError) {
        guard anchor.id != item.id else { return }  // its own anchor: it stays
        let target: Places.Target
        switch anchor {
        case .first: target = .first
        case .last: target = .last
        case .before(let id): target = .before(try place(of: id, in: category, of: catalog, "\(path)/before"))
        case .after(let id): target = .after(try place(of: id, in: category, of: catalog, "\(path)/after"))
        }
        guard let place = try store.entries.places(of: category.key).place(for: item.key, at: target) else {
            return
        }
        if place.bytes.count > Limits.placeBytesMax {
            try spread(around: place, in: category)
            return try move(item, in: category, to: anchor, of: catalog, path)
        }
        guard
            var membership = try store.items.memberships(of: item.key).first(where: {
                $0.category == category.key
            })
        else { return }
        try set(&membership, place, of: item)
    }

    private func set(_ membership: inout Membership, _ place: Place, of item: ItemRow) throws(RPCError) {
        try store.entries.delete(membership.category, .position, membership.place.bytes, item.id)
        try store.entries.insert(membership.category, .position, place.bytes, item.id, item: item.key)
        membership.place = place
        try store.items.set(membership, of: item.key)
    }

    /// Gives short places to the rows around one that has got too long.
    private func spread(around place: Place, in category: CategoryRow) throws(RPCError) {
        for (row, place) in try store.entries.places(of: category.key).spread(around: place) {
            guard let item = try store.items.find(row.key),
                var membership = try store.items.memberships(of: row.key).first(where: {
                    $0.category == category.key
                })
            else { continue }
            try set(&membership, place, of: item)
        }
    }

    private func place(
        of id: Identifier, in category: CategoryRow, of catalog: CatalogRow, _ path: String
    ) throws(RPCError) -> Place {
        let item = try store.item(id, in: catalog, path: path)
        guard let place = try store.items.place(of: item.key, in: category.key) else {
            throw RPCError(.notFound, "The item \"\(id)\" is not in \"\(category.id)\".", path: path)
        }
        return place
    }

    func moveItem(
        _ id: Identifier, from: Identifier, to: Identifier, at anchor: Anchor?, in catalog: CatalogRow,
        _ path: String
    ) throws(RPCError) {
        let item = try store.item(id, in: catalog, path: "\(path)/id")
        let source = try store.category(from, in: catalog, path: "\(path)/from")
        let target = try store.category(to, in: catalog, path: "\(path)/to")
        let memberships = try store.items.memberships(of: item.key)
        let old = memberships.map(\.category)
        guard old.contains(source.key) else {
            throw RPCError(.notFound, "The item \"\(id)\" is not in \"\(from)\".", path: "\(path)/from")
        }
        // The target takes the place of the source, and is there only once.
        var categories = old.filter { $0 == source.key || $0 != target.key }
        categories = categories.map { $0 == source.key ? target.key : $0 }
        try setCategories(of: item, memberships, to: categories, words: store.items.words(item.key))
        if let anchor { try move(item, in: target, to: anchor, of: catalog, "\(path)/at") }
        log.put(item: id)
    }

    // MARK: Deletion

    func delete(_ item: ItemRow, of catalog: CatalogRow) throws(RPCError) {
        for membership in try store.delete(item, of: catalog.key) {
            countItems(of: membership.category, by: -1)
        }
        self.catalog?.itemCount -= 1
        log.deleted(item: item.id)
    }

    /// Takes an item out of a category that goes.
    func take(_ key: Int, outOf category: CategoryRow, of catalog: CatalogRow) throws(RPCError) {
        guard let item = try store.items.find(key) else { throw .damaged("has an unknown item in a list") }
        let memberships = try store.items.memberships(of: key)
        if memberships.count > 1, let membership = memberships.first(where: { $0.category == category.key }) {
            try remove(item, from: membership)
        } else {
            try delete(item, of: catalog)
        }
    }
}
