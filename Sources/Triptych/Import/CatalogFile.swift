import JSON
import Shared

/// Reads a catalog file: a catalog with its categories and items, as people write it.
///
/// ```json
/// {"catalog":{"id":"recipes","title":"Recipes","columns":3},
///  "categories":[{"id":"breakfast","title":"Breakfast"}],
///  "items":[{"id":"porridge","title":"Porridge","categories":["breakfast"],"blocks":[]}]}
/// ```
/// What the rows contain is for the catalog service to check.
struct CatalogFile {
    private let name: String
    private let catalog: String
    private let root: JSONValue
    private var lineCounter: LineCounter

    /// Reads a text; `catalog`, if given, is the id to import it under.
    ///
    /// - Throws: `StartFailure` that names the line which is wrong.
    init(_ text: [UInt8], name: String, catalog: String? = nil) throws(StartFailure) {
        guard let document = try? JSONParser(depthMax: Limits.nestingLevelsMax).parse(text) else {
            let fault = JSONFault.find(in: text)
            throw StartFailure(.data, "\(name):\(fault.line): no JSON: \(fault.message)")
        }
        self.name = name
        root = document.root
        lineCounter = LineCounter(text)
        for member in root.members {
            let kind: JSONValue.Kind
            switch member.name {
            case "catalog": kind = .object
            case "categories", "items": kind = .array
            default:
                let line = lineCounter.line(of: member.key)
                throw StartFailure(
                    .data, "\(name):\(line): \"\(member.name)\" is none of catalog, categories and items")
            }
            guard member.value.kind == kind else {
                let line = lineCounter.line(of: member.value)
                let what = kind == .object ? "an object" : "a list"
                throw StartFailure(.data, "\(name):\(line): \"\(member.name)\" is \(what)")
            }
        }
        guard let id = catalog ?? root["catalog"]?["id"]?.string else {
            throw StartFailure(.data, "\(name): a catalog file has {\"catalog\":{\"id\":...,\"title\":...}}")
        }
        self.catalog = id
    }

    /// Gives the catalog, then its categories, then its items, in their order.
    ///
    /// - Throws: what `sink` throws.
    func changes(to sink: ChangeSink) throws(StartFailure) {
        var lines = lineCounter
        func give(_ line: Int, _ write: (inout JSONWriter) -> Void) throws(StartFailure) {
            var json = JSONWriter(capacity: 1_024)
            json.object(write)
            try sink(Change(catalog: catalog, json: json.bytes, line: line, isRow: true))
        }
        if let head = root["catalog"] {
            try give(lines.line(of: head)) { json in
                json.member("op", "putCatalog")
                JSONText.members(of: head, to: &json, without: { $0.isNamed("id") })
            }
        }
        if let categories = root["categories"] {
            for category in categories.elements {
                try give(lines.line(of: category)) { json in
                    json.member("op", "putCategory")
                    json.key("category")
                    JSONText.write(category, to: &json)
                }
            }
        }
        if let items = root["items"] {
            for item in items.elements {
                try give(lines.line(of: item)) { json in
                    json.member("op", "putItem")
                    json.key("item")
                    JSONText.write(item, to: &json)
                }
            }
        }
    }
}

/// Tells in which line of a text a value stands; quick for values that follow each other.
private struct LineCounter {
    private let text: [UInt8]
    private var offset = 0
    private var line = 1

    init(_ text: [UInt8]) { self.text = text }

    mutating func line(of value: JSONValue) -> Int {
        let target = value.raw.startIndex
        if target < offset { (offset, line) = (0, 1) }
        line += text[offset..<target].reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
        offset = target
        return line
    }
}
