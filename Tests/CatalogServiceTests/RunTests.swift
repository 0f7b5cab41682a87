import JSON
import SQLite
import Shared
import TestSupport
import Testing

@testable import CatalogService

/// The rows of lists are in several runs, and are moved together.
@Suite struct RunTests {
    let serving: Serving

    init() throws {
        serving = try Serving()
        try serving.apply([made, category("A"), category("B")].joined(separator: ","))
    }

    /// All lists of what is there, in every order, must be these.
    private func expect(_ titles: [String: String], _ comment: Comment) throws {
        let ids = titles.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        let down = titles.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }.map(\.key)
        #expect(try serving.walk("", limit: 7) == ids, comment)
        #expect(try serving.walk(#","sort":{"by":"title","descending":true}"#, limit: 7) == down, comment)
        // Without dates both are by id.
        for direction in ["true", "false"] {
            let sort = #","sort":{"by":"date","descending":\#(direction)}"#
            #expect(try serving.walk(sort, limit: 50) == titles.keys.sorted(), comment)
        }
        for (index, id) in ids.enumerated() where index.isMultiple(of: 13) {
            let page = try serving.client.call(
                "catalog.items", #"{"catalog":"k","around":"\#(id)","limit":3}"#)
            #expect(page["aroundIndex"]?.int == index, comment)
        }
    }

    @Test(arguments: [UInt64(1), 2]) func listsStayTheSameWhileRunsAreMoved(_ seed: UInt64) throws {
        defer { serving.finish() }
        let store = try #require(serving.handler).store
        var random = seed
        func next(_ bound: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % bound
        }
        var titles: [String: String] = [:]
        for round in 0..<40 {
            var changes: [String] = []
            for _ in 0..<8 {
                let id = "i\(100 + next(300))"
                if titles[id] != nil, next(4) == 0 {
                    titles[id] = nil
                    changes.append(#"{"op":"deleteItem","id":"\#(id)"}"#)
                } else {
                    titles[id] = "t\(10 + next(80))"
                    changes.append(put(id, next(2) == 0 ? "A" : "B", title: titles[id] ?? ""))
                }
            }
            try serving.apply(changes.joined(separator: ","))
            // As if the open run were full, so that the next change opens another one.
            try store.database.execute("UPDATE run SET rows = \(Limits.openRunRowsMax) WHERE level = 0")
            if round.isMultiple(of: 5) { try expect(titles, "seed \(seed), round \(round)") }
        }
        let levels = try store.database.prepare("SELECT max(level), count(*) FROM run")
        #expect(try levels.first { $0.int(0) } == 1, "nothing was moved")
        while try store.moveWhenIdle(rows: 100) {}
        #expect(try levels.first { $0.int(1) } ?? 0 <= 2)
        try expect(titles, "seed \(seed), moved together")
    }
}
