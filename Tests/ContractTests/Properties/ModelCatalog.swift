import Shared

/// A catalog as simple as can be, with everything that lists, searches and views need of it.
struct ModelCatalog {
    struct Category {
        var title: String
        var section: String?
        var parent: Identifier?
        var items: [Identifier] = []
    }

    struct Item {
        var title: String
        var subtitle: String?
        var date: (text: String, seconds: Int)?
        var categories: [Identifier]
        var text: String
        var links: [(title: String, item: Identifier)]
    }

    enum Spot: Equatable { case first, last, before(Identifier), after(Identifier) }

    enum Change {
        case putCatalog(title: String)
        case putCategory(Identifier, Category, Spot?)
        case putItem(Identifier, Item, Spot?)
        case moveCategory(Identifier, Spot)
        case moveItem(Identifier, from: Identifier, to: Identifier, Spot?)
        case deleteCategory(Identifier)
        case deleteItem(Identifier)
    }

    /// What a set of changes has deleted, whether it came back or not.
    struct Deleted {
        var categories: Set<Identifier> = []
        var items: Set<Identifier> = []

        mutating func formUnion(_ other: Deleted) {
            categories.formUnion(other.categories)
            items.formUnion(other.items)
        }
    }

    struct Refusal: Error { let code: Int }

    static let searchTitle = "Found"
    static let sidebarTitle = "Library"

    let id: Identifier
    let columns: Int
    let isDrillDown: Bool
    var title = "Catalog"
    var order: [Identifier] = []
    var categories: [Identifier: Category] = [:]
    var items: [Identifier: Item] = [:]
    private var deleted = Deleted()
    /// How often each thing was put somewhere in its list.
    private var placings: [Identifier: Int] = [:]

    init(id: Identifier, columns: Int, isDrillDown: Bool) {
        (self.id, self.columns, self.isDrillDown) = (id, columns, isDrillDown)
    }

    /// All changes, or none.
    mutating func apply(_ changes: [Change]) throws(Refusal) -> Deleted {
        var next = self
        next.deleted = Deleted()
        for change in changes { try next.apply(change) }
        self = next
        return deleted
    }

    private mutating func apply(_ change: Change) throws(Refusal) {
        switch change {
        case .putCatalog(let title): self.title = title
        case .putCategory(let id, let category, let spot):
            var above = category.parent
            while let one = above {
                if one == id { throw Refusal(code: 1004) }
                guard let next = categories[one] else { throw Refusal(code: 1001) }
                above = next.parent
            }
            if categories[id] == nil {
                if spot == .before(id) || spot == .after(id) { throw Refusal(code: 1001) }
                order.append(id)
            }
            let items = categories[id]?.items ?? []
            categories[id] = category
            categories[id]?.items = items
            if let spot {
                placings[id, default: 0] += 1
                order = try Self.placed(id, in: order, spot)
            }
        case .moveCategory(let id, let spot):
            guard categories[id] != nil else { throw Refusal(code: 1001) }
            placings[id, default: 0] += 1
            order = try Self.placed(id, in: order, spot)
        case .putItem(let id, let item, let spot):
            guard item.categories.allSatisfy({ categories[$0] != nil }) else { throw Refusal(code: 1001) }
            let isThere = items[id]?.categories.contains(item.categories[0]) ?? false
            if !isThere, spot == .before(id) || spot == .after(id) { throw Refusal(code: 1001) }
            list(id, in: item.categories)
            items[id] = item
            try place(id, in: item.categories[0], spot)
        case .moveItem(let id, let from, let to, let spot):
            guard let item = items[id], categories[from] != nil, categories[to] != nil,
                item.categories.contains(from)
            else { throw Refusal(code: 1001) }
            var all: [Identifier] = []
            for category in item.categories where category == from || category != to {
                all.append(category == from ? to : category)
            }
            let isThere = item.categories.contains(to)
            if !isThere, spot == .before(id) || spot == .after(id) { throw Refusal(code: 1001) }
            list(id, in: all)
            items[id]?.categories = all
            placings[id, default: 0] += 1
            try place(id, in: to, spot)
        case .deleteCategory(let id):
            guard categories[id] != nil else { throw Refusal(code: 1001) }
            delete(id)
        case .deleteItem(let id):
            guard let item = items.removeValue(forKey: id) else { throw Refusal(code: 1001) }
            for category in item.categories { categories[category]?.items.removeAll { $0 == id } }
            deleted.items.insert(id)
        }
    }

    private mutating func list(_ id: Identifier, in all: [Identifier]) {
        let old = items[id]?.categories ?? []
        for category in old where !all.contains(category) {
            categories[category]?.items.removeAll { $0 == id }
        }
        for category in all where !old.contains(category) { categories[category]?.items.append(id) }
    }

    private mutating func place(_ id: Identifier, in category: Identifier, _ spot: Spot?) throws(Refusal) {
        guard let spot, let list = categories[category]?.items else { return }
        placings[id, default: 0] += 1
        categories[category]?.items = try Self.placed(id, in: list, spot)
    }

    private static func placed(
        _ id: Identifier, in list: [Identifier], _ spot: Spot
    ) throws(Refusal) -> [Identifier] {
        var list = list
        switch spot {
        case .first, .last: break
        case .before(let other), .after(let other):
            guard list.contains(other) else { throw Refusal(code: 1001) }
            if other == id { return list }
        }
        list.removeAll { $0 == id }
        switch spot {
        case .first: list.insert(id, at: 0)
        case .last: list.append(id)
        case .before(let other): list.insert(id, at: list.firstIndex(of: other) ?? 0)
        case .after(let other): list.insert(id, at: (list.firstIndex(of: other) ?? 0) + 1)
        }
        return list
    }

