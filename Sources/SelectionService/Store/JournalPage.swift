import JSON
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

    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(Limits.journalPageBytes) }

    init(number: Int, revision: Int) {
        self.init()
        begin(number, revision: revision)
    }

    /// Begins another page in the place of this one.
    mutating func begin(_ number: Int, revision: Int) {
        bytes.removeAll(keepingCapacity: true)
        add(number)
        add(revision)
        add(Digest.ofWords(number, revision))
    }

    /// Whether nothing is in it.
    var isEmpty: Bool { bytes.count == Self.headBytes }

    /// How many pages of the file a row of so many bytes fills.
    static func size(bytes: Int) -> Int {
        max(1, (bytes + Limits.journalPageBytes - 1) / Limits.journalPageBytes)
    }

    /// Whether one more entry fits, with its session's id as a JSON string; into an empty page any does.
    func hasRoom(forName name: Int, entry: Int) -> Bool {
        let frame = Self.fixedBytes + name + Self.digestBytes
        return isEmpty || bytes.count + frame + entry <= Limits.journalPageBytes
    }

    /// Adds what was done to a session, whose id is a JSON string.
    mutating func add(_ name: UnsafeRawBufferPointer, _ entry: UnsafeRawBufferPointer) {
        let start = bytes.count
        bytes.append(Self.mark)
        add(UInt16(name.count))
        add(UInt32(entry.count))
        add(unsafe Digest.ofWords(entry))
        unsafe bytes.append(contentsOf: name)
        let digest = unsafe bytes.withUnsafeBytes {
            unsafe Digest.ofWords(UnsafeRawBufferPointer(rebasing: $0[start...]))
        }
        add(digest)
        unsafe bytes.append(contentsOf: entry)
    }

    private mutating func add(_ number: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// Fills the page up, so that it takes the place of another one byte by byte.
    mutating func fill() {
        guard bytes.count < Limits.journalPageBytes else { return }
        bytes.append(contentsOf: repeatElement(0, count: Limits.journalPageBytes - bytes.count))
    }
}
