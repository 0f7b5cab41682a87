import JSON
import Shared

/// The detail of an item: what it shows, from top to bottom.
enum Blocks {
    private enum Kind: String, CaseIterable { case text, fields, image, links }

    /// Reads the member `blocks` strictly and writes it; nothing if it was left out.
    ///
    /// Gives the texts in which words are looked for to `text`.
    static func read(_ reader: inout ObjectReader, _ text: inout SearchText) throws(RPCError) -> (
        json: [UInt8], hasLinks: Bool
    ) {
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
                try write(&block, kind, to: &json, &text)
                try block.finish()
                index += 1
            }
        }
        guard json.count <= Limits.blocksBytesMax else {
            let path = reader.path(to: "blocks")
            throw RPCError(
                .notPossible,
                "\(path) may have at most \(Limits.blocksBytesMax) bytes as JSON, they have \(json.count).",
                path: path, limit: "blocksBytes")
        }
        return (json.bytes, hasLinks)
    }

    private static func write(
        _ block: inout ObjectReader, _ kind: Kind, to json: inout JSONWriter, _ text: inout SearchText
    ) throws(RPCError) {
        try json.object { json throws(RPCError) in
            json.member("kind", kind.rawValue)
            switch kind {
            case .text: text.add(json.text("text", try block.required("text", block.string("text"))))
            case .image:
                json.member("source", try block.required("source", block.string("source")))
                text.add(json.text("label", try label(&block, "label")))
            case .fields:
                try list(&block, "fields", to: &json) { field, json throws(RPCError) in
                    text.add(json.text("label", try label(&field, "label")))
                    text.add(json.text("value", try field.required("value", field.string("value"))))
                }
            case .links:
                try list(&block, "links", to: &json) { link, json throws(RPCError) in
                    text.add(json.text("title", try label(&link, "title")))
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

extension JSONWriter {
    /// Writes a member, and gives its text back.
    fileprivate mutating func text(_ name: StaticString, _ text: String) -> String {
        member(name, text)
        return text
    }
}
