import JSON
import Shared

/// The detail of an item: what it shows, from top to bottom.
enum Blocks {
    private enum Kind: String, CaseIterable { case text, fields, image, links }

    /// Reads the member `blocks` strictly and writes it; nothing if it was left out.
    static func read(_ reader: inout ObjectReader) throws(RPCError) -> (json: [UInt8], hasLinks: Bool) {
        let list = try reader.array("blocks")
        var json = JSONWriter(capacity: (list?.raw.count ?? 0) + 16)
        var hasLinks = false
        try json.array { json throws(RPCError) in
            guard let list else { return }
            var index = 0
            for element in list.elements {
                var block = try ObjectReader(element, path: reader.path(to: "blocks", index))
                let kind = try block.required("kind", block.word("kind", Kind.self))
                if kind == .links { hasLinks = true }
                try write(&block, kind, to: &json)
                try block.finish()
                index += 1
            }
        }
        guard json.bytes.count <= Limits.blocksBytesMax else {
            let path = reader.path(to: "blocks")
            throw RPCError(
                .notPossible,
                "\(path) may have at most \(Limits.blocksBytesMax) bytes as JSON, they have \(json.bytes.count).",
                path: path, limit: "blocksBytes")
        }
        return (json.bytes, hasLinks)
    }

    private static func write(
        _ block: inout ObjectReader, _ kind: Kind, to json: inout JSONWriter
    ) throws(RPCError) {
        try json.object { json throws(RPCError) in
            json.member("kind", kind.rawValue)
            switch kind {
            case .text: json.member("text", try block.required("text", block.string("text")))
            case .image:
                json.member("source", try block.required("source", block.string("source")))
                json.member("label", try label(&block, "label"))
            case .fields:
                try list(&block, "fields", to: &json) { field, json throws(RPCError) in
                    json.member("label", try label(&field, "label"))
                    json.member("value", try field.required("value", field.string("value")))
                }
            case .links:
                try list(&block, "links", to: &json) { link, json throws(RPCError) in
                    json.member("title", try label(&link, "title"))
                    json.member("item", try link.identifier("item").text)
                }
            }
        }
    }

    private static func label(_ reader: inout ObjectReader, _ name: StaticString) throws(RPCError) -> String {
        try reader.required(name, ChangeReader.bounded(&reader, name, Limits.titleBytesMax))
    }

    private static func list(
        _ block: inout ObjectReader, _ name: StaticString, to json: inout JSONWriter,
        _ write: (inout ObjectReader, inout JSONWriter) throws(RPCError) -> Void
    ) throws(RPCError) {
        let elements = try block.required(name, block.array(name))
        let path = block.path(to: name)
        try json.array(name) { json throws(RPCError) in
            var index = 0
            for element in elements.elements {
                var entry = try ObjectReader(element, path: "\(path)/\(index)")
                try json.object { json throws(RPCError) in try write(&entry, &json) }
                try entry.finish()
                index += 1
            }
        }
    }

    /// Calls back with every text of a stored detail in which words are looked for.
    static func texts(of blocks: JSONValue, _ found: (JSONValue) -> Void) {
        func members(_ value: JSONValue, _ names: StaticString...) {
            for name in names { if let text = value[name] { found(text) } }
        }
        for block in blocks.elements {
            members(block, "text", "label")
            if let fields = block["fields"] {
                for field in fields.elements { members(field, "label", "value") }
            }
            if let links = block["links"] { for link in links.elements { members(link, "title") } }
        }
    }

    /// Passes on a stored detail, and says `"known":false` of each link that leads to no item.
    ///
    /// All else stays as it was stored.
    static func write(
        _ blocks: JSONValue, to json: inout JSONWriter, isKnown: (Identifier) throws(RPCError) -> Bool
    ) throws(RPCError) {
        try json.array { json throws(RPCError) in
            for block in blocks.elements {
                guard let links = block["links"] else {
                    json.value(block)
                    continue
                }
                try json.object { json throws(RPCError) in
                    json.member("kind", Kind.links.rawValue)
                    try json.array("links") { json throws(RPCError) in
                        for link in links.elements {
                            let id = Identifier(link["item"]?.string ?? "")
                            guard try !isKnown(id) else {
                                json.value(link)
                                continue
                            }
                            json.object { json in
                                json.members(of: link.raw)
                                json.member("known", false)
                            }
                        }
                    }
                }
            }
        }
    }
}
