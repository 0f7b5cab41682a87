import Curses
import Shared

// Text of a catalog on its way to the terminal. Whatever it contains, what comes out are glyphs of a known width: no
// control character gets through.

/// A text as the terminal's cells.
struct GlyphText: Equatable {
    var glyphs: [Glyph]

    /// Cells in all.
    var width: Int { glyphs.reduce(0) { $0 + $1.width } }

    init(_ glyphs: [Glyph] = []) { self.glyphs = glyphs }

    /// Takes a text; line ends and tabs become spaces.
    init(_ text: String, in charset: Charset) {
        glyphs = []
        glyphs.reserveCapacity(text.utf8.count)
        for character in text { append(character, in: charset) }
    }

    private mutating func append(_ character: Character, in charset: Charset) {
        if let byte = character.asciiValue {
            let isShown = byte >= 0x20 && byte != 0x7F
            let text = isShown ? String(character) : Self.isSpace(byte) ? " " : charset.marks.replacement
            return glyphs.append(Glyph(text, width: 1))
        }
        if character.isNewline { return glyphs.append(Glyph(" ", width: 1)) }
        switch charset {
        case .unicode: appendScalars(character)
        case .ascii:
            // What is not seen anyway is not missed.
            guard !character.unicodeScalars.allSatisfy({ $0.properties.generalCategory == .format }) else {
                return
            }
            let text = Self.ascii[character] ?? "?"
            for (index, one) in text.enumerated() {
                glyphs.append(Glyph(String(one), width: 1, isJoined: index > 0))
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { (0x09...0x0D).contains(byte) }

    /// What a plain terminal shows for the marks that texts have most.
    private static let ascii: [Character: String] = [
        "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-", "•": "*", "·": ".", "…": "...", "‘": "'", "’": "'",
        "“": "\"", "”": "\"", "„": "\"", "«": "\"", "»": "\"", "×": "x", "\u{A0}": " ", "½": "1/2",
        "¼": "1/4",
        "¾": "3/4", "→": ">", "←": "<", "°": "deg",
    ]

    /// Adds what a person sees as one character: each of its scalars that takes cells is a glyph, the others stand on
    /// it.
    ///
    /// Terminals do not agree how wide emoji are that are made of several (a family, a hand with a colour, a text
    /// sign shown as an emoji). So only the first one is shown, which is as wide everywhere.
    private mutating func appendScalars(_ character: Character) {
        let first = glyphs.count
        var isBehindJoiner = false
        var isEmoji = false
        for scalar in character.unicodeScalars {
            let value = scalar.value
            if value == 0x200D {
                isBehindJoiner = true
                continue
            }
            defer { isBehindJoiner = false }
            if Self.isLeftOut(value) || (isEmoji && (isBehindJoiner || scalar.properties.isEmojiModifier)) {
                continue
            }
            switch Locale.cells(of: scalar) {
            case 0?: appendMark(scalar, behind: first)
            case let width?:
                let isJoined = glyphs.count > first
                glyphs.append(Glyph(String(scalar), width: width, isJoined: isJoined))
                isEmoji = scalar.properties.isEmojiPresentation || scalar.properties.isEmoji
            case nil:
                glyphs.append(Glyph(Marks.unicode.replacement, width: 1, isJoined: glyphs.count > first))
            }
        }
    }

    /// Variation selectors, tags, soft hyphens and what would turn the direction of the text behind it, of other columns, too.
    private static func isLeftOut(_ value: UInt32) -> Bool {
        (0xFE00...0xFE0F).contains(value) || (0x202A...0x202E).contains(value)
            || (0x2066...0x2069).contains(value) || (0xE0000...0xE01EF).contains(value) || value == 0xFEFF
            || value == 0xAD
    }

    /// Puts a mark on the glyph before it; one that has none stands on a space.
    private mutating func appendMark(_ scalar: Unicode.Scalar, behind first: Int) {
        if glyphs.count == first {
            // Formats without a glyph of their own are not seen at all.
            guard scalar.properties.generalCategory != .format else { return }
            glyphs.append(Glyph(" ", width: 1))
        }
        let last = glyphs.count - 1
        guard glyphs[last].text.unicodeScalars.count <= Limits.marksPerGlyphMax else { return }
        glyphs[last].text.unicodeScalars.append(scalar)
    }

    // MARK: Fitting

    /// As much as fits into so many cells, with an ellipsis if something is left out.
    func fitted(to cells: Int, in charset: Charset) -> GlyphText {
        guard width > cells else { return self }
        guard cells > 0 else { return GlyphText() }
        var (kept, room) = (0, cells - 1)
        for (index, glyph) in glyphs.enumerated() {
            room -= glyph.width
            guard room >= 0 else { break }
            // Not in the middle of what a person sees as one.
            if index + 1 >= glyphs.count || !glyphs[index + 1].isJoined { kept = index + 1 }
        }
        return GlyphText(glyphs[..<kept] + [Glyph(charset.marks.ellipsis, width: 1)])
    }

    /// The text of several lines, each of at most so many cells, broken between words where there are any.
    ///
    /// Line ends of the text stay; a line that begins with spaces keeps them, also where it is broken.
    static func wrapped(_ text: String, to cells: Int, in charset: Charset) -> [GlyphText] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap {
            GlyphText(String($0), in: charset).wrapped(to: max(cells, 2))  // a wide character must fit
        }
    }

    private func wrapped(to cells: Int) -> [GlyphText] {
        let space = Glyph(" ", width: 1)
        let indent = glyphs.prefix { $0 == space }.prefix(cells / 2)
        var lines: [GlyphText] = []
        var line = GlyphText(Array(indent))
        var (used, isEmpty) = (indent.count, true)
        func breakLine() {
            lines.append(line)
            (line, used, isEmpty) = (GlyphText(Array(indent)), indent.count, true)
        }
        for word in glyphs.split(separator: space) {
            let width = word.reduce(0) { $0 + $1.width }
            if !isEmpty, used + 1 + width > cells { breakLine() }
            if !isEmpty {
                line.glyphs.append(space)
                used += 1
            }
            for cluster in Self.clusters(word) {
                let width = cluster.reduce(0) { $0 + $1.width }
                if used + width > cells, !isEmpty { breakLine() }
                line.glyphs += cluster
                used += width
                isEmpty = false
            }
        }
        return lines + [line]
    }

    /// The glyphs in groups that must not be separated.
    private static func clusters(_ glyphs: ArraySlice<Glyph>) -> [ArraySlice<Glyph>] {
        var (clusters, start) = ([ArraySlice<Glyph>](), glyphs.startIndex)
        for index in glyphs.indices.dropFirst() where !glyphs[index].isJoined {
            clusters.append(glyphs[start..<index])
            start = index
        }
        return start < glyphs.endIndex ? clusters + [glyphs[start...]] : clusters
    }
}
