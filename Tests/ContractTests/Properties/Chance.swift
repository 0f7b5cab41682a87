import Shared
import TestSupport

/// What a seed makes happen: random ids, texts, changes, events and windows.
struct Chance {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    mutating func isOne(in count: Int) -> Bool { number(1...count) == 1 }

    mutating func one<Element>(of all: [Element]) -> Element { all[number(0...all.count - 1)] }

    mutating func maybe<Element>(_ all: [Element]) -> Element? { all.isEmpty ? nil : one(of: all) }

    mutating func some<Element>(_ range: ClosedRange<Int>, of all: [Element]) -> [Element] {
        Array(all.shuffled(using: &random).prefix(number(range)))
    }

    // MARK: Catalogs

    /// Ids of which few are there at a time, so that they come back; two look alike, some need escapes.
    static let categories: [Identifier] = ["A", "B", "C", "D", "E", "a/b~0", "\u{E9}", "e\u{301}", "q\"\\"]
    static let items: [Identifier] =
        (1...16).map { Identifier("i\($0)") } + ["i/~1", "\u{E9}", "e\u{301}", "\u{1F600}\u{2028}", "A"]
    private static let words = ["Apple", "apple", "bread", "Cake", "bre", "egg", "10", "2"]

    mutating func text(_ range: ClosedRange<Int> = 1...3) -> String {
        let count = number(range)
        return (0..<count).map { _ in one(of: Self.words) }.joined(separator: one(of: [" ", ", ", "-"]))
    }

    mutating func query() -> String {
        isOne(in: 8)
            ? one(of: ["  ", "-,", "AND", "*", "app*", "\"egg", "zzz"])
            : one(of: [text(1...2), "a", "br", "e", "1", "apple b", "Bread"])
    }

    mutating func category(in catalog: ModelCatalog) -> Identifier {
        isOne(in: 12) ? one(of: Self.categories) : maybe(catalog.order) ?? one(of: Self.categories)
    }

    mutating func item(in catalog: ModelCatalog) -> Identifier {
        isOne(in: 12) ? one(of: Self.items) : maybe(catalog.items.keys.sorted()) ?? one(of: Self.items)
    }

    private mutating func spot(_ ids: [Identifier]) -> ModelCatalog.Spot? {
        switch number(0...5) {
        case 0: .first
        case 1: .last
        case 2: maybe(ids).map { .before($0) }
        case 3: maybe(ids).map { .after($0) }
        default: nil
        }
    }

    mutating func newCategory(in catalog: ModelCatalog) -> ModelCatalog.Change {
        let parent = isOne(in: 3) ? maybe(catalog.order) : nil
        let section = isOne(in: 3) ? one(of: ["One", "Two"]) : nil
        return .putCategory(
            one(of: Self.categories), .init(title: text(), section: section, parent: parent),
            spot(catalog.order))
    }

    mutating func newItem(in catalog: ModelCatalog) -> ModelCatalog.Change {
        var categories = some(1...3, of: catalog.order)
        if categories.isEmpty || isOne(in: 40) { categories.append(one(of: Self.categories)) }
        categories = categories.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        var item = ModelCatalog.Item(title: text(), categories: categories, text: text(0...4), links: [])
        if isOne(in: 2) { item.subtitle = text(1...2) }
        if isOne(in: 2) {
            let (hour, offset) = (number(0...3), number(-2...2))
            let sign = offset < 0 ? "-" : "+"
            item.date = ("2026-01-02T0\(hour + 3):00:00\(sign)0\(abs(offset)):00", (hour - offset) * 3_600)
        }
        if isOne(in: 2) {
            let count = number(1...2)
            item.links = (0..<count).map { _ in (title: text(1...1), item: one(of: Self.items)) }
        }
        return .putItem(one(of: Self.items), item, spot(catalog.categories[categories[0]]?.items ?? []))
    }

    mutating func change(in catalog: ModelCatalog) -> ModelCatalog.Change {
        switch number(0...15) {
        case 0: return .putCatalog(title: text())
        case 1...3: return newCategory(in: catalog)
        case 4...7: return newItem(in: catalog)
        case 8: return .moveCategory(category(in: catalog), spot(catalog.order) ?? .first)
        case 9...11:
            let item = item(in: catalog)
            let from = maybe(catalog.items[item]?.categories ?? []) ?? category(in: catalog)
            let to = category(in: catalog)
            return .moveItem(item, from: from, to: to, spot(catalog.categories[to]?.items ?? []))
        case 12: return .deleteCategory(category(in: catalog))
        default: return .deleteItem(item(in: catalog))
        }
    }

    // MARK: Events

