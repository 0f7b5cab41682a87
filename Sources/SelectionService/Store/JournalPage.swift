import Glibc
import Shared

// A page of the journal is a row that fills a page of the file, and holds some entries of one turn, behind a head:
//
//     number of the page (8 bytes), revision as of the turn (8), digest of both (8)
//
// Each entry is framed so that it can be read whatever has become of the others:
//
//     mark (1), length of the id (2), length of the entry (4), digest of the entry (8), id, digest of all that (8), entry
//
// The id is a JSON string, in which no byte is the mark, and neither is one in an entry. Numbers begin with their lowest
// byte. Zeros fill the page. An entry longer than a page has a longer row for itself.

/// Entries that are being put into a page.
struct JournalPage {
    static let headBytes = 24
    /// What stands between entries, and in none of them.
    static let mark: UInt8 = 0x1E
    static let fixedBytes = 15
    static let digestBytes = 8

    /// The page, which is zeros from `count` on; longer only if it has one long entry.
    private(set) var bytes = [UInt8](repeating: 0, count: Limits.journalPageBytes)
    /// How much of it is in use.
    private(set) var count = 0

    init() {}

    init(number: Int, revision: Int) { begin(number, revision: revision) }

    /// Begins another page in the place of this one.
    mutating func begin(_ number: Int, revision: Int) {
        if bytes.count > Limits.journalPageBytes {
            self = JournalPage()
        } else {
            unsafe bytes.withUnsafeMutableBytes { bytes in
                if let start = bytes.baseAddress { unsafe memset(start, 0, count) }
            }
        }
        count = Self.headBytes
        put(number, at: 0)
        put(revision, at: 8)
        put(Digest.ofWords(number, revision), at: 16)
    }

    /// Whether nothing is in it.
    var isEmpty: Bool { count == Self.headBytes }

    /// How many pages of the file a row of so many bytes fills.
    static func size(bytes: Int) -> Int {
        max(1, (bytes + Limits.journalPageBytes - 1) / Limits.journalPageBytes)
    }

    /// Whether one more entry fits, with its session's id as a JSON string; into an empty page any does.
    func hasRoom(forName name: Int, entry: Int) -> Bool {
        isEmpty
            || count + Self.fixedBytes + name + Self.digestBytes + entry <= Limits.journalPageBytes
    }

    /// Adds what was done to a session, whose id is a JSON string.
    mutating func add(_ name: UnsafeRawBufferPointer, _ entry: UnsafeRawBufferPointer) {
        let (start, end) = (count, count + Self.fixedBytes + name.count)
        count = end + Self.digestBytes + entry.count
        if count > bytes.count { bytes += repeatElement(0, count: count - bytes.count) }
        bytes[start] = Self.mark
        put(UInt16(name.count), at: start + 1)
        put(UInt32(entry.count), at: start + 3)
        put(unsafe Digest.ofWords(entry), at: start + 7)
        unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[(start + Self.fixedBytes)...])
                .copyMemory(from: name)
            let head = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            unsafe bytes.storeBytes(
                of: Digest.ofWords(head).littleEndian, toByteOffset: end, as: Int.self)
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[(end + Self.digestBytes)...])
                .copyMemory(from: entry)
        }
    }

    private mutating func put<Number: FixedWidthInteger>(_ number: Number, at place: Int) {
        unsafe bytes.withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: number.littleEndian, toByteOffset: place, as: Number.self)
        }
    }
}
