import Glibc
import JSON

// Front ends ask for the same thing again and again, in lines that differ in nothing but their id. What was found out
// about such a line once is remembered, so that neither the parser nor anything that looks at the envelope runs again.

/// Requests that are the same, byte for byte, but for their id, for as long as the server recognises them.
public final class Recurrence {
    /// What the handler has found for one of them, so that it need not search for it again for the next.
    public var found: AnyObject?

    /// Nothing was found yet.
    public init() {}
}

/// Requests that were parsed before, by all that follows their id.
struct RecurringRequests {
    /// What a line was found to be.
    final class Known {
        let method: String
        let isChange: Bool
        let params: JSONValue?
        /// Bytes of the params.
        let paramBytes: Int
        /// How long its caller waits, in milliseconds, if it says so.
        let deadlineMs: Int?
        let recurrence = Recurrence()

        init(method: String, isChange: Bool, params: JSONValue?, deadlineMs: Int?) {
            (self.method, self.isChange) = (method, isChange)
            (self.params, self.deadlineMs) = (params, deadlineMs)
            paramBytes = params?.raw.count ?? 0
        }
    }

    /// A line that is known but for its id.
    struct Found {
        let known: Known
        /// The id, which was written in digits alone.
        let id: Int
    }

    private var known: [Bytes: Known] = [:]
    /// Digests of lines that came once, each in the place that it decides: most never come again.
    private var seen = [Int](repeating: 0, count: Limits.recurringRequestsMax)

    /// How many are remembered.
    var count: Int { known.count }
    /// Bytes of their lines and of what those were parsed to.
    private(set) var bytes = 0

    /// How such a line begins, to the byte.
    private static let head: StaticString = #"{"jsonrpc":"2.0","id":"#
    /// Digits that any whole number of 64 bits may have.
    static let digitsMax = 18

    /// What is known of a line.
    func find(_ line: ArraySlice<UInt8>) -> Found? {
        guard !known.isEmpty, let (id, rest) = Self.split(line), let known = known[Bytes(rest)] else {
            return nil
        }
        return Found(known: known, id: id)
    }

    /// Remembers a line that was found to be a valid request, if it comes for the second time; its id is the member that
    /// `find` takes for it.
    ///
    /// Another whole number in the place of one leaves a line as valid as it was. Which of the requests come again
    /// nobody knows; when there are too many, all are forgotten, and those that do are soon back.
    mutating func remember(_ line: ArraySlice<UInt8>, _ request: Known) {
        guard line.count <= Limits.recurringRequestBytesMax, let (_, rest) = Self.split(line) else { return }
        let digest = Bytes(rest).hashValue
        let place = Int(digest.magnitude % UInt(seen.count))
        guard seen[place] == digest else {
            seen[place] = digest
            return
        }
        if known.count >= Limits.recurringRequestsMax { (known, bytes) = ([:], 0) }
        let key = Bytes(ArraySlice(Array(rest)))
        guard known.updateValue(request, forKey: key) == nil else { return }
        bytes += key.bytes.count + (request.params?.documentBytes ?? 0)
    }

    /// The id behind the usual head of a line, if it is a whole number as JSON has it, and what follows it.
    private static func split(_ line: ArraySlice<UInt8>) -> (id: Int, rest: ArraySlice<UInt8>)? {
        let found: (id: Int, end: Int)? = unsafe line.withUnsafeBytes { text in
            let start = head.utf8CodeUnitCount
            guard let base = text.baseAddress, text.count > start,
                unsafe memcmp(base, head.utf8Start, start) == 0
            else { return nil }
            var end = start
            while end < text.count, unsafe text[end] &- 0x30 < 10 { end += 1 }
            guard end < text.count, unsafe text[end] == 0x2C,
                let id = unsafe number(UnsafeRawBufferPointer(rebasing: text[start..<end]))
            else { return nil }
            return (id, end)
        }
        return found.map { ($0.id, line[(line.startIndex + $0.end)...]) }
    }

    /// The number that is written in digits alone, as JSON has it.
    static func number(_ text: ArraySlice<UInt8>) -> Int? {
        unsafe text.withUnsafeBytes { text in unsafe number(text) }
    }

    private static func number(_ text: UnsafeRawBufferPointer) -> Int? {
        let isWhole = unsafe text.count == 1 || text.count > 1 && text[0] != 0x30
        guard isWhole, text.count <= digitsMax else {
            return nil
        }
        var number = 0
        for index in 0..<text.count {
            let digit = unsafe text[index] &- 0x30
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
