import JSON
import Shared

/// Reads a list of changes strictly.
enum ChangeReader {
    private enum Operation: String, CaseIterable {
        case putCatalog, putCategory, putItem, moveCategory, moveItem, deleteCategory, deleteItem
    }

    /// Reads all changes.
    static func changes(_ params: inout ObjectReader) throws(RPCError) -> [Change] {
        let list = try params.required("changes", params.array("changes"))
        var changes: [Change] = []
        changes.reserveCapacity(list.count)
        for element in list.elements {
            changes.append(try change(ObjectReader(element, path: params.path(to: "changes", changes.count))))
        }
        return changes
    }

    private static func change(_ reader: ObjectReader) throws(RPCError) -> Change {
        var reader = reader
        let operation = try reader.required("op", reader.word("op", Operation.self))
        let change: Change
        switch operation {
        case .putCatalog: change = .putCatalog(try catalog(&reader))
        case .putCategory:
            var category = try reader.required("category", reader.object("category"))
            change = .putCategory(try self.category(&category), at: try anchor(&reader))
        case .putItem:
            var item = try reader.required("item", reader.object("item"))
            change = .putItem(try self.item(&item), at: try anchor(&reader))
        case .moveCategory:
            change = .moveCategory(
                try reader.identifier("id"), at: try reader.required("at", anchor(&reader)))
        case .moveItem:
            change = .moveItem(
                try reader.identifier("id"), from: try reader.identifier("from"),
                to: try reader.identifier("to"), at: try anchor(&reader))
        case .deleteCategory: change = .deleteCategory(try reader.identifier("id"))
        case .deleteItem: change = .deleteItem(try reader.identifier("id"))
        }
        try reader.finish()
        return change
    }

    private enum Edge: String, CaseIterable { case first, last }

    private static func anchor(_ reader: inout ObjectReader) throws(RPCError) -> Anchor? {
        guard let value = reader.value("at") else { return nil }
        switch value.kind {
        case .string:
            switch try reader.word("at", Edge.self) {
            case .first?: return .first
            case .last?, nil: return .last
            }
        case .object:
            var object = try ObjectReader(value, path: reader.path(to: "at"))
            let before = try object.optionalIdentifier("before")
            let after = try object.optionalIdentifier("after")
            try object.finish()
            switch (before, after) {
            case (let id?, nil): return .before(id)
            case (nil, let id?): return .after(id)
            default: throw reader.wrong("at", "must have one of before and after")
            }
        default: throw reader.wrong("at", #"must be "first", "last", {"before":id} or {"after":id}"#)
        }
    }

    // MARK: Rows

    private static func catalog(_ reader: inout ObjectReader) throws(RPCError) -> CatalogFields {
        CatalogFields(
            title: try reader.required("title", bounded(&reader, "title", Limits.titleBytesMax)),
            columns: try reader.int("columns", in: 2...3) ?? 3,
            nesting: try reader.word("nesting", Nesting.self) ?? .outline,
            strings: try CatalogStrings.read(&reader))
    }

    private static func category(_ reader: inout ObjectReader) throws(RPCError) -> CategoryFields {
        var json = JSONWriter()
        let id = try reader.identifier("id")
        let title = try reader.required("title", bounded(&reader, "title", Limits.categoryTitleBytesMax))
        let icon = try bounded(&reader, "icon", Limits.iconBytesMax)
        let badge = try bounded(&reader, "badge", Limits.badgeBytesMax)
        let section = try bounded(&reader, "section", Limits.sectionBytesMax)
        let parent = try reader.optionalIdentifier("parent")
        try reader.finish()
        json.object { json in
            json.member("id", id.text)
            json.member("title", title)
            json.member("icon", icon)
            json.member("badge", badge)
            json.member("section", section)
        }
        return CategoryFields(id: id, parent: parent, row: json.bytes)
    }

    private static func item(_ reader: inout ObjectReader) throws(RPCError) -> ItemFields {
        let id = try reader.identifier("id")
        let title = try reader.required("title", bounded(&reader, "title", Limits.titleBytesMax))
        let subtitle = try bounded(&reader, "subtitle", Limits.titleBytesMax)
        let icon = try bounded(&reader, "icon", Limits.iconBytesMax)
        let badge = try bounded(&reader, "badge", Limits.badgeBytesMax)
        let date = try self.date(&reader)
        let categories = try self.categories(&reader)
        var text = SearchText()
        text.add(title)
        text.add(subtitle)
        let (blocks, hasLinks) = try Blocks.read(&reader, &text)
        try reader.finish()
        var json = JSONWriter()
        json.object { json in
            json.member("id", id.text)
            json.member("title", title)
            json.member("subtitle", subtitle)
            json.member("icon", icon)
            json.member("badge", badge)
            json.member("date", date)
        }
        return ItemFields(
            id: id, title: title, date: date, categories: categories, row: json.bytes, blocks: blocks,
            hasLinks: hasLinks, words: text.words)
    }

    private static func date(_ reader: inout ObjectReader) throws(RPCError) -> String? {
        guard let date = try bounded(&reader, "date", Limits.dateBytesMax) else { return nil }
        guard Moment(date.utf8) != nil else {
            throw reader.wrong("date", "must be a date and time of RFC 3339, such as 2026-03-01T12:00:00Z")
        }
        return date
    }

    private static func categories(_ reader: inout ObjectReader) throws(RPCError) -> [Identifier] {
        let ids = try reader.required("categories", reader.optionalIdentifiers("categories"))
        let path = reader.path(to: "categories")
        guard !ids.isEmpty else { throw .invalidParams(path, "\(path) must have at least one category.") }
        guard ids.count <= Limits.categoriesPerItemMax else {
            throw RPCError(
                .notPossible, "\(path) may have at most \(Limits.categoriesPerItemMax) categories.",
                path: path,
                limit: "categoriesPerItem")
        }
        var seen: Set<Identifier> = []
        for (index, id) in ids.enumerated() where !seen.insert(id).inserted {
            let path = reader.path(to: "categories", index)
            throw RPCError(.notPossible, "\(path) is there twice: name each category once.", path: path)
        }
        return ids
    }

    // MARK: Texts

    /// A text with a bound on what it takes in JSON, without the quotes.
    static func bounded(
        _ reader: inout ObjectReader, _ name: StaticString, _ bytesMax: Int
    ) throws(RPCError) -> String? {
        guard let text = try reader.string(name) else { return nil }
        // A byte takes at most six.
        if text.utf8.count * 6 <= bytesMax { return text }
        var json = JSONWriter()
        json.value(text)
        guard json.count - 2 <= bytesMax else {
            let path = reader.path(to: name)
            throw RPCError(
                .notPossible,
                "\(path) may have at most \(bytesMax) bytes as JSON, it has \(json.count - 2).",
                path: path)
        }
        return text
    }
}
