/// How many cells of a terminal text takes, and what fits into so many.
enum TextWidth {
    /// The cells of one character.
    static func of(_ character: Character) -> Int {
        if let byte = character.asciiValue { return byte < 0x20 || byte == 0x7F ? 0 : 1 }
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        // Emoji take two, whatever modifiers, joiners and further emoji make up the one that is seen.
        let isEmoji = first.properties.isEmojiPresentation || scalars.contains { $0.value == 0xFE0F }
        if isEmoji { return 2 }
        return min(2, scalars.reduce(0) { $0 + of($1) })
    }

    /// The cells of a text.
    static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // The vowels and finals of a Hangul syllable in pieces stand inside its first letter.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// Wide and fullwidth characters beside emoji (Unicode 15.1, EastAsianWidth.txt), most frequent first.
    ///
    /// A terminal's own table is what counts, and no locale of the C library is sure to know it.
    private static let wide: [ClosedRange<UInt32>] = [
        0x4E00...0x9FFF, 0x3041...0x33FF, 0xAC00...0xD7A3, 0x2E80...0x303E, 0xFF01...0xFF60,
        0x3400...0x4DBF, 0x1100...0x115F, 0x2329...0x232A, 0xA000...0xA4CF, 0xA960...0xA97C,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFFE0...0xFFE6, 0x16FE0...0x16FF1,
        0x17000...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]

    /// The text without controls, which must not reach a terminal: they are spaces.
    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            return text
        }
        return String(
            text.map { character in
                character.unicodeScalars.contains { $0.properties.generalCategory == .control }
                    ? " " : character
            })
    }

    /// As much of the text as fits, with an ellipsis if something is left out.
    static func fitted(_ text: String, to cells: Int) -> String {
        guard of(text) > cells else { return text }
        guard cells > 0 else { return "" }
        var (kept, room) = ("", cells - 1)
        for character in text {
            room -= of(character)
            guard room >= 0 else { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// The text in lines of at most so many cells, broken between words where there are any.
    static func wrapped(_ text: String, to cells: Int) -> [String] {
        let cells = max(cells, 2)  // a wide character must fit
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap {
            paragraph in
            var lines: [String] = []
            var line = ""
            var room = cells
            for word in printable(String(paragraph)).split(separator: " ") {
                let width = of(String(word))
                if !line.isEmpty, width + 1 <= room {
                    line += " \(word)"
                    room -= width + 1
                    continue
                }
                if !line.isEmpty { lines.append(line) }
                (line, room) = ("", cells)
                for character in word {
                    if of(character) > room {
                        lines.append(line)
                        (line, room) = ("", cells)
                    }
                    line.append(character)
                    room -= of(character)
                }
            }
            return lines + [line]
        }
    }
}
