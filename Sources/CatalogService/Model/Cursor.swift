import Shared

/// A place in a list, given to a client as text that means nothing to it.
///
/// It holds the key of the row next to which it stands, not its index; so it survives whatever happens to rows, that
/// one's deletion too. It also holds a mark of the list that it belongs to.
struct Cursor: Equatable {
    /// What is the same for all cursors of one list.
    struct Mark: Equatable {
        let hash: UInt64

        init(catalog: Identifier, category: Identifier?, isGrouped: Bool, query: String, sort: Sort) {
            // FNV-1a: cursors outlive the process, and Swift's own hashes don't. It keeps mistakes out, not attacks.
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            func add(_ text: String) {
                for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
                hash = (hash ^ 0xFF) &* 0x100_0000_01B3
            }
            add(catalog.text)
            add(category.map { "c" + $0.text } ?? (isGrouped ? "g" : "a"))
            add(query)
            add(sort.by.rawValue)
            add(sort.descending ? "d" : "u")
            self.hash = hash
        }
    }

    /// Where it stands: next to a row that may have gone since.
    struct Position: Equatable {
        /// The place of the category, in a list that is grouped by category.
        let group: Place?
        let key: [UInt8]
        let id: String
    }

    let mark: Mark
    let position: Position

    init(_ position: Position, of mark: Mark) { (self.position, self.mark) = (position, mark) }

    var text: String {
        let group = position.group?.bytes ?? []
        var bytes = Self.bytes(mark.hash, 8)
        bytes += Self.bytes(UInt64(group.count), 3) + group
        bytes += Self.bytes(UInt64(position.key.count), 3) + position.key
        return Base64URL.encoded(bytes + Array(position.id.utf8))
    }

    /// Reads what `text` was; nil if it is something else, or belongs to another list.
    init?(_ text: String, of mark: Mark) {
        guard var rest = Base64URL.decoded(text)?[...],
            Self.take(8, from: &rest).map(Self.number) == mark.hash,
            let group = Self.takeCounted(from: &rest), let key = Self.takeCounted(from: &rest),
            let id = String(validating: rest, as: UTF8.self)
        else { return nil }
        let place = group.isEmpty ? nil : Place(bytes: Array(group))
        self.init(Position(group: place, key: Array(key), id: id), of: mark)
    }

    private static func take(_ count: Int, from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest.removeFirst(count) }
        return rest.prefix(count)
    }

    private static func takeCounted(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        take(3, from: &rest).flatMap { take(Int(number($0)), from: &rest) }
    }

    private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Base64 of RFC 4648 section 5, without padding.
enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func encoded(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var (bits, held) = (0, 0)
        for byte in bytes {
            (bits, held) = (bits << 8 | Int(byte), held + 8)
            while held >= 6 {
                held -= 6
                text.append(alphabet[bits >> held & 63])
            }
            bits &= (1 << held) - 1
        }
        if held > 0 { text.append(alphabet[bits << (6 - held) & 63]) }
        return String(decoding: text, as: UTF8.self)
    }

    static func decoded(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, held) = (0, 0)
        for character in text.utf8 {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            (bits, held) = (bits << 6 | value, held + 6)
            guard held >= 8 else { continue }
            held -= 8
            bytes.append(UInt8(bits >> held))
            bits &= (1 << held) - 1
        }
        return bits == 0 ? bytes : nil
    }
}
