import Curses
import Testing

@testable import Browse

@Suite struct GlyphTextTests {
    private func shown(_ text: String, _ charset: Charset = .unicode) -> String {
        _ = isUTF8
        return GlyphText(text, in: charset).glyphs.map(\.text).joined()
    }

    private func width(_ text: String) -> Int {
        _ = isUTF8
        return GlyphText(text, in: .unicode).width
    }

    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ﾊﾝ", 2), ("한국", 4), ("👍", 2), ("👍🏽", 2),
        ("👩‍🚀", 2),
        ("👨‍👩‍👧‍👦", 2), ("🇫🇷", 2), ("❤️", 1), ("a\u{200B}b", 2), ("\u{301}", 1), ("क्षि", 3), ("한", 2), ("\r\n", 1),
    ]) func aCharacterIsAsWideAsTerminalsShowIt(text: String, cells: Int) {
        #expect(width(text) == cells)
    }

    @Test func whatTerminalsDisagreeOnIsLeftOut() {
        #expect(shown("👨‍👩‍👧‍👦👍🏽❤️1️⃣") == "👨👍❤1\u{20E3}")
        #expect(shown("soft\u{AD} \u{FEFF}x\u{202E}y") == "soft xy")
        #expect(shown("\u{301}x") == " \u{301}x")
        for (marks, shownMarks) in [(3, 3), (4, 4), (5, 4), (9, 4)] {
            let text = "e" + String(repeating: "\u{301}", count: marks)
            #expect(shown(text) == "e" + String(repeating: "\u{301}", count: shownMarks))
        }
    }

    @Test func controlsAreReplaced() {
        #expect(
            shown("a\u{1B}[1m\u{7}\u{0}\u{7F}\u{9B}\tb\nc")
                == "a\u{FFFD}[1m\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD} b c")
        #expect(shown("a\u{1B}é–…日\u{200B}", .ascii) == "a??-...?")
    }

    @Test func textThatDoesNotFitEndsInAnEllipsis() {
        _ = isUTF8
        func fitted(_ text: String, _ cells: Int) -> String {
            GlyphText(text, in: .unicode).fitted(to: cells, in: .unicode).glyphs.map(\.text).joined()
        }
        #expect(fitted("abcdef", 6) == "abcdef")
        #expect(fitted("abcdef", 5) == "abcd…")
        #expect(fitted("日本語", 5) == "日本…")
        #expect(fitted("日本語", 4) == "日…")
        #expect(fitted("a🇫🇷b", 3) == "a…")
        #expect(fitted("abc", 0) == "")
    }

    @Test func textIsBrokenBetweenWords() {
        _ = isUTF8
        func wrapped(_ text: String, _ cells: Int) -> [String] {
            GlyphText.wrapped(text, to: cells, in: .unicode).map { $0.glyphs.map(\.text).joined() }
        }
        #expect(wrapped("one two three", 7) == ["one two", "three"])
        #expect(wrapped("a\n\nb", 7) == ["a", "", "b"])
        #expect(wrapped("abcdefghij", 4) == ["abcd", "efgh", "ij"])
        #expect(wrapped("日本語 日本語", 5) == ["日本", "語", "日本", "語"])
        #expect(wrapped("  one two three", 9) == ["  one two", "  three"])
        #expect(wrapped("x🇫🇷🇫🇷", 4) == ["x🇫🇷", "🇫🇷"])
        #expect(wrapped("日", 1) == ["日"])
        #expect(wrapped("", 5) == [""])
    }

    @Test func noLineIsWiderThanItsColumn() {
        _ = isUTF8
        let text = "The quick 日本語 brown 👨‍👩‍👧‍👦 fox jumps\nover   the lazy é dog 🇫🇷 and abcdefghijklmnopqrstuvwxyz"
        for cells in 2...40 {
            for line in GlyphText.wrapped(text, to: cells, in: .unicode) {
                #expect(line.width <= cells)
            }
        }
    }
}
