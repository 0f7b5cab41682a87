import Shared

/// A session as the rules of navigation describe it, with its whole history as one list.
struct ModelSession {
    /// Where it is.
    struct Place: Equatable {
        var category: Identifier?
        var items: [Identifier] = []
        var content: [Identifier] = []
        var detail: [Identifier] = []
        var text = ""
        var scope = "category"

        var shown: Identifier? { content.last ?? category }
        var isSearching: Bool { !ModelCatalog.words(text).isEmpty }
        var isCatalogWide: Bool { scope == "catalog" && isSearching }

        func isElsewhere(than other: Place) -> Bool {
            category != other.category || content != other.content || detail != other.detail
                || Set(items) != Set(other.items)
        }

        static func == (a: Place, b: Place) -> Bool {
            a.text == b.text && a.scope == b.scope && !a.isElsewhere(than: b)
        }
    }

    enum Outcome: Equatable {
        case changed, unchanged
        case refused(Int)
    }

    struct Refusal: Error { let code: Int }

    let id: Identifier
    var catalog: Identifier?
    var revision = 0
    var place = Place()
    var visibility = "automatic"
    var style = "automatic"
    var compact: String?
    var widths: [Identifier: Double] = [:]
    var sortBy = "position"
    var isDescending = false
    var expanded: Set<Identifier> = []
    /// All places but the current one, which stands between them.
    var earlier: [Place] = []
    var later: [Place] = []

    init(_ id: Identifier) { self.id = id }

    /// The public state, but for its revision.
    var tree: Tree {
        .object([
            "session": .text(id), "catalog": Tree(catalog), "category": Tree(place.category),
            "items": Tree(place.items),
            "paths": .object(["content": Tree(place.content), "detail": Tree(place.detail)]),
            "visibility": .string(visibility), "style": .string(style),
            "compactColumn": compact.map { .string($0) } ?? .null,
            "widths": .object(widths.mapValues { .number($0) }),
            "query": .object(["text": .string(place.text), "scope": .string(place.scope)]),
            "sort": .object(["by": .string(sortBy), "descending": .bool(isDescending)]),
            "expanded": Tree(expanded.sorted()), "canGoBack": .bool(!earlier.isEmpty),
            "canGoForward": .bool(!later.isEmpty), "revision": .number(Double(revision)),
        ])
    }

    /// What is on top of a collapsed window.
    func top(columns: Int) -> String {
        func hasSomething(_ column: String) -> Bool {
            switch column {
            case "detail": place.items.count == 1 || !place.detail.isEmpty
            case "content": columns == 3 && (place.category != nil || place.isCatalogWide)
            default: true
            }
        }
        if let compact, hasSomething(compact) { return compact }
        return hasSomething("detail") ? "detail" : hasSomething("content") ? "content" : "sidebar"
    }

    // MARK: Events

    /// Applies a well-formed event.
    mutating func apply(_ event: Tree, _ catalog: ModelCatalog) -> Outcome {
        var next = self
        do {
            try next.perform(event, catalog)
        } catch {
            return .refused(error.code)
        }
        let type = event["type"].string ?? ""
        let isElsewhere = next.place.isElsewhere(than: place)
        if isElsewhere || type == "select" || type == "open" { next.compact = nil }
        switch type {
        case "historyBack", "historyForward", "reset": break
        default:
            if isElsewhere || (type == "open" && next.place != place) {
                next.earlier.append(place)
                next.later = []
                if next.earlier.count > 99 { next.earlier.removeFirst() }
            } else if next.place != place {
                next.mergeNeighbours()
            }
        }
        let isRequest = ["setVisibility", "setStyle", "showColumn"].contains(type)
        let isDifferent = next.tree != tree || next.earlier != earlier || next.later != later
        if isDifferent { self = next }
        return isDifferent || isRequest ? .changed : .unchanged
    }

    private mutating func mergeNeighbours() {
        while earlier.last == place { earlier.removeLast() }
        while later.first == place { later.removeFirst() }
    }

