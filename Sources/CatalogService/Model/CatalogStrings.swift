import JSON
import Shared

/// The texts that a catalog gives for its columns, and for where there is nothing to show.
enum CatalogStrings {
    private static let titles: [StaticString] = ["sidebarTitle", "sidebarHeader", "searchTitle"]
    private static let placeholders: [StaticString] = [
        "emptyCatalog", "noCategory", "noItem", "emptyCategory", "noResults", "missingItem", "unavailable",
    ]

    /// Reads the member `strings` and writes what is given of it.
    static func read(_ reader: inout ObjectReader) throws(RPCError) -> [UInt8] {
        guard var strings = try reader.object("strings") else { return Array("{}".utf8) }
        var json = JSONWriter()
        try json.object { json throws(RPCError) in
            for name in titles {
                if let text = try ChangeReader.bounded(&strings, name, Limits.titleBytesMax) {
                    json.member(name, text)
                }
            }
            for name in placeholders {
                if let placeholder = try strings.object(name) { try write(placeholder, as: name, to: &json) }
            }
        }
        try strings.finish()
        return json.bytes
    }

    private static func write(
        _ placeholder: ObjectReader, as name: StaticString, to json: inout JSONWriter
    ) throws(RPCError) {
        var placeholder = placeholder
        try json.object(name) { json throws(RPCError) in
            for (name, bytesMax) in [
                ("title", Limits.titleBytesMax), ("hint", Limits.titleBytesMax),
                ("icon", Limits.iconBytesMax),
            ] as [(StaticString, Int)] {
                if let text = try ChangeReader.bounded(&placeholder, name, bytesMax) {
                    json.member(name, text)
                }
            }
        }
        try placeholder.finish()
    }
}
