import JSON
import Shared
import TestSupport
import Testing

@testable import CatalogService

@Suite struct SearchTests {
    let serving: Serving

    init() throws {
        serving = try Serving()
        try serving.apply([made, category("A"), category("B")].joined(separator: ","))
    }

    private func find(_ query: String, _ more: String = "") throws -> [String] {
        try serving.walk(#","query":"\#(query)"\#(more)"#, limit: 2)
    }

    @Test(arguments: [
        ("a AND b", #""a" "and" "b" *"#), ("", ""), (" - ! \u{301}", ""), (#"\"x\""#, #""x" *"#),
        ("NEAR/2", #""near" "2" *"#),
        ("x x y", #""x" "y" *"#), ("\u{8BFB}\u{4E66} \u{7B14}", "\"\u{8BFB} \u{4E66}\" \"\u{7B14}\" *"),
    ])
    func aQueryIsLiteral(_ query: String, _ expression: String) {
        defer { serving.finish() }
        #expect(WordQuery(query).expression == expression)
    }

    @Test func wordsAreFoundWhereverTheyAre() throws {
        defer { serving.finish() }
        let blocks =
            #"[{"kind":"text","text":"Three"},{"kind":"fields","fields":[{"label":"Serves","value":"Four"}]},"#
            + #"{"kind":"image","source":"hidden.png","label":"Picture"},{"kind":"links","links":[{"title":"Seven","item":"target"}]}]"#
        try serving.apply(put("x", "A", title: "One", more: #","subtitle":"Two","blocks":\#(blocks)"#))
        for query in ["one", "TWO", "three", "serves", "four", "pict", "seven", "one seven fo"] {
            #expect(try find(query) == ["x"], "\(query)")
        }
        for query in ["hidden", "png", "target", "x", "on seven", "eve"] {
            #expect(try find(query) == [], "\(query)")
        }
    }

    @Test func runsWithoutSpacesArePhrases() throws {
        defer { serving.finish() }
        try serving.apply(
            put(
                "x", "A", title: "\u{6211}\u{7684}\u{8BFB}\u{4E66}",
                more: ",\"subtitle\":\"\u{7B14}, \u{8BB0}\""))
        for query in ["\u{8BFB}\u{4E66}", "\u{4E66}", "\u{8BB0} \u{7684}\u{8BFB}"] {
            #expect(try find(query) == ["x"], "\(query)")
        }
        for query in ["\u{4E66}\u{8BFB}", "\u{4E66}\u{7B14}", "\u{7B14}\u{8BB0}"] {
            #expect(try find(query) == [], "\(query)")
        }
    }

    @Test func theIndexFollowsChanges() throws {
        defer { serving.finish() }
        try serving.apply([put("x", "A", title: "old"), put("y", "B", title: "old")].joined(separator: ","))
        try serving.apply(put("x", "A", title: "new"))
        #expect(try find("old") == ["y"])
        #expect(try find("new") == ["x"])
        try serving.apply(#"{"op":"moveItem","id":"x","from":"A","to":"B"}"#)
        #expect(try find("new", #","category":"B""#) == ["x"])
        try serving.apply(#"{"op":"deleteCategory","id":"B"}"#)
        #expect(try find("new") + find("old") == [])
        try serving.apply([put("x", "A", title: "old")].joined(separator: ","))
        #expect(try find("old") == ["x"])
    }

    @Test func anotherCatalogIsNotSearched() throws {
        defer { serving.finish() }
        try serving.apply(
            [made, category("A"), put("theirs", "A", title: "word")].joined(separator: ","), to: "l")
        try serving.apply(put("ours", "A", title: "word"))
        #expect(try find("word") == ["ours"])
    }

    @Test func theBeginningOfALongWordIsFoundHoweverManyBeginLikeIt() throws {
        defer { serving.finish() }
        let count = 520
        let items = (0..<count).map { put("i\($0)", "A", title: $0 == 7 ? "shakshuka" : "shape number\($0)") }
        try serving.apply(items.joined(separator: ","))
        #expect(try find("shaks") == ["i7"])
        #expect(try find("shaks", #","category":"B""#) == [])
        #expect(try serving.walk(#","query":"shap""#).count == count - 1)
        #expect(try find("number51", #","category":"A""#).count == 11)
        #expect(try find("shape number519") == ["i519"])
    }

    @Test func manyWordsWithOneBeginningAreGoneThroughInSteps() throws {
        defer { serving.finish() }
        // More than are taken at once, of words that many have, of one that each has alone, and beside other words.
        let count = Limits.candidatesMax + 1_100
        for first in stride(from: 0, to: count, by: 1_000) {
            let items = (first..<min(count, first + 1_000)).map { number in
                put(
                    "i\(10_000 + number)", number.isMultiple(of: 5) ? "B" : "A",
                    title:
                        "word\(number % 3) word\(number % 3) number\(number) \(number % 2 == 0 ? "even" : "odd")"
                )
            }
            try serving.apply(items.joined(separator: ","))
        }
        func total(_ query: String, _ more: String = "") throws -> Int? {
            try serving.client.call("catalog.items", #"{"catalog":"k","query":"\#(query)"\#(more)}"#)[
                "total"]?
                .int
        }
        func expected(_ matches: (Int) -> Bool) -> Int { (0..<count).filter(matches).count }
        #expect(try total("word") == count)
        #expect(try total("word2") == expected { $0 % 3 == 2 })
        #expect(try total("word", #","category":"B""#) == expected { $0 % 5 == 0 })
        #expect(try total("numb") == count)
        #expect(try total("number10") == expected { "\($0)".hasPrefix("10") })
        #expect(try total("numc") == 0)
        #expect(try total("word1 numb") == expected { $0 % 3 == 1 })
        #expect(try total("even numb", #","category":"A""#) == expected { $0 % 2 == 0 && $0 % 5 != 0 })
        #expect(try total("even odd numb") == 0)
        #expect(try total("numb word") == 0)
        #expect(try total("number5 word") == 1)
    }

    @Test func aLongQueryHasABound() throws {
        defer { serving.finish() }
        let words = (0..<512).map { "\(UnicodeScalar(0x4E00 + $0, default: "x")) " }.joined().prefix(256)
        #expect(try find(String(words)) == [])
        let long = String(repeating: "a ", count: 512)
        #expect(try find(long) == [])
        #expect(
            try serving.refusal("catalog.items", #"{"catalog":"k","query":"\#(long)a"}"#) == "1004 /query")
    }

    @Test func manyMatchesAreCountedUpToABoundAndWalked() throws {
        defer { serving.finish() }
        for part in 0..<21 {
            let items = (0..<500).map { number in
                let index = part * 500 + number
                return put("i\(index)", index % 3 == 0 ? "B" : "A", title: "row \(1_000_000 + index)")
            }
            try serving.apply(items.joined(separator: ","))
        }
        func page(_ more: String) throws -> JSONValue {
            try serving.client.call("catalog.items", #"{"catalog":"k","query":"row","limit":3\#(more)}"#)
        }
        let first = try page("")
        #expect(
            first["total"]?.int == 10_000 && first["totalCapped"]?.bool == true && first["first"]?.int == 0)
        #expect(try serving.rowIds(first) == ["i0", "i1", "i2"])
        let second = try page(#","after":\#(try #require(first["after"]).text)"#)
        #expect(try serving.rowIds(second) == ["i3", "i4", "i5"] && second["first"]?.int == 3)
        let around = try page(#","around":"i900""#)
        #expect(try serving.rowIds(around) == ["i899", "i900", "i901"] && around["aroundIndex"]?.int == 900)
        let far = try page(#","around":"i9000""#)
        #expect(try serving.rowIds(far) == ["i8999", "i9000", "i9001"] && far["first"]?.isNull == true)
        let last = try page(#","sort":{"by":"title","descending":true}"#)
        #expect(try serving.rowIds(last) == ["i10499", "i10498", "i10497"])
        let some = try page(#","category":"A""#)
        #expect(some["total"]?.int == 7_000 && some["totalCapped"]?.bool == false)
        #expect(try serving.rowIds(some) == ["i1", "i2", "i4"])
        for gone in 0..<2 {
            for index in [gone, 5, 1_022, 1_023, 1_024, 1_025, 2_047, 2_048, 5_000, 10_239, 10_240, 10_499] {
                for (sort, expected) in [("false", index - gone), ("true", 10_499 - index)] {
                    let page = try serving.client.call(
                        "catalog.items",
                        #"{"catalog":"k","around":"i\#(index)","limit":1,"sort":{"by":"title","descending":\#(sort)}}"#
                    )
                    #expect(page["aroundIndex"]?.int == expected, "i\(index), descending: \(sort)")
                }
            }
            try serving.apply(#"{"op":"deleteItem","id":"i\#(gone)"}"#)
        }
    }
}

extension UnicodeScalar {
    fileprivate init(_ value: Int, default other: UnicodeScalar) {
        self = UnicodeScalar(UInt32(value)) ?? other
    }
}