    /// An event of a session of the catalog, mostly one that is possible.
    mutating func event(_ session: ModelSession, _ catalog: ModelCatalog) -> Tree {
        switch number(0...24) {
        case 0...3: return event("select", ["column": .string("sidebar")], choice(session, catalog, 2))
        case 4...8: return event("select", ["column": .string("content")], choice(session, catalog, 3))
        case 9: return open(session, catalog)
        case 10...12:
            let isDetail = !isOne(in: 3)
            let id = isDetail ? item(in: catalog) : category(in: catalog)
            return event(
                "push", ["column": .string(isDetail ? "detail" : "content"), "id": .text(id)])
        case 13: return path(catalog)
        case 14, 15: return event("back", isOne(in: 2) ? ["collapsed": .bool(isOne(in: 2))] : [:])
        case 16, 17: return event("historyBack")
        case 18: return event("historyForward")
        case 19: return presentation()
        case 20, 21:
            var members: [Identifier: Tree] = ["text": .string(isOne(in: 3) ? "" : query())]
            if !isOne(in: 3) { members["scope"] = .string(one(of: ["category", "catalog", "catalog"])) }
            return event("search", members)
        case 22:
            let by = one(of: ["position", "title", "date"])
            return event("sort", ["by": .string(by), "descending": .bool(isOne(in: 2))])
        case 23:
            return event(one(of: ["expand", "expand", "collapse"]), ["id": .text(category(in: catalog))])
        default: return isOne(in: 4) ? event("reset") : presentation()
        }
    }

    private func event(_ type: String, _ members: [Identifier: Tree] = [:], _ more: [Identifier: Tree] = [:])
        -> Tree
    {
        .object(members.merging(more) { $1 }.merging(["type": .string(type)]) { $1 })
    }

    private mutating func choice(
        _ session: ModelSession, _ catalog: ModelCatalog, _ most: Int
    ) -> [Identifier: Tree] {
        if isOne(in: 12) { return isOne(in: 2) ? ["id": .null] : ["ids": .array([])] }
        if most == 2, catalog.columns == 3 { return ["id": .text(category(in: catalog))] }
        let listed = session.place.shown.flatMap { catalog.categories[$0]?.items } ?? []
        if catalog.columns == 3, !listed.isEmpty, !isOne(in: 6) {
            return isOne(in: 4)
                ? ["ids": Tree(some(1...3, of: listed))] : ["id": .text(one(of: listed))]
        }
        if isOne(in: 4) { return ["ids": Tree([item(in: catalog), item(in: catalog)])] }
        return ["id": .text(item(in: catalog))]
    }

    private mutating func open(_ session: ModelSession, _ catalog: ModelCatalog) -> Tree {
        var members: [Identifier: Tree] = [:]
        if isOne(in: 2) { members["category"] = .text(category(in: catalog)) }
        if !isOne(in: 3) { members["item"] = .text(item(in: catalog)) }
        if let category = members["category"]?.id,
            let listed = maybe(catalog.categories[category]?.items ?? [])
        {
            members["item"] = .text(listed)
        }
        if isOne(in: 3) { members["path"] = Tree([item(in: catalog)]) }
        if isOne(in: 3) {
            members["query"] = .object(["text": .string(query()), "scope": .string("catalog")])
        }
        return event("open", members)
    }

    private mutating func path(_ catalog: ModelCatalog) -> Tree {
        let column = one(of: ["content", "detail", "detail"])
        switch number(0...3) {
        case 0: return event("popToRoot", ["column": .string(column)])
        case 1, 2:
            let count: [Identifier: Tree] = isOne(in: 2) ? [:] : ["count": .number(Double(number(1...4)))]
            return event("pop", ["column": .string(column)], count)
        default:
            let ids = some(0...3, of: column == "content" ? catalog.order : catalog.items.keys.sorted())
            return event("setPath", ["column": .string(column), "path": Tree(ids)])
        }
    }

    private mutating func presentation() -> Tree {
        let column = one(of: ["sidebar", "content", "detail"])
        switch number(0...3) {
        case 0:
            let visibility = one(of: ["automatic", "all", "doubleColumn", "detailOnly"])
            return event("setVisibility", ["visibility": .string(visibility)])
        case 1:
            return event(
                "setStyle", ["style": .string(one(of: ["automatic", "balanced", "prominentDetail"]))])
        case 2:
            return event("showColumn", ["column": .string(column), "collapsed": .bool(isOne(in: 2))])
        default:
            let width: Tree = isOne(in: 3) ? .null : .number(Double(number(1...2_000)) / 2 + 0.5)
            return event("setWidth", ["column": .string(column), "width": width])
        }
    }

    /// An event that is wrong by its shape alone.
    mutating func malformed() -> Tree {
        one(of: [
            event("jump"), .object([:]), .array([]), .null, event("select", ["column": .string("top")]),
            event("select", ["column": .string("content"), "id": .string("i1"), "ids": .array([])]),
            event("push", ["column": .string("detail")]),
            event("push", ["column": .string("detail"), "id": .string("")]),
            event("pop", ["column": .string("detail"), "count": .number(0)]),
            event("setWidth", ["column": .string("detail"), "width": .number(0.5)]),
            event("sort", ["by": .string("size"), "descending": .bool(true)]), event("reset", ["x": .null]),
            event("search", ["text": .number(1)]), event("setVisibility", ["visibility": .string("none")]),
        ])
    }

    mutating func window() -> ViewWindow {
        var window = ViewWindow()
        window.width = one(of: [
            1, 320, 599.5, 600, 700.25, 820, 953.9, 1_024, 1_400, 100_000, Double(number(1...1_500)),
        ])
        window.scale = one(of: [1, 2, 2, 3, 1.5])
        if isOne(in: 5) { window.sizeClass = one(of: ["compact", "regular"]) }
        if isOne(in: 3) { window.limit = number(1...6) }
        return window
    }
}
