import JSON
import SQLite
import Shared
import TestSupport
import Testing

@testable import CatalogService

/// The index of a row is right in lists of many stretches.
@Suite struct MilestoneTests {
    let serving: Serving
    private let seed: UInt64
    private var random: SeededGenerator

    init() throws {
        serving = try Serving()
        seed = SeededGenerator.newSeed()
        random = SeededGenerator(seed: seed)
        try serving.apply([made, category("A"), category("B")].joined(separator: ","))
    }

    private struct Row {
        let id: String
        let title: String
        let date: String?

        var change: String {
            put(id, "A", title: title, more: #","date":\#(date.map { #""\#($0)""# } ?? "null")"#)
        }
    }

    /// Few titles and dates, so that many rows have the same.
    private mutating func row(_ number: Int) -> Row {
        let year = Int.random(in: 1990..<2020, using: &random)
        return Row(
            id: "i\(10_000 + number)", title: "t\(Int.random(in: 100..<160, using: &random))",
            date: year < 1995 ? nil : "\(year)-01-01T00:00:00Z")
    }

    /// Every milestone has the rows up to it, by a count of the rows themselves.
    private func expectCounts(_ comment: Comment, stretchesMin: Int = 1) throws {
        let database = try #require(serving.handler).store.database
        let wrong = try database.prepare(
            """
            SELECT count(*) FROM (SELECT list, sort, key, id, sum(rows) OVER (
              PARTITION BY list, sort ORDER BY key, id) AS upTo FROM milestone) AS m
            WHERE upTo <> (SELECT count(*) FROM entry
              WHERE run IN (SELECT 0 UNION SELECT number FROM run) AND list = m.list AND sort = m.sort
              AND (key, id) <= (m.key, m.id))
            """)
        #expect(try wrong.first { $0.int(0) } == 0, comment)
        let lists = "SELECT count(*), sum(rows), max(rows) FROM milestone GROUP BY list, sort"
        let rows = "SELECT (SELECT count(*) FROM entry), (SELECT sum(rows) FROM milestone)"
        #expect(try database.prepare(rows).first { $0.int(0) == $0.int(1) } == true, comment)
        try database.prepare(lists).rows { row in
            #expect(row.int(0) >= stretchesMin && row.int(2) <= Schema.stretchRowsMax, comment)
        }
    }

    /// The window around some rows begins where it should, in every order.
    private func expectIndexes(of rows: [String: Row]) throws {
        let all = rows.values.sorted { $0.id < $1.id }
        func sorted(_ key: (Row) -> String, isDescending: Bool) -> [Row] {
            all.sorted { a, b in
                key(a) == key(b) ? a.id < b.id : (key(a) < key(b)) != isDescending
            }
        }
        for isDescending in [false, true] {
            let dated = sorted({ $0.date ?? "" }, isDescending: isDescending)
            let byDate = dated.filter { $0.date != nil } + dated.filter { $0.date == nil }
            for (by, expected) in [("title", sorted(\.title, isDescending: isDescending)), ("date", byDate)] {
                for place in ["", #","category":"A""#] {
                    for index in stride(from: 0, to: expected.count, by: 97) {
                        let page = try serving.client.call(
                            "catalog.items",
                            #"{"catalog":"k"\#(place),"sort":{"by":"\#(by)","descending":\#(isDescending)},"limit":1,"around":"\#(expected[index].id)"}"#
                        )
                        #expect(page["aroundIndex"]?.int == index, "\(by) \(isDescending), seed \(seed)")
                    }
                }
            }
        }
    }

    @Test mutating func theIndexOfARowIsRightInALongList() throws {
        defer { serving.finish() }
        let store = try #require(serving.handler).store
        var rows: [String: Row] = [:]
        for number in (0..<6_000).shuffled(using: &random) { rows["i\(10_000 + number)"] = row(number) }
        // The first set is so long that it is counted in before it ends.
        let shuffled = rows.values.shuffled(using: &random)
        for part in [shuffled[..<4_000], shuffled[4_000...]] {
            try serving.apply(part.map(\.change).joined(separator: ","))
            try store.database.execute("UPDATE run SET rows = \(Limits.openRunRowsMax) WHERE level = 0")
        }
        while try store.moveWhenIdle(rows: 100) {}
        try expectCounts("put, seed \(seed)", stretchesMin: 3)
        try expectIndexes(of: rows)

        // What is refused is not counted: a set that was counted in before it failed, and a short one.
        let many = shuffled.prefix(4_000).map { #"{"op":"deleteItem","id":"\#($0.id)"}"# }
        for count in [4_000, 10] {
            let refused = (many.prefix(count) + [put("x", "nowhere")]).joined(separator: ",")
            #expect(try serving.refusal(of: refused).hasPrefix("1001"))
        }
        try expectCounts("refused, seed \(seed)")

        for row in shuffled.prefix(5_500) { rows[row.id] = nil }
        for part in 0..<11 {
            try serving.apply(
                shuffled[part * 500..<(part + 1) * 500].map { #"{"op":"deleteItem","id":"\#($0.id)"}"# }
                    .joined(separator: ","))
        }
        for number in 20_000..<20_100 {
            let row = row(number)
            rows[row.id] = row
            try serving.apply(row.change)
        }
        try expectCounts("deleted, seed \(seed)")
        try expectIndexes(of: rows)
        try serving.apply(#"{"op":"deleteCategory","id":"A"}"#)
        let left = try store.database.prepare("SELECT count(*) FROM milestone").first { $0.int(0) }
        #expect(left == 0, "seed \(seed)")
    }

    @Test mutating func aListOfAnEarlierVersionIsDividedSoonAfter() throws {
        defer { serving.finish() }
        var rows: [String: Row] = [:]
        for number in 0..<5_000 {
            let row = row(number)
            rows[row.id] = row
        }
        try serving.apply(rows.values.map(\.change).joined(separator: ","))
        let store = try #require(serving.handler).store
        // As the step of the schema leaves it.
        try store.database.execute(
            """
            DELETE FROM milestone;
            INSERT INTO milestone SELECT list, sort, x'FFFFFF', '', count(*) FROM entry GROUP BY list, sort
            """)
        try expectIndexes(of: rows)
        while try store.moveWhenIdle(rows: 100) {}
        try expectCounts("divided, seed \(seed)", stretchesMin: 3)
        try expectIndexes(of: rows)
    }
}
