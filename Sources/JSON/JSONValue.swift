import CSimdJSON

/// A value inside a parsed text.
///
/// Copies are cheap (a reference and an index) and keep the whole text alive.
public struct JSONValue: Sendable {
    let document: JSONDocument
    let index: Int

    /// The kinds of JSON values.
    public enum Kind: Sendable { case null, bool, number, string, array, object }

    /// Bytes of memory that the whole text takes in which this value is, with what it was parsed to.
    public var documentBytes: Int { document.memoryBytes }

    private var node: CSimdJSON_node { document.nodes[index] }

    /// What this value is.
    public var kind: Kind {
        switch Int(node.kind) {
        case Int(CSimdJSON_null): .null
        case Int(CSimdJSON_false), Int(CSimdJSON_true): .bool
        case Int(CSimdJSON_number): .number
        case Int(CSimdJSON_string): .string
        case Int(CSimdJSON_array): .array
        default: .object
        }
    }

    /// Whether this is `null`.
    public var isNull: Bool { node.kind == UInt8(CSimdJSON_null) }

    /// The truth value, or nil if this is no boolean.
    public var bool: Bool? {
        switch Int(node.kind) {
        case Int(CSimdJSON_true): true
        case Int(CSimdJSON_false): false
        default: nil
        }
    }

    /// The decoded text, or nil if this is no string.
    public var string: String? {
        guard let bytes = stringBytes else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The decoded text as UTF-8, or nil if this is no string.
    public var stringBytes: ArraySlice<UInt8>? {
        let node = node
        guard node.kind == UInt8(CSimdJSON_string) else { return nil }
        let range = Int(node.text)..<Int(node.text + node.textLength)
        return node.escaped == 0 ? document.text[range] : document.strings[range]
    }

    /// Whether this is a string with this text, byte for byte.
    public func isString(_ text: StaticString) -> Bool {
        node.kind == UInt8(CSimdJSON_string) && document.holds(text, at: node)
    }

    /// The bytes this value was written with, quotes and brackets included.
    public var raw: ArraySlice<UInt8> {
        let node = node
        return document.text[Int(node.start)..<Int(node.end)]
    }

    /// The number, or nil if this is none or is beyond 64 bits of floating point.
    public var double: Double? {
        guard node.kind == UInt8(CSimdJSON_number), let value = Double(String(decoding: raw, as: UTF8.self)),
            value.isFinite
        else { return nil }
        return value
    }

    /// The whole number, or nil if this is none, has a fraction or is beyond 64 bits.
    ///
    /// `5.0` and `5e0` are the whole number 5, as in JSON Schema.
    public var int: Int? {
        guard node.kind == UInt8(CSimdJSON_number) else { return nil }
        let digits = String(decoding: raw, as: UTF8.self)
        if let exact = Int(digits) { return exact }
        guard digits.utf8.contains(where: { $0 == 0x2E || $0 | 0x20 == 0x65 }), let value = Double(digits)
        else {
            return nil
        }
        return Int(exactly: value)
    }

    /// The number of elements or members of a container, else 0.
    public var count: Int {
        switch kind {
        case .array, .object: Int(node.textLength)
        default: 0
        }
    }

    /// The elements of an array; nothing if this is none.
    public var elements: Elements {
        Elements(document: document, at: index + 1, end: kind == .array ? Int(node.next) : index + 1)
    }

    /// The members of an object in the order they were written; nothing if this is none.
    public var members: Members {
        Members(document: document, at: index + 1, end: kind == .object ? Int(node.next) : index + 1)
    }

    /// The first member with this name, or nil if there is none or this is no object.
    public subscript(name: StaticString) -> JSONValue? {
        for member in members where member.isNamed(name) { return member.value }
        return nil
    }

    /// The members of an object, taken one by one in about the order in which they were written.
    public var inOrder: MembersInOrder { MembersInOrder(object: self, rest: members) }

    /// Finds each member where the one before it ended, or else by looking at all.
    ///
    /// Whoever reads what he knows to be written in one order would otherwise look at all earlier ones each time.
    public struct MembersInOrder {
        let object: JSONValue
        var rest: Members

        /// The first member with this name, or nil if there is none.
        public mutating func take(_ name: StaticString) -> JSONValue? {
            var next = rest
            if let member = next.next(), member.isNamed(name) {
                rest = next
                return member.value
            }
            return object[name]
        }
    }

    /// A member of an object.
    public struct Member {
        let document: JSONDocument
        let index: Int

        /// Its name, decoded.
        public var name: String { key.string ?? "" }

        /// Its name as the value it was written with.
        public var key: JSONValue { JSONValue(document: document, index: index) }

        /// Its value.
        public var value: JSONValue { JSONValue(document: document, index: index + 1) }

        /// Whether it has this name, byte for byte.
        public func isNamed(_ name: StaticString) -> Bool {
            document.holds(name, at: document.nodes[index])
        }
    }

    /// The elements of an array.
    public struct Elements: Sequence, IteratorProtocol {
        let document: JSONDocument
        var at: Int
        let end: Int

        /// The next element.
        public mutating func next() -> JSONValue? {
            guard at < end else { return nil }
            defer { at = Int(document.nodes[at].next) }
            return JSONValue(document: document, index: at)
        }
    }

    /// The members of an object.
    public struct Members: Sequence, IteratorProtocol {
        let document: JSONDocument
        var at: Int
        let end: Int

        /// The next member.
        public mutating func next() -> Member? {
            guard at < end else { return nil }
            defer { at = Int(document.nodes[at + 1].next) }
            return Member(document: document, index: at)
        }
    }
}
