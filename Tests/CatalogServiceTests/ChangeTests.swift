import JSON
import SQLite
import Shared
import TestSupport
import Testing

@testable import CatalogService

@Suite struct ChangeTests {
    let serving: Serving

    init() throws {
        serving = try Serving()
        try serving.apply([made, category("A"), category("B"), category("C")].joined(separator: ","))
        try serving.apply(
            [put("a1", "A"), put("a2", "A"), put("a3", "A"), put("b1", "B")].joined(separator: ","))
    }

    @Test(arguments: [
        (#"{"op":"explode"}"#, "-32602 /changes/1/op"), (#"{}"#, "-32602 /changes/1/op"),
        ("5", "-32602 /changes/1"),
        (#"{"op":"deleteItem"}"#, "-32602 /changes/1/id"),
        (#"{"op":"deleteItem","id":""}"#, "-32602 /changes/1/id"),
        (#"{"op":"deleteItem","id":"a2","x":1}"#, "-32602 /changes/1/x"),
        (#"{"op":"moveCategory","id":"A"}"#, "-32602 /changes/1/at"),
        (#"{"op":"moveCategory","id":"A","at":"middle"}"#, "-32602 /changes/1/at"),
        (#"{"op":"moveCategory","id":"A","at":{}}"#, "-32602 /changes/1/at"),
        (#"{"op":"moveCategory","id":"A","at":{"before":"B","after":"C"}}"#, "-32602 /changes/1/at"),
        (#"{"op":"moveCategory","id":"A","at":{"beside":"B"}}"#, "-32602 /changes/1/at/beside"),
        (#"{"op":"moveCategory","id":"A","at":7}"#, "-32602 /changes/1/at"),
        (#"{"op":"putItem","item":{"id":"n","title":"t"}}"#, "-32602 /changes/1/item/categories"),
        (
            #"{"op":"putItem","item":{"id":"n","title":"t","categories":[]}}"#,
            "-32602 /changes/1/item/categories"
        ),
        (
            #"{"op":"putItem","item":{"id":"n","title":"t","categories":["A",5]}}"#,
            "-32602 /changes/1/item/categories/1"
        ),
        (
            #"{"op":"putItem","item":{"id":"n","title":"t","categories":["A","A"]}}"#,
            "1004 /changes/1/item/categories/1"
        ),
        (put("n", "A", more: #","date":"yesterday""#), "-32602 /changes/1/item/date"),
        (put("n", "A", more: #","blocks":[{"kind":"text"}]"#), "-32602 /changes/1/item/blocks/0/text"),
        (
            put("n", "A", more: #","blocks":[{"kind":"text","text":"x","label":"y"}]"#),
            "-32602 /changes/1/item/blocks/0/label"
        ),
        (
            put("n", "A", more: #","blocks":[{"kind":"links","links":[{"title":"x","item":""}]}]"#),
            "-32602 /changes/1/item/blocks/0/links/0/item"
        ),
        (
            put("n", "A", more: #","blocks":[{"kind":"fields","fields":{}}]"#),
            "-32602 /changes/1/item/blocks/0/fields"
        ),
        (#"{"op":"putCatalog","title":"K","columns":4}"#, "-32602 /changes/1/columns"),
        (#"{"op":"putCatalog","title":"K","columns":2}"#, "1004 /changes/1/columns"),
        (
            #"{"op":"putCatalog","title":"K","strings":{"noItem":{"text":"x"}}}"#,
            "-32602 /changes/1/strings/noItem/text"
        ),
        (category("A", more: #","parent":"A""#), "1004 /changes/1/category/parent"),
        (category("n", more: #","parent":"nowhere""#), "1001 /changes/1/category/parent"),
        (category("n", at: #","at":{"after":"nowhere"}"#), "1001 /changes/1/at/after"),
        (put("n", "nowhere"), "1001 /changes/1/item/categories/0"),
        (put("n", "A", at: #","at":{"before":"b1"}"#), "1001 /changes/1/at/before"),
        (put("n", "A", at: #","at":{"before":"n"}"#), "1001 /changes/1/at"),
        (#"{"op":"moveItem","id":"a2","from":"B","to":"C"}"#, "1001 /changes/1/from"),
        (#"{"op":"moveItem","id":"a2","from":"A","to":"nowhere"}"#, "1001 /changes/1/to"),
        (#"{"op":"deleteItem","id":"a1"}"#, "1001 /changes/1/id"),
    ])
    func aRefusedChangeUndoesItsSet(_ change: String, _ refusal: String) throws {
        defer { serving.finish() }
        let before = try serving.client.call("catalog.describe", #"{"catalog":"k"}"#).text
        #expect(try serving.refusal(of: #"{"op":"deleteItem","id":"a1"},"# + change) == refusal)
        #expect(try serving.client.call("catalog.describe", #"{"catalog":"k"}"#).text == before)
        #expect(try serving.walk(#","category":"A""#) == ["a1", "a2", "a3"])
    }

    @Test(arguments: [
        (1_024, "item/title", #"{"op":"putItem","item":{"id":"n","title":"#, #","categories":["A"]}}"#),
        (
            1_024, "item/subtitle",
            #"{"op":"putItem","item":{"id":"n","title":"t","categories":["A"],"subtitle":"#, "}}"
        ),
        (128, "item/icon", #"{"op":"putItem","item":{"id":"n","title":"t","categories":["A"],"icon":"#, "}}"),
        (
            64, "item/badge", #"{"op":"putItem","item":{"id":"n","title":"t","categories":["A"],"badge":"#,
            "}}"
        ),
        (256, "category/title", #"{"op":"putCategory","category":{"id":"n","title":"#, "}}"),
        (128, "category/icon", #"{"op":"putCategory","category":{"id":"n","title":"t","icon":"#, "}}"),
        (64, "category/badge", #"{"op":"putCategory","category":{"id":"n","title":"t","badge":"#, "}}"),
        (128, "category/section", #"{"op":"putCategory","category":{"id":"n","title":"t","section":"#, "}}"),
        (1_024, "title", #"{"op":"putCatalog","title":"#, "}"),
        (1_024, "strings/sidebarTitle", #"{"op":"putCatalog","title":"K","strings":{"sidebarTitle":"#, "}}"),
        (
            1_024, "strings/noItem/hint", #"{"op":"putCatalog","title":"K","strings":{"noItem":{"hint":"#,
            "}}}"
        ),
        (
            1_024, "item/blocks/0/label",
            #"{"op":"putItem","item":{"id":"n","title":"t","categories":["A"],"blocks":[{"kind":"image","source":"s","label":"#,
            "}]}}"
        ),
        (
            1_024, "item/blocks/0/links/0/title",
            #"{"op":"putItem","item":{"id":"n","title":"t","categories":["A"],"blocks":[{"kind":"links","links":[{"item":"x","title":"#,
            "}]}]}}"
        ),
        (
            262_144 - 27, "item/blocks",
            #"{"op":"putItem","item":{"id":"n","title":"t","categories":["A"],"blocks":[{"kind":"text","text":"#,
            "}]}}"
        ),
    ])
    func boundsAreOfTheJSONThatIsWritten(_ bytesMax: Int, _ path: String, _ head: String, _ tail: String)
        throws
    {
        defer { serving.finish() }
        let quotes = String(repeating: #"\""#, count: bytesMax / 2 - 1)
        let rest = String(repeating: "x", count: bytesMax - quotes.utf8.count)
        let refusal = try serving.refusal(of: #"\#(head)"\#(quotes)\#(rest)x"\#(tail)"#)
        #expect(refusal == "1004 /changes/0/\(path)")
        try serving.apply(#"\#(head)"\#(quotes)\#(rest)"\#(tail)"#)
    }

    @Test func aCatalogHasABoundOnItsCategories() throws {
        defer { serving.finish() }
        try serving.apply((0..<497).map { category("c\($0)") }.joined(separator: ","))
        #expect(try serving.refusal(of: category("one-more")) == "1004 /changes/0")
        try serving.apply(category("c7"))
        let many = (0..<65).map { #""c\#($0)""# }.joined(separator: ",")
        let item = #"{"op":"putItem","item":{"id":"n","title":"t","categories":[\#(many)]}}"#
        #expect(try serving.refusal(of: item) == "1004 /changes/0/item/categories")
    }

    @Test func everyChangeSetTakesTheNextRevision() throws {
        defer { serving.finish() }
        #expect(try serving.apply(made, to: "other") == 3)
        #expect(try serving.apply(put("x", "A")) == 4)
        #expect(try serving.apply("") == 4)
        let expecting = { (revision: Int) in #"{"catalog":"k","changes":[],"expectedRevision":\#(revision)}"#
        }
        #expect(try serving.refusal("catalog.apply", expecting(3)) == "1002 /expectedRevision 4")
        #expect(try serving.client.call("catalog.apply", expecting(4))["revision"]?.int == 4)
        #expect(try serving.client.call("catalog.drop", #"{"catalog":"other"}"#)["revision"]?.int == 5)
        let fresh = #"{"catalog":"other","changes":[\#(made)],"expectedRevision":"#
        #expect(try serving.refusal("catalog.apply", fresh + "3}") == "1002 /expectedRevision 0")
        #expect(try serving.client.call("catalog.apply", fresh + "0}")["revision"]?.int == 6)
    }

    @Test func aCycleOfParentsIsRefused() throws {
        defer { serving.finish() }
        try serving.apply(
            category("B", more: #","parent":"A""#) + "," + category("C", more: #","parent":"B""#))
        let cycle = category("A", more: #","parent":"C""#)
        #expect(try serving.refusal(of: cycle) == "1004 /changes/0/category/parent")
        try serving.apply(category("C") + "," + cycle)
    }

    @Test func deletingACategoryDeletesWhatIsInNoOther() throws {
        defer { serving.finish() }
        try serving.apply(
            [category("C", more: #","parent":"A""#), put("x", "A", "C"), put("y", "C", "B"), put("z", "C")]
                .joined(
                    separator: ","))
        try serving.apply(#"{"op":"deleteCategory","id":"A"}"#)
        #expect(try serving.walk("") == ["b1", "y"])
        #expect(try serving.walk(#","category":"B""#) == ["b1", "y"])
        let catalog = try serving.client.call("catalog.describe", #"{"catalog":"k"}"#)["catalog"]
        #expect(catalog?["categoryCount"]?.int == 1)
        #expect(catalog?["itemCount"]?.int == 2)
    }

    @Test func aMovedItemTakesThePlaceOfItsCategory() throws {
        defer { serving.finish() }
        try serving.apply(put("x", "B", "A", "C", at: #","at":"first""#))
        func categories() throws -> String? {
            try serving.client.call("catalog.item", #"{"catalog":"k","id":"x"}"#)["item"]?["categories"]?.text
        }
        #expect(try serving.walk(#","category":"B""#) == ["x", "b1"])
        #expect(try serving.walk(#","category":"A""#) == ["a1", "a2", "a3", "x"])
        try serving.apply(#"{"op":"moveItem","id":"x","from":"B","to":"C"}"#)
        #expect(try categories() == #"["C","A"]"#)
        try serving.apply(#"{"op":"moveItem","id":"x","from":"A","to":"B","at":{"before":"b1"}}"#)
        #expect(try categories() == #"["C","B"]"#)
        #expect(try serving.walk(#","category":"B""#) == ["x", "b1"])
    }

    @Test func rowsMayBePutBetweenTheLastTwoAgainAndAgain() throws {
        defer { serving.finish() }
        // The worst for places: each row goes between the two that came before it.
        try serving.apply(#"{"op":"moveItem","id":"a3","from":"A","to":"C"},"# + put("z", "C"))
        var order = ["a3", "z"]
        var (low, high) = (0, 1)
        for round in 0..<12 {
            var changes: [String] = []
            for number in 0..<100 {
                let id = "n\(round * 100 + number)"
                let isBehind = number % 3 == 0
                let at = isBehind ? #"{"after":"\#(order[low])"}"# : #"{"before":"\#(order[high])"}"#
                changes.append(put(id, "C", at: #","at":\#(at)"#))
                order.insert(id, at: high)
                if number % 2 == 0 { low = high }
                high = low + 1
            }
            try serving.apply(changes.joined(separator: ","))
        }
        #expect(try serving.walk(#","category":"C""#) == order)
        let store = try #require(serving.handler).store
        let longest = try store.database.prepare("SELECT max(length(place)) FROM membership").first {
            $0.int(0)
        }
        #expect((longest ?? 0) <= Limits.placeBytesMax)
        #expect((longest ?? 0) > 10, "this order did not do its worst")
    }

    @Test func categoriesMayBeMovedBetweenTheLastTwoAgainAndAgain() throws {
        defer { serving.finish() }
        try serving.apply((0..<5).map { category("c\($0)") }.joined(separator: ","))
        var order = ["A", "B", "C", "c0", "c1", "c2", "c3", "c4"]
        for round in 0..<40 {
            var changes: [String] = []
            for _ in 0..<20 {
                // The third goes between the first two, in turn behind the one and before the other.
                let id = order.remove(at: 2)
                order.insert(id, at: 1)
                let other = order.remove(at: 3)
                order.insert(other, at: 2)
                changes.append(#"{"op":"moveCategory","id":"\#(id)","at":{"after":"\#(order[0])"}}"#)
                changes.append(#"{"op":"moveCategory","id":"\#(other)","at":{"after":"\#(id)"}}"#)
            }
            try serving.apply(changes.joined(separator: ","))
            let rows = try serving.client.call("catalog.categories", #"{"catalog":"k"}"#)["categories"]
            #expect(try #require(rows).elements.compactMap { $0["id"]?.string } == order, "round \(round)")
        }
        let store = try #require(serving.handler).store
        let longest = try store.database.prepare("SELECT max(length(place)) FROM category").first {
            $0.int(0)
        }
        #expect((longest ?? 0) <= Limits.placeBytesMax)
    }

    @Test func linksSayWhetherTheyLeadSomewhere() throws {
        defer { serving.finish() }
        let links = #"{"kind":"links","links":[{"title":"One","item":"a1"},{"title":"No","item":"gone"}]}"#
        let text = "{\"kind\":\"text\",\"text\":\"e\u{301} \u{1F469}\u{200D}\u{1F467}\"}"
        try serving.apply(put("x", "A", more: #","blocks":[\#(text),\#(links)]"#))
        let blocks = try serving.client.call("catalog.item", #"{"catalog":"k","id":"x"}"#)["item"]?["blocks"]
        let told = links.replacing(#""gone""#, with: #""gone","known":false"#)
        #expect(blocks?.text == "[\(text),\(told)]")
    }
}
