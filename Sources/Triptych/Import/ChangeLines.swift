import JSON
import Shared

/// Reads NDJSON: one change a line, as `catalog.apply` takes them, and lines that name the catalog.
///
/// ```json
/// {"catalog":"recipes"}
/// {"op":"putCategory","category":{"id":"soups","title":"Soups"}}
/// {"op":"deleteItem","id":"aspic"}
/// ```
struct ChangeLines {
    private var lines: LineReader
    private var catalog: String?

    /// Reads lines; `catalog` is the one to change before a line names one.
    init(_ lines: LineReader, catalog: String? = nil) { (self.lines, self.catalog) = (lines, catalog) }

    /// Gives the changes in their order.
    ///
    /// - Throws: `StartFailure` that names the line which is none, and what `sink` throws.
    mutating func changes(to sink: ChangeSink) throws(StartFailure) {
        let parser = JSONParser(depthMax: Limits.nestingLevelsMax)
        while let text = try lines.next() {
            guard text.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
            guard let document = try? parser.parse(text) else {
                let fault = JSONFault.find(in: Array(text))
                throw failure("no JSON: at character \(fault.column): \(fault.message)")
            }
            let root = document.root
            if let op = root["op"]?.string {
                guard let catalog else {
                    throw failure(
                        "no catalog is named: give --catalog ID, or a line {\"catalog\":\"ID\"} before it")
                }
                var json = JSONWriter(capacity: text.count)
                JSONText.write(root, to: &json)
                try sink(
                    Change(
                        catalog: catalog, json: json.bytes, line: lines.line,
                        isRow: op == "putItem" && root["at"] == nil))
            } else if let id = root["catalog"]?.string, root.count == 1 {
                catalog = id
            } else {
                throw failure("neither a change with an \"op\" nor {\"catalog\":\"ID\"}")
            }
        }
    }

    private func failure(_ what: String) -> StartFailure {
        StartFailure(.data, "\(lines.name):\(lines.line): \(what)")
    }
}
