@testable import JSON
import Testing

@Suite struct JSONWriterTests {
    private func written(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func objectsAndArraysGetTheirCommas() {
        let text = written { json in
            json.object { json in
                json.member("a", 1)
                json.array("b") { json in
                    json.value("x")
                    json.value(nil as String?)
                    json.object { _ in }
                    json.array { _ in }
                    json.value(true)
                }
                json.object("c") { $0.member("d", nil as Int?) }
                json.member("e", 2.5)
                json.members(of: Array(#"{"f":1,"g":2}"#.utf8))
                json.members(of: Array("{}".utf8))
                json.member("h", raw: Array("[]".utf8))
            }
        }
        #expect(text == #"{"a":1,"b":["x",null,{},[],true],"c":{"d":null},"e":2.5,"f":1,"g":2,"h":[]}"#)
    }

    @Test func controlsQuotesAndLineSeparatorsAreEscaped() {
        let text = written { $0.value("a\"b\\c\n\r\t\u{1}\u{1F}\u{7F}é\u{2028}\u{2029}\u{2027}/\u{85}") }
        #expect(text == "\"a\\\"b\\\\c\\n\\r\\t\\u0001\\u001f\u{7F}é\\u2028\\u2029\u{2027}/\u{85}\"")
    }

    @Test func whereverSomethingHasToBeEscapedItIs() {
        let escapes = [
            "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\u{1F}": "\\u001f", "\u{2028}": "\\u2028",
            "\u{2027}": "\u{2027}", " ": " ", "!": "!", "#": "#", "[": "[", "]": "]", "\u{7F}": "\u{7F}",
            "é": "é", "\u{A0}": "\u{A0}", "€": "€", "😀": "😀",
        ]
        for (one, escaped) in escapes {
            for around in ["a", "é", "\u{80}", "ÿ"] {
                for place in 0..<20 {
                    let before = String(repeating: around, count: place)
                    let after = String(repeating: around, count: 19 - place)
                    #expect(written { $0.value(before + one + after) } == "\"\(before)\(escaped)\(after)\"")
                    #expect(written { $0.value(before + one) } == "\"\(before)\(escaped)\"")
                }
            }
        }
    }

    @Test func whatNeedsNoEscapesIsSeenAtOnce() {
        func isPlain(_ text: String) -> Bool {
            unsafe Array(text.utf8).withUnsafeBufferPointer { unsafe JSONWriter.isPlain($0) }
        }
        for count in 0..<40 {
            for around in ["a", "é"] {
                let text = String(repeating: around, count: count)
                #expect(isPlain(text))
                for one in ["\"", "\\", "\n", "€"] { #expect(!isPlain(text + one) && !isPlain(one + text)) }
            }
        }
    }

    @Test func rawTextKeepsEverythingButLineSeparators() {
        let text = written { $0.value(raw: Array("\"\u{2028}é\u{2029}\u{2027}\\u00e9\"".utf8)) }
        #expect(text == "\"\\u2028é\\u2029\u{2027}\\u00e9\"")
    }

    @Test(arguments: [
        (0.0, "0"), (-0.5, "-0.5"), (269.5, "269.5"), (1024, "1024"), (1e21, "1e+21"), (.infinity, "null"),
        (-0x1p63, "-9.223372036854776e+18"), (-269.5, "-269.5"), (0.1, "0.1"), (0x1p52, "4503599627370496"),
        (0x1p53, "9007199254740992.0"),
        (99.75, "99.75"),
    ])
    func numbersAreShort(number: Double, text: String) {
        #expect(written { $0.value(number) } == text)
    }

    @Test(arguments: [0, 9, 10, -1, 99, 100, 12_345, .max, .min])
    func wholeNumbersHaveAllTheirDigits(number: Int) {
        #expect(written { $0.value(number) } == String(number))
    }

    @Test func whatAWriterHasWrittenIsPassedOn() {
        let text = written { json in
            json.object { json in
                json.member("a", written: Array("[1]".utf8))
                json.value(written: Array(#""b":2,"c":[3"#.utf8))
                json.more(written: Array(",4]".utf8)[...])
                json.member("d", fixed: "e")
            }
        }
        #expect(text == #"{"a":[1],"b":2,"c":[3,4],"d":"e"}"#)
    }

    @Test func whatIsLongerThanTheRoomIsKept() {
        let long = String(repeating: "0123456\n", count: 10_000)
        #expect(written { $0.value(long) }.count == 10_000 * 9 + 2)
    }

    @Test func whatIsWrittenParsesToTheSame() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let scalars = (0..<20).map { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &generator)) ?? "x"
            }
            let string = String(String.UnicodeScalarView(scalars))
            let line = written { $0.value(string) }
            let back = try JSONParser(depthMax: 4).parse(Array(line.utf8)).root.stringBytes
            #expect(back.map(Array.init) == Array(string.utf8))
            #expect(!line.utf8.contains { $0 < 0x20 })
        }
    }

    @Test(arguments: [0, 1]) func anEmptiedWriterKeepsNoMoreRoomThanItsBound(_ more: Int) {
        var json = JSONWriter(capacity: JSONWriter.roomKeptMax + more)
        json.array { $0.value("x") }
        json.reset()
        #expect((json.capacity == JSONWriter.roomKeptMax) == (more == 0))
        #expect(json.capacity <= JSONWriter.roomKeptMax && json.count == 0)
        json.array { $0.value("y") }
        #expect(json.bytes == Array(#"["y"]"#.utf8))
    }
}
