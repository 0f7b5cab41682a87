import JSON
import Shared

/// JSON as people write and read it: on several lines, indented; and as it goes over the wire.
enum JSONText {
    /// Reads an object that a person typed.
    ///
    /// - Throws: `StartFailure` that says where it is wrong; `name` is what it is called.
    static func object(_ text: String, called name: String) throws(StartFailure) -> JSONValue {
        let bytes = Array(text.utf8)
        guard let document = try? JSONParser(depthMax: Limits.nestingLevelsMax).parse(bytes) else {
            let at = JSONFault.find(in: bytes)
            throw StartFailure(.usage, "\(name) is no JSON: at character \(at.column): \(at.message)")
        }
        guard document.root.kind == .object else {
            throw StartFailure(.usage, "\(name) is a JSON object, such as {\"a\":1}")
        }
        return document.root
    }

    // MARK: Compact

    /// Writes a value without its spaces and line ends; scalars stay as they were written.
    static func write(_ value: JSONValue, to json: inout JSONWriter) {
        switch value.kind {
        case .null, .bool, .number, .string: json.value(value)
        case .array: json.array { json in for element in value.elements { write(element, to: &json) } }
        case .object: json.object { json in members(of: value, to: &json) }
        }
    }

    /// Writes the members of an object, but not those that `isLeftOut`.
    static func members(
        of object: JSONValue?, to json: inout JSONWriter,
        without isLeftOut: (JSONValue.Member) -> Bool = { _ in false }
    ) {
        guard let object else { return }
        for member in object.members where !isLeftOut(member) {
            json.key(member.name)
            write(member.value, to: &json)
        }
    }

    /// A value on one line.
    static func compact(_ value: JSONValue) -> String {
        var json = JSONWriter()
        write(value, to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    // MARK: Indented

    /// A value on many lines, two spaces a level.
    static func indented(_ value: JSONValue) -> String {
        var text = ""
        indent(value, level: 0, to: &text)
        return text
    }

    /// Formats what was written compactly.
    static func reformatted(_ bytes: [UInt8], _ format: (JSONValue) -> String) -> String {
        guard let document = try? JSONParser(depthMax: Limits.nestingLevelsMax).parse(bytes) else {
            preconditionFailure("what a writer wrote is JSON")
        }
        return format(document.root)
    }

    private static func indent(_ value: JSONValue, level: Int, to text: inout String) {
        func raw(_ value: JSONValue) -> String { String(decoding: value.raw, as: UTF8.self) }
        func list(_ open: String, _ close: String, _ parts: [(key: JSONValue?, value: JSONValue)]) {
            text += open
            for (index, part) in parts.enumerated() {
                text += (index == 0 ? "\n" : ",\n") + String(repeating: "  ", count: level + 1)
                if let key = part.key { text += "\(raw(key)): " }
                indent(part.value, level: level + 1, to: &text)
            }
            text += (parts.isEmpty ? "" : "\n" + String(repeating: "  ", count: level)) + close
        }
        switch value.kind {
        case .null, .bool, .number, .string: text += raw(value)
        case .array: list("[", "]", value.elements.map { (nil, $0) })
        case .object: list("{", "}", value.members.map { ($0.key, $0.value) })
        }
    }
}
