import JSON

/// A view that is kept current by patches: leaves are the text that they were written with.
indirect enum Tree: Equatable {
    case leaf([UInt8])
    case array([Tree])
    /// Members by their names, so that two objects are equal whatever was added when.
    case object([Member])

    struct Member: Equatable {
        let name: String
        var value: Tree
    }

    init(_ value: JSONValue) {
        switch value.kind {
        case .array: self = .array(value.elements.map { Tree($0) })
        case .object:
            let members = value.members.map { Member(name: $0.name, value: Tree($0.value)) }
            self = .object(members.sorted { $0.name < $1.name })
        default: self = .leaf(Array(value.raw))
        }
    }

    subscript(name: String) -> Tree? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var int: Int? {
        guard case .leaf(let text) = self else { return nil }
        return Int(String(decoding: text, as: UTF8.self))
    }

    /// A number as it was written, or what is between the quotes; no text here has an escape.
    var text: String? {
        guard case .leaf(let text) = self else { return nil }
        return String(decoding: text.filter { $0 != 0x22 }, as: UTF8.self)
    }

    // MARK: RFC 6902, as far as views are patched

    struct NotPossible: Error {
        let what: String
    }

    /// Carries out a patch.
    mutating func apply(_ patch: JSONValue) throws(NotPossible) {
        for operation in patch.elements {
            guard let op = operation["op"]?.string, let path = operation["path"]?.string else {
                throw NotPossible(what: "no operation")
            }
            let tokens = Self.tokens(path)
            switch op {
            case "add": try add(Tree(Self.value(operation)), at: tokens[...])
            case "replace":
                try change(tokens[...]) { place throws(NotPossible) in place = Tree(try Self.value(operation))
                }
            case "remove": _ = try remove(tokens[...])
            case "move":
                let moved = try remove(Self.tokens(operation["from"]?.string ?? "")[...])
                try add(moved, at: tokens[...])
            default: throw NotPossible(what: op)
            }
        }
    }

    private static func value(_ operation: JSONValue) throws(NotPossible) -> JSONValue {
        guard let value = operation["value"] else { throw NotPossible(what: "no value") }
        return value
    }

    private static func tokens(_ pointer: String) -> [String] {
        pointer.utf8.split(separator: 0x2F, omittingEmptySubsequences: false).dropFirst().map { part in
            let text = String(decoding: part, as: UTF8.self)
            guard text.utf8.contains(0x7E) else { return text }
            var out: [UInt8] = []
            var isEscaped = false
            for byte in text.utf8 {
                if isEscaped {
                    out.append(byte == 0x30 ? 0x7E : 0x2F)
                    isEscaped = false
                } else if byte == 0x7E {
                    isEscaped = true
                } else {
                    out.append(byte)
                }
            }
            return String(decoding: out, as: UTF8.self)
        }
    }

    private mutating func change(
        _ path: ArraySlice<String>, _ body: (inout Tree) throws(NotPossible) -> Void
    ) throws(NotPossible) {
        guard let token = path.first else { return try body(&self) }
        switch self {
        case .object(var members):
            guard let index = members.firstIndex(where: { $0.name == token }) else {
                throw NotPossible(what: "nothing at \(token)")
            }
            self = .leaf([])  // so that the array is changed in its place
            defer { self = .object(members) }
            try members[index].value.change(path.dropFirst(), body)
        case .array(var elements):
            guard let index = Int(token), elements.indices.contains(index) else {
                throw NotPossible(what: "no element \(token)")
            }
            self = .leaf([])
            defer { self = .array(elements) }
            try elements[index].change(path.dropFirst(), body)
        case .leaf: throw NotPossible(what: "nothing below a scalar")
        }
    }

    private mutating func add(_ value: Tree, at path: ArraySlice<String>) throws(NotPossible) {
        guard let last = path.last else {
            self = value
            return
        }
        try change(path.dropLast()) { parent throws(NotPossible) in
            switch parent {
            case .array(var elements):
                guard let index = last == "-" ? elements.count : Int(last), index <= elements.count else {
                    throw NotPossible(what: "no place \(last)")
                }
                elements.insert(value, at: index)
                parent = .array(elements)
            case .object(var members):
                if let index = members.firstIndex(where: { $0.name == last }) {
                    members[index].value = value
                } else {
                    let place = members.firstIndex { $0.name > last } ?? members.count
                    members.insert(Member(name: last, value: value), at: place)
                }
                parent = .object(members)
            case .leaf: throw NotPossible(what: "a scalar has no members")
            }
        }
    }

    private mutating func remove(_ path: ArraySlice<String>) throws(NotPossible) -> Tree {
        guard let last = path.last else { throw NotPossible(what: "the whole can't be removed") }
        var removed: Tree?
        try change(path.dropLast()) { parent throws(NotPossible) in
            switch parent {
            case .array(var elements):
                guard let index = Int(last), elements.indices.contains(index) else { return }
                removed = elements.remove(at: index)
                parent = .array(elements)
            case .object(var members):
                guard let index = members.firstIndex(where: { $0.name == last }) else { return }
                removed = members.remove(at: index).value
                parent = .object(members)
            case .leaf: return
            }
        }
        guard let removed else { throw NotPossible(what: "nothing at \(last)") }
        return removed
    }
}