    private mutating func delete(_ id: Identifier) {
        for child in order where categories[child]?.parent == id { delete(child) }
        for item in categories[id]?.items ?? [] {
            items[item]?.categories.removeAll { $0 == id }
            if items[item]?.categories.isEmpty ?? false {
                items[item] = nil
                deleted.items.insert(item)
            }
        }
        categories[id] = nil
        order.removeAll { $0 == id }
        deleted.categories.insert(id)
    }
}

// MARK: What is read

extension ModelCatalog {
    /// A row of a list; `category` in a grouped one.
    struct Row: Hashable {
        let id: Identifier
        var category: Identifier?
    }

    /// How often a row was put somewhere, itself or with its category.
    func placings(of row: Row) -> [Int] {
        [row.id, row.category].map { id in id.flatMap { placings[$0] } ?? 0 }
    }

    func children(of id: Identifier) -> [Identifier] { order.filter { categories[$0]?.parent == id } }

    /// The whole list, in its order.
    func list(
        category: Identifier?, isGrouped: Bool = false, query: String = "", by: String = "position",
        isDescending: Bool = false
    ) -> [Row] {
        if isGrouped {
            return order.flatMap { one in
                list(category: one, query: query, by: by, isDescending: isDescending).map {
                    Row(id: $0.id, category: one)
                }
            }
        }
        let all = category.map { categories[$0]?.items ?? [] } ?? items.keys.sorted()
        let matching = all.filter { matches($0, query) }
        if by == "position", category != nil {
            return (isDescending ? matching.reversed() : matching).map { Row(id: $0) }
        }
        return matching.sorted { comesBefore($0, $1, by, isDescending) }.map { Row(id: $0) }
    }

    private func comesBefore(_ a: Identifier, _ b: Identifier, _ by: String, _ isDescending: Bool) -> Bool {
        guard let x = items[a], let y = items[b] else { return false }
        if by == "date" {
            switch (x.date?.seconds, y.date?.seconds) {
            case (let one?, let other?) where one != other: return isDescending ? one > other : one < other
            case (.some, nil): return true
            case (nil, .some): return false
            default: return a < b
            }
        }
        let one = Array(x.title.lowercased().unicodeScalars.map(\.value))
        let other = Array(y.title.lowercased().unicodeScalars.map(\.value))
        if one == other { return a < b }
        return one.lexicographicallyPrecedes(other) != isDescending
    }

    private func matches(_ id: Identifier, _ query: String) -> Bool {
        let wanted = Self.words(query)
        guard let last = wanted.last, let item = items[id] else { return true }
        let texts = [item.title, item.subtitle ?? "", item.text] + item.links.map(\.title)
        let words = texts.flatMap(Self.words)
        return wanted.dropLast().allSatisfy(words.contains) && words.contains { $0.hasPrefix(last) }
    }

    /// The words of an ASCII text.
    static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}

// MARK: On the wire

extension ModelCatalog.Change {
    func tree(of catalog: ModelCatalog) -> Tree {
        var members: [Identifier: Tree] = [:]
        func at(_ spot: ModelCatalog.Spot?) {
            switch spot {
            case nil: break
            case .first: members["at"] = .string("first")
            case .last: members["at"] = .string("last")
            case .before(let id): members["at"] = .object(["before": .text(id)])
            case .after(let id): members["at"] = .object(["after": .text(id)])
            }
        }
        switch self {
        case .putCatalog(let title):
            members = [
                "op": .string("putCatalog"), "title": .string(title),
                "columns": .number(Double(catalog.columns)),
                "nesting": .string(catalog.isDrillDown ? "drillDown" : "outline"),
                "strings": .object([
                    "searchTitle": .string(ModelCatalog.searchTitle),
                    "sidebarTitle": .string(ModelCatalog.sidebarTitle),
                ]),
            ]
        case .putCategory(let id, let category, let spot):
            members = [
                "op": .string("putCategory"),
                "category": .object([
                    "id": .text(id), "title": .string(category.title), "parent": Tree(category.parent),
                    "section": category.section.map { .string($0) } ?? .null,
                ]),
            ]
            at(spot)
        case .putItem(let id, let item, let spot):
            members = ["op": .string("putItem"), "item": item.tree(id)]
            at(spot)
        case .moveCategory(let id, let spot):
            members = ["op": .string("moveCategory"), "id": .text(id)]
            at(spot)
        case .moveItem(let id, let from, let to, let spot):
            members = ["op": .string("moveItem"), "id": .text(id), "from": .text(from), "to": .text(to)]
            at(spot)
        case .deleteCategory(let id): members = ["op": .string("deleteCategory"), "id": .text(id)]
        case .deleteItem(let id): members = ["op": .string("deleteItem"), "id": .text(id)]
        }
        return .object(members)
    }
}

extension ModelCatalog.Item {
    /// The members of a row of a list.
    func row(_ id: Identifier) -> [Identifier: Tree] {
        [
            "id": .text(id), "title": .string(title), "subtitle": subtitle.map { .string($0) } ?? .null,
            "icon": .null, "badge": .null, "date": date.map { .string($0.text) } ?? .null,
        ]
    }

    func tree(_ id: Identifier) -> Tree {
        var members = row(id)
        members["categories"] = Tree(categories)
        var blocks: [Tree] = [.object(["kind": .string("text"), "text": .string(text)])]
        if !links.isEmpty {
            let links = links.map { Tree.object(["title": .string($0.title), "item": .text($0.item)]) }
            blocks.append(.object(["kind": .string("links"), "links": .array(links)]))
        }
        members["blocks"] = .array(blocks)
        return .object(members)
    }
}
