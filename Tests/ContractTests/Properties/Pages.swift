import Shared

extension World {
    /// Walks one random list of a random catalog in both directions, and compares it with the model's.
    func walkAList() throws {
        guard let catalog = chance.maybe(catalogs) else { return }
        var params: [Identifier: Tree] = ["catalog": .text(catalog.id)]
        let category = chance.isOne(in: 2) ? chance.maybe(catalog.order) : nil
        let isGrouped = category == nil && chance.isOne(in: 2)
        let query = chance.isOne(in: 2) ? chance.query() : ""
        let by = chance.one(of: ["position", "title", "date"])
        let isDescending = chance.isOne(in: 2)
        if let category { params["category"] = .text(category) }
        if isGrouped || chance.isOne(in: 3) { params["grouped"] = .bool(isGrouped) }
        if !query.isEmpty || chance.isOne(in: 3) { params["query"] = .string(query) }
        if by != "position" || isDescending || chance.isOne(in: 2) {
            params["sort"] = .object(["by": .string(by), "descending": .bool(isDescending)])
        }
        let rows = catalog.list(
            category: category, isGrouped: isGrouped, query: query, by: by, isDescending: isDescending)
        let list = ListWalk(world: self, params: params, catalog: catalog, rows: rows)
        try list.walk("after")
        try list.walk("before")
        try list.goAround()
    }

    /// Checks what is told of all catalogs and their categories.
    func checkCatalogs() throws {
        let list = try call("catalog.list", [:])["catalogs"].elements
        try same("catalogs", Tree(catalogs.map(\.id)), .array(list.map { $0["id"] }))
        for (catalog, told) in zip(catalogs, list) {
            let counts = ["categoryCount": catalog.categories.count, "itemCount": catalog.items.count]
            for (name, count) in counts { try same(name, .number(Double(count)), told[name]) }
            try same("title", .string(catalog.title), told["title"])
            let categories = try call("catalog.categories", ["catalog": .text(catalog.id)])["categories"]
            let expected = catalog.order.compactMap { id in
                catalog.categories[id].map { category in
                    Tree.object([
                        "id": .text(id), "title": .string(category.title), "icon": .null, "badge": .null,
                        "section": category.section.map { .string($0) } ?? .null,
                        "parent": Tree(category.parent),
                        "itemCount": .number(Double(category.items.count)),
                    ])
                }
            }
            try same("categories", .array(expected), categories)
        }
    }

    /// Checks that the sessions name nothing that the catalog does not have.
    func checkNothingDangles() throws {
        for id in Self.sessionIds {
            let state = try call("selection.get", ["session": .text(id)])["state"]
            guard let catalog = state["catalog"].id else { continue }
            let paths = state["paths"]
            let categories =
                state["expanded"].elements + paths["content"].elements
                + (state["category"].isNull ? [] : [state["category"]])
            let items = state["items"].elements + paths["detail"].elements
            let located = try ask(
                "catalog.locate",
                ["catalog": .text(catalog), "categories": .array(categories), "items": .array(items)])
            for kind in ["categories", "items"] {
                for (name, place) in located["result"][kind].members {
                    try holds("\(id) names \(kind) \(name), which is gone", !place.isNull)
                }
            }
            let shown = paths["content"].elements.last ?? state["category"]
            guard self.catalog(catalog)?.columns == 3 else { continue }
            for item in state["items"].elements {
                let home = located["result"]["items"][item.id ?? ""]["categories"].elements
                try holds("\(id) has an item of another list", home.contains(shown))
            }
        }
    }
}

/// One list of a catalog, walked with pages of random sizes.
private struct ListWalk {
    let world: World
    let params: [Identifier: Tree]
    let catalog: ModelCatalog
    let rows: [ModelCatalog.Row]

    private func page(_ more: [Identifier: Tree]) throws -> Tree {
        let page = try world.call("catalog.items", params.merging(more) { $1 })
        try same("total", .number(Double(rows.count)), page["total"])
        try same("totalCapped", .bool(false), page["totalCapped"])
        return page
    }

    private func expected(_ rows: some Sequence<ModelCatalog.Row>) -> Tree {
        .array(
            rows.map { row in
                var members = catalog.items[row.id]?.row(row.id) ?? [:]
                if let category = row.category { members["category"] = .text(category) }
                return .object(members)
            })
    }

    /// Walks from the head by `after`, or from the end by `before`.
    func walk(_ direction: Identifier) throws {
        let isForward = direction == "after"
        var (start, end) = isForward ? (0, 0) : (rows.count, rows.count)
        var page: Tree
        if isForward || rows.isEmpty {
            end = min(world.chance.number(1...7), rows.count)
            page = try self.page(["limit": .number(Double(max(end, 1)))])
        } else {
            // The end is reached by going forward once.
            page = try self.page(["limit": .number(Double(world.chance.number(1...7)))])
            var last = page
            while !last["after"].isNull {
                let limit = world.chance.number(1...7)
                last = try self.page(["limit": .number(Double(limit)), "after": last["after"]])
            }
            page = last
            start = end - page["items"].elements.count
        }
        while true {
            try same("\(direction): rows \(start)..<\(end)", expected(rows[start..<end]), page["items"])
            try same("first", .number(Double(start)), page["first"])
            try holds("before at the head", page["before"].isNull == (start == 0))
            try holds("after at the end", page["after"].isNull == (end == rows.count))
            guard !page[direction].isNull else { return }
            let limit = world.chance.number(1...7)
            page = try self.page(["limit": .number(Double(limit)), direction: page[direction]])
            if isForward {
                (start, end) = (end, min(end + limit, rows.count))
            } else {
                (start, end) = (max(0, start - limit), start)
            }
        }
    }

    /// Asks for the window around an item that may be in the list or not.
    func goAround() throws {
        let item = world.chance.item(in: catalog)
        let limit = world.chance.number(1...9)
        let page = try page(["around": .text(item), "limit": .number(Double(limit))])
        let index = rows.firstIndex { $0.id == item }
        let first = index.map { max(0, min($0 - limit / 2, rows.count - limit)) } ?? 0
        try same("aroundIndex", index.map { .number(Double($0)) } ?? .null, page["aroundIndex"])
        try same("first", .number(Double(first)), page["first"])
        try same(
            "around", expected(rows[first..<min(first + limit, rows.count)]), page["items"])
    }
}
