import Testing
import Text

private func folded(_ text: String) -> String { String(decoding: Folding.folded(text), as: UTF8.self) }

@Suite struct FoldingTests {
    @Test(arguments: [
        ("Shakshuka", "shakshuka"), ("", ""), ("A1 $~", "a1 $~"),
        ("Caf\u{E9}", "cafe"), ("CAFE\u{301}", "cafe"), ("Stra\u{DF}e", "strasse"), ("\u{1E9E}", "ss"),
        ("\u{130}", "i"),
        ("\u{3A3}\u{3BF}\u{3C6}\u{3AF}\u{3B1}\u{3C2}", "\u{3C3}\u{3BF}\u{3C6}\u{3B9}\u{3B1}\u{3C3}"),
        ("\u{1FB4}", "\u{3B1}\u{3B9}"), ("\u{419}\u{401}", "\u{438}\u{435}"),
        ("\u{F8}\u{142}", "\u{F8}\u{142}"),
        ("\u{1100}\u{1161}\u{11B7}", "\u{AC10}"), ("\u{304B}\u{3099}", "\u{304C}"),
        ("\u{915}\u{93C}", "\u{915}\u{93C}"),
        ("\u{212B}", "a"), ("\u{FB01}", "fi"), ("a\0\u{E9}", "a\0e"), ("\u{5D0}\u{5B8}", "\u{5D0}\u{5B8}"),
    ])
    func aTextHasItsFoldedForm(_ text: String, _ expected: String) {
        #expect(Array(folded(text).utf8) == Array(expected.utf8))
    }

    @Test func foldingTwiceChangesNothing() {
        for value in (0...0x2FFFF as ClosedRange<UInt32>) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let once = folded("x\(scalar)\u{301}")
            #expect(Array(folded(once).utf8) == Array(once.utf8), "U+\(String(value, radix: 16))")
        }
    }
}
