/// A catalog as simple as can be: what the service is compared with.
struct CatalogModel: Equatable {
    struct Category: Equatable {
        var title: String
        var parent: String?
        var items: [String] = []
        var created: Int
    }

    struct Item: Equatable {
        var title: String
        var categories: [String]
        var created: Int
    }

    enum Spot: Equatable { case first, last, before(String), after(String) }

    enum Change {
        case putCategory(String, title: String, parent: String?, Spot?)
        case putItem(String, title: String, [String], Spot?)
        case moveCategory(String, Spot)
        case moveItem(String, from: String, to: String, Spot?)
        case deleteCategory(String)
        case deleteItem(String)
    }

    struct Refusal: Error { let code: Int }

    var revision = 1
    var order: [String] = []
    var categories: [String: Category] = [:]
    var items: [String: Item] = [:]

    mutating func apply(_ changes: [Change]) throws(Refusal) {
        var copy = self
        copy.revision += 1
        for change in changes { try copy.apply(change) }
        self = copy
    }

    private mutating func apply(_ change: Change) throws(Refusal) {
        switch change {
        case .putCategory(let id, let title, let parent, let spot):
            if parent == id { throw Refusal(code: 1004) }
            if let parent, categories[parent] == nil { throw Refusal(code: 1001) }
            var above = parent
            while let one = above {
                if one == id { throw Refusal(code: 1004) }
                above = categories[one]?.parent
            }
            let isNew = categories[id] == nil
            if let spot { try place(id, &order, spot) } else if isNew { order.append(id) }
            categories[id, default: Category(title: "", created: revision)].title = title
            categories[id]?.parent = parent
        case .moveCategory(let id, let spot):
            guard categories[id] != nil else { throw Refusal(code: 1001) }
            try place(id, &order, spot)
        case .putItem(let id, let title, let all, let spot):
            guard all.allSatisfy({ categories[$0] != nil }) else { throw Refusal(code: 1001) }
            if items[id] == nil, spot == .before(id) || spot == .after(id) { throw Refusal(code: 1001) }
            try put(id, into: all)
            items[id]?.title = title
            if let spot {
                try place(id, &categories[all[0], default: Category(title: "", created: 0)].items, spot)
            }
        case .moveItem(let id, let from, let to, let spot):
            guard let item = items[id], categories[from] != nil, categories[to] != nil,
                item.categories.contains(from)
            else { throw Refusal(code: 1001) }
            var all: [String] = []
            for category in item.categories {
                if category == from { all.append(to) } else if category != to { all.append(category) }
            }
            try put(id, into: all)
            if let spot {
                try place(id, &categories[to, default: Category(title: "", created: 0)].items, spot)
            }
        case .deleteCategory(let id):
            guard categories[id] != nil else { throw Refusal(code: 1001) }
            delete(id)
        case .deleteItem(let id):
            guard let item = items.removeValue(forKey: id) else { throw Refusal(code: 1001) }
            for category in item.categories { categories[category]?.items.removeAll { $0 == id } }
        }
    }

    private mutating func put(_ id: String, into all: [String]) throws(Refusal) {
        let old = items[id]?.categories ?? []
        for category in old where !all.contains(category) {
            categories[category]?.items.removeAll { $0 == id }
        }
        for category in all where !old.contains(category) { categories[category]?.items.append(id) }
        items[id, default: Item(title: id, categories: [], created: revision)].categories = all
    }

    private func place(_ id: String, _ list: inout [String], _ spot: Spot) throws(Refusal) {
        switch spot {
        case .before(let other), .after(let other):
            guard list.contains(other) else { throw Refusal(code: 1001) }
            if other == id { return }
        case .first, .last: break
        }
        list.removeAll { $0 == id }
        switch spot {
        case .first: list.insert(id, at: 0)
        case .last: list.append(id)
        case .before(let other): list.insert(id, at: list.firstIndex(of: other) ?? 0)
        case .after(let other): list.insert(id, at: (list.firstIndex(of: other) ?? 0) + 1)
        }
    }

    private mutating func delete(_ id: String) {
        for child in order where categories[child]?.parent == id { delete(child) }
        for item in categories[id]?.items ?? [] {
            items[item]?.categories.removeAll { $0 == id }
            if items[item]?.categories.isEmpty ?? false { items[item] = nil }
        }
        categories[id] = nil
        order.removeAll { $0 == id }
    }
}

extension CatalogModel.Change {
    /// The change as it crosses the wire.
    var json: String {
        switch self {
        case .putCategory(let id, let title, let parent, let spot):
            let parent = parent.map { #","parent":"\#($0)""# } ?? ""
            return
                #"{"op":"putCategory","category":{"id":"\#(id)","title":"\#(title)"\#(parent)}\#(Self.at(spot))}"#
        case .putItem(let id, let title, let all, let spot):
            let all = all.map { #""\#($0)""# }.joined(separator: ",")
            return
                #"{"op":"putItem","item":{"id":"\#(id)","title":"\#(title)","categories":[\#(all)]}\#(Self.at(spot))}"#
        case .moveCategory(let id, let spot): return #"{"op":"moveCategory","id":"\#(id)"\#(Self.at(spot))}"#
        case .moveItem(let id, let from, let to, let spot):
            return #"{"op":"moveItem","id":"\#(id)","from":"\#(from)","to":"\#(to)"\#(Self.at(spot))}"#
        case .deleteCategory(let id): return #"{"op":"deleteCategory","id":"\#(id)"}"#
        case .deleteItem(let id): return #"{"op":"deleteItem","id":"\#(id)"}"#
        }
    }

    private static func at(_ spot: CatalogModel.Spot?) -> String {
        switch spot {
        case nil: ""
        case .first: #","at":"first""#
        case .last: #","at":"last""#
        case .before(let id): #","at":{"before":"\#(id)"}"#
        case .after(let id): #","at":{"after":"\#(id)"}"#
        }
    }
}
