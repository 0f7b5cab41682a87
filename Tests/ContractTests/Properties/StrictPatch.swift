import Shared

// RFC 6902, as strict as it is written, and with nothing in common with what makes the patches.

extension Tree {
    /// The value after all operations of a patch, or a violation if one of them can't be carried out.
    func patched(_ patch: Tree) throws(Violation) -> Tree {
        guard case .array(let operations) = patch else { throw Violation("a patch is an array") }
        var document = self
        for operation in operations {
            guard case .object(let members) = operation, let op = operation["op"].string,
                let pointer = operation["path"].string
            else { throw Violation("not an operation: \(operation.json)") }
            let path = try Self.tokens(pointer)
            let needed: Set<Identifier>
            switch op {
            case "add", "replace", "test": needed = ["op", "path", "value"]
            case "move", "copy": needed = ["op", "path", "from"]
            case "remove": needed = ["op", "path"]
            default: throw Violation("no such operation: \(op)")
            }
            try holds("members of \(operation.json)", Set(members.keys) == needed)
            do {
                try document.perform(op, path, operation)
            } catch {
                throw Violation("\(operation.json): \(error)")
            }
        }
        return document
    }

    private mutating func perform(_ op: String, _ path: [String], _ operation: Tree) throws(Violation) {
        let value = operation["value"]
        switch op {
        case "add": try add(path, value)
        case "remove": _ = try remove(path)
        case "replace":
            if path.isEmpty {
                self = value
            } else {
                _ = try remove(path)
                try add(path, value)
            }
        case "test": try same("test", value, try get(path))
        default:
            let from = try Self.tokens(operation["from"].string ?? "")
            let moved = try get(from)
            if op == "move" {
                guard !(path.count > from.count && path.starts(with: from)) else {
                    throw Violation("moved into itself")
                }
                _ = try remove(from)
            }
            try add(path, moved)
        }
    }

    private static func tokens(_ pointer: String) throws(Violation) -> [String] {
        guard !pointer.isEmpty else { return [] }
        guard pointer.utf8.first == 0x2F else { throw Violation("no pointer: \(pointer)") }
        var tokens: [String] = []
        for part in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            var token = ""
            var isEscaped = false
            for scalar in part.unicodeScalars {
                if isEscaped {
                    switch scalar {
                    case "0": token += "~"
                    case "1": token += "/"
                    default: throw Violation("a wrong escape in \(pointer)")
                    }
                    isEscaped = false
                } else if scalar == "~" {
                    isEscaped = true
                } else {
                    token.unicodeScalars.append(scalar)
                }
            }
            guard !isEscaped else { throw Violation("a wrong escape in \(pointer)") }
            tokens.append(token)
        }
        return tokens
    }

    private static func index(_ token: String, below end: Int) throws(Violation) -> Int {
        guard token.utf8.allSatisfy({ (0x30...0x39).contains($0) }), token == "0" || token.first != "0",
            let index = Int(token), index < end
        else { throw Violation("no index: \(token)") }
        return index
    }

    private func get(_ path: [String]) throws(Violation) -> Tree {
        var value = self
        for token in path {
            switch value {
            case .object(let members):
                guard let member = members[Identifier(token)] else { throw Violation("nothing at \(token)") }
                value = member
            case .array(let elements): value = elements[try Self.index(token, below: elements.count)]
            default: throw Violation("nothing below a scalar")
            }
        }
        return value
    }

    private mutating func add(_ path: [String], _ value: Tree) throws(Violation) {
        guard let last = path.last else {
            self = value
            return
        }
        try change(path.dropLast()) { parent throws(Violation) in
            switch parent {
            case .object(var members):
                members[Identifier(last)] = value
                parent = .object(members)
            case .array(var elements):
                let index =
                    last == "-" ? elements.count : try Self.index(last, below: elements.count + 1)
                elements.insert(value, at: index)
                parent = .array(elements)
            default: throw Violation("a scalar has no members")
            }
        }
    }

    private mutating func remove(_ path: [String]) throws(Violation) {
        guard let last = path.last else { throw Violation("the whole can't be removed") }
        try change(path.dropLast()) { parent throws(Violation) in
            switch parent {
            case .object(var members):
                guard members.removeValue(forKey: Identifier(last)) != nil else {
                    throw Violation("nothing at \(last)")
                }
                parent = .object(members)
            case .array(var elements):
                elements.remove(at: try Self.index(last, below: elements.count))
                parent = .array(elements)
            default: throw Violation("a scalar has no members")
            }
        }
    }

    private mutating func change(
        _ path: ArraySlice<String>, _ body: (inout Tree) throws(Violation) -> Void
    ) throws(Violation) {
        guard let token = path.first else { return try body(&self) }
        switch self {
        case .object(var members):
            guard var member = members[Identifier(token)] else { throw Violation("nothing at \(token)") }
            try member.change(path.dropFirst(), body)
            members[Identifier(token)] = member
            self = .object(members)
        case .array(var elements):
            let index = try Self.index(token, below: elements.count)
            try elements[index].change(path.dropFirst(), body)
            self = .array(elements)
        default: throw Violation("nothing below a scalar")
        }
    }
}
