import JSON
import Shared

// Answers of the catalog service, read only as far as a view has to look into them. What is shown is passed
// on as the bytes that came. They never change, and are classes because they are handed on a great deal: to pass one on
// is one reference, not one for each of its parts.

/// An answer to a `CatalogQuestion`.
enum CatalogAnswer {
    case list(CatalogList)
    case description(CatalogDescription)
    case categories(CategoryList)
    case page(ItemPage)
    case item(CatalogItem)

    /// The catalog's revision that the answer was read at; nil if it is about several catalogs.
    var revision: Int? {
        switch self {
        case .list: nil
        case .description(let description): description.revision
        case .categories(let list): list.revision
        case .page(let page): page.revision
        case .item(let item): item.revision
        }
    }

    /// Bytes of memory that are kept with the answer: its line, what that was parsed to, and what was made of it.
    var bytes: Int {
        switch self {
        case .list(let list): list.value.documentBytes
        case .description(let description): description.value.documentBytes
        case .categories(let list): list.memoryBytes
        case .page(let page): page.memoryBytes
        case .item(let item): item.value.documentBytes + item.detail.capacity
        }
    }

    /// Bytes that an id takes as a key, about, with what is found by it.
    fileprivate static let indexBytes = 64
}

/// Which catalogs there are.
final class CatalogList {
    let value: JSONValue
    /// The catalog of sessions that have none.
    let first: Identifier?

    /// Reads the result of `catalog.list`; nil if it is none.
    init?(_ result: JSONValue) {
        guard let catalogs = result["catalogs"], catalogs.kind == .array else { return nil }
        value = catalogs
        var ids = catalogs.elements
        first = ids.next().flatMap { $0["id"]?.string }.map { Identifier($0) }
    }
}

/// What a catalog is.
final class CatalogDescription {
    let value: JSONValue
    let title: JSONValue
    let columns: Int
    let isDrillDown: Bool
    let strings: JSONValue?
    let revision: Int

    /// Reads the result of `catalog.describe`; nil if it is none.
    init?(_ result: JSONValue) {
        guard let value = result["catalog"], let title = value["title"], let columns = value["columns"]?.int,
            (2...3).contains(columns), let nesting = value["nesting"]?.string,
            let revision = value["revision"]?.int
        else { return nil }
        (self.value, self.title, self.columns, self.revision) = (value, title, columns, revision)
        isDrillDown = nesting == "drillDown"
        strings = value["strings"]
    }
}

/// The categories of a catalog, in the order of their positions.
final class CategoryList {
    /// One category.
    struct Category {
        let id: Identifier
        let parent: Identifier?
        let value: JSONValue
    }

    let value: JSONValue
    let revision: Int
    let categories: [Category]
    private let indices: [Identifier: Int]
    private let children: [Identifier: [Int]]
    /// The categories that are in no other one.
    let roots: [Category]
    /// The same by sections.
    let sections: [CategorySection]
    /// The rows of the sidebar, if all categories are roots.
    let template: RowTemplate?
    /// Where the rows of categories are in the template.
    private let rowIndices: [Identifier: Int]

    /// Reads the result of `catalog.categories`; nil if it is none.
    init?(_ result: JSONValue) {
        guard let list = result["categories"], list.kind == .array, let revision = result["revision"]?.int
        else { return nil }
        (value, self.revision) = (list, revision)
        var categories: [Category] = []
        var indices: [Identifier: Int] = [:]
        categories.reserveCapacity(list.count)
        indices.reserveCapacity(list.count)
        for element in list.elements {
            guard let id = element["id"]?.string.map({ Identifier($0) }) else { return nil }
            indices[id] = categories.count
            categories.append(
                Category(
                    id: id, parent: element["parent"]?.string.map { Identifier($0) }, value: element))
        }
        var children: [Identifier: [Int]] = [:]
        var roots: [Category] = []
        for (index, category) in categories.enumerated() {
            if let parent = category.parent, indices[parent] != nil {
                children[parent, default: []].append(index)
            } else {
                roots.append(category)
            }
        }
        (self.categories, self.indices, self.children, self.roots) = (categories, indices, children, roots)
        sections = CategorySection.all(roots)
        template = children.isEmpty ? RowTemplate(sections: sections) : nil
        var rows: [Identifier: Int] = [:]
        for section in sections { for root in section.roots { rows[root.id] = rows.count } }
        rowIndices = rows
    }

