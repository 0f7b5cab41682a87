import JSON

/// A JSON value that patches are applied to, strictly as RFC 6902 says it.
enum LiveTree: Equatable {
    case object([[UInt8]: LiveTree])
    case array([LiveTree])
    case string([UInt8])
    /// A number or a literal, as it was written.
    case plain([UInt8])

    /// Why a patch can't be applied.
    struct Failure: Error {
        let sentence: String
    }

    init(_ value: JSONValue) {
        switch value.kind {
        case .object:
            var members: [[UInt8]: LiveTree] = [:]
            for member in value.members { members[Array(member.name.utf8)] = LiveTree(member.value) }
            self = .object(members)
        case .array: self = .array(value.elements.map { LiveTree($0) })
        case .string: self = .string(Array(value.stringBytes ?? []))
        case .null, .bool, .number: self = .plain(Array(value.raw))
        }
    }

    /// A member, or null.
    subscript(name: String) -> LiveTree? {
        if case .object(let members) = self { members[Array(name.utf8)] } else { nil }
    }

    /// Applies all operations in order.
    mutating func apply(_ patch: JSONValue) throws(Failure) {
        guard patch.kind == .array else { throw Failure(sentence: "a patch is no array") }
        for operation in patch.elements { try applyOne(operation) }
    }

    private mutating func applyOne(_ operation: JSONValue) throws(Failure) {
        func pointer(_ value: JSONValue?) throws(Failure) -> ArraySlice<[UInt8]> {
            guard let text = value?.stringBytes else { throw Failure(sentence: "an operation has no path") }
            return try Self.tokens(text)
        }
        func value() throws(Failure) -> LiveTree {
            guard let value = operation["value"] else {
                throw Failure(sentence: "an operation has no value")
            }
            return LiveTree(value)
        }
        let path = try pointer(operation["path"])
        do throws(Failure) {
            switch operation["op"]?.string {
            case "add": try add(try value(), at: path)
            case "remove": _ = try remove(path)
            case "replace":
                let new = try value()
                if path.isEmpty {
                    self = new
                } else {
                    _ = try change(path) { parent, token throws(Failure) in
                        try parent.replace(token, with: new)
                    }
                }
            case "move":
                let from = try pointer(operation["from"])
                try add(try remove(from), at: path)
            default: throw Failure(sentence: "it is none of add, remove, replace, move")
            }
        } catch {
            throw Failure(
                sentence: "\(error.sentence): \(String(decoding: operation.raw.prefix(300), as: UTF8.self))")
        }
    }

    private static func tokens(_ pointer: ArraySlice<UInt8>) throws(Failure) -> ArraySlice<[UInt8]> {
        if pointer.isEmpty { return [] }
        guard pointer.first == 0x2F else { throw Failure(sentence: "a pointer begins without /") }
        var tokens: [[UInt8]] = []
        for part in pointer.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false) {
            var token: [UInt8] = []
            var isEscaped = false
            for byte in part {
                if isEscaped {
                    guard byte == 0x30 || byte == 0x31 else { throw Failure(sentence: "a bad escape") }
                    token.append(byte == 0x30 ? 0x7E : 0x2F)
                    isEscaped = false
                } else if byte == 0x7E {
                    isEscaped = true
                } else {
                    token.append(byte)
                }
            }
            guard !isEscaped else { throw Failure(sentence: "a bad escape") }
            tokens.append(token)
        }
        return tokens[...]
    }

    // MARK: One operation

    private mutating func add(_ value: LiveTree, at path: ArraySlice<[UInt8]>) throws(Failure) {
        if path.isEmpty { return self = value }
        try change(path) { parent, token throws(Failure) in
            switch parent {
            case .object(var members):
                parent = .plain([])
                members[token] = value
                parent = .object(members)
            case .array(var elements):
                let index =
                    token == [0x2D] ? elements.count : try Self.index(token, below: elements.count + 1)
                parent = .plain([])
                elements.insert(value, at: index)
                parent = .array(elements)
            case .string, .plain: throw Failure(sentence: "there is nothing to add to")
            }
        }
    }

    private mutating func remove(_ path: ArraySlice<[UInt8]>) throws(Failure) -> LiveTree {
        guard !path.isEmpty else { throw Failure(sentence: "the whole is removed") }
        return try change(path) { parent, token throws(Failure) in
            switch parent {
            case .object(var members):
                guard let old = members.removeValue(forKey: token) else {
                    throw Failure(sentence: "there is no such member")
                }
                parent = .object(members)
                return old
            case .array(var elements):
                let index = try Self.index(token, below: elements.count)
                let old = elements.remove(at: index)
                parent = .array(elements)
                return old
            case .string, .plain: throw Failure(sentence: "there is nothing to remove from")
            }
        }
    }

    private mutating func replace(_ token: [UInt8], with value: LiveTree) throws(Failure) {
        switch self {
        case .object(var members):
            guard members[token] != nil else { throw Failure(sentence: "there is no such member") }
            members[token] = value
            self = .object(members)
        case .array(var elements):
            elements[try Self.index(token, below: elements.count)] = value
            self = .array(elements)
        case .string, .plain: throw Failure(sentence: "there is nothing to replace in")
        }
    }

    /// Changes the container that the last token of a path speaks of.
    private mutating func change<Result>(
        _ path: ArraySlice<[UInt8]>,
        _ body: (inout LiveTree, [UInt8]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let token = path.first else { throw Failure(sentence: "an empty path") }
        guard path.count > 1 else { return try body(&self, token) }
        switch self {
        case .object(var members):
            guard var child = members[token] else { throw Failure(sentence: "there is no such member") }
            self = .plain([])
            members[token] = .plain([])
            let result = try child.change(path.dropFirst(), body)
            members[token] = child
            self = .object(members)
            return result
        case .array(var elements):
            let index = try Self.index(token, below: elements.count)
            self = .plain([])
            var child = elements[index]
            elements[index] = .plain([])
            let result = try child.change(path.dropFirst(), body)
            elements[index] = child
            self = .array(elements)
            return result
        case .string, .plain: throw Failure(sentence: "there is nothing inside")
        }
    }

    private static func index(_ token: [UInt8], below count: Int) throws(Failure) -> Int {
        let text = String(decoding: token, as: UTF8.self)
        guard let index = Int(text), String(index) == text, index >= 0, index < count else {
            throw Failure(sentence: "there is no index \(text)")
        }
        return index
    }

    // MARK: Differences

    /// Where two values begin to differ, and how.
    func difference(from other: LiveTree, path: String = "") -> String? {
        guard self != other else { return nil }
        switch (self, other) {
        case (.object(let a), .object(let b)) where Set(a.keys) == Set(b.keys):
            for (key, value) in a {
                guard let second = b[key] else { continue }
                let inside = "\(path)/\(String(decoding: key, as: UTF8.self))"
                if let found = value.difference(from: second, path: inside) { return found }
            }
            return nil
        case (.array(let a), .array(let b)) where a.count == b.count:
            for (index, pair) in zip(a, b).enumerated() {
                if let found = pair.0.difference(from: pair.1, path: "\(path)/\(index)") { return found }
            }
            return nil
        default: return "\(path): \("\(self)".prefix(200)) / \("\(other)".prefix(200))"
        }
    }
}
