import JSON
import Shared
import TestSupport
import Testing

@testable import CatalogService

/// What clients see of the order in which things are done.
@Suite struct TurnTests {
    let serving: Serving

    init() throws {
        serving = try Serving()
        try serving.apply(made + "," + category("A"))
    }

    @Test func eachRequestSeesTheEarlierOnesOfItsConnection() throws {
        defer { serving.finish() }
        var lines = ""
        for number in 1...20 {
            lines +=
                #"{"jsonrpc":"2.0","id":"w\#(number)","method":"catalog.apply","params":{"catalog":"k","changes":[\#(put("i\(number)", "A"))]}}"#
                + "\n"
            lines +=
                #"{"jsonrpc":"2.0","id":\#(number),"method":"catalog.items","params":{"catalog":"k","limit":1}}"#
                + "\n"
        }
        serving.client.send(bytes: Array(lines.utf8))
        for number in 1...20 {
            #expect(try serving.client.message()["id"]?.string == "w\(number)")
            let page = try serving.client.message()
            #expect(page["id"]?.int == number)
            #expect(page["result"]?["total"]?.int == number)
            #expect(page["result"]?["revision"]?.int == number + 1)
        }
    }

    @Test func changesOfOneTurnShareACommit() throws {
        defer { serving.finish() }
        func commits() throws -> Int { try serving.client.call("rpc.metrics")["commits_total"]?.int ?? -1 }
        let before = try commits()
        let lines = (1...50).map { number in
            #"{"jsonrpc":"2.0","id":\#(number),"method":"catalog.apply","params":{"catalog":"k","changes":["#
                + put("i\(number)", number == 7 ? "nowhere" : "A") + "]}}\n"
        }
        serving.client.send(bytes: Array(lines.joined().utf8))
        for number in 1...50 {
            let answer = try serving.client.message()
            #expect(answer["id"]?.int == number)
            #expect((answer["error"] != nil) == (number == 7))
        }
        #expect(try commits() < before + 10)
        #expect(try serving.walk("").count == 49)
    }

