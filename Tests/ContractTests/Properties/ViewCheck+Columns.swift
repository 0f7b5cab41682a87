import Shared

// The columns of a view, whole values against whole values wherever there is only one that is right.

extension ViewCheck {
    // MARK: The sidebar of categories

    func checkCategorySidebar() throws(Violation) {
        let sidebar = view["sidebar"]
        try keys("sidebar", sidebar, "status title header sections placeholder")
        try same("sidebar's status", .string(catalog.order.isEmpty ? "empty" : "ready"), sidebar["status"])
        try placeholder(sidebar, isThere: catalog.order.isEmpty)
        var titles: [String?] = []
        var sections: [String?: [Tree]] = [:]
        for id in catalog.order {
            guard let category = catalog.categories[id], category.parent == nil else { continue }
            if !titles.contains(category.section) { titles.append(category.section) }
            sections[category.section, default: []] += rows(from: id, depth: 0)
        }
        let expected = titles.map { title in
            Tree.object([
                "title": title.map { .string($0) } ?? .null, "rows": .array(sections[title] ?? []),
            ])
        }
        try same("sidebar's sections", .array(expected), sidebar["sections"])
    }

    private func rows(from id: Identifier, depth: Int) -> [Tree] {
        let children = catalog.isDrillDown ? [] : catalog.children(of: id)
        let isExpanded = session.expanded.contains(id)
        var row = folder(id)
        row["depth"] = .number(Double(depth))
        row["selected"] = .bool(!isCollapsed && place.category == id)
        row["event"] = select("sidebar", id)
        if !children.isEmpty {
            let event: [Identifier: Tree] = [
                "type": .string(isExpanded ? "collapse" : "expand"), "id": .text(id),
            ]
            row["disclosure"] = .object(["expanded": .bool(isExpanded), "event": .object(event)])
        }
        return [.object(row)] + (isExpanded ? children.flatMap { rows(from: $0, depth: depth + 1) } : [])
    }

    private func folder(_ id: Identifier) -> [Identifier: Tree] {
        [
            "id": .text(id), "title": .string(catalog.categories[id]?.title ?? ""), "icon": .null,
            "badge": .null, "count": .number(Double(catalog.categories[id]?.items.count ?? 0)),
            "depth": .number(0), "disclosure": .null, "selected": .bool(false),
        ]
    }

    private func select(_ column: String, _ id: Identifier) -> Tree {
        .object(["type": .string("select"), "column": .string(column), "id": .text(id)])
    }

    // MARK: Lists

    /// The list that is shown, whole.
    var list: [ModelCatalog.Row] {
        catalog.list(
            category: isTwoColumn || place.isCatalogWide ? nil : place.shown, isGrouped: isTwoColumn,
            query: place.isSearching ? place.text : "", by: session.sortBy,
            isDescending: session.isDescending)
    }

    /// Checks page, search, sort and hiddenByFilter; gives the rows that the window has.
    private func checkList(_ column: Tree, rowCount: Int) throws(Violation) -> ArraySlice<ModelCatalog.Row> {
        let list = list
        let index = place.items.first.flatMap { item in list.firstIndex { $0.id == item } }
        let page = column["page"]
        try keys("page", page, "total totalCapped first before after selectedIndex")
        try same("total", .number(Double(list.count)), page["total"])
        try same("totalCapped", .bool(false), page["totalCapped"])
        // An item of several categories is in a grouped list more than once: a held window may tell of any.
        if let told = page["selectedIndex"].int, !isAround, list.indices.contains(told) {
            try same("row at selectedIndex", Tree(place.items.first), .text(list[told].id))
        } else {
            try same("selectedIndex", index.map { .number(Double($0)) } ?? .null, page["selectedIndex"])
        }
        guard let first = page["first"].int, first >= 0, first + rowCount <= list.count else {
            throw Violation("first \(page["first"].json) of \(rowCount) rows of \(list.count)")
        }
        let limit = window.limit ?? 50
        if isAround {
            let wanted = index.map { max(0, min($0 - limit / 2, list.count - limit)) } ?? 0
            try same("first row", .number(Double(wanted)), .number(Double(first)))
            try holds("as many rows as asked for", rowCount == min(limit, list.count - first))
        }
        try holds("as many rows as there are", rowCount <= limit && (rowCount > 0 || list.isEmpty))
        try holds("before: \(page.json)", page["before"].isNull == (first == 0))
        try holds("after: \(page.json)", page["after"].isNull == (first + rowCount == list.count))
        let event: [Identifier: Tree] = ["type": .string("search"), "scope": .string(place.scope)]
        try same(
            "search",
            .object([
                "text": .string(place.text), "scope": .string(place.scope), "event": .object(event),
            ]), column["search"])
        try checkSort(column["sort"])
        let isHidden = place.isSearching && !place.items.isEmpty && index == nil
        try same("hiddenByFilter", .bool(isHidden), column["hiddenByFilter"])
        return list[first..<first + rowCount]
    }

