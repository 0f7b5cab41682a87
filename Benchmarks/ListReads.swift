import JSON
import Shared
import UV

/// Asks for pages and searches in a large catalog, and changes it, one after the other.
struct ListReads {
    private let caller: Caller
    private let process: Int
    private let items: Int
    private var random = LargeCatalog.Chance(1)
    /// How long a ping took after each: what the machine makes everybody wait.
    private var pings: [UInt64] = []
    /// Nanoseconds of processor that the service had used when a figure was begun.
    private var usedBefore = 0

    private init(_ run: String, items: Int) throws(StartFailure) {
        caller = try Caller(path: "\(run)/catalog.sock")
        self.items = items
        guard let process = try caller.call("rpc.info", "")["pid"]?.int else {
            throw StartFailure(.data, "the catalog service does not tell its process")
        }
        self.process = process
    }

    private static let orders = ["position", "title", "date"].flatMap { by in
        [false, true].map {
            (name: by + ($0 ? ", descending" : ""), sort: #""sort":{"by":"\#(by)","descending":\#($0)}"#)
        }
    }

    /// Asks right after a start, and prints the figures.
    static func runFirst(_ run: String, items: Int) throws(StartFailure) {
        var reads = try ListReads(run, items: items)
        defer { reads.caller.close() }
        var first: [UInt64] = []
        reads.begin()
        for (_, sort) in orders { first.append(try reads.around(#""category":"all",\#(sort)"#, 1).0) }
        print("the very first around an item, in 6 orders: \(Figure.summary(first))\(reads.used(6))")
        for (name, sort) in orders {
            var times: [UInt64] = []
            reads.begin()
            for _ in 0..<200 { times.append(try reads.around(#""category":"all",\#(sort)"#, 1).0) }
            print("around an item by \(name): \(Figure.summary(times))\(reads.used(200))")
        }
        reads.printPings()
    }

    /// Asks, and prints the figures.
    static func run(_ run: String, items: Int) throws(StartFailure) {
        var reads = try ListReads(run, items: items)
        defer { reads.caller.close() }
        for order in orders {
            for (category, step) in [("few", 1_000), ("all", 1)] { try reads.pages(category, step, order) }
        }
        for (what, members) in [
            ("10 hits", #""query":"needle""#), ("every second item", #""query":"even""#),
            ("its beginning", #""query":"eve""#),
            ("the beginning of many words", #""query":"numb""#),
            ("the beginning of many words, and another", #""query":"even numb""#),
            ("one letter, by title", #""query":"k","sort":{"by":"title"}"#),
            ("every second item, none in few", #""query":"even","category":"few""#),
            ("two words", #""query":"even needle""#),
        ] { try reads.search(what, members) }
        reads.printPings()
        print("memory of the service now: \(ProcessUsage(of: reads.process).residentKiB / 1_024) MiB")
    }

    /// Begins a figure of several requests.
    private mutating func begin() { usedBefore = ProcessUsage(of: process).nanoseconds }

    /// What the service has used for each since.
    private func used(_ count: Int) -> String {
        let used = ProcessUsage(of: process).nanoseconds - usedBefore
        return ", \(Figure.fixed(Double(used) / Double(max(1, count)) / 1_000)) us of processor"
    }

    private func printPings() { print("a ping meanwhile: \(Figure.summary(pings))") }

    private mutating func timed(_ method: String, _ members: String) throws(StartFailure) -> (
        UInt64, JSONValue
    ) {
        let begin = Loop.nanoseconds
        let result = try caller.call(method, members)
        let time = Loop.nanoseconds - begin
        let pinged = Loop.nanoseconds
        _ = try caller.call("rpc.ping", "")
        pings.append(Loop.nanoseconds - pinged)
        return (time, result)
    }

    private mutating func list(_ members: String) throws(StartFailure) -> (UInt64, JSONValue) {
        try timed("catalog.items", #""catalog":"\#(LargeCatalog.id)",\#(members)"#)
    }

    private mutating func around(_ members: String, _ step: Int) throws(StartFailure) -> (UInt64, JSONValue) {
        let item = random.item(of: items, step: step)
        let (time, page) = try list(#"\#(members),"around":"\#(item)""#)
        guard page["aroundIndex"]?.int != nil else {
            throw StartFailure(.data, "the index of \(item) is not known")
        }
        return (time, page)
    }

    /// Pages behind a cursor, and around an item.
    private mutating func pages(
        _ category: String, _ step: Int, _ order: (name: String, sort: String)
    ) throws(StartFailure) {
        let common = #""category":"\#(category)",\#(order.sort)"#
        var (after, around): ([UInt64], [UInt64]) = ([], [])
        var cursors: [String] = []
        begin()
        for _ in 0..<500 {
            let (time, page) = try self.around(common, step)
            around.append(time)
            if let cursor = page["after"]?.string { cursors.append(cursor) }
        }
        print("\(category) by \(order.name): around an item \(Figure.summary(around))\(used(around.count))")
        begin()
        for cursor in cursors { after.append(try list(#"\#(common),"after":"\#(cursor)""#).0) }
        print("  after a cursor \(Figure.summary(after))\(used(after.count))")
    }

    private mutating func search(_ what: String, _ members: String) throws(StartFailure) {
        let (first, _) = try list(members)
        var times: [UInt64] = []
        begin()
        for _ in 0..<20 { times.append(try list(members).0) }
        print(
            "search, \(what): \(Figure.summary(times))\(used(20)), the very first \(Figure.summary([first]))")
    }

    /// Makes changes of one item each, and prints what they cost.
    static func runChanges(_ run: String, items: Int, count: Int) throws(StartFailure) {
        var reads = try ListReads(run, items: items)
        defer { reads.caller.close() }
        var times: [UInt64] = []
        let before = ProcessUsage(of: reads.process).nanoseconds
        for number in 0..<count {
            let item =
                #"{"op":"putItem","item":{"id":"\#(reads.random.item(of: items, step: 1))","title":"changed \#(number)","#
                + #""date":"2024-01-01T00:00:00Z","categories":["all"],"blocks":[{"kind":"text","text":"even more"}]}}"#
            let begin = Loop.nanoseconds
            _ = try reads.caller.call(
                "catalog.apply", #""catalog":"\#(LargeCatalog.id)","changes":[\#(item)]"#)
            times.append(Loop.nanoseconds - begin)
        }
        let spent = Double(ProcessUsage(of: reads.process).nanoseconds - before) / Double(count) / 1_000
        print(
            "a change of one of \(items) items: \(Figure.summary(times)), \(Figure.fixed(spent)) us of processor"
        )
    }
}
