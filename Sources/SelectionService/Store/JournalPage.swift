import Shared

// A page of the journal is a row that fills a page of the file, and holds some entries of one turn. Each of them is framed
// so that it can be read whatever has become of the others:
//
//     mark (1 byte), length of the id (1), length of the entry (4), digest of the entry (8), id, digest of all that (8), entry
//
// Numbers begin with their lowest byte. Zeros fill the page. An entry longer than a page has a longer row for itself.

/// Entries that are being put into a page.
struct JournalPage {
    /// Nothing that JSON is written with.
    fileprivate static let mark: UInt8 = 0x1E
    fileprivate static let fixedBytes = 14
    fileprivate static let digestBytes = 8

    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(Limits.journalPageBytes) }

    /// Whether nothing is in it.
    var isEmpty: Bool { bytes.isEmpty }

    /// Whether one more entry fits; into an empty page any does.
    func hasRoom(for id: Identifier, bytes count: Int) -> Bool {
        let frame = Self.fixedBytes + id.text.utf8.count + Self.digestBytes
        return isEmpty || bytes.count + frame + count <= Limits.journalPageBytes
    }

    /// Adds what was done to a session.
    mutating func add(_ id: Identifier, _ entry: UnsafeRawBufferPointer) {
        var text = id.text
        let start = bytes.count
        bytes.append(Self.mark)
        bytes.append(UInt8(truncatingIfNeeded: text.utf8.count))
        add(UInt32(entry.count))
        add(UInt64(bitPattern: Int64(unsafe Digest.ofWords(entry))))
        text.withUTF8 { unsafe bytes.append(contentsOf: $0) }
        let head = unsafe bytes.withUnsafeBytes {
            unsafe Digest.ofWords(UnsafeRawBufferPointer(rebasing: $0[start...]))
        }
        add(UInt64(bitPattern: Int64(head)))
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

extension JournalPage {
    /// What is found in a page.
    enum Found: Equatable {
        /// What was done to a session.
        case entry(Identifier, [UInt8])
        /// Something that can't be read; the session is known if only the entry itself is damaged.
        case damaged(Identifier?, [UInt8])
    }

    /// All that a page holds, in its order.
    static func read(_ page: [UInt8]) -> [Found] {
        var found: [Found] = []
        var at = 0
        // Where something began that is no entry.
        var damage: Int?
        func endDamage() {
            if let start = damage, page[start..<at].contains(where: { $0 != 0 }) {
                found.append(.damaged(nil, Array(page[start..<at])))
            }
            damage = nil
        }
        while at < page.count {
            guard let frame = Frame(page, at) else {
                damage = damage ?? at
                at += 1
                continue
            }
            endDamage()
            let entry = Array(page[frame.entry])
            found.append(
                Digest.ofWords(entry) == frame.digest ? .entry(frame.id, entry) : .damaged(frame.id, entry))
            at = frame.entry.upperBound
        }
        endDamage()
        return found
    }

    /// What stands before an entry.
    private struct Frame {
        let id: Identifier
        let digest: Int
        let entry: Range<Int>

        /// Nil unless there is a sound one at a place.
        init?(_ page: [UInt8], _ start: Int) {
            guard page[start] == mark, start + fixedBytes + digestBytes < page.count else { return nil }
            let end = start + fixedBytes + Int(page[start + 1])
            guard end + digestBytes <= page.count else { return nil }
            let head = Array(page[start..<end])
            guard Digest.ofWords(head) == Self.number(page[end..<end + digestBytes]) else { return nil }
            let first = end + digestBytes
            let length = Self.number(page[start + 2..<start + 6])
            guard length <= page.count - first else { return nil }
            id = Identifier(String(decoding: head[fixedBytes...], as: UTF8.self))
            digest = Self.number(page[start + 6..<start + fixedBytes])
            entry = first..<first + length
        }

        private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
            bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        }
    }
}