    private func checkSort(_ sort: Tree) throws(Violation) {
        try keys("sort", sort, "by descending options")
        try same("sort", .string(session.sortBy), sort["by"])
        try same("descending", .bool(session.isDescending), sort["descending"])
        let orders = [
            ("position", false), ("title", false), ("title", true), ("date", true), ("date", false),
        ]
        try same(
            "options",
            .array(
                orders.map { by, descending in
                    .object([
                        "type": .string("sort"), "by": .string(by), "descending": .bool(descending),
                    ])
                }), .array(sort["options"].elements.map { $0["event"] }))
    }

    private func rows(_ rows: some Sequence<ModelCatalog.Row>, _ column: String) -> Tree {
        .array(
            rows.map { row in
                var members = catalog.items[row.id]?.row(row.id) ?? [:]
                members["selected"] = .bool(!isCollapsed && place.items.contains(row.id))
                members["event"] = select(column, row.id)
                return .object(members)
            })
    }

    // MARK: The sidebar of items

    func checkItemSidebar() throws(Violation) {
        let sidebar = view["sidebar"]
        try keys(
            "sidebar", sidebar,
            "status title header sections placeholder page search sort hiddenByFilter")
        let sections = sidebar["sections"].elements
        let shown = try checkList(sidebar, rowCount: sections.reduce(0) { $0 + $1["rows"].elements.count })
        try same("sidebar's status", .string(list.isEmpty ? "empty" : "ready"), sidebar["status"])
        try placeholder(sidebar, isThere: list.isEmpty)
        var runs: [[ModelCatalog.Row]] = []
        for row in shown {
            if runs.last?.last?.category == row.category, !runs.isEmpty {
                runs[runs.count - 1].append(row)
            } else {
                runs.append([row])
            }
        }
        let expected = runs.map { run in
            let title = run[0].category.flatMap { catalog.categories[$0]?.title } ?? ""
            return Tree.object(["title": .string(title), "rows": rows(run, "sidebar")])
        }
        try same("sidebar's sections", .array(expected), .array(sections))
    }

    // MARK: Content

    func checkContent() throws(Violation) {
        let content = view["content"]
        try keys(
            "content", content,
            "status title folders rows page search sort hiddenByFilter path placeholder")
        let path = place.content.map { id in
            Tree.object([
                "id": .text(id), "title": catalog.categories[id].map { .string($0.title) } ?? .null,
            ])
        }
        try same("content's path", .array(path), content["path"])
        guard place.category != nil || place.isCatalogWide else {
            try same("content's status", .string("noSelection"), content["status"])
            for name in ["title", "page"] { try same("content's \(name)", .null, content[name]) }
            for name in ["rows", "folders"] { try same("content's \(name)", .array([]), content[name]) }
            try same("hiddenByFilter", .bool(false), content["hiddenByFilter"])
            return try placeholder(content, isThere: true)
        }
        let isFoldersShown = catalog.isDrillDown && !place.isSearching
        let folders = isFoldersShown ? place.shown.map { catalog.children(of: $0) } ?? [] : []
        let expected = folders.map { id in
            var row = folder(id)
            row["event"] = .object([
                "type": .string("push"), "column": .string("content"), "id": .text(id),
            ])
            return Tree.object(row)
        }
        try same("folders", .array(expected), content["folders"])
        try same("content's title", listTitle(place), content["title"])
        let shown = try checkList(content, rowCount: content["rows"].elements.count)
        try same("content's rows", rows(shown, "content"), content["rows"])
        let isEmpty = list.isEmpty && folders.isEmpty
        try same("content's status", .string(isEmpty ? "empty" : "ready"), content["status"])
        try placeholder(content, isThere: isEmpty)
    }

    // MARK: Detail

    func checkDetail() throws(Violation) {
        let detail = view["detail"]
        try keys(
            "detail", detail,
            "status id title subtitle icon badge date blocks path selectedCount placeholder")
        try same("selectedCount", .number(Double(place.items.count)), detail["selectedCount"])
        let path = place.detail.map { Tree.object(["id": .text($0), "title": itemTitle($0)]) }
        try same("detail's path", .array(path), detail["path"])
        let shown = Self.shownItem(place)
        try same("detail's id", Tree(shown), detail["id"])
        guard let shown, let item = catalog.items[shown] else {
            let status = place.items.isEmpty ? "noSelection" : "multiple"
            try same("detail's status", .string(status), detail["status"])
            return try placeholder(detail, isThere: status == "noSelection")
        }
        try same("detail's status", .string("ready"), detail["status"])
        for (name, value) in item.row(shown) { try same("detail's \(name)", value, detail[name]) }
        var blocks: [Tree] = [.object(["kind": .string("text"), "text": .string(item.text)])]
        if !item.links.isEmpty {
            let links = item.links.map { title, id in
                let push: [Identifier: Tree] = [
                    "type": .string("push"), "column": .string("detail"), "id": .text(id),
                ]
                return Tree.object([
                    "title": .string(title), "item": .text(id),
                    "event": catalog.items[id] == nil ? .null : .object(push),
                ])
            }
            blocks.append(.object(["kind": .string("links"), "links": .array(links)]))
        }
        try same("detail's blocks", .array(blocks), detail["blocks"])
        try placeholder(detail, isThere: false)
    }
}