    private mutating func perform(_ event: Tree, _ catalog: ModelCatalog) throws(Refusal) {
        let column = event["column"].string ?? ""
        if catalog.columns == 2, column == "content" { throw Refusal(code: 1004) }
        switch event["type"].string ?? "" {
        case "select": try select(event, column, catalog)
        case "open": try open(event, catalog)
        case "push":
            guard let id = event["id"].id else { throw Refusal(code: -32602) }
            try setPath(path(column) + [id], column, catalog)
        case "setPath": try setPath(event["path"].elements.compactMap(\.id), column, catalog)
        case "pop": try setPath(path(column).dropLast(event["count"].int ?? 1), column, catalog)
        case "popToRoot": try setPath([], column, catalog)
        case "back": try goBack(isCollapsed: event["collapsed"].bool ?? false, catalog)
        case "historyBack":
            guard let target = earlier.popLast() else { return }
            later.insert(place, at: 0)
            place = target
        case "historyForward":
            guard !later.isEmpty else { return }
            earlier.append(place)
            place = later.removeFirst()
        case "setVisibility": visibility = event["visibility"].string ?? ""
        case "setStyle": style = event["style"].string ?? ""
        case "showColumn":
            if event["collapsed"].bool ?? false { compact = column } else { show(column) }
        case "setWidth": widths[Identifier(column)] = event["width"].double
        case "search":
            (place.text, place.scope) = (event["text"].string ?? "", event["scope"].string ?? "category")
            if place.isSearching { compact = nil }
        case "sort":
            (sortBy, isDescending) = (event["by"].string ?? "", event["descending"].bool ?? false)
        case "expand", "collapse":
            guard let id = event["id"].id, catalog.categories[id] != nil else { throw Refusal(code: 1001) }
            if event["type"].string == "expand" { expanded.insert(id) } else { expanded.remove(id) }
        case "reset":
            var empty = ModelSession(id)
            (empty.catalog, empty.revision) = (self.catalog, revision)
            self = empty
        default: throw Refusal(code: -32602)
        }
    }

    private mutating func show(_ column: String) {
        switch column {
        case "sidebar": visibility = "all"
        case "content": if visibility == "detailOnly" { visibility = "doubleColumn" }
        default: if style == "prominentDetail" { visibility = "detailOnly" }
        }
    }

    private mutating func select(_ event: Tree, _ column: String, _ catalog: ModelCatalog) throws(Refusal) {
        guard column != "detail" else { throw Refusal(code: 1004) }
        var ids: [Identifier] = []
        for id in event["id"].id.map({ [$0] }) ?? event["ids"].elements.compactMap(\.id)
        where !ids.contains(id) { ids.append(id) }
        guard column == "sidebar", catalog.columns == 3 else { return try selectItems(ids, catalog) }
        guard ids.count < 2 else { throw Refusal(code: 1004) }
        guard let id = ids.first else { return leaveCategory() }
        guard catalog.categories[id] != nil else { throw Refusal(code: 1001) }
        if id != place.category || !place.content.isEmpty {
            place = Place(category: id)
        } else if place.isCatalogWide {
            (place.text, place.scope) = ("", "category")
        }
    }

    private mutating func leaveCategory() {
        if place.category != nil {
            place = Place()
        } else if place.isCatalogWide {
            (place.text, place.scope) = ("", "category")
        }
    }

    private mutating func selectItems(_ ids: [Identifier], _ catalog: ModelCatalog) throws(Refusal) {
        guard Set(ids) != Set(place.items) else { return }
        guard ids.allSatisfy({ catalog.items[$0] != nil }) else { throw Refusal(code: 1001) }
        if catalog.columns == 3, let first = ids.first, let home = catalog.items[first]?.categories {
            if place.isCatalogWide, !home.contains(where: { $0 == place.shown }) {
                (place.category, place.content) = (home.first, [])
            }
            guard let list = place.shown,
                ids.allSatisfy({ catalog.items[$0]?.categories.contains(list) ?? false })
            else { throw Refusal(code: 1004) }
        }
        (place.items, place.detail) = (ids, [])
    }

