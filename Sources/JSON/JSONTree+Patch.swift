// RFC 6902 with the operations that the gateway makes: add, remove, replace, move.

extension JSONTree {
    /// Why a patch can't be applied: it was not made for this value.
    public struct PatchFailure: Error, Equatable {
        /// What is wrong, with the path of the operation.
        public let sentence: String
    }

    /// Applies all operations of a patch in their order; when one fails nothing is changed.
    ///
    /// - Throws: `PatchFailure` if the patch is none, or speaks of what is not there.
    public mutating func apply(_ patch: JSONTree) throws(PatchFailure) {
        guard case .array(let operations) = patch else {
            throw PatchFailure(sentence: "a patch is an array of operations")
        }
        var changed = self
        for operation in operations { try changed.applyOne(operation) }
        self = changed
    }

    private mutating func applyOne(_ operation: JSONTree) throws(PatchFailure) {
        guard case .object(let members) = operation else {
            throw PatchFailure(sentence: "an operation is an object")
        }
        let path = try Pointer(operation["path"])
        let value = members.first { $0.isNamed("value") }?.value
        switch (operation["op"]?.string, value) {
        case ("add", let value?): try add(value, at: path)
        case ("remove", _): _ = try remove(path)
        case ("replace", let value?): try replace(path, with: value)
        case ("move", _):
            let from = try Pointer(operation["from"])
            guard !(from.tokens.count < path.tokens.count && path.tokens.starts(with: from.tokens)) else {
                throw path.failure("is inside of what is moved")
            }
            try add(try remove(from), at: path)
        default: throw path.failure("has no operation of add, remove, replace and move")
        }
    }

    private mutating func add(_ value: JSONTree, at path: Pointer) throws(PatchFailure) {
        try change(path, or: value) { parent, token throws(PatchFailure) in
            switch parent {
            case .object: parent = parent.with(token, value)
            case .array(var elements):
                let end = elements.count
                let index = token == "-" ? end : try path.index(token, below: end + 1)
                parent = .null  // so that the elements are not copied
                elements.insert(value, at: index)
                parent = .array(elements)
            default: throw path.failure("is inside of what has no members")
            }
        }
    }

    private mutating func replace(_ path: Pointer, with value: JSONTree) throws(PatchFailure) {
        try change(path, or: value) { parent, token throws(PatchFailure) in
            try parent.changeChild(token, of: path) { child throws(PatchFailure) in child = value }
        }
    }

    private mutating func remove(_ path: Pointer) throws(PatchFailure) -> JSONTree {
        var removed = JSONTree.null
        try change(path, or: .null) { parent, token throws(PatchFailure) in
            switch parent {
            case .object(var members):
                guard let index = members.firstIndex(where: { $0.isNamed(token) }) else {
                    throw path.failure("is not there")
                }
                removed = members.remove(at: index).value
                parent = .object(members)
            case .array(var elements):
                let index = try path.index(token, below: elements.count)
                parent = .null
                removed = elements.remove(at: index)
                parent = .array(elements)
            default: throw path.failure("is inside of what has no members")
            }
        }
        return removed
    }

    /// Changes the container that the last token of a path speaks of; without a token becomes `whole`.
    private mutating func change(
        _ path: Pointer, or whole: JSONTree,
        _ body: (inout JSONTree, String) throws(PatchFailure) -> Void
    ) throws(PatchFailure) {
        guard let last = path.tokens.last else { return self = whole }
        try descend(path.tokens.dropLast(), of: path) { parent throws(PatchFailure) in
            try body(&parent, last)
        }
    }

    private mutating func descend(
        _ tokens: ArraySlice<String>, of path: Pointer, _ body: (inout JSONTree) throws(PatchFailure) -> Void
    ) throws(PatchFailure) {
        guard let token = tokens.first else { return try body(&self) }
        try changeChild(token, of: path) { child throws(PatchFailure) in
            try child.descend(tokens.dropFirst(), of: path, body)
        }
    }

    private mutating func changeChild(
        _ token: String, of path: Pointer, _ body: (inout JSONTree) throws(PatchFailure) -> Void
    ) throws(PatchFailure) {
        // What is changed is taken out meanwhile, so that it has one owner and is not copied.
        switch self {
        case .object(var members):
            guard let index = members.firstIndex(where: { $0.isNamed(token) }) else {
                throw path.failure("is not there")
            }
            self = .null
            try body(&members[index].value)
            self = .object(members)
        case .array(var elements):
            let index = try path.index(token, below: elements.count)
            self = .null
            try body(&elements[index])
            self = .array(elements)
        default: throw path.failure("is inside of what has no members")
        }
    }
}

/// A path of RFC 6901, taken apart.
private struct Pointer {
    let text: String
    let tokens: [String]

    init(_ value: JSONTree?) throws(JSONTree.PatchFailure) {
        guard let text = value?.string else {
            throw JSONTree.PatchFailure(sentence: "an operation has no path")
        }
        self.text = text
        guard !text.isEmpty else {
            tokens = []
            return
        }
        guard text.utf8.first == 0x2F else {
            throw JSONTree.PatchFailure(sentence: "\(text) is no path: it begins without /")
        }
        var tokens: [String] = []
        for part in text.utf8.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false) {
            var token: [UInt8] = []
            var isEscaped = false
            for byte in part {
                switch (isEscaped, byte) {
                case (true, 0x30): token.append(0x7E)
                case (true, 0x31): token.append(0x2F)
                case (true, _): throw JSONTree.PatchFailure(sentence: "\(text) has a wrong escape")
                case (false, 0x7E): break
                case (false, _): token.append(byte)
                }
                isEscaped = !isEscaped && byte == 0x7E
            }
            guard !isEscaped else { throw JSONTree.PatchFailure(sentence: "\(text) has a wrong escape") }
            tokens.append(String(decoding: token, as: UTF8.self))
        }
        self.tokens = tokens
    }

    func failure(_ what: String) -> JSONTree.PatchFailure { .init(sentence: "\(text) \(what)") }

    func index(_ token: String, below end: Int) throws(JSONTree.PatchFailure) -> Int {
        guard let index = Int(token), String(index) == token, (0..<end).contains(index) else {
            throw failure("has no index \(token)")
        }
        return index
    }
}
