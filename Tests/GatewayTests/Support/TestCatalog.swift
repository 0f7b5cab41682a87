import JSON
import Shared

@testable import Gateway

/// A catalog in memory that answers as the catalog service does, for lists as short as those of tests.
final class TestCatalog {
    struct Category {
        var id: String
        var title: String
        var icon: String?
        var badge: String?
        var section: String?
        var parent: String?
    }

    struct Item {
        var id: String
        var title: String
        var categories: [String]
        var subtitle: String?
        /// JSON text.
        var blocks: String = "[]"
    }

    var id = "c"
    var title = "Test"
    var columns = 3
    var nesting = "outline"
    /// JSON text.
    var strings = "{}"
    var revision = 7
    var categories: [Category] = []
    var items: [Item] = []
    /// Whether cursors are the numbers of titles, which survive changes of the list, instead of indices.
    var hasKeyCursors = false
    /// An answer with more bytes is refused, as on the wire.
    var answerBytesMax = Limits.outgoingLineBytesMax

    /// Category `A` holds `a1`-`a5`, `B` holds `b1`-`b3`, `C` nothing.
    static func lettered() -> TestCatalog {
        let catalog = TestCatalog()
        for (letter, count) in [("A", 5), ("B", 3), ("C", 0)] {
            catalog.categories.append(Category(id: letter, title: "Category \(letter)"))
            for number in 0..<count {
                let id = "\(letter.lowercased())\(number + 1)"
                catalog.items.append(
                    Item(
                        id: id, title: "Title \(id)", categories: [letter],
                        blocks: #"[{"kind":"text","text":"Body of \#(id)"}]"#))
            }
        }
        return catalog
    }

    func respond(_ method: String, _ params: JSONValue?) throws(RPCError) -> [UInt8] {
        if method == "catalog.list" {
            return written { json in
                json.array("catalogs") { json in json.object { json in writeSelf(to: &json) } }
            }
        }
        guard params?["catalog"]?.string == id else {
            throw .notFound("catalog", Identifier(params?["catalog"]?.string ?? ""), path: "/catalog")
        }
        switch method {
        case "catalog.describe":
            return written { json in json.object("catalog") { json in writeSelf(to: &json) } }
        case "catalog.categories":
            return written { json in
                json.member("revision", revision)
                json.array("categories") { json in
                    for category in categories { write(category, to: &json) }
                }
            }
        case "catalog.items": return try page(params)
        case "catalog.item":
            guard let item = items.first(where: { $0.id == params?["id"]?.string }) else {
                throw .notFound("item", Identifier(params?["id"]?.string ?? ""), path: "/id")
            }
            return written { json in
                json.member("revision", revision)
                json.object("item") { json in
                    writeRow(item, to: &json)
                    json.array("categories") { json in for id in item.categories { json.value(id) } }
                    json.member("blocks", raw: Array(item.blocks.utf8))
                }
            }
        default: throw RPCError(.methodNotFound, method)
        }
    }

    private func page(_ params: JSONValue?) throws(RPCError) -> [UInt8] {
        var rows: [(item: Item, category: String?)]
        let category = params?["category"]?.string
        if let category, !categories.contains(where: { $0.id == category }) {
            throw .notFound("category", Identifier(category), path: "/category")
        }
        if params?["grouped"]?.bool == true {
            rows = categories.flatMap { category in
                items.filter { $0.categories.contains(category.id) }.map { ($0, category.id) }
            }
        } else {
            rows = items.filter { category == nil || $0.categories.contains(category ?? "") }.map {
                ($0, nil)
            }
        }
        if let words = params?["query"]?.string {
            rows = rows.filter {
                $0.item.title.lowercased().split(separator: " ").contains { $0.hasPrefix(words) }
            }
        }
        if params?["sort"]?["by"]?.string == "title" { rows.sort { $0.item.title < $1.item.title } }
        if params?["sort"]?["descending"]?.bool == true { rows.reverse() }
        let limit = params?["limit"]?.int ?? 50
        var first = 0
        var aroundIndex: Int?
        if let around = params?["around"]?.string {
            aroundIndex = rows.firstIndex { $0.item.id == around }
            first = max(0, min((aroundIndex ?? 0) - limit / 2, rows.count - limit))
        } else if let after = params?["after"]?.string {
            guard let key = Int(after) else {
                throw .invalidParams("/after", "/after is no cursor of this list.")
            }
            first = hasKeyCursors ? rows.firstIndex { Self.key($0.item) > key } ?? rows.count : key + 1
        }
        var last = first + limit
        if let key = params?["before"]?.string.flatMap({ Int($0) }) {
            last = hasKeyCursors ? rows.firstIndex { Self.key($0.item) >= key } ?? rows.count : key
            first = max(0, last - limit)
        }
        let shown = rows[..<min(last, rows.count)].dropFirst(first)
        func cursor(_ index: Int) -> String { "\(hasKeyCursors ? Self.key(rows[index].item) : index)" }
        let bytes = written { json in
            json.member("revision", revision)
            json.member("total", rows.count)
            json.member("totalCapped", false)
            json.member("first", first)
            json.array("items") { json in
                for row in shown {
                    json.object { json in
                        writeRow(row.item, to: &json)
                        if let category = row.category { json.member("category", category) }
                    }
                }
            }
            let end = first + shown.count
            json.member("before", first > 0 && !shown.isEmpty ? cursor(first) : nil)
            json.member("after", end < rows.count && !shown.isEmpty ? cursor(end - 1) : nil)
            json.member("aroundIndex", aroundIndex)
        }
        guard bytes.count <= answerBytesMax else {
            throw RPCError(.responseTooLarge, "The answer is too large.", limit: "limit")
        }
        return bytes
    }

    /// A key in the order of the list: the number in a title.
    private static func key(_ item: Item) -> Int { Int(item.title.split(separator: " ").last ?? "") ?? -1 }

    private func writeSelf(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("title", title)
        json.member("columns", columns)
        json.member("nesting", nesting)
        json.member("strings", raw: Array(strings.utf8))
        json.member("revision", revision)
        json.member("categoryCount", categories.count)
        json.member("itemCount", items.count)
    }

    private func write(_ category: Category, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", category.id)
            json.member("title", category.title)
            json.member("icon", category.icon)
            json.member("badge", category.badge)
            json.member("section", category.section)
            json.member("parent", category.parent)
            json.member("itemCount", items.count { $0.categories.contains(category.id) })
        }
    }

    private func writeRow(_ item: Item, to json: inout JSONWriter) {
        json.member("id", item.id)
        json.member("title", item.title)
        json.member("subtitle", item.subtitle)
        json.member("icon", nil as String?)
        json.member("badge", nil as String?)
        json.member("date", nil as String?)
    }

    private func written(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(members)
        return json.bytes
    }
}
