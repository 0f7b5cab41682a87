import JSON
import Shared

/// Something that a view has to know of the catalog: the key of an answer, and the call that gets it.
enum CatalogQuestion: Hashable {
    /// Which catalogs there are.
    case list
    /// What a catalog is.
    case describe(Identifier)
    /// Its categories.
    case categories(Identifier)
    /// A window of one of its lists.
    ///
    /// Indirect, since a question is copied many times on the way to its answer.
    indirect case page(PageQuestion)
    /// One of its items.
    case item(Identifier, Identifier)

    /// The method to call.
    var method: String {
        switch self {
        case .list: "catalog.list"
        case .describe: "catalog.describe"
        case .categories: "catalog.categories"
        case .page: "catalog.items"
        case .item: "catalog.item"
        }
    }

    /// Whether the answer holds for as long as the catalog has the same revision, which itself is asked each
    /// time.
    var isLasting: Bool {
        switch self {
        case .list, .describe: false
        case .categories, .page, .item: true
        }
    }

    /// The catalog that it is about.
    var catalog: Identifier? {
        switch self {
        case .list: nil
        case .describe(let catalog), .categories(let catalog), .item(let catalog, _): catalog
        case .page(let page): page.catalog
        }
    }

    /// The list at its head, and the item around which it is asked for; nil if this is no list, or one from a cursor on.
    var listAround: (list: CatalogQuestion, item: Identifier?)? {
        guard case .page(let page) = self else { return nil }
        switch page.place {
        case nil: return (self, nil)
        case .around(let id)?: return (.page(page.at(nil)), id)
        case .after?, .before?: return nil
        }
    }

    /// Writes the params of the call; what is the default is left out.
    func writeParams(to json: inout JSONWriter) {
        if let catalog { json.member("catalog", catalog.text) }
        switch self {
        case .list, .describe, .categories: break
        case .page(let page): page.writeParams(to: &json)
        case .item(_, let id): json.member("id", id.text)
        }
    }

    /// Reads the answer; nil if it is none.
    func answer(_ result: JSONValue) -> CatalogAnswer? {
        switch self {
        case .list: CatalogList(result).map { .list($0) }
        case .describe: CatalogDescription(result).map { .description($0) }
        case .categories: CategoryList(result).map { .categories($0) }
        case .page: ItemPage(result).map { .page($0) }
        case .item: CatalogItem(result).map { .item($0) }
        }
    }
}

/// A window of a list.
struct PageQuestion: Hashable {
    /// The catalog.
    var catalog: Identifier
    /// The category whose items are listed; nil lists the whole catalog.
    var category: Identifier?
    /// Whether the whole catalog is listed category by category.
    var isGrouped = false
    /// What is searched for, if anything is.
    var query: String?
    /// The order.
    var sort = Sort()
    /// Where the window lies; nil is the head of the list.
    var place: Place?
    /// Rows at most.
    var limit: Int

    /// Where a window lies in its list.
    enum Place: Hashable {
        case after(String)
        case before(String)
        case around(Identifier)
    }

    /// Hashes what anybody can choose freely; comparing sees to the rest, of which there are few.
    func hash(into hasher: inout Hasher) {
        hasher.combine(category)
        hasher.combine(limit)
        if let query { hasher.combine(query) }
        switch place {
        case nil: break
        case .after(let cursor)?, .before(let cursor)?: hasher.combine(cursor)
        case .around(let id)?: hasher.combine(id)
        }
    }

    fileprivate func writeParams(to json: inout JSONWriter) {
        if let category { json.member("category", category.text) }
        if isGrouped { json.member("grouped", true) }
        if let query { json.member("query", query) }
        if sort != Sort() {
            json.object("sort") { json in
                json.member("by", sort.by.rawValue)
                json.member("descending", sort.descending)
            }
        }
        switch place {
        case nil: break
        case .after(let cursor)?: json.member("after", cursor)
        case .before(let cursor)?: json.member("before", cursor)
        case .around(let id)?: json.member("around", id.text)
        }
        if limit != Limits.rowsDefault { json.member("limit", limit) }
    }
}