    /// Changes wait for their commit for some turns; who subscribes then is told the revision before them.
    @Test func whoSubscribesBetweenAChangeAndItsCommitIsToldOfIt() throws {
        defer { serving.finish() }
        let subscriber = try serving.harness.connect("catalog")
        let lines = (1...200).map { number in
            let items = (0..<20).map { put("i\(number)-\($0)", "A") }
            return
                #"{"jsonrpc":"2.0","id":\#(number),"method":"catalog.apply","params":{"catalog":"k","changes":["#
                + items.joined(separator: ",") + "]}}\n"
        }
        serving.client.send(bytes: Array(lines.joined().utf8))
        var (from, first) = ([String: Int](), [String: Int]())
        for number in 0..<100 {
            subscriber.send(#"{"jsonrpc":"2.0","id":\#(number),"method":"catalog.subscribe","params":{}}"#)
            serving.harness.settle(turns: 2)
        }
        for number in 1...200 { #expect(try serving.client.message()["id"]?.int == number) }
        subscriber.send(#"{"jsonrpc":"2.0","id":"last","method":"rpc.ping"}"#)
        while true {
            let message = try subscriber.message()
            if message["id"]?.string == "last" { break }
            if let result = message["result"], let id = result["subscription"]?.string {
                from[id] = result["revisions"]?["k"]?.int
            } else if let params = message["params"], let id = params["subscription"]?.string {
                first[id] = first[id] ?? params["revision"]?.int
            }
        }
        #expect(from.count == 100 && !first.isEmpty)
        for (id, revision) in first { #expect(revision == (from[id] ?? -1) + 1) }
    }

    @Test func aLongChangeSetThatFailsTakesNoWordsOfOthersWithIt() throws {
        defer { serving.finish() }
        func line(_ id: Int, _ changes: [String]) -> String {
            #"{"jsonrpc":"2.0","id":\#(id),"method":"catalog.apply","params":{"catalog":"k","changes":["#
                + changes.joined(separator: ",") + "]}}\n"
        }
        // Longer than what is kept of words until the commit, so that the index gets some of it before it fails.
        let many = (0..<Limits.keptWordEntriesMax + 50).map { put("i\($0)", "A", title: "lost") }
        let lines =
            line(1, [put("x", "A", title: "kept")]) + line(2, many + [put("y", "nowhere")])
            + line(3, [put("x", "A", title: "stays")])
        serving.client.send(bytes: Array(lines.utf8))
        for number in 1...3 {
            let answer = try serving.client.message()
            #expect((answer["error"] != nil) == (number == 2))
        }
        for (query, found) in [("lost", []), ("kept", []), ("stays", ["x"]), ("s", ["x"])] {
            #expect(try serving.walk(#","query":"\#(query)""#) == found, "\(query)")
        }
    }

    @Test func theAnswerPrecedesItsEventAndSubscribersHearOfIt() throws {
        defer { serving.finish() }
        let other = try serving.harness.connect("catalog")
        #expect(try other.call("catalog.subscribe", #"{"catalog":"k"}"#)["revisions"]?.text == #"{"k":1}"#)
        let mine = try serving.client.call("catalog.subscribe")["subscription"]?.string ?? ""
        serving.client.send(
            #"{"jsonrpc":"2.0","id":"x","method":"catalog.apply","params":{"catalog":"k","changes":["#
                + [
                    put("a", "A"), put("b", "A"), #"{"op":"deleteItem","id":"a"}"#, put("a", "A"),
                    category("B"),
                ].joined(
                    separator: ",") + "]}}")
        #expect(try serving.client.line() == #"{"jsonrpc":"2.0","id":"x","result":{"revision":2}}"#)
        let told =
            #""catalog":"k","revision":2,"categories":["B"],"items":["b","a"],"deletedCategories":[],"deletedItems":["a"],"dropped":false}}"#
        #expect(
            try serving.client.line()
                == #"{"jsonrpc":"2.0","method":"catalog.changed","params":{"subscription":"\#(mine)","seq":1,"#
                + told)
        #expect(try other.line().hasSuffix(told))
        _ = try serving.client.call("catalog.unsubscribe", #"{"subscription":"\#(mine)"}"#)
        try serving.apply(put("c", "A"))
        serving.harness.settle()
        #expect(!serving.client.hasLine)
    }

    @Test func aLongChangeSetGoesOnOverTurnsWhileOthersRead() throws {
        defer { serving.finish() }
        let other = try serving.harness.connect("catalog")
        let changes = (0..<6_000).map { put("i\($0)", "A") }.joined(separator: ",")
        serving.client.send(
            #"{"jsonrpc":"2.0","id":"x","method":"catalog.apply","params":{"catalog":"k","changes":[\#(changes)]}}"#
        )
        var reads = 0
        while !serving.client.hasLine {
            let total = try other.call("catalog.describe", #"{"catalog":"k"}"#)["catalog"]?["itemCount"]?.int
            #expect(total == 0 || total == 6_000)
            reads += 1
        }
        #expect(reads > 2)
        #expect(try serving.client.line() == #"{"jsonrpc":"2.0","id":"x","result":{"revision":2}}"#)
        #expect(
            try other.call("catalog.describe", #"{"catalog":"k"}"#)["catalog"]?["itemCount"]?.int == 6_000)
    }

    @Test func aDroppedCatalogIsGoneAtOnceAndClearedUpLater() throws {
        defer { serving.finish() }
        for part in 0..<4 {
            try serving.apply((0..<500).map { put("i\(part)-\($0)", "A") }.joined(separator: ","))
        }
        let revision = try #require(serving.client.call("catalog.drop", #"{"catalog":"k"}"#)["revision"]?.int)
        #expect(try serving.refusal("catalog.describe", #"{"catalog":"k"}"#) == "1001 /catalog")
        #expect(try serving.apply(made + "," + category("A") + "," + put("i0-0", "A")) == revision + 1)
        #expect(try serving.walk("") == ["i0-0"])
        let client = try serving.restart()
        try serving.harness.until("all is cleared up") {
            (try? client.call("rpc.metrics")["purge_pending"]?.int) == 0
        }
        #expect(try client.call("catalog.items", #"{"catalog":"k"}"#)["total"]?.int == 1)
    }
}
