public import JSON

// A contract is written once, as the lines that cross the wire, and used twice: replayed against the real
// service, and played by the mock that stands for it. So a mock can't drift from its service.

/// A script of requests, answers and events.
///
/// ```
/// # comment
/// --> {"jsonrpc":"2.0","id":1,"method":"catalog.list"}
/// <-- {"jsonrpc":"2.0","id":1,"result":{"catalogs":[]}}
/// <-- {"jsonrpc":"2.0","method":"catalog.changed","params":{"subscription":"$s","seq":1,"revision":"$r"}}
/// ```
/// `1-->` and `2<--` are other connections. `"$name"` stands for any value, the same one wherever the name stands;
/// `"$any"` for any value.
public struct ContractScript {
    /// One line of a script.
    public struct Step {
        /// The line in the file, from 1.
        public let line: Int
        /// The number before the arrow, or 0.
        public let connection: Int
        /// Whether the client says it.
        public let isRequest: Bool
        /// What is said.
        public let message: JSONValue
    }

    /// Why a script can't be used, with the line.
    public struct Failure: Error, CustomStringConvertible {
        /// What is wrong and where.
        public let description: String
    }

    /// The lines in their order.
    public let steps: [Step]

    /// Reads a script.
    ///
    /// - Throws: `Failure` that names the line which is none.
    public init(_ text: String) throws(Failure) {
        let parser = JSONParser(depthMax: Limits.nestingLevelsMax)
        var steps: [Step] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.drop { $0 == " " }
            guard let first = line.first, first != "#" else { continue }
            let digits = line.prefix { $0.isASCII && $0.isNumber }
            let arrow = line.dropFirst(digits.count).prefix(3)
            guard arrow == "-->" || arrow == "<--",
                let document = try? parser.parse(Array(line.dropFirst(digits.count + 3).utf8))
            else { throw Failure(description: "line \(index + 1) is neither --> nor <-- with a JSON text") }
            steps.append(
                Step(
                    line: index + 1, connection: Int(digits) ?? 0, isRequest: arrow == "-->",
                    message: document.root))
        }
        self.steps = steps
    }
}

/// What the names of a script stand for.
public struct Bindings {
    private var values: [String: JSONValue] = [:]
    private var made = 0

    /// Nothing is bound yet.
    public init() {}

    /// Compares a value with a pattern, and binds the names that it meets first.
    ///
    /// Returns nil if it fits, else where it does not and how.
    public mutating func mismatch(_ pattern: JSONValue, _ value: JSONValue, at path: String = "") -> String? {
        if let name = Self.name(pattern) {
            if name == "any" { return nil }
            guard let bound = values[name] else {
                values[name] = value
                return nil
            }
            return mismatch(bound, value, at: path)
        }
        func difference() -> String {
            let (want, got) = (
                String(decoding: pattern.raw, as: UTF8.self), String(decoding: value.raw, as: UTF8.self)
            )
            return "at \(path.isEmpty ? "/" : path): \(want) is not \(got)"
        }
        guard pattern.kind == value.kind else { return difference() }
        switch pattern.kind {
        case .null: return nil
        case .bool: return pattern.bool == value.bool ? nil : difference()
        case .number: return pattern.double == value.double ? nil : difference()
        case .string: return pattern.stringBytes == value.stringBytes ? nil : difference()
        case .array:
            guard pattern.count == value.count else { return difference() }
            for (index, (pattern, value)) in zip(pattern.elements, value.elements).enumerated() {
                if let found = mismatch(pattern, value, at: "\(path)/\(index)") { return found }
            }
            return nil
        case .object:
            guard pattern.count == value.count else { return difference() }
            for member in pattern.members {
                guard let other = value.members.first(where: { $0.key.stringBytes == member.key.stringBytes })
                else {
                    return difference()
                }
                if let found = mismatch(member.value, other.value, at: "\(path)/\(member.name)") {
                    return found
                }
            }
            return nil
        }
    }

    /// Writes a pattern with its names replaced by what they stand for.
    ///
    /// A name that is bound to nothing gets a new number, as a `subscription` a new string.
    public mutating func write(_ pattern: JSONValue, to json: inout JSONWriter, as member: String = "") {
        if let name = Self.name(pattern) { return json.value(value(of: name, as: member)) }
        switch pattern.kind {
        case .null, .bool, .number, .string: json.value(pattern)
        case .array: json.array { json in for element in pattern.elements { write(element, to: &json) } }
        case .object:
            json.object { json in
                for member in pattern.members {
                    json.key(member.name)
                    write(member.value, to: &json, as: member.name)
                }
            }
        }
    }

    private mutating func value(of name: String, as member: String) -> JSONValue? {
        if let bound = values[name] { return bound }
        made += 1
        let text = member == "subscription" ? "\"mock-\(made)\"" : "\(made)"
        let made = try? JSONParser(depthMax: 1).parse(Array(text.utf8)).root
        values[name] = made
        return made
    }

    private static func name(_ pattern: JSONValue) -> String? {
        guard let bytes = pattern.stringBytes, bytes.first == 0x24, bytes.count > 1 else { return nil }
        return String(decoding: bytes.dropFirst(), as: UTF8.self)
    }
}
