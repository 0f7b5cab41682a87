import JSON
import Shared
import TestSupport
import Testing

/// What each service says of its methods in `rpc.discover` is what it does.
@Suite struct DiscoveryTests {
    private static let hosts = ["ping", "info", "health", "metrics", "connections", "discover"].map {
        "rpc.\($0)"
    }

    /// A value that fits the schema of a param; those that are objects of their own shape are named.
    private func value(_ param: JSONValue) throws -> String {
        switch param["name"]?.string {
        case "event": return #"{"type":"back"}"#
        case "sort": return #"{"by":"title"}"#
        case "previous": return #"{"visibility":"all","presentation":"tiled"}"#
        case "specs": return #"{"sidebar":{"min":100}}"#
        case "changes": return #"[{"op":"putCategory","category":{"id":"A","title":"Ay"}}]"#
        default: break
        }
        let schema = try #require(param["schema"])
        if let first = schema["enum"]?.elements.first(where: { _ in true }) { return first.text }
        switch schema["type"]?.string {
        case "string": return #""c""#
        case "boolean": return "true"
        case "integer", "number": return schema["minimum"]?.text ?? "0"
        case "array": return "[]"
        default: throw Failure(description: "no value for \(param.text)")
        }
    }

    /// A value of a type that no param of that schema has.
    private func wrongValue(_ param: JSONValue) -> String {
        param["schema"]?["type"]?.string == "boolean" ? #""x""# : "true"
    }

    private func object(_ members: [(name: String, value: String)]) -> String {
        "{" + members.map { #""\#($0.name)":\#($0.value)"# }.joined(separator: ",") + "}"
    }

    private func name(_ value: JSONValue) throws -> String { try #require(value["name"]?.string) }

    @Test func whatEachMetricMeansIsWrittenDown() throws {
        let product = try Product()
        defer { product.finish() }
        _ = try product.startAll()
        let page = try Repository.text("docs/operations.md")
        for service in Product.services {
            let client = try product.connect(service)
            let metrics = try client.call("rpc.metrics")
            let names = metrics.members.map(\.name)
            #expect(names.count > 30)
            for name in names where !page.contains("`\(name)`") {
                Issue.record("docs/operations.md does not say what \(name) of \(service) is")
            }
            client.close()
        }
    }

    @Test func theDocumentOfEachServiceIsWhatItDoes() throws {
        let product = try Product()
        defer { product.finish() }
        _ = try product.startAll()
        try product.makeCatalog()
        try makeSession(product)
        for service in Product.services {
            let client = try product.connect(service)
            let document = try client.call("rpc.discover")
            try checkShape(of: document, service)
            let methods = try #require(document["methods"])
            for method in methods.elements { try check(method, client, service) }
            client.close()
            // A stranger to the document is refused.
            let other = try product.connect(service)
            #expect(try other.respond("\(service).nonsense").reason == "method_not_found")
            other.close()
        }
    }

    /// Makes the session that is meant when none is named, in a catalog that no sample of a param names.
    private func makeSession(_ product: Product) throws {
        let catalog = try product.connect("catalog")
        _ = try catalog.call(
            "catalog.apply", #"{"catalog":"kept","changes":[{"op":"putCatalog","title":"Kept"}]}"#)
        let selection = try product.connect("selection")
        _ = try selection.call(
            "selection.send", #"{"catalog":"kept","event":{"type":"setVisibility","visibility":"all"}}"#)
        for client in [catalog, selection] { client.close() }
    }

    /// The members that OpenRPC 1.3 requires, and its rules for them.
    private func checkShape(of document: JSONValue, _ service: String) throws {
        #expect(document["openrpc"]?.string == "1.3.2")
        #expect(document["info"]?["title"]?.string?.isEmpty == false)
        #expect(document["info"]?["version"]?.string?.isEmpty == false)
        let methods = Array(try #require(document["methods"]).elements)
        let names = try methods.map(name)
        #expect(Set(names).count == names.count)
        #expect(Set(Self.hosts).isSubset(of: names))
        #expect(names.count > Self.hosts.count)
        for method in methods {
            let params = Array(try #require(method["params"]).elements)
            let own = try params.map(name)
            #expect(Set(own).count == own.count)
            #expect(method["paramStructure"]?.string == "by-name")
            #expect(method["summary"]?.string?.isEmpty == false)
            let required = params.compactMap { $0["required"]?.bool }
            #expect(required.count == params.count)
            #expect(required == required.filter { $0 } + required.filter { !$0 }, "\(method.text)")
            #expect(params.allSatisfy { $0["schema"]?.kind == .object })
            #expect(method["result"]?["name"]?.string?.isEmpty == false)
            #expect(method["result"]?["schema"]?.kind == .object)
        }
    }

    private func check(_ method: JSONValue, _ client: TestClient, _ service: String) throws {
        let called = try name(method)
        let params = Array(try #require(method["params"]).elements)
        let required = try params.filter { $0["required"]?.bool == true }
            .map { (name: try name($0), value: try value($0)) }

        let plain = try client.respond(called, object(required))
        #expect(plain.reason != "method_not_found" && plain.reason != "internal", "\(called): \(plain.text)")
        #expect(plain.reason != "invalid_params", "\(called): \(plain.text)")

        let unknown = try client.respond(called, object(required + [("nonsense", "1")]))
        #expect(unknown.reason == "invalid_params", "\(called): \(unknown.text)")
        #expect(unknown.path == "/nonsense", "\(called): \(unknown.text)")
        let sentence = try #require(unknown["error"]?["message"]?.string)

        for param in params {
            let tried = try name(param)
            let others = required.filter { $0.name != tried }
            let answer = try client.respond(called, object(others + [(tried, try value(param))]))
            let said = answer["error"]?["message"]?.string
            #expect(said != sentence.replacing("nonsense", with: tried), "\(called) \(tried): \(answer.text)")
            #expect(answer.reason != "internal")

            let wrong = try client.respond(called, object(others + [(tried, wrongValue(param))]))
            #expect(wrong.reason == "invalid_params", "\(called) \(tried): \(wrong.text)")
            #expect(wrong.path == "/\(tried)", "\(called) \(tried): \(wrong.text)")

            guard param["required"]?.bool == true else { continue }
            let missing = try client.respond(called, object(others))
            #expect(missing.reason == "invalid_params", "\(called) \(tried): \(missing.text)")
            #expect(missing.path == "/\(tried)", "\(called) \(tried): \(missing.text)")
        }
    }
}

extension JSONValue {
    /// The stable key of a refusal.
    fileprivate var reason: String? { self["error"]?["data"]?["reason"]?.string }
    /// The param that a refusal names.
    fileprivate var path: String? { self["error"]?["data"]?["path"]?.string }
}
