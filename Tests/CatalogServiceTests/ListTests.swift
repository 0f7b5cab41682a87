import JSON
import TestSupport
import Testing

@testable import CatalogService

@Suite struct ListTests {
    let serving: Serving

    init() throws {
        serving = try Serving()
        try serving.apply([made, category("B"), category("A"), category("C")].joined(separator: ","))
    }

    @Test(arguments: [
        ("", ["7", "1", "4", "2", "6", "3", "5"]),
        (#","sort":{"by":"title"}"#, ["7", "1", "4", "2", "6", "3", "5"]),
        (#","sort":{"by":"title","descending":true}"#, ["5", "3", "2", "6", "1", "4", "7"]),
        (#","sort":{"by":"position","descending":true}"#, ["5", "3", "2", "6", "1", "4", "7"]),
        (#","sort":{"by":"date"}"#, ["2", "4", "1", "3", "5", "6", "7"]),
        (#","sort":{"by":"date","descending":true}"#, ["1", "4", "2", "3", "5", "6", "7"]),
        (#","category":"A""#, ["1", "2", "3", "4", "5", "6", "7"]),
        (
            #","category":"A","sort":{"by":"position","descending":true}"#,
            ["7", "6", "5", "4", "3", "2", "1"]
        ),
        (#","category":"A","sort":{"by":"title","descending":true}"#, ["5", "3", "2", "6", "1", "4", "7"]),
    ])
    func eachOrderIsWalkedAlikeInPagesOfAnySize(_ params: String, _ expected: [String]) throws {
        defer { serving.finish() }
        let rows = [
            ("1", "\u{C1}", #""2024-03-01T00:00:00Z""#), ("2", "b", #""2023-12-31T23:59:59Z""#),
            ("3", "C", "null"),
            ("4", "a", #""2024-03-01T00:30:00+01:00""#), ("5", "\u{E9}", "null"), ("6", "B", "null"),
            ("7", "2", "null"),
        ]
        try serving.apply(
            rows.map { put($0.0, "A", title: $0.1, more: #","date":\#($0.2)"#) }.joined(separator: ","))
        for limit in [1, 2, 3, 7, 50] {
            #expect(try serving.walk(params, limit: limit) == expected, "limit \(limit)")
            #expect(try serving.walk(params + #","query":"""#, limit: limit) == expected)
        }
        for limit in [1, 2, 3, 10] {
            var ids: [String] = []
            var page = try serving.client.call(
                "catalog.items", #"{"catalog":"k","around":"\#(expected[6])","limit":1\#(params)}"#)
            #expect(page["aroundIndex"]?.int == 6)
            ids = try serving.rowIds(page)
            while let before = page["before"], !before.isNull {
                page = try serving.client.call(
                    "catalog.items", #"{"catalog":"k","limit":\#(limit)\#(params),"before":\#(before.text)}"#)
                ids = try serving.rowIds(page) + ids
                #expect(page["first"]?.int == 7 - ids.count)
            }
            #expect(ids == expected, "limit \(limit)")
        }
    }

    @Test func aWindowAroundARowIsFullIfItCanBe() throws {
        defer { serving.finish() }
        let ids = (10..<40).map { "r\($0)" }
        try serving.apply(ids.map { put($0, "A") }.joined(separator: ",") + "," + put("other", "B"))
        for query in ["", #","query":"r""#] {
            for limit in [1, 2, 7, 29, 30, 31] {
                for index in 0..<30 {
                    let page = try serving.client.call(
                        "catalog.items",
                        #"{"catalog":"k","category":"A","around":"r\#(10 + index)","limit":\#(limit)\#(query)}"#
                    )
                    let first = min(max(0, index - limit / 2), max(0, 30 - limit))
                    #expect(page["first"]?.int == first)
                    #expect(page["aroundIndex"]?.int == index)
                    #expect(try serving.rowIds(page) == Array(ids[first...].prefix(limit)))
                    #expect(page["before"]?.isNull == (first == 0))
                    #expect(page["after"]?.isNull == (first + limit >= 30))
                }
            }
            let page = try serving.client.call(
                "catalog.items", #"{"catalog":"k","category":"A","around":"other","limit":5\#(query)}"#)
            #expect(page["first"]?.int == 0 && page["aroundIndex"]?.isNull == true)
            #expect(try serving.rowIds(page) == Array(ids.prefix(5)))
        }
    }

    @Test(arguments: [false, true]) func tiesAreByAscendingIdInBothDirections(isDescending: Bool) throws {
        defer { serving.finish() }
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        let rows = (10..<50).map { ("i\($0)", ["a", "b", "bb", "c"].randomElement(using: &random) ?? "a") }
        try serving.apply(
            rows.shuffled(using: &random).map { put($0.0, "A", title: $0.1) }.joined(separator: ","))
        let expected = rows.sorted { a, b in
            a.1 == b.1 ? a.0 < b.0 : (a.1 < b.1) != isDescending
        }.map(\.0)
        let list = #""catalog":"k","sort":{"by":"title","descending":\#(isDescending)}"#
        for limit in 1...20 {
            var page = try serving.client.call("catalog.items", #"{\#(list),"limit":\#(limit)}"#)
            var ids = try serving.rowIds(page)
            while let after = page["after"], !after.isNull {
                page = try serving.client.call(
                    "catalog.items", #"{\#(list),"limit":\#(limit),"after":\#(after.text)}"#)
                #expect(page["first"]?.int == ids.count, "seed \(seed)")
                ids += try serving.rowIds(page)
            }
            #expect(ids == expected, "seed \(seed), limit \(limit)")
            var back = try serving.rowIds(page)
            while let before = page["before"], !before.isNull {
                page = try serving.client.call(
                    "catalog.items", #"{\#(list),"limit":\#(limit),"before":\#(before.text)}"#)
                back = try serving.rowIds(page) + back
            }
            #expect(back == expected, "seed \(seed), limit \(limit)")
        }
    }

    @Test func aCursorSurvivesItsRowAndTheEndOfItsList() throws {
        defer { serving.finish() }
        try serving.apply((1...6).map { put("r\($0)", "A") }.joined(separator: ","))
        let page = try serving.client.call("catalog.items", #"{"catalog":"k","category":"A","limit":4}"#)
        let after = try #require(page["after"]).text
        try serving.apply((3...6).map { #"{"op":"deleteItem","id":"r\#($0)"}"# }.joined(separator: ","))
        let empty = try serving.client.call(
            "catalog.items", #"{"catalog":"k","category":"A","after":\#(after)}"#)
        #expect(empty["items"]?.count == 0 && empty["after"]?.isNull == true && empty["first"]?.int == 2)
        let before = try #require(empty["before"]).text
        let back = try serving.client.call(
            "catalog.items", #"{"catalog":"k","category":"A","before":\#(before)}"#)
        #expect(try serving.rowIds(back) == ["r1", "r2"])
    }

    @Test func aGroupedListIsWalkedFromCategoryToCategory() throws {
        defer { serving.finish() }
        try serving.apply([put("b1", "B"), put("x", "B", "A", "C"), put("a1", "A")].joined(separator: ","))
        let expected = ["B/b1", "B/x", "A/x", "A/a1", "C/x"]
        for limit in 1...6 {
            #expect(try serving.walk(#","grouped":true"#, limit: limit) == expected)
            #expect(try serving.walk(#","grouped":true,"query":"x""#, limit: limit) == ["B/x", "A/x", "C/x"])
        }
        let around = try serving.client.call(
            "catalog.items", #"{"catalog":"k","grouped":true,"around":"a1","limit":2}"#)
        #expect(try serving.rowIds(around) == ["A/x", "A/a1"])
        #expect(around["first"]?.int == 2 && around["aroundIndex"]?.int == 3)
        let cursor = try #require(around["before"]).text
        try serving.apply(#"{"op":"deleteCategory","id":"A"}"#)
        let rest = try serving.client.call(
            "catalog.items", #"{"catalog":"k","grouped":true,"after":\#(cursor)}"#)
        #expect(try serving.rowIds(rest) == ["C/x"])
        #expect(rest["first"]?.int == 2 && rest["total"]?.int == 3)
    }

    @Test(arguments: [
        (#""limit":0"#, "-32602 /limit"), (#""limit":501"#, "-32602 /limit"),
        (#""limit":1.5"#, "-32602 /limit"),
        (#""sort":{}"#, "-32602 /sort/by"), (#""sort":{"by":"size"}"#, "-32602 /sort/by"),
        (#""sort":{"by":"title","up":true}"#, "-32602 /sort/up"), (#""after":"rubbish""#, "-32602 /after"),
        (#""before":5"#, "-32602 /before"), (#""grouped":true,"category":"A""#, "-32602 /grouped"),
        (#""category":"nowhere""#, "1001 /category"),
        (#""category":"nowhere","query":"x""#, "1001 /category"),
        (#""x":1"#, "-32602 /x"), (#""query":7"#, "-32602 /query"),
    ])
    func aListThatCannotBeIsRefused(_ params: String, _ refusal: String) throws {
        defer { serving.finish() }
        #expect(try serving.refusal("catalog.items", #"{"catalog":"k",\#(params)}"#) == refusal)
    }

    @Test func aCursorBelongsToItsList() throws {
        defer { serving.finish() }
        try serving.apply((1...3).map { put("r\($0)", "A") }.joined(separator: ","))
        let page = try serving.client.call("catalog.items", #"{"catalog":"k","category":"A","limit":2}"#)
        let after = #""after":\#(try #require(page["after"]).text)"#
        for other in [
            #""category":"B""#, #""limit":2"#, #""grouped":true"#, #""category":"A","query":"r""#,
            #""category":"A","sort":{"by":"title"}"#,
            #""category":"A","sort":{"by":"position","descending":true}"#,
        ] {
            #expect(
                try serving.refusal("catalog.items", #"{"catalog":"k",\#(other),\#(after)}"#)
                    == "-32602 /after")
        }
        for two in [#""around":"r1""#, #""before":"x""#] {
            let refusal = try serving.refusal(
                "catalog.items", #"{"catalog":"k","category":"A",\#(two),\#(after)}"#)
            #expect(refusal.hasPrefix("-32602"))
        }
        let same = #"{"catalog":"k","category":"A","query":" - ","limit":9,\#(after)}"#
        #expect(try serving.rowIds(serving.client.call("catalog.items", same)) == ["r3"])
    }
}