    private mutating func open(_ event: Tree, _ catalog: ModelCatalog) throws(Refusal) {
        let path = event["path"].elements.compactMap(\.id)
        var next = Place(category: event["category"].id, detail: path)
        if catalog.columns == 2, next.category != nil { throw Refusal(code: 1004) }
        (next.text, next.scope) = (
            event["query"]["text"].string ?? "", event["query"]["scope"].string ?? "category"
        )
        let item = event["item"].id
        guard next.category.map({ catalog.categories[$0] != nil }) ?? true,
            item.map({ catalog.items[$0] != nil }) ?? true
        else { throw Refusal(code: 1001) }
        if let item, let home = catalog.items[item]?.categories {
            next.items = [item]
            if catalog.columns == 3 {
                next.category = next.category ?? home.first
                guard let category = next.category, home.contains(category) else {
                    throw Refusal(code: 1004)
                }
            }
        }
        guard path.allSatisfy({ catalog.items[$0] != nil }) else { throw Refusal(code: 1001) }
        place = next
    }

    private func path(_ column: String) -> [Identifier] {
        switch column {
        case "content": place.content
        case "detail": place.detail
        default: []
        }
    }

    private mutating func setPath(
        _ path: [Identifier], _ column: String, _ catalog: ModelCatalog
    ) throws(Refusal) {
        guard column != "sidebar" else { throw Refusal(code: 1004) }
        let isContent = column == "content"
        guard path.allSatisfy({ isContent ? catalog.categories[$0] != nil : catalog.items[$0] != nil }) else {
            throw Refusal(code: 1001)
        }
        guard path.count <= 64, !isContent || path.isEmpty || place.category != nil else {
            throw Refusal(code: 1004)
        }
        guard path != self.path(column) else { return }
        if isContent {
            place = Place(category: place.category, content: path)
        } else {
            place.detail = path
        }
    }

    private mutating func goBack(isCollapsed: Bool, _ catalog: ModelCatalog) throws(Refusal) {
        let column =
            isCollapsed ? top(columns: catalog.columns) : place.detail.isEmpty ? "content" : "detail"
        if !path(column).isEmpty {
            try setPath(path(column).dropLast(), column, catalog)
        } else if isCollapsed, column == "detail" {
            place.items = []
        } else if isCollapsed, column == "content" {
            leaveCategory()
            compact = nil
        }
    }

    // MARK: Changes of the catalog

    /// Takes out what the catalog has lost; `catalog` is as it is now.
    ///
    /// Returns whether what everybody sees is different.
    mutating func prune(_ lost: ModelCatalog.Deleted, _ catalog: ModelCatalog) -> Bool {
        let old = tree
        func isListed(_ item: Identifier, _ place: Place) -> Bool {
            guard !lost.items.contains(item), let home = catalog.items[item]?.categories else { return false }
            return catalog.columns == 2 || home.contains { $0 == place.shown }
        }
        func isWhole(_ place: Place) -> Bool {
            place.category.map { !lost.categories.contains($0) } ?? true
                && lost.categories.isDisjoint(with: place.content)
                && lost.items.isDisjoint(with: place.detail)
                && place.items.allSatisfy { isListed($0, place) }
        }
        if let category = place.category, lost.categories.contains(category) {
            place = Place()
        } else if let cut = place.content.firstIndex(where: lost.categories.contains) {
            place = Place(category: place.category, content: Array(place.content[..<cut]))
        } else {
            let kept = place.items.filter { isListed($0, place) }
            if kept.isEmpty, !place.items.isEmpty { place.detail = [] }
            place.items = kept
            place.detail = Array(place.detail.prefix { !lost.items.contains($0) })
        }
        expanded.subtract(lost.categories)
        earlier = Self.merged(earlier.filter(isWhole))
        later = Self.merged(later.filter(isWhole))
        mergeNeighbours()
        return tree != old
    }

    private static func merged(_ places: [Place]) -> [Place] {
        places.reduce(into: []) { all, place in if all.last != place { all.append(place) } }
    }
}
