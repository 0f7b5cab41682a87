import JSON
import SQLite
import Shared
import TestSupport
import Testing

@testable import CatalogService

/// Bounds at exactly their number and one past it, where no other suite has them.
@Suite struct LimitTests {
    let serving: Serving

    init() throws {
        serving = try Serving()
        try serving.apply([made, category("A")].joined(separator: ","))
    }

    @Test func aDateHasAtMost128Bytes() throws {
        defer { serving.finish() }
        func dated(_ bytes: Int) -> String {
            let digits = String(repeating: "1", count: bytes - "2026-03-01T12:00:00.Z".utf8.count)
            return put("n", "A", more: #","date":"2026-03-01T12:00:00.\#(digits)Z""#)
        }
        try serving.apply(dated(Limits.dateBytesMax))
        #expect(try serving.refusal(of: dated(Limits.dateBytesMax + 1)) == "1004 /changes/0/item/date")
    }

    @Test func anItemIsInAtMost64Categories() throws {
        defer { serving.finish() }
        let ids = (0...Limits.categoriesPerItemMax).map { "c\($0)" }
        try serving.apply(ids.map { category($0) }.joined(separator: ","))
        func item(_ count: Int) -> String {
            let list = ids.prefix(count).map { #""\#($0)""# }.joined(separator: ",")
            return #"{"op":"putItem","item":{"id":"n","title":"t","categories":[\#(list)]}}"#
        }
        try serving.apply(item(Limits.categoriesPerItemMax))
        #expect(
            try serving.refusal(of: item(Limits.categoriesPerItemMax + 1))
                == "1004 /changes/0/item/categories")
    }

    @Test func anEventNamesAtMost1000Ids() throws {
        defer { serving.finish() }
        func event(_ count: Int) throws -> JSONValue {
            var log = ChangeLog()
            for number in 0..<count {
                if number.isMultiple(of: 2) { log.put(item: Identifier("i\(number)")) }
                if !number.isMultiple(of: 2) { log.deleted(item: Identifier("i\(number)")) }
            }
            return try JSONParser(depthMax: 9).parse(log.event(catalog: "k", revision: 1)).root
        }
        let all = try event(Limits.changedIdsMax)
        #expect(all["items"]?.count == 500 && all["deletedItems"]?.count == 500 && all["all"] == nil)
        let more = try event(Limits.changedIdsMax + 1)
        #expect(more["all"]?.bool == true && more["items"] == nil)
    }

    @Test func aPageHasAtMost500Rows() throws {
        defer { serving.finish() }
        try serving.apply((0...Limits.pageRowsMax).map { put("i\($0)", "A") }.joined(separator: ","))
        let page = try serving.client.call("catalog.items", #"{"catalog":"k","limit":500}"#)
        #expect(page["items"]?.count == 500)
        #expect(
            try serving.refusal("catalog.items", #"{"catalog":"k","limit":501}"#) == "-32602 /limit")
    }

    /// Rows of a list that was never divided are counted one by one, for at most some milliseconds.
    @Test func rowsOfAStretchAreCountedUpTo16384() throws {
        defer { serving.finish() }
        let store = try #require(serving.handler).store
        let catalog = try store.catalog("k")
        let category = try #require(try store.categories.find("A", in: catalog.key))
        let count = Limits.countedRowsMax + 2
        try store.database.execute(
            """
            WITH RECURSIVE row(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM row WHERE n < \(count - 1))
            INSERT INTO entry SELECT 0, \(category.key), 0, CAST(printf('%08d', n) AS BLOB), 'i' || n, n + 1 FROM row;
            INSERT INTO milestone VALUES(\(category.key), 0, x'FFFFFF', '', \(count))
            """)
        let list = ItemList(store, catalog, category, sort: Sort())
        func index(_ row: Int) throws -> Int? {
            let digits = String(row)
            let key = Array((String(repeating: "0", count: 8 - digits.utf8.count) + digits).utf8)
            return try list.index(of: Cursor.Position(group: nil, key: key, id: "i\(row)"))
        }
        #expect(try index(Limits.countedRowsMax - 1) == Limits.countedRowsMax - 1)
        #expect(try index(Limits.countedRowsMax) == Limits.countedRowsMax)
        #expect(try index(Limits.countedRowsMax + 1) == nil)
    }

    @Test func matchesAreCountedUpTo10000AndTheirIndexUpTo1000() throws {
        defer { serving.finish() }
        let ids = (0...Limits.matchesMax).map { "i\(10_000 + $0)" }
        for start in stride(from: 0, to: ids.count, by: 500) {
            let part = ids[start..<min(start + 500, ids.count)]
            try serving.apply(part.map { put($0, "A", title: "row \($0)") }.joined(separator: ","))
        }
        func page(_ more: String = "") throws -> JSONValue {
            try serving.client.call("catalog.items", #"{"catalog":"k","query":"row","limit":1\#(more)}"#)
        }
        func aroundIndex(_ index: Int) throws -> Int? {
            try page(#","around":"\#(ids[index])""#)["aroundIndex"]?.int
        }
        let capped = try page()
        #expect(capped["total"]?.int == Limits.matchesMax && capped["totalCapped"]?.bool == true)
        #expect(try aroundIndex(Limits.matchIndexMax) == Limits.matchIndexMax)
        #expect(try aroundIndex(Limits.matchIndexMax + 1) == nil)
        try serving.apply(#"{"op":"deleteItem","id":"\#(ids[Limits.matchesMax])"}"#)
        let all = try page()
        #expect(all["total"]?.int == Limits.matchesMax && all["totalCapped"]?.bool == false)
        #expect(try aroundIndex(Limits.matchIndexMax + 1) == Limits.matchIndexMax + 1)
    }
}
