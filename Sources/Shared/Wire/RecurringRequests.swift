import Glibc
import JSON

// Front ends ask for the same thing again and again, in lines that differ in nothing but their id. What was found out
// about such a line once is remembered, so that neither the parser nor anything that looks at the envelope runs again.

/// Requests that are the same, byte for byte, but for their id, for as long as the server recognises them.
public class Recurrence {
    /// What the handler has found for one of them, so that it need not search for it again for the next.
    public final var found: AnyObject?
    /// Their params.
    final let params: JSONValue?

    /// Nothing was found yet.
    public init() { params = nil }

    init(params: JSONValue?) { self.params = params }
}

/// Requests that were parsed before, by all that follows their id.
///
/// A digest of the line says in which few places it can be: what comes in there displaces one of these alone, and to look
/// for it is to look at one place in memory and then at what is there.
struct RecurringRequests {
    /// What a line was found to be.
    final class Known: Recurrence {
        let method: String
        let isChange: Bool
        /// Bytes of the params.
        let paramBytes: Int
        /// How long its caller waits, in milliseconds, if it says so.
        let deadlineMs: Int?
        /// What follows the id, once it is remembered.
        fileprivate var rest: ArraySlice<UInt8> = []

        init(method: String, isChange: Bool, params: JSONValue?, deadlineMs: Int?) {
            (self.method, self.isChange, self.deadlineMs) = (method, isChange, deadlineMs)
            paramBytes = params?.raw.count ?? 0
            super.init(params: params)
        }

        fileprivate func isWritten(_ text: UnsafeRawBufferPointer) -> Bool {
            unsafe rest.withUnsafeBytes { rest in
                guard let mine = rest.baseAddress, let other = text.baseAddress else { return false }
                return unsafe rest.count == text.count && memcmp(mine, other, rest.count) == 0
            }
        }

        fileprivate var bytes: Int { params?.documentBytes ?? rest.count }
    }

    /// A line that is known but for its id.
    struct Found {
        let known: Known
        /// The id, which was written in digits alone.
        let id: Int
    }

    private struct Place {
        var digest: UInt64 = 0
        var known: Known?
    }

    /// Places in rows, of which a digest names one; none before there is something to remember.
    private var places: [Place] = []
    /// Digests of lines that came once, in rows of their own: most never come again.
    private var seen: [UInt64] = []
    private let digest = Digest()
    /// Which place of a full row is taken next.
    private var turn = 0

    /// How many are remembered.
    private(set) var count = 0
    /// Bytes of their lines and of what those were parsed to.
    private(set) var bytes = 0

    private static let rows = Limits.recurringRequestsMax / placesInRow
    private static let placesInRow = 8

    /// Digits that any whole number of 64 bits may have.
    static let digitsMax = 18

    /// What is known of a line.
    func find(_ line: ArraySlice<UInt8>) -> Found? {
        guard count > 0, line.count <= Limits.recurringRequestBytesMax else { return nil }
        return unsafe line.withUnsafeBytes { (line: UnsafeRawBufferPointer) -> Found? in
            guard let (id, end) = unsafe Self.split(line) else { return nil }
            let rest = unsafe UnsafeRawBufferPointer(rebasing: line[end...])
            let digest = unsafe self.digest(rest)
            for place in Self.row(digest) where places[place].digest == digest {
                guard let known = places[place].known, unsafe known.isWritten(rest) else { continue }
                return Found(known: known, id: id)
            }
            return nil
        }
    }

    /// Remembers a line that was found to be a valid request, if it comes for the second time; its id is the member that
    /// `find` takes for it.
    ///
    /// Another whole number in the place of one leaves a line as valid as it was. The text in which the line is a part is
    /// kept: best what the params are in, too.
    mutating func remember(_ line: ArraySlice<UInt8>, _ request: Known) {
        let end: Int? = unsafe line.withUnsafeBytes { line in unsafe Self.split(line)?.end }
        guard line.count <= Limits.recurringRequestBytesMax, let end else { return }
        let rest = line[(line.startIndex + end)...]
        let digest: UInt64 = unsafe rest.withUnsafeBytes { rest in unsafe self.digest(rest) }
        guard hasSeen(digest) else { return }
        let row = Self.row(digest)
        let free = row.first { places[$0].known == nil }
        let place = free ?? row.lowerBound + turn
        turn = (turn + 1) % Self.placesInRow
        if let displaced = places[place].known { bytes -= displaced.bytes } else { count += 1 }
        request.rest = rest
        places[place] = Place(digest: digest, known: request)
        bytes += request.bytes
    }

    /// Whether a digest was there, which it is no more then, as it will be from now on if it was not.
    private mutating func hasSeen(_ digest: UInt64) -> Bool {
        if places.isEmpty {
            places = Array(repeating: Place(), count: Self.rows * Self.placesInRow)
            seen = Array(repeating: 0, count: Self.rows * Self.placesInRow)
        }
        let row = Self.row(digest)
        if let place = row.first(where: { seen[$0] == digest }) {
            seen[place] = 0
            return true
        }
        seen[row.first { seen[$0] == 0 } ?? row.lowerBound + turn] = digest
        turn = (turn + 1) % Self.placesInRow
        return false
    }

    private static func row(_ digest: UInt64) -> Range<Int> {
        let first = Int(digest % UInt64(rows)) * placesInRow
        return first..<first + placesInRow
    }

    /// The id behind the usual head of a line, if it is a whole number as JSON has it, and where that ends.
    private static func split(_ text: UnsafeRawBufferPointer) -> (id: Int, end: Int)? {
        let start = Message.head.utf8CodeUnitCount
        guard let base = text.baseAddress, text.count > start,
            unsafe memcmp(base, Message.head.utf8Start, start) == 0
        else { return nil }
        let most = min(text.count, start + digitsMax + 1)
        var (id, end) = (0, start)
        while end < most {
            let digit = unsafe text[end] &- 0x30
            guard digit < 10 else { break }
            id = id &* 10 &+ Int(digit)
            end += 1
        }
        guard end < most, unsafe text[end] == 0x2C, end > start,
            unsafe text[start] != 0x30 || end == start + 1
        else { return nil }
        return (id, end)
    }

    /// The number that is written in digits alone, as JSON has it.
    static func number(_ text: ArraySlice<UInt8>) -> Int? {
        guard (1...digitsMax).contains(text.count), text.count == 1 || text.first != 0x30 else { return nil }
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
