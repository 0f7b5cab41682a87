import CUTF8Proc

/// What a code point does to the word before it.
enum CharacterRole {
    /// Belongs to the word before it, or begins one.
    case letter
    /// Is a word of its own.
    case ideograph
    /// Belongs to the word before it, if there is one.
    case follower
    /// Ends a word.
    case separator

    /// Whether it goes on with a word that began with a letter or an ideograph.
    func continues(_ first: CharacterRole) -> Bool {
        self == .follower || (self == .letter && first == .letter)
    }
}

/// What is known of a code point.
enum CodePoint {
    static func role(_ point: Int32) -> CharacterRole {
        if point < 0x80 { return ascii[Int(point)] }
        if point == 0x200C || point == 0x200D { return .follower }  // the zero width (non-)joiner
        switch category(point) {
        case UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LL, UTF8PROC_CATEGORY_LT, UTF8PROC_CATEGORY_LM,
            UTF8PROC_CATEGORY_LO, UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NL, UTF8PROC_CATEGORY_NO,
            UTF8PROC_CATEGORY_SM, UTF8PROC_CATEGORY_SC, UTF8PROC_CATEGORY_SK, UTF8PROC_CATEGORY_SO:
            return contains(ideographs, point) ? .ideograph : .letter
        case UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_MC, UTF8PROC_CATEGORY_ME: return .follower
        default: return .separator
        }
    }

    /// Whether accents on this letter are left out by people who search: it is Latin, Greek or Cyrillic.
    static func hasAccents(_ point: Int32) -> Bool {
        if point < 0x80 { return (0x61...0x7A).contains(point | 0x20) }
        return contains(accented, point)
    }

    static func isNonspacingMark(_ point: Int32) -> Bool { category(point) == UTF8PROC_CATEGORY_MN }

    private static func category(_ point: Int32) -> utf8proc_category_t { utf8proc_category(point) }

    private static let ascii: [CharacterRole] = (0..<0x80).map { point in
        switch UInt8(point) {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            .letter
        case UInt8(ascii: "$"), UInt8(ascii: "+"), UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">"),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            .letter  // symbols by their Unicode category
        default: .separator
        }
    }

    // utf8proc knows no scripts. These are the blocks of Unicode's Scripts.txt, letters in them only.

    /// Latin, Greek and Cyrillic, in order.
    private static let accented: [ClosedRange<Int32>] = [
        0xAA...0xAA, 0xBA...0xBA, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2B8, 0x2E0...0x2E4, 0x370...0x373,
        0x375...0x377, 0x37A...0x37D, 0x37F...0x37F, 0x386...0x386, 0x388...0x3E1, 0x3F0...0x52F,
        0x1C80...0x1C88, 0x1D00...0x1DBF, 0x1E00...0x1FFE, 0x2071...0x2071, 0x207F...0x207F, 0x2090...0x209C,
        0x212A...0x212B, 0x2160...0x2188, 0x2C60...0x2C7F, 0xA640...0xA69F, 0xA722...0xA787, 0xA78B...0xA7FF,
        0xAB30...0xAB69, 0xFB00...0xFB06, 0xFF21...0xFF3A, 0xFF41...0xFF5A,
    ]

    /// Han, Hiragana, Katakana and Bopomofo, in order.
    private static let ideographs: [ClosedRange<Int32>] = [
        0x2EA...0x2EB, 0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x3029, 0x3038...0x303B, 0x3041...0x30FF,
        0x3105...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
        0xFF66...0xFF9F, 0x16FE2...0x16FF1, 0x1AFF0...0x1B16F, 0x20000...0x3FFFD,
    ]

    private static func contains(_ ranges: [ClosedRange<Int32>], _ point: Int32) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].contains(point) { return true }
            if point < ranges[middle].lowerBound { high = middle } else { low = middle + 1 }
        }
        return false
    }
}
