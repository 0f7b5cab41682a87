import Testing
import Text

/// Words in brackets; the ones that continue a run without a gap.
private func words(_ text: String) -> String {
    Words(of: text).reduce(into: "") { all, word in
        let text = String(decoding: word.text, as: UTF8.self)
        all += word.continuesRun ? "+\(text)" : all.isEmpty ? text : " \(text)"
    }
}

@Suite struct WordsTests {
    @Test(arguments: [
        ("Green soup, with mint.", "green soup with mint"), ("", ""), (" - !", ""), ("don't", "don t"),
        ("a_b multi-agent 20.04", "a b multi agent 20 04"), ("a=b 50% C++ <x>", "a=b 50 c++ <x>"),
        ("caf\u{E9}\u{301}x", "cafex"), ("\u{301}a", "a"),
        ("\u{6211}\u{7684}\u{8BFB} \u{4E66}", "\u{6211}+\u{7684}+\u{8BFB} \u{4E66}"),
        ("abc\u{6211}\u{7684}def", "abc \u{6211}+\u{7684} def"),
        ("\u{304B}\u{3099}\u{30E9}\u{30FC}", "\u{304C}+\u{30E9}+\u{30FC}"),
        ("\u{6211},\u{7684}", "\u{6211} \u{7684}"),
        ("\u{AC10}\u{C790} \u{1100}", "\u{AC10}\u{C790} \u{1100}"),
        ("\u{1F468}\u{200D}\u{1F469} \u{2764}\u{FE0F}", "\u{1F468}\u{200D}\u{1F469} \u{2764}\u{FE0F}"),
        ("\u{915}\u{94D}\u{937}", "\u{915}\u{94D}\u{937}"), ("x\u{200D}", "x\u{200D}"), ("\u{200D}", ""),
        ("\u{B2}\u{2167}", "\u{B2}\u{2177}"), ("\u{9}a\0b\u{FFFE}c", "a b c"),
    ])
    func aTextHasItsWords(_ text: String, _ expected: String) {
        #expect(Array(words(text).utf8) == Array(expected.utf8))
    }
}