    /// See `CatalogAnswer.bytes`.
    fileprivate var memoryBytes: Int {
        // They are in the list, in that of the roots and in that of their sections, and in two indices.
        value.documentBytes + (template?.memoryBytes ?? 0)
            + categories.count * (3 * MemoryLayout<Category>.stride + 2 * CatalogAnswer.indexBytes)
    }

    /// The row of a category in the template.
    func rowIndex(_ id: Identifier) -> Int? { rowIndices[id] }

    /// The category with this id.
    subscript(id: Identifier) -> Category? { indices[id].map { categories[$0] } }

    /// The categories in this one, in their order.
    func children(of id: Identifier) -> [Category] { (children[id] ?? []).map { categories[$0] } }
}

/// A window of a list of items.
final class ItemPage {
    let value: JSONValue
    let revision: Int
    let total: Int
    let first: Int?
    let aroundIndex: Int?
    let rows: JSONValue
    /// The rows of the content column, unless they are in sections.
    let template: RowTemplate?
    /// Whether the window is the whole list.
    let isWhole: Bool
    /// Where items are in the window.
    private let indices: [Identifier: Int]

    /// Reads the result of `catalog.items`; nil if it is none.
    init?(_ result: JSONValue) {
        guard let revision = result["revision"]?.int, let total = result["total"]?.int,
            result["totalCapped"]?.bool != nil, let rows = result["items"], rows.kind == .array
        else { return nil }
        (value, self.revision, self.total, self.rows) = (result, revision, total, rows)
        first = result["first"]?.int
        aroundIndex = result["aroundIndex"]?.int
        isWhole = result["before"]?.isNull != false && result["after"]?.isNull != false
        template = RowTemplate(items: rows)
        var indices: [Identifier: Int] = [:]
        indices.reserveCapacity(rows.count)
        var index = 0
        for row in rows.elements {
            // An item may be in several sections: its first row counts.
            if let id = row["id"]?.string.map({ Identifier($0) }), indices[id] == nil { indices[id] = index }
            index += 1
        }
        self.indices = indices
    }

    private init(_ whole: ItemPage, aroundIndex: Int?) {
        (value, revision, total) = (whole.value, whole.revision, whole.total)
        (first, rows, template) = (whole.first, whole.rows, whole.template)
        (isWhole, indices, self.aroundIndex) = (whole.isWhole, whole.indices, aroundIndex)
    }

    /// The same whole list as the window around an item, or at its head: what the catalog would answer.
    func whole(around id: Identifier?) -> ItemPage {
        ItemPage(self, aroundIndex: id.flatMap { index(of: $0) })
    }

    /// See `CatalogAnswer.bytes`.
    fileprivate var memoryBytes: Int {
        value.documentBytes + (template?.memoryBytes ?? 0) + indices.count * CatalogAnswer.indexBytes
    }

    /// The index in the window of the first row of an item.
    func index(of id: Identifier) -> Int? { indices[id] }
}

/// One item with its detail.
final class CatalogItem {
    let value: JSONValue
    let revision: Int
    /// What the detail column shows of it, from `title` to `blocks`: the members of a JSON object, written once.
    let detail: [UInt8]

    /// Reads the result of `catalog.item`; nil if it is none.
    init?(_ result: JSONValue) {
        guard let revision = result["revision"]?.int, let item = result["item"], item.kind == .object,
            item["title"]?.kind == .string
        else { return nil }
        (value, self.revision, detail) = (item, revision, ViewComposer.detail(of: item))
    }
}
