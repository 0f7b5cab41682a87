import JSON
import Shared
import TestSupport

/// A catalog service of plain values, over a real socket: it answers what it has, and tells of each change.
final class MockCatalog {
    /// A thing and since when it is there.
    struct Row {
        var created: Int
        var categories: [String] = []
    }

    private(set) var revision = 1
    private(set) var categories: [String: Row] = [:]
    private(set) var items: [String: Row] = [:]
    private(set) var exists = true
    var columns = 3
    /// Whether answers wait until `release`.
    var isSlow = false
    /// Whether nothing is answered at all.
    var isSilent = false
    /// Ids that were asked for, call by call, and the other methods.
    private(set) var calls: [String] = []
    private(set) var mock: MockService?
    private let harness: Harness
    private var held: [[UInt8]] = []
    private var seq = 0

    init(on harness: Harness) throws {
        self.harness = harness
        for id in ["A", "B"] { categories[id] = Row(created: 1) }
        for id in ["a1", "a2", "a3"] { items[id] = Row(created: 1, categories: ["A"]) }
        for id in ["b1", "b2"] { items[id] = Row(created: 1, categories: ["B"]) }
        try start()
    }

    /// Begins to serve, with what there is.
    func start() throws {
        let mock = try harness.mock("catalog")
        mock.responder = { [weak self] method, params, id in self?.answer(method, params, id) ?? [] }
        self.mock = mock
    }

    /// Goes away.
    func stop() {
        mock?.close()
        mock = nil
        held = []
    }

    /// Gives the answers that wait.
    func release() {
        isSlow = false
        for line in held { mock?.send(String(decoding: line, as: UTF8.self)) }
        held = []
    }

    /// Forgets which calls there were.
    func forgetCalls() { calls = [] }

    // MARK: Changes

    /// Deletes, puts and moves in one change set: `items` are put into the categories.
    func change(
        deleteItems: [String] = [], deleteCategories: [String] = [], put: [String: [String]] = [:],
        putCategories: [String] = [], isAll: Bool = false
    ) {
        revision += 1
        for id in deleteItems { items[id] = nil }
        for id in deleteCategories { categories[id] = nil }
        for id in putCategories where categories[id] == nil { categories[id] = Row(created: revision) }
        for (id, lists) in put { items[id] = Row(created: items[id]?.created ?? revision, categories: lists) }
        tell { json in
            if isAll { return json.member("all", true) }
            write(putCategories, "categories", to: &json)
            write(put.keys.sorted(), "items", to: &json)
            write(deleteCategories, "deletedCategories", to: &json)
            write(deleteItems, "deletedItems", to: &json)
        }
    }

    /// Drops the catalog.
    func drop() {
        revision += 1
        exists = false
        (categories, items) = ([:], [:])
        tell(isDropped: true) { _ in }
    }

    /// Makes it anew, with one list.
    func create() {
        revision += 1
        exists = true
        categories["A"] = Row(created: revision)
        items["a1"] = Row(created: revision, categories: ["A"])
        tell { json in
            write(["A"], "categories", to: &json)
            write(["a1"], "items", to: &json)
        }
    }

    private func tell(isDropped: Bool = false, _ more: (inout JSONWriter) -> Void) {
        seq += 1
        var json = JSONWriter()
        json.object { json in
            json.member("jsonrpc", "2.0")
            json.member("method", "catalog.changed")
            json.object("params") { json in
                json.member("subscription", "s1")
                json.member("seq", seq)
                json.member("catalog", "c")
                json.member("revision", revision)
                more(&json)
                json.member("dropped", isDropped)
            }
        }
        mock?.send(String(decoding: json.bytes, as: UTF8.self))
    }

    // MARK: Answers

    private func answer(_ method: String, _ params: JSONValue?, _ id: ArraySlice<UInt8>) -> [[UInt8]] {
        note(method, params)
        guard !isSilent else { return [] }
        var json = JSONWriter()
        json.object { json in
            json.member("jsonrpc", "2.0")
            json.member("id", raw: id)
            switch method {
            case "catalog.subscribe": writeSubscription(to: &json)
            case "catalog.describe" where exists && params?["catalog"]?.string == "c":
                json.object("result") { json in
                    json.object("catalog") { json in
                        json.member("id", "c")
                        json.member("columns", columns)
                    }
                }
            case "catalog.locate" where exists: writeFacts(params, to: &json)
            default:
                json.key("error")
                RPCError.notFound("catalog", "c", path: "/catalog").write(to: &json, service: "catalog")
            }
        }
        guard isSlow else { return [json.bytes] }
        held.append(json.bytes)
        return []
    }

    private func note(_ method: String, _ params: JSONValue?) {
        guard method == "catalog.locate" else { return calls.append(method) }
        let ids = [params?["categories"], params?["items"]].flatMap {
            $0?.elements.compactMap(\.string) ?? []
        }
        calls.append("locate \(ids.sorted().joined(separator: " "))")
    }

    private func writeSubscription(to json: inout JSONWriter) {
        json.object("result") { json in
            json.member("subscription", "s1")
            json.object("revisions") { json in if exists { json.member("c", revision) } }
        }
    }

    private func writeFacts(_ params: JSONValue?, to json: inout JSONWriter) {
        func write(_ rows: [String: Row], _ ids: JSONValue?, _ isItem: Bool, to json: inout JSONWriter) {
            json.object { json in
                for id in ids?.elements.compactMap(\.string) ?? [] {
                    json.key(id)
                    guard let row = rows[id] else {
                        json.null()
                        continue
                    }
                    json.object { json in
                        if isItem {
                            self.write(row.categories, "categories", to: &json)
                        } else {
                            json.key("parent")
                            json.null()
                        }
                        json.member("created", row.created)
                    }
                }
            }
        }
        json.object("result") { json in
            json.member("revision", revision)
            json.key("categories")
            write(categories, params?["categories"], false, to: &json)
            json.key("items")
            write(items, params?["items"], true, to: &json)
        }
    }

    private func write(_ ids: [String], _ name: String, to json: inout JSONWriter) {
        json.key(name)
        json.array { json in for id in ids { json.value(id) } }
    }
}
