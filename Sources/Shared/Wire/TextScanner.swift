import Glibc

// Our own services write the members of an object always in the same order, without a blank between them. Where only a
// number or an id in it differs from one line to the next, that can be found without parsing the line.

/// Takes a text apart from its start, as long as it is what was expected.
public struct TextScanner {
    private let text: ArraySlice<UInt8>
    private var start: Int
    private var end: Int

    /// Begins at the start of a text.
    public init(_ text: ArraySlice<UInt8>) {
        self.text = text
        (start, end) = (text.startIndex, text.endIndex)
    }

    /// What was not taken yet.
    public var rest: ArraySlice<UInt8> { text[start..<end] }

    /// Takes these bytes if they come next; tells whether they did.
    public mutating func skip(_ expected: StaticString) -> Bool {
        guard has(expected, at: start) else { return false }
        start += expected.utf8CodeUnitCount
        return true
    }

    /// Takes these bytes from the end if they stand there; tells whether they did.
    public mutating func skipLast(_ expected: StaticString) -> Bool {
        let count = expected.utf8CodeUnitCount
        guard end - start >= count, has(expected, at: end - count) else { return false }
        end -= count
        return true
    }

    private func has(_ expected: StaticString, at index: Int) -> Bool {
        let count = expected.utf8CodeUnitCount
        guard end - index >= count else { return false }
        return unsafe text.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return count == 0 }
            return unsafe memcmp(base + (index - text.startIndex), expected.utf8Start, count) == 0
        }
    }

    /// Takes a whole number as JSON has it, without a sign, of at most 18 digits.
    public mutating func number() -> Int? {
        var at = start
        var number = 0
        while at < end, case let digit = text[at] &- 0x30, digit < 10,
            at - start < RecurringRequests.digitsMax
        {
            number = number &* 10 &+ Int(digit)
            at += 1
        }
        guard at > start, at - start == 1 || text[start] != 0x30, at == end || text[at] &- 0x30 >= 10 else {
            return nil
        }
        start = at
        return number
    }

    /// Takes a string with its quotes, if nothing in it is escaped; gives what is between them.
    public mutating func string() -> ArraySlice<UInt8>? {
        guard start < end, text[start] == 0x22 else { return nil }
        let first = start + 1
        let length: Int? = unsafe text.withUnsafeBytes { bytes in
            guard let base = unsafe bytes.baseAddress.map({ unsafe $0 + (first - text.startIndex) }),
                let quote = unsafe memchr(base, 0x22, end - first)
            else { return nil }
            let length = unsafe UnsafeRawPointer(quote) - base
            return unsafe memchr(base, 0x5C, length) == nil ? length : nil
        }
        guard let length else { return nil }
        start = first + length + 1
        return text[first..<first + length]
    }
}
