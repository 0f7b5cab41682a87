import JSON
import Shared

extension JournalPage {
    /// Which page it is, and the number of the last change as of its turn.
    struct Head: Equatable {
        let number: Int
        let revision: Int

        /// Reads what a page begins with; nil if that is damaged.
        init?(_ page: [UInt8]) {
            guard page.count >= headBytes else { return nil }
            (number, revision) = (JournalPage.number(page[..<8]), JournalPage.number(page[8..<16]))
            guard JournalPage.number(page[16..<headBytes]) == Digest.ofWords(number, revision) else {
                return nil
            }
        }
    }

    /// What is found in a page.
    enum Found: Equatable {
        /// What was done to a session.
        case entry(Identifier, [UInt8])
        /// Something that can't be read, and whose it was, if that can be told.
        case damaged(Identifier?, [UInt8])
    }

    /// All that a page holds, in its order.
    static func read(_ page: [UInt8], parser: JSONParser) -> [Found] {
        var found: [Found] = []
        var at = min(headBytes, page.count)
        // Where something began that is no entry.
        var damage: Int?
        func endDamage() {
            if let start = damage { found += owners(of: page[start..<at], parser) }
            damage = nil
        }
        while at < page.count {
            guard let frame = Frame(page, at, parser) else {
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

    fileprivate static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The id that a JSON string says; nil if it is none.
    fileprivate static func id(_ name: ArraySlice<UInt8>, _ parser: JSONParser) -> Identifier? {
        let list = try? parser.parse([0x5B] + name + [0x5D]).root
        return list?.elements.first { _ in true }?.string.map { Identifier($0) }
    }

    /// What stands before an entry.
    private struct Frame {
        let id: Identifier
        let digest: Int
        let entry: Range<Int>

        /// Nil unless there is a sound one at a place.
        init?(_ page: [UInt8], _ start: Int, _ parser: JSONParser) {
            guard page[start] == mark, start + fixedBytes + digestBytes < page.count else { return nil }
            let end = start + fixedBytes + number(page[start + 1..<start + 3])
            guard end + digestBytes <= page.count else { return nil }
            let head = Array(page[start..<end])
            let first = end + digestBytes
            let length = number(page[start + 3..<start + 7])
            guard Digest.ofWords(head) == number(page[end..<first]), length <= page.count - first,
                let name = JournalPage.id(head[fixedBytes...], parser)
            else { return nil }
            id = name
            digest = number(page[start + 7..<start + fixedBytes])
            entry = first..<first + length
        }
    }
}

// Where the frame of an entry is damaged, its own text is mostly whole, and says whose it is. No other text can be taken
// for that: quotes in it are escaped.

extension JournalPage {
    private static let beginnings = [#"{"state":{"session":"#, #"{"deleted":"#].map { Array($0.utf8) }

    /// The text of an entry among bytes that are damaged.
    private struct Text {
        let id: Identifier
        /// Where it begins.
        let start: Int
        /// Where its frame should have begun.
        let frame: Int
    }

    /// Whose damaged bytes are; what can't be told is somebody's, too.
    private static func owners(of bytes: ArraySlice<UInt8>, _ parser: JSONParser) -> [Found] {
        guard let last = bytes.lastIndex(where: { $0 != 0 }) else { return [] }
        let bytes = bytes[...last]
        let texts = bytes.indices.compactMap { text(at: $0, bytes, parser) }
        guard let first = texts.first else { return [.damaged(nil, Array(bytes))] }
        var found: [Found] = []
        if first.frame > bytes.startIndex {
            found.append(.damaged(nil, Array(bytes[..<first.frame])))
        }
        for (index, text) in texts.enumerated() {
            let end = index + 1 < texts.count ? texts[index + 1].frame : bytes.endIndex
            found.append(
                .damaged(text.id, Array(bytes[max(text.frame, bytes.startIndex)..<max(end, text.start)])))
            // Unless it is one text, something else is between this one and the next.
            if end < text.start || (try? parser.parse(Array(bytes[text.start..<end]))) == nil {
                found.append(.damaged(nil, []))
            }
        }
        return found
    }

    private static func text(at start: Int, _ bytes: ArraySlice<UInt8>, _ parser: JSONParser) -> Text? {
        guard bytes[start] == 0x7B,
            let beginning = beginnings.first(where: { bytes[start...].starts(with: $0) })
        else { return nil }
        let name = start + beginning.count
        guard name < bytes.endIndex, bytes[name] == 0x22 else { return nil }
        var end = name + 1
        while end < bytes.endIndex, bytes[end] != 0x22 { end += bytes[end] == 0x5C ? 2 : 1 }
        guard end < bytes.endIndex, let id = id(bytes[name...end], parser) else { return nil }
        return Text(id: id, start: start, frame: start - fixedBytes - (end + 1 - name) - digestBytes)
    }
}
