import JSON
import Shared

// How a session and its places are written down: JSON that one can read, with a version.

/// The text of a session's row.
struct SessionRecord: Equatable {
    var state: SessionState
    /// The position of the current place.
    var position: Int
    /// The position of the next new place.
    var nextPosition: Int

    /// The only version there is so far.
    private static let version = 1

    /// The record as it is stored.
    var bytes: [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.member("version", Self.version)
            json.member("position", position)
            json.member("nextPosition", nextPosition)
            json.key("state")
            state.writeBriefly(to: &json)
        }
        return json.bytes
    }
}

extension SessionRecord {
    /// Reads a record; nil if it is damaged, or of a later version.
    init?(_ bytes: [UInt8], parser: JSONParser) {
        guard let root = try? parser.parse(bytes).root, root["version"]?.int == Self.version,
            let position = root["position"]?.int, let nextPosition = root["nextPosition"]?.int,
            let state = root["state"].flatMap(SessionState.readBriefly)
        else { return nil }
        self.init(state: state, position: position, nextPosition: nextPosition)
    }
}

extension History.Entry {
    /// Places as they are stored: `[{"position":3,"place":{...}}]`.
    static func bytes(_ entries: [History.Entry]) -> [UInt8] {
        var json = JSONWriter(capacity: 160 * entries.count)
        write(entries, to: &json)
        return json.bytes
    }

    /// Writes places as they are stored.
    static func write(_ entries: [History.Entry], to json: inout JSONWriter) {
        json.array { json in
            for entry in entries {
                json.object { json in
                    json.member("position", entry.position)
                    json.key("place")
                    entry.place.write(to: &json)
                }
            }
        }
    }

    /// Reads places; nil if they are damaged.
    static func entries(_ bytes: [UInt8], parser: JSONParser) -> [History.Entry]? {
        guard let root = try? parser.parse(bytes).root else { return nil }
        return entries(root)
    }

    /// Reads what `write` wrote; nil if it is something else.
    static func entries(_ root: JSONValue) -> [History.Entry]? {
        guard root.kind == .array else { return nil }
        var entries: [History.Entry] = []
        for entry in root.elements {
            guard let position = entry["position"]?.int, let place = entry["place"].flatMap(Place.init) else {
                return nil
            }
            entries.append(History.Entry(position: position, place: place))
        }
        return entries
    }
}

extension Place {
    /// Writes the place as it is stored: what is not empty.
    func write(to json: inout JSONWriter) {
        json.object { json in
            if let category { json.member("category", category.text) }
            if !items.isEmpty { json.member("items", items) }
            if !contentPath.isEmpty { json.member("content", contentPath) }
            if !detailPath.isEmpty { json.member("detail", detailPath) }
            if query != Query() {
                json.member("text", query.text)
                json.member("scope", query.scope.rawValue)
            }
        }
    }

    /// Reads what `write` wrote; nil if it is something else.
    init?(_ root: JSONValue) {
        guard root.kind == .object, let items = [Identifier](kept: root["items"]),
            let contentPath = [Identifier](kept: root["content"]),
            let detailPath = [Identifier](kept: root["detail"])
        else { return nil }
        var query = Query()
        if let text = root["text"]?.string { query.text = text }
        if let scope = root["scope"]?.string.flatMap(SearchScope.init) { query.scope = scope }
        self.init(
            category: root["category"]?.string.map { Identifier($0) }, items: items,
            contentPath: contentPath, detailPath: detailPath, query: query)
    }
}
