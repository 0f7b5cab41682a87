import JSON
import Testing

@Suite struct JSONParserTests {
    let parser = JSONParser(depthMax: 64)

    @Test func valuesAreDecodedAndKeepTheirRawBytes() throws {
        let text = #"{"a":[1,2.50,-0,"x\u00e9\n"],"b":{"c":null},"d":true,"e":"plain"}"#
        let root = try parser.parse(Array(text.utf8)).root
        #expect(root.kind == .object)
        #expect(root.count == 4)
        let a = try #require(root["a"])
        #expect(a.count == 4)
        let raws = a.elements.map { String(decoding: $0.raw, as: UTF8.self) }
        #expect(raws == ["1", "2.50", "-0", #""x\u00e9\n""#])
        #expect(a.elements.map(\.string) == [nil, nil, nil, "xé\n"])
        #expect(root["b"]?["c"]?.isNull == true)
        #expect(root["d"]?.bool == true)
        #expect(root["e"]?.string == "plain")
        #expect(root["f"] == nil)
        #expect(String(decoding: try #require(root["b"]).raw, as: UTF8.self) == #"{"c":null}"#)
    }

    @Test(arguments: [
        "{", "}", "[1,]", #"["",]"#, #"{"id":0,}"#, #"{"a":1} x"#, "{}{}", "\u{FEFF}{}", "{'a':1}",
        #"{"a":01}"#,
        "NaN", #"{"a":.5}"#, "{\"a\":\"\t\"}", "nul", #""open"#, #"{"a":1 "b":2}"#, #"{"a":"\x41"}"#, "1.",
        "-",
        "1e", "+1", "123456789012345678901234567890x", "1234567890123456789012345678901.", #""\ud800""#,
        #""\udc00""#, #""\ude00\ud83d""#, #""\ud83dx""#, #""\ud83d\u0041""#, "",
    ])
    func whatIsNotStrictJSONIsRefused(text: String) {
        #expect(throws: JSONError.invalid) { try parser.parse(Array(text.utf8)) }
    }

    @Test func invalidUTF8IsRefused() {
        #expect(throws: JSONError.invalid) { try parser.parse([0x22, 0xFF, 0x22]) }
        #expect(throws: JSONError.invalid) { try parser.parse([0x22, 0xED, 0xA0, 0x80, 0x22]) }
    }

    @Test(arguments: [
        "123456789012345678901234567890", "-123456789012345678901234567890", "1e400", "0e1", "1E+2",
        "18446744073709551616", "9007199254740993", "-0", "1.0",
    ])
    func numbersOfAnySizeKeepTheirRawBytes(number: String) throws {
        let root = try parser.parse(
            Array(#"{"id" : \#(number) ,"s":"-123456789012345678901234567890"}"#.utf8)
        ).root
        #expect(String(decoding: try #require(root["id"]).raw, as: UTF8.self) == number)
        #expect(root["id"]?.kind == .number)
        #expect(root["s"]?.string == "-123456789012345678901234567890")
    }

    @Test func wholeNumbersMayBeWrittenWithAFraction() throws {
        let values = try parser.parse(Array("[5,5.0,5e0,5.5,1e400,123456789012345678901234567890,-7]".utf8))
            .root
        #expect(values.elements.map(\.int) == [5, 5, 5, nil, nil, nil, -7])
        #expect(
            values.elements.map(\.double) == [
                5, 5, 5, 5.5, nil, Double("123456789012345678901234567890"), -7,
            ])
    }

    @Test func nestingIsBounded() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try parser.parse(nested(64))
        #expect(throws: JSONError.tooDeep) { try parser.parse(nested(65)) }
        #expect(throws: JSONError.tooDeep) { try parser.parse(nested(100_000)) }
        let scalar = String(repeating: "[", count: 64) + "1" + String(repeating: "]", count: 64)
        #expect(throws: JSONError.tooDeep) { try parser.parse(Array(scalar.utf8)) }
    }

    @Test func aLongTextIsParsedAndTheParserStaysUsable() throws {
        let long = "[" + String(repeating: "\"abcdefgh\",", count: 50_000) + "1]"
        #expect(try parser.parse(Array(long.utf8)).root.count == 50_001)
        #expect(try parser.parse(Array("[1]".utf8)).root.count == 1)
    }
}
