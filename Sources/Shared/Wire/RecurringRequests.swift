import Glibc
import JSON

// Front ends ask for the same thing again and again, in lines that differ in nothing but their id. What was found out
// about such a line once is remembered, so that neither the parser nor anything that looks at the envelope runs again.

/// Requests that were parsed before, by all that follows their id.
struct RecurringRequests {
    /// What a line was found to be.
    final class Known {
        let method: String
        let params: JSONValue?
        /// How long its caller waits, in milliseconds, if it says so.
        let deadlineMs: Int?

        init(method: String, params: JSONValue?, deadlineMs: Int?) {
            (self.method, self.params, self.deadlineMs) = (method, params, deadlineMs)
        }
    }

    /// A line that is known but for its id.
    struct Found {
        let known: Known
        /// The id as it was written, all digits.
        let id: ArraySlice<UInt8>
        let number: Int
    }

    private var known: [Bytes: Known] = [:]

    /// How many are remembered.
    var count: Int { known.count }

    /// How such a line begins, to the byte.
    private static let head = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
    /// Digits that any whole number of 64 bits may have.
    private static let digitsMax = 18

    /// What is known of a line.
    func find(_ line: ArraySlice<UInt8>) -> Found? {
        guard !known.isEmpty, let (id, number) = Self.id(line), let known = known[Bytes(line[id.endIndex...])]
        else { return nil }
        return Found(known: known, id: id, number: number)
    }

    /// Remembers a line that was found to be a valid request; its id is the member that `find` takes for it.
    ///
    /// Another whole number in the place of one leaves a line as valid as it was. Which of the requests come again
    /// nobody knows; when there are too many, all are forgotten, and those that do are soon back.
    mutating func remember(_ line: ArraySlice<UInt8>, _ request: Known) {
        guard line.count <= Limits.recurringRequestBytesMax, let (id, _) = Self.id(line) else { return }
        if known.count >= Limits.recurringRequestsMax { known = [:] }
        known[Bytes(ArraySlice(Array(line[id.endIndex...])))] = request
    }

    /// The id behind the usual head of a line, if it is a whole number as JSON has it.
    private static func id(_ line: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, Int)? {
        let start = line.startIndex + head.count
        guard line.count > head.count, Bytes(line[..<start]) == Bytes(head[...]) else { return nil }
        var end = start
        while end < line.endIndex, line[end] &- 0x30 < 10 { end += 1 }
        guard end < line.endIndex, line[end] == 0x2C, let number = number(line[start..<end]) else {
            return nil
        }
        return (line[start..<end], number)
    }

    /// The number that is written in digits alone, as JSON has it.
    static func number(_ text: ArraySlice<UInt8>) -> Int? {
        guard !text.isEmpty, text.count <= digitsMax, text.count == 1 || text.first != 0x30 else {
            return nil
        }
        var number = 0
        for byte in text {
            let digit = byte &- 0x30
            guard digit < 10 else { return nil }
            number = number &* 10 &+ Int(digit)
        }
        return number
    }
}

/// Bytes as a key.
///
/// An array of bytes would be hashed and compared byte by byte.
public struct Bytes: Hashable {
    /// The bytes.
    public let bytes: ArraySlice<UInt8>

    /// Makes a key of bytes.
    public init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// Whether both are the same bytes.
    public static func == (a: Bytes, b: Bytes) -> Bool {
        unsafe a.bytes.withUnsafeBytes { a in
            unsafe b.bytes.withUnsafeBytes { b in
                guard a.count == b.count else { return false }
                guard let start = a.baseAddress, let other = b.baseAddress else { return true }
                return unsafe memcmp(start, other, a.count) == 0
            }
        }
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}
