import Glibc

// Our own services write the members of an object always in the same order, without a blank between them. Where only a
// number or an id in it differs from one line to the next, that can be found without parsing the line.

/// Takes a text apart from its start, as long as it is what was expected.
public struct TextScanner {
    /// What was not taken yet.
    public private(set) var rest: ArraySlice<UInt8>

    /// Begins at the start of a text.
    public init(_ text: ArraySlice<UInt8>) { rest = text }

    /// Takes these bytes if they come next; tells whether they did.
    public mutating func skip(_ expected: StaticString) -> Bool {
        let count = expected.utf8CodeUnitCount
        guard rest.count >= count, unsafe rest.withUnsafeBytes({ unsafe Self.begins($0, expected) }) else {
            return false
        }
        rest = rest.dropFirst(count)
        return true
    }

    /// Takes these bytes from the end if they stand there; tells whether they did.
    public mutating func skipLast(_ expected: StaticString) -> Bool {
        let count = expected.utf8CodeUnitCount
        guard rest.count >= count,
            unsafe rest.suffix(count).withUnsafeBytes({ unsafe Self.begins($0, expected) })
        else { return false }
        rest = rest.dropLast(count)
        return true
    }

    private static func begins(_ text: UnsafeRawBufferPointer, _ expected: StaticString) -> Bool {
        guard let base = text.baseAddress else { return expected.utf8CodeUnitCount == 0 }
        return unsafe memcmp(base, expected.utf8Start, expected.utf8CodeUnitCount) == 0
    }

    /// Takes a whole number as JSON has it, without a sign, of at most 18 digits.
    public mutating func number() -> Int? {
        var end = rest.startIndex
        while end < rest.endIndex, rest[end] &- 0x30 < 10 { end += 1 }
        guard let number = RecurringRequests.number(rest[..<end]) else { return nil }
        rest = rest[end...]
        return number
    }

    /// Takes a string with its quotes, if nothing in it is escaped.
    public mutating func string() -> ArraySlice<UInt8>? {
        guard rest.first == 0x22 else { return nil }
        let text = rest.dropFirst()
        let length: Int? = unsafe text.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let end = unsafe memchr(base, 0x22, bytes.count) else {
                return nil
            }
            let length = unsafe UnsafeRawPointer(end) - base
            return unsafe memchr(base, 0x5C, length) == nil ? length : nil
        }
        guard let length else { return nil }
        rest = text.dropFirst(length + 1)
        return text.prefix(length)
    }
}
