import JSON
import Shared
import Testing

@testable import Gateway

@Suite struct GatewayCoreTests {
    @Test func aViewAsksForTheStateAndThenForAllThatItNeedsAtOnce() throws {
        let peers = TestPeers()
        peers.at(category: "A", items: ["a1"])
        var driver = CoreDriver()
        try driver.ask("view.get")
        #expect(driver.made == [#"selection.get {"session":"default"}"#])
        try driver.answerNext(peers)
        #expect(
            Array(driver.made.dropFirst()) == [
                #"catalog.describe {"catalog":"c"}"#, #"catalog.categories {"catalog":"c"}"#,
                #"catalog.items {"catalog":"c","category":"A","around":"a1"}"#,
                #"catalog.item {"catalog":"c","id":"a1"}"#,
            ])
        #expect(driver.results.isEmpty)
        try driver.settle(peers)
        #expect(try driver.view(1).at("detail", "title")?.string == "Title a1")
        #expect(driver.core.jobs.isEmpty && driver.core.calls.isEmpty && driver.core.lanes.isEmpty)
    }

    @Test func aCatalogThatHasNotChangedIsOnlyAskedToDescribeItself() throws {
        let peers = TestPeers()
        peers.at(category: "A", items: ["a1"])
        var driver = CoreDriver()
        let first = try driver.view(peers)
        driver.made = []
        #expect(try driver.view(peers).written == first.written)
        #expect(
            driver.made == [#"catalog.describe {"catalog":"c"}"#, #"selection.get {"session":"default"}"#])
        driver.made = []
        peers.catalog.revision = 8
        peers.catalog.items[0].title = "Renamed"
        #expect(try driver.view(peers).at("detail", "title")?.string == "Renamed")
        #expect(driver.made.count == 5)
    }

    @Test func whatIsAskedInOneTurnIsAskedOnce() throws {
        let peers = TestPeers()
        peers.at(category: "A")
        var driver = CoreDriver()
        for _ in 0..<2 { try driver.ask("view.get") }
        for call in driver.calls {
            let answer = try peers.respond(call.call.method, parse(call.call.params)).get()
            try driver.take(.answered(call.id, .success(try parse(answer))))
        }
        #expect(driver.made.filter { $0.hasPrefix("catalog.items") }.count == 1)
        try driver.ask("view.get", patience: 100)
        #expect(driver.made.filter { $0.hasPrefix("catalog.describe") }.count == 2)
    }

    @Test func whatIsSearchedForAndTheOrderArePassedOn() throws {
        let peers = TestPeers()
        peers.at(category: "A")
        peers.state.query = Query(text: "Title", scope: .catalog)
        peers.state.sort = Sort(by: .title, descending: true)
        var driver = CoreDriver()
        _ = try driver.view(peers, #"{"limit":7}"#)
        #expect(
            driver.made.last
                == #"catalog.items {"catalog":"c","query":"Title","sort":{"by":"title","descending":true},"limit":7}"#
        )
    }

    // MARK: Coherence

    @Test func answersOfDifferentRevisionsAreAskedForAgain() throws {
        let peers = TestPeers()
        peers.at(category: "A", items: ["a1"])
        var driver = CoreDriver()
        try driver.ask("view.get")
        for _ in 0..<3 { try driver.answerNext(peers) }
        // The catalog changes between two answers of one view.
        peers.catalog.revision = 8
        peers.catalog.categories[0].title = "Renamed"
        peers.catalog.items[0].title = "Renamed, too"
        driver.made = []
        try driver.settle(peers)
        #expect(
            driver.made == [
                #"catalog.describe {"catalog":"c"}"#, #"catalog.categories {"catalog":"c"}"#,
            ])
        let view = try driver.view(1)
        #expect(view.at("catalog", "revision")?.int == 8)
        #expect(view.at("content", "title")?.string == "Renamed")
        #expect(view.at("detail", "title")?.string == "Renamed, too")
        #expect(driver.core.counters.repeatedRounds == 1)
    }

    @Test func aCatalogThatChangesAllTheTimeIsRefusedInTheEnd() throws {
        let peers = TestPeers()
        peers.at(category: "A", items: ["a1"])
        var driver = CoreDriver()
        try driver.ask("view.get")
        while driver.results.isEmpty {
            peers.catalog.revision += 1
            try driver.answerNext(peers)
        }
        #expect(driver.error(1)?.reason == .overloaded)
        #expect(driver.core.counters.repeatedRounds == Limits.viewRoundsMax)
    }

    /// Begins a view and stops before its catalog's answers; they are in the calls that are returned.
    private func begin(
        _ driver: inout CoreDriver, _ peers: TestPeers, _ params: String, connection: Int = 1
    ) throws -> [(id: GatewayCore.CallID, call: GatewayCore.Call)] {
        try driver.ask("view.get", params, connection: connection)
        try driver.answerNext(peers)
        defer { driver.calls = [] }
        return driver.calls
    }

    @Test(arguments: [1, 2]) func whatAConnectionIsShownNeverGoesBack(_ other: Int) throws {
        let peers = TestPeers()
        peers.at(category: "A")
        var driver = CoreDriver()
        let late = try begin(&driver, peers, "{}")
        let (last, call) = try #require(late.last)
        for (id, call) in late.dropLast() {
            let answer = try peers.respond(call.method, parse(call.params)).get()
            try driver.take(.answered(id, .success(try parse(answer))))
        }
        let old = try peers.respond(call.method, parse(call.params)).get()
        peers.catalog.revision = 8
        try driver.ask("view.get", #"{"session":"another"}"#, connection: other)
        try driver.settle(peers)  // the second is shown a newer catalog …
        try driver.take(.answered(last, .success(try parse(old))))
        try driver.settle(peers)
        #expect(driver.order == [2, 1])
        // … so the first is not shown the old one, if it is on the same connection.
        #expect(try driver.view(1).at("catalog", "revision")?.int == (other == 1 ? 8 : 7))
    }

    @Test func viewsOfOneSessionAreAnsweredInOrderUnlessTheTimeOfOneIsOver() throws {
        let peers = TestPeers()
        peers.at(category: "A")
        var driver = CoreDriver()
        let late = try begin(&driver, peers, "{}")
        peers.state.category = "B"
        try driver.ask("view.get")
        try driver.settle(peers)
        #expect(driver.order == [], "the first has to come first")
        try driver.ask("view.get", patience: 100)
        try driver.settle(peers)
        driver.now += 100
        try driver.take(.wake)
        #expect(driver.order == [3])
        driver.calls = late
        try driver.settle(peers)
        #expect(driver.order == [3, 1, 2])
        #expect(try driver.view(2).at("content", "title")?.string == "Category B")
    }

    // MARK: Sending

    @Test func anEventIsPassedOnByteForByteWithWhatBelongsToIt() throws {
        let peers = TestPeers()
        peers.at()
        var driver = CoreDriver()
        _ = try driver.view(peers)
        driver.made = []
        try driver.ask(
            "view.send",
            #"{"session":"default","event":{"type":"select","column":"sidebar","id":"\u0041","x":1.0},"#
                + #""expectedRevision":3,"catalog":"c","width":390}"#)
        #expect(
            driver.made == [
                #"catalog.describe {"catalog":"c"}"#,
                #"selection.send {"session":"default","event":{"type":"select","column":"sidebar","#
                    + #""id":"\u0041","x":1.0},"catalog":"c","expectedRevision":3}"#,
            ])
        peers.apply = { state, _ in
            state.category = "A"
            return true
        }
        try driver.settle(peers)
        let result = try #require(driver.results[2])
        let answer = try result.get()
        #expect(answer["changed"]?.bool == true)
        #expect(answer.at("view", "content", "title")?.string == "Category A")
        #expect(answer.at("view", "layout", "top")?.string == "content")
    }

    @Test(arguments: [
        ("setVisibility", true), ("setStyle", true), ("showColumn", true), ("reset", true), ("select", false),
        ("setWidth", false),
    ])
    func aRequestForAnotherPresentationIsResolvedAsOne(_ type: String, _ isRequest: Bool) throws {
        let peers = TestPeers()
        peers.at()
        peers.state.visibility = .all
        var driver = CoreDriver()
        let view = try driver.view(
            peers, #"{"event":{"type":"\#(type)"},"width":820}"#, method: "view.send")
        #expect(view.at("layout", "presentation")?.string == (isRequest ? "overlay" : "tiled"))
    }

    @Test func refusalsOfTheSelectionServiceAreThoseOfTheGateway() throws {
        let peers = TestPeers()
        peers.at()
        var driver = CoreDriver()
        let refusal = RPCError(.notPossible, "That cannot be.", path: "/event/id")
        peers.apply = { _, _ in throw refusal }
        let number = try driver.ask("view.send", #"{"event":{"type":"select"}}"#)
        try driver.settle(peers)
        #expect(driver.error(number) == refusal)
        let stale = try driver.ask("view.send", #"{"event":{"type":"reset"},"expectedRevision":1}"#)
        try driver.settle(peers)
        #expect(driver.error(stale)?.reason == .conflict)
        let other = try driver.ask("view.send", #"{"event":{"type":"reset"},"catalog":"other"}"#)
        try driver.settle(peers)
        #expect(driver.error(other)?.reason == .conflict)
    }

    @Test func aNewSessionGetsTheCatalogThatItsViewShows() throws {
        let peers = TestPeers()
        peers.apply = { state, _ in
            state.category = "B"
            return true
        }
        var driver = CoreDriver()
        let view = try driver.view(
            peers, #"{"session":"new","event":{"type":"select"}}"#, method: "view.send")
        #expect(
            Array(driver.made[..<4]) == [
                #"selection.send {"session":"new","event":{"type":"select"}}"#, "catalog.list {}",
                #"catalog.describe {"catalog":"c"}"#,
                #"selection.send {"session":"new","event":{"type":"select"},"catalog":"c"}"#,
            ])
        #expect(view.at("content", "title")?.string == "Category B")
        #expect(peers.states["new"]?.catalog == "c")
    }

    @Test func requestsBehindTheFirstEventOfANewSessionWaitForIt() throws {
        let peers = TestPeers()
        peers.apply = { state, event in
            state.category = event["id"]?.string.map { Identifier($0) }
            return true
        }
        var driver = CoreDriver()
        try driver.ask("view.send", #"{"session":"new","event":{"type":"select","id":"A"}}"#)
        try driver.ask("view.send", #"{"session":"new","catalog":"c","event":{"type":"select","id":"B"}}"#)
        try driver.ask("view.get", #"{"session":"new"}"#)
        try driver.ask("layout.resolve", Self.layoutParams)
        try driver.ask("view.get", #"{"session":"elsewhere"}"#, connection: 2)
        #expect(driver.made.count == 2, "only the first one and that of another connection")
        #expect(driver.results[4] != nil, "what needs no session needs no turn")
        try driver.settle(peers)
        #expect(try driver.view(1).at("content", "title")?.string == "Category A")
        #expect(try driver.view(2).at("content", "title")?.string == "Category B")
        #expect(try driver.view(3).at("content", "title")?.string == "Category B")
        #expect(driver.core.lanes.isEmpty)
    }

    @Test func whoWaitsTooLongIsRefusedInTime() throws {
        let peers = TestPeers()
        peers.silent = [.selection]
        var driver = CoreDriver()
        try driver.ask("view.send", #"{"session":"new","event":{"type":"select"}}"#, patience: 60_000)
        try driver.ask("view.get", #"{"session":"new"}"#, patience: 500)
        #expect(driver.wakeAt == 1_500)
        driver.now = 1_500
        try driver.take(.wake)
        #expect(driver.error(2)?.reason == .deadlineExceeded)
        #expect(driver.results[1] == nil)
    }

    // MARK: Params

    @Test func aWindowHasAtMost500Rows() throws {
        let peers = TestPeers()
        peers.catalog.items = (0..<600).map { .init(id: "r\($0)", title: "Row", categories: ["A"]) }
        peers.at(category: "A")
        var driver = CoreDriver()
        for (params, rows) in [("{}", Limits.rowsDefault), (#"{"limit":500}"#, Limits.rowsMax)] {
            #expect(try driver.view(peers, params).at("content", "rows")?.count == rows)
        }
    }

    static let layoutParams =
        #"{"width":820,"scale":2,"columns":3,"visibility":"all","style":"automatic","cause":"explicitRequest","#
        + #""previous":null,"specs":{}}"#

    @Test(arguments: [
        ("view.get", #"{"width":0}"#, "/width"), ("view.get", #"{"width":100001}"#, "/width"),
        ("view.get", #"{"width":"1"}"#, "/width"), ("view.get", #"{"height":0.5}"#, "/height"),
        ("view.get", #"{"scale":5}"#, "/scale"), ("view.get", #"{"sizeClass":"tiny"}"#, "/sizeClass"),
        ("view.get", #"{"limit":0}"#, "/limit"), ("view.get", #"{"limit":501}"#, "/limit"),
        ("view.get", #"{"after":"x","before":"y"}"#, "/before"),
        ("view.get", #"{"around":"x","before":"y"}"#, "/around"), ("view.get", #"{"around":""}"#, "/around"),
        ("view.get", #"{"session":""}"#, "/session"), ("view.get", #"{"catalog":7}"#, "/catalog"),
        ("view.get", #"{"event":{}}"#, "/event"), ("view.get", #"{"a/b":1}"#, "/a~1b"),
        ("view.send", "{}", "/event"), ("view.send", #"{"event":null}"#, "/event"),
        ("view.send", #"{"event":[]}"#, "/event"),
        ("view.send", #"{"event":{},"expectedRevision":-1}"#, "/expectedRevision"),
        ("layout.resolve", "{}", "/width"),
        (
            "layout.resolve",
            #"{"width":1,"scale":1,"columns":4}"#, "/columns"
        ),
    ])
    func aBadParamIsRefusedBeforeAnythingIsAsked(_ method: String, _ params: String, _ path: String) throws {
        var driver = CoreDriver()
        try driver.ask(method, params)
        #expect(driver.error(1)?.reason == .invalidParams)
        #expect(driver.error(1)?.path == path)
        #expect(driver.made.isEmpty && driver.core.jobs.isEmpty)
    }

    @Test func whatIsNullIsLeftOut() throws {
        var driver = CoreDriver()
        let nulls =
            #"{"session":null,"catalog":null,"width":null,"height":null,"scale":null,"sizeClass":null,"#
            + #""limit":null,"after":null,"before":null,"around":null}"#
        #expect(try driver.view(TestPeers(), nulls).written == view(TestPeers()).written)
    }

    @Test func aCatalogThatTheCallerNamesMustExistAndASessionsOwnWins() throws {
        let peers = TestPeers()
        var driver = CoreDriver()
        let number = try driver.ask("view.get", #"{"catalog":"nope"}"#)
        try driver.settle(peers)
        #expect(driver.error(number)?.reason == .notFound)
        #expect(driver.error(number)?.path == "/catalog")
        peers.at(category: "A")
        #expect(
            try driver.view(peers, #"{"catalog":"nope"}"#).at("catalog", "id")?.string == "c")
    }

    @Test func aBadCursorIsRefusedAsTheCatalogDoes() throws {
        let peers = TestPeers()
        peers.at(category: "A")
        var driver = CoreDriver()
        let number = try driver.ask("view.get", #"{"after":"bad"}"#)
        try driver.settle(peers)
        #expect(driver.error(number) == .invalidParams("/after", "/after is no cursor of this list."))
    }
}
