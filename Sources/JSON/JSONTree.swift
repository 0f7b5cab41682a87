// A value that can change: what a client keeps of a view, and applies patches to.

/// A JSON value that stands by itself, and that a patch (RFC 6902) can change.
///
/// ```swift
/// var view = JSONTree(answer["view"])
/// try view.apply(event["patch"])
/// ```
/// Members keep their order and numbers their digits, so that a part that is sent back is sent as it came.
public enum JSONTree: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number, as it was written.
    case number(String)
    case string(String)
    case array([JSONTree])
    case object([Member])

    /// A member of an object.
    public struct Member: Sendable {
        /// Its name.
        public let name: String
        /// Its value.
        public var value: JSONTree

        /// Makes a member.
        public init(_ name: String, _ value: JSONTree) { (self.name, self.value) = (name, value) }

        /// Whether it has this name, byte for byte.
        func isNamed(_ other: String) -> Bool { name.utf8.elementsEqual(other.utf8) }
    }

    /// Takes a parsed value out of its text; nil is null.
    public init(_ value: JSONValue?) {
        switch value?.kind {
        case nil, .null?: self = .null
        case .bool?: self = .bool(value?.bool == true)
        case .number?: self = .number(String(decoding: value?.raw ?? [], as: UTF8.self))
        case .string?: self = .string(value?.string ?? "")
        case .array?: self = .array(value?.elements.map { JSONTree($0) } ?? [])
        case .object?:
            self = .object(value?.members.map { Member($0.name, JSONTree($0.value)) } ?? [])
        }
    }

    // MARK: Looking

    /// A member that is there and not null.
    public subscript(name: String) -> JSONTree? {
        guard case .object(let members) = self,
            let value = members.first(where: { $0.isNamed(name) })?.value, value != .null
        else { return nil }
        return value
    }

    /// The elements of an array; nothing if this is none.
    public var elements: [JSONTree] { if case .array(let elements) = self { elements } else { [] } }

    /// The text, or nil if this is no string.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The truth value, or nil if this is no boolean.
    public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

    /// The number, or nil if this is none.
    public var double: Double? { if case .number(let digits) = self { Double(digits) } else { nil } }

    /// The whole number, or nil if this is none.
    public var int: Int? {
        guard case .number(let digits) = self else { return nil }
        return Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
    }

    // MARK: Changing

    /// This object with another member, or with another value of it.
    public func with(_ name: String, _ value: JSONTree) -> JSONTree {
        guard case .object(var members) = self else { return self }
        if let index = members.firstIndex(where: { $0.isNamed(name) }) {
            members[index].value = value
        } else {
            members.append(Member(name, value))
        }
        return .object(members)
    }
}

extension JSONTree.Member: Equatable {
    /// Whether both have the same name, byte for byte, and the same value.
    public static func == (a: Self, b: Self) -> Bool { a.isNamed(b.name) && a.value == b.value }
}

extension JSONWriter {
    /// Writes a value.
    public mutating func value(_ tree: JSONTree) {
        switch tree {
        case .null: null()
        case .bool(let flag): value(flag)
        case .number(let digits): value(raw: Array(digits.utf8))
        case .string(let text): value(text)
        case .array(let elements): array { json in for element in elements { json.value(element) } }
        case .object(let members):
            object { json in
                for member in members {
                    json.key(member.name)
                    json.value(member.value)
                }
            }
        }
    }
}
