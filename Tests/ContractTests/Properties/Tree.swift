import JSON
import Shared

/// A JSON value that a test can build, change and compare; texts are compared byte for byte.
indirect enum Tree: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case text(Identifier)
    case array([Tree])
    case object([Identifier: Tree])

    init(_ value: JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .bool: self = .bool(value.bool ?? false)
        case .number: self = .number(value.double ?? .nan)
        case .string: self = .text(Identifier(value.string ?? ""))
        case .array: self = .array(value.elements.map { Tree($0) })
        case .object:
            var members: [Identifier: Tree] = [:]
            for member in value.members { members[Identifier(member.name)] = Tree(member.value) }
            self = .object(members)
        }
    }

    init(_ id: Identifier?) { self = id.map { .text($0) } ?? .null }
    init(_ ids: [Identifier]) { self = .array(ids.map { .text($0) }) }
    static func string(_ text: String) -> Tree { .text(Identifier(text)) }

    subscript(_ name: Identifier) -> Tree {
        if case .object(let members) = self { return members[name] ?? .null }
        return .null
    }

    subscript(_ name: String) -> Tree { self[Identifier(name)] }

    var id: Identifier? { if case .text(let id) = self { id } else { nil } }
    var string: String? { id?.text }
    var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    var double: Double? { if case .number(let number) = self { number } else { nil } }
    var int: Int? { double.flatMap { Int(exactly: $0) } }
    var elements: [Tree] { if case .array(let elements) = self { elements } else { [] } }
    var members: [Identifier: Tree] { if case .object(let members) = self { members } else { [:] } }
    var isNull: Bool { self == .null }

    /// The value as compact JSON, members by name.
    var json: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .bool(let flag): json.value(flag)
        case .number(let number): json.value(number)
        case .text(let text): json.value(text.text)
        case .array(let elements): json.array { json in for one in elements { one.write(to: &json) } }
        case .object(let members):
            json.object { json in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    json.key(name.text)
                    value.write(to: &json)
                }
            }
        }
    }

    /// Where and how two values first differ, for a person to read.
    static func difference(_ a: Tree, _ b: Tree, _ path: String = "") -> String? {
        if a == b { return nil }
        switch (a, b) {
        case (.object(let x), .object(let y)):
            for name in Set(x.keys).union(y.keys).sorted() {
                guard let one = x[name] else { return "\(path)/\(name): absent | \(y[name]?.json ?? "")" }
                guard let other = y[name] else { return "\(path)/\(name): \(one.json) | absent" }
                if let found = difference(one, other, "\(path)/\(name)") { return found }
            }
            return nil
        case (.array(let x), .array(let y)):
            if x.count != y.count {
                return "\(path): \(x.count) elements | \(y.count): \(a.json) | \(b.json)"
            }
            for (index, (one, other)) in zip(x, y).enumerated() {
                if let found = difference(one, other, "\(path)/\(index)") { return found }
            }
            return nil
        default: return "\(path): \(a.json) | \(b.json)"
        }
    }
}

/// A property that does not hold.
struct Violation: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Fails unless both are the same; the first is what was expected.
func same(_ what: @autoclosure () -> String, _ expected: Tree, _ actual: Tree) throws(Violation) {
    if let difference = Tree.difference(expected, actual) {
        throw Violation("\(what()): expected | actual: \(difference)")
    }
}

/// Fails unless the condition holds.
func holds(_ what: @autoclosure () -> String, _ condition: Bool) throws(Violation) {
    if !condition { throw Violation(what()) }
}
