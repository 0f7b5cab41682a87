import JSON
import TestSupport
import Testing

@testable import CatalogService

/// Random change sets do to the service what they do to the model.
@Suite struct ModelTests {
    private var random = SeededGenerator(seed: 0)
    private let seed: UInt64

    init() {
        seed = SeededGenerator.newSeed()
        random = SeededGenerator(seed: seed)
    }

    @Test mutating func theServiceIsAsTheModel() throws {
        let serving = try Serving()
        defer { serving.finish() }
        var model = CatalogModel()
        try serving.apply(made)
        for round in 0..<300 {
            let changes = (0...Int.random(in: 0...4, using: &random)).map { _ in change(model) }
            let json = changes.map(\.json).joined(separator: ",")
            do {
                try model.apply(changes)
                #expect(try serving.apply(json) == model.revision, "seed \(seed), round \(round): \(json)")
            } catch let refusal as CatalogModel.Refusal {
                let code = try serving.refusal(of: json).prefix { $0 != " " }
                #expect(code == "\(refusal.code)", "seed \(seed), round \(round): \(json)")
            }
            let found = try state(serving, serving.client)
            try #require(found == model, "seed \(seed), round \(round): \(json)")
        }
        #expect(model.revision > 50, "too little was accepted to say much, seed \(seed)")
        #expect(try state(serving, serving.restart()) == model, "seed \(seed)")
    }

    // MARK: Random changes

    private mutating func new(_ count: Int, _ letter: String) -> String {
        "\(letter)\(Int.random(in: 0..<count, using: &random))"
    }

    /// Mostly one that exists.
    private mutating func category(_ model: CatalogModel) -> String {
        let known =
            Int.random(in: 0..<30, using: &random) > 0 ? model.order.randomElement(using: &random) : nil
        return known ?? new(6, "c")
    }

    /// Mostly one that exists.
    private mutating func item(_ model: CatalogModel, in category: String? = nil) -> String {
        let all = category.map { model.categories[$0]?.items ?? [] } ?? model.items.keys.sorted()
        let known = Int.random(in: 0..<30, using: &random) > 0 ? all.randomElement(using: &random) : nil
        return known ?? new(12, "i")
    }

    private mutating func spot(_ row: (inout Self) -> String) -> CatalogModel.Spot? {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .first
        case 1: .last
        case 2: .before(row(&self))
        case 3: .after(row(&self))
        default: nil
        }
    }

    private mutating func change(_ model: CatalogModel) -> CatalogModel.Change {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5:
            let parent = Int.random(in: 0..<3, using: &random) == 0 ? category(model) : nil
            return .putCategory(new(6, "c"), title: new(9, "t"), parent: parent, spot { $0.category(model) })
        case 5..<13:
            let all = (0..<Int.random(in: 1...3, using: &random)).map { _ in category(model) }
            let unique = all.enumerated().filter { all.firstIndex(of: $0.element) == $0.offset }.map(
                \.element)
            return .putItem(
                new(12, "i"), title: new(9, "t"), unique, spot { $0.item(model, in: unique[0]) })
        case 13..<15: return .moveCategory(category(model), spot { $0.category(model) } ?? .last)
        case 15..<18:
            let (from, to) = (category(model), category(model))
            return .moveItem(item(model, in: from), from: from, to: to, spot { $0.item(model, in: to) })
        case 18: return .deleteItem(item(model))
        default:
            return Bool.random(using: &random) ? .deleteCategory(category(model)) : .deleteItem(item(model))
        }
    }

    // MARK: The service's state

    private func state(_ serving: Serving, _ client: TestClient) throws -> CatalogModel {
        var model = CatalogModel()
        let catalog = try #require(client.call("catalog.describe", #"{"catalog":"k"}"#)["catalog"])
        model.revision = catalog["revision"]?.int ?? -1
        let categories = try client.call("catalog.categories", #"{"catalog":"k"}"#)["categories"]
        for row in try #require(categories).elements {
            let id = row["id"]?.string ?? ""
            let page = try client.call("catalog.items", #"{"catalog":"k","category":"\#(id)"}"#)
            let items = try serving.rowIds(page)
            #expect(row["itemCount"]?.int == items.count, "seed \(seed)")
            #expect(page["total"]?.int == items.count, "seed \(seed)")
            model.order.append(id)
            model.categories[id] = CatalogModel.Category(
                title: row["title"]?.string ?? "", parent: row["parent"]?.string, items: items, created: -1)
        }
        let rows = try #require(client.call("catalog.items", #"{"catalog":"k"}"#)["items"])
        for row in rows.elements {
            model.items[row["id"]?.string ?? ""] = CatalogModel.Item(
                title: row["title"]?.string ?? "", categories: [], created: -1)
        }
        let sorted = rows.elements.map { ($0["title"]?.string ?? "", $0["id"]?.string ?? "") }
        #expect(sorted.map(\.1) == sorted.sorted { $0 < $1 }.map(\.1), "seed \(seed)")
        try locate(&model, client)
        #expect(catalog["categoryCount"]?.int == model.order.count, "seed \(seed)")
        #expect(catalog["itemCount"]?.int == model.items.count, "seed \(seed)")
        let grouped = try serving.rowIds(client.call("catalog.items", #"{"catalog":"k","grouped":true}"#))
        #expect(
            grouped == model.order.flatMap { id in model.categories[id]?.items.map { "\(id)/\($0)" } ?? [] },
            "seed \(seed)")
        return model
    }

    private func locate(_ model: inout CatalogModel, _ client: TestClient) throws {
        func list(_ ids: some Sequence<String>) -> String {
            ids.map { #""\#($0)""# }.joined(separator: ",")
        }
        let located = try client.call(
            "catalog.locate",
            #"{"catalog":"k","categories":[\#(list(model.order))],"items":[\#(list(model.items.keys))]}"#)
        for member in try #require(located["categories"]).members {
            model.categories[member.name]?.created = member.value["created"]?.int ?? -1
            #expect(member.value["parent"]?.string == model.categories[member.name]?.parent, "seed \(seed)")
        }
        for member in try #require(located["items"]).members {
            let categories = member.value["categories"]?.elements.compactMap(\.string)
            model.items[member.name]?.categories = categories ?? []
            model.items[member.name]?.created = member.value["created"]?.int ?? -1
        }
    }
}
