public import JSON

/// Takes the members of an object one by one, strictly: what is unknown, missing, ill-typed or out of range is
/// an `invalid_params` with the RFC 6901 pointer to it.
///
/// ```swift
/// var params = try ObjectReader(request.params)
/// let catalog = try params.identifier("catalog")
/// let limit = try params.int("limit", in: 1...500) ?? 50
/// try params.finish()
/// ```
/// A member that is `null` counts as left out.
public struct ObjectReader {
    /// The pointer to this object, from `params`.
    public let path: String
    private let object: JSONValue?
    private var taken: UInt64 = 0

    /// Reads the params of a request; nil has no members.
    ///
    /// `_meta` is left to the host.
    ///
    /// - Throws: `invalid_params` if there are too many members.
    public init(_ params: JSONValue?) throws(RPCError) {
        try self.init(params, path: "")
        if let params {
            for (index, member) in params.members.enumerated() where member.isNamed("_meta") { take(index) }
        }
    }

    /// Reads the object at `path`.
    ///
    /// - Throws: `invalid_params` if it is none, or has too many members.
    public init(_ object: JSONValue?, path: String) throws(RPCError) {
        if let object, object.kind != .object {
            throw .invalidParams(path, "\(Self.named(path)) must be an object.")
        }
        guard (object?.count ?? 0) <= Limits.paramMembersMax else {
            throw .invalidParams(
                path, "\(Self.named(path)) may have at most \(Limits.paramMembersMax) members.")
        }
        self.path = path
        self.object = object
    }

    /// The pointer to a member.
    public func path(to name: StaticString) -> String { "\(path)/\(name)" }

    /// The pointer to an element of the array that is a member.
    public func path(to name: StaticString, _ index: Int) -> String { "\(path)/\(name)/\(index)" }

    /// Whether there is such a member, null or not.
    public func has(_ name: StaticString) -> Bool { object?[name] != nil }

    // MARK: Any value

    /// The member, null included; nil if it was left out.
    public mutating func valueOrNull(_ name: StaticString) -> JSONValue? {
        guard let object else { return nil }
        var index = 0
        for member in object.members {
            if member.isNamed(name) {
                take(index)
                return member.value
            }
            index += 1
        }
        return nil
    }

    /// The member; nil if it was left out or is null.
    public mutating func value(_ name: StaticString) -> JSONValue? {
        guard let value = valueOrNull(name), !value.isNull else { return nil }
        return value
    }

    // MARK: Optional members

    /// A text.
    ///
    /// - Throws: `invalid_params`.
    public mutating func string(_ name: StaticString) throws(RPCError) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string else { throw wrong(name, "must be a string") }
        return text
    }

    /// An id.
    ///
    /// - Throws: `invalid_params`.
    public mutating func optionalIdentifier(_ name: StaticString) throws(RPCError) -> Identifier? {
        guard let value = value(name) else { return nil }
        return try Self.identifier(value, path: path(to: name))
    }

    /// A list of ids.
    ///
    /// - Throws: `invalid_params`.
    public mutating func optionalIdentifiers(_ name: StaticString) throws(RPCError) -> [Identifier]? {
        guard let value = try array(name) else { return nil }
        var ids: [Identifier] = []
        ids.reserveCapacity(value.count)
        var index = 0
        for element in value.elements {
            ids.append(try Self.identifier(element, path: path(to: name, index)))
            index += 1
        }
        return ids
    }

    /// A whole number.
    ///
    /// - Throws: `invalid_params`.
    public mutating func int(_ name: StaticString, in range: ClosedRange<Int>) throws(RPCError) -> Int? {
        guard let value = value(name) else { return nil }
        guard let number = value.int, range.contains(number) else {
            throw wrong(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A number.
    ///
    /// - Throws: `invalid_params`.
    public mutating func double(_ name: StaticString, in range: ClosedRange<Double>) throws(RPCError)
        -> Double?
    {
        guard let value = value(name) else { return nil }
        guard let number = value.double, range.contains(number) else {
            throw wrong(name, "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A truth value.
    ///
    /// - Throws: `invalid_params`.
    public mutating func bool(_ name: StaticString) throws(RPCError) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let flag = value.bool else { throw wrong(name, "must be true or false") }
        return flag
    }

    /// A word of a fixed list.
    ///
    /// - Throws: `invalid_params`.
    @inlinable public mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: StaticString, _: Word.Type = Word.self
    ) throws(RPCError) -> Word? {
        guard let value = value(name) else { return nil }
        guard let word = value.string.flatMap(Word.init) else {
            throw wrong(name, "must be one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }

    /// An array.
    ///
    /// - Throws: `invalid_params`.
    public mutating func array(_ name: StaticString) throws(RPCError) -> JSONValue? {
        guard let value = value(name) else { return nil }
        guard value.kind == .array else { throw wrong(name, "must be an array") }
        return value
    }

    /// An object.
    ///
    /// - Throws: `invalid_params`.
    public mutating func object(_ name: StaticString) throws(RPCError) -> ObjectReader? {
        guard let value = value(name) else { return nil }
        return try ObjectReader(value, path: path(to: name))
    }

    // MARK: Required members

    /// An id that must be there.
    ///
    /// - Throws: `invalid_params`.
    public mutating func identifier(_ name: StaticString) throws(RPCError) -> Identifier {
        try required(name, optionalIdentifier(name))
    }

    /// What was read, or the refusal that it is missing.
    ///
    /// - Throws: `invalid_params`.
    @inlinable public func required<Value>(_ name: StaticString, _ value: Value?) throws(RPCError) -> Value {
        guard let value else { throw wrong(name, "is missing") }
        return value
    }

    // MARK: The end

    /// Refuses what was not taken.
    ///
    /// - Throws: `invalid_params` for the first member that nobody asked for, or that stands there twice.
    public func finish() throws(RPCError) {
        guard let object else { return }
        var index = 0
        for member in object.members {
            if taken & (1 << UInt64(index)) == 0 {
                let pointer = "\(path)/\(Self.escaped(member.name))"
                throw .invalidParams(pointer, "\(pointer) is unknown, or stands there twice.")
            }
            index += 1
        }
    }

    /// The refusal of a member.
    public func wrong(_ name: StaticString, _ what: String) -> RPCError {
        .invalidParams(path(to: name), "\(path(to: name)) \(what).")
    }

    /// An id that is somewhere in the params.
    ///
    /// - Throws: `invalid_params`.
    public static func identifier(
        _ value: JSONValue, path: @autoclosure () -> String
    ) throws(RPCError) -> Identifier {
        guard let bytes = value.stringBytes, (1...Limits.idBytesMax).contains(bytes.count) else {
            let path = path()
            throw .invalidParams(path, "\(path) must be a string of 1 to \(Limits.idBytesMax) bytes.")
        }
        return Identifier(String(decoding: bytes, as: UTF8.self))
    }

    private mutating func take(_ index: Int) { taken |= 1 << UInt64(index) }

    private static func named(_ path: String) -> String { path.isEmpty ? "params" : path }

    /// A reference token of RFC 6901: `~` is `~0`, `/` is `~1`.
    private static func escaped(_ name: String) -> String {
        var out = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": out += "~0"
            case "/": out += "~1"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
