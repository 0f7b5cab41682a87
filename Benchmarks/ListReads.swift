import JSON
import Shared
import UV

/// Asks for pages and searches in a large catalog, one after the other.
struct ListReads {
    private let caller: Caller
    private let items: Int
    private var random: UInt64 = 1

    /// Prints the figures.
    static func run(_ run: String, items: Int) throws(StartFailure) {
        let caller = try Caller(path: "\(run)/catalog.sock")
        defer { caller.close() }
        guard let process = try caller.call("rpc.info", "")["pid"]?.int else {
            throw StartFailure(.data, "the catalog service does not tell its process")
        }
        var reads = ListReads(caller: caller, items: items)
        for sort in ["position", "title", "date"] {
            for (category, step) in [("few", 1_000), ("all", 1)] { try reads.pages(category, step, sort) }
        }
        for (what, members) in [
            ("10 hits", #""query":"needle""#), ("every second item", #""query":"even""#),
            ("its beginning", #""query":"eve""#),
            ("one letter, by title", #""query":"k","sort":{"by":"title"}"#),
            ("every second item, none in few", #""query":"even","category":"few""#),
            ("two words", #""query":"even needle""#),
        ] { try reads.search(what, members) }
        try reads.randomPages(10_000)
        print("memory of the service now: \(ProcessUsage(of: process).residentKiB / 1_024) MiB")
        try reads.changes()
    }

    private func timed(_ method: String, _ members: String) throws(StartFailure) -> (UInt64, JSONValue) {
        let begin = Loop.nanoseconds
        let result = try caller.call(method, members)
        return (Loop.nanoseconds - begin, result)
    }

    private func list(_ members: String) throws(StartFailure) -> (UInt64, JSONValue) {
        try timed("catalog.items", #""catalog":"\#(LargeCatalog.id)",\#(members)"#)
    }

    /// Pages behind a cursor, and around an item.
    private mutating func pages(_ category: String, _ step: Int, _ sort: String) throws(StartFailure) {
        let common = #""category":"\#(category)","sort":{"by":"\#(sort)"}"#
        var (after, around): ([UInt64], [UInt64]) = ([], [])
        let (first, _) = try list(#"\#(common),"around":"\#(itemId(step))""#)
        for _ in 0..<200 {
            let (time, page) = try list(#"\#(common),"around":"\#(itemId(step))""#)
            around.append(time)
            guard let cursor = page["after"]?.string else { continue }
            after.append(try list(#"\#(common),"after":"\#(cursor)""#).0)
        }
        print("\(category) by \(sort): after a cursor \(Figure.summary(after))")
        print("  around an item \(Figure.summary(around)), the very first \(Figure.summary([first]))")
    }

    private func search(_ what: String, _ members: String) throws(StartFailure) {
        let (first, _) = try list(members)
        var times: [UInt64] = []
        for _ in 0..<20 { times.append(try list(members).0) }
        print("search, \(what): \(Figure.summary(times)), the very first \(Figure.summary([first]))")
    }

    private mutating func randomPages(_ count: Int) throws(StartFailure) {
        var times: [UInt64] = []
        for number in 0..<count {
            let sort = ["position", "title", "date"][number % 3]
            times.append(try list(#""category":"all","sort":{"by":"\#(sort)"},"around":"\#(itemId(1))""#).0)
        }
        print("random pages: \(Figure.summary(times))")
    }

    private mutating func changes() throws(StartFailure) {
        var times: [UInt64] = []
        for _ in 0..<100 {
            let item =
                #"{"op":"putItem","item":{"id":"\#(itemId(1))","title":"changed","categories":["all"]}}"#
            times.append(
                try timed("catalog.apply", #""catalog":"\#(LargeCatalog.id)","changes":[\#(item)]"#).0)
        }
        print("a change of one item: \(Figure.summary(times))")
    }

    /// An item by chance; with a step of 1,000 one of `few`.
    private mutating func itemId(_ step: Int) -> String {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let number = Int(random >> 33) % max(1, items / step) * step + (step > 1 ? 1 : 0)
        return LargeCatalog.item(number)
    }
}
