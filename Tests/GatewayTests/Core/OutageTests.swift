import JSON
import Shared
import Testing

@testable import Gateway

/// One of the other services is down or silent.
@Suite struct OutageTests {
    private func statuses(_ view: JSONValue) -> [String] {
        ["sidebar", "content", "detail"].map { name in
            view.members.first { $0.name == name }?.value["status"]?.string ?? "nil"
        }
    }

    private func peers() -> TestPeers {
        let peers = TestPeers()
        peers.at(category: "A", items: ["a1"])
        return peers
    }

    @Test(arguments: [true, false]) func withoutTheCatalogWhatIsKnownIsStale(_ isSilent: Bool) throws {
        let peers = peers()
        var driver = CoreDriver()
        let fresh = try driver.view(peers)
        if isSilent { peers.silent = [.catalog] } else { peers.down = [.catalog] }
        let number = try driver.ask("view.get")
        try driver.settle(peers)
        if isSilent { try driver.runOut() }
        let view = try driver.view(number)
        #expect(statuses(view) == ["stale", "stale", "stale"])
        #expect(
            view.written == fresh.written.replacing(#""status":"ready""#, with: #""status":"stale""#))
        #expect(driver.core.counters.degradedViews == 1)
        #expect(driver.core.jobs.isEmpty && driver.core.calls.isEmpty)
    }

    /// A list that was empty need not be so any more: that there is nothing in it can't be said.
    @Test(arguments: [GatewayCore.Peer.catalog, .selection], [2, 3])
    func whileAServiceIsAwayAnEmptyListIsStaleToo(_ away: GatewayCore.Peer, _ columns: Int) throws {
        let peers = TestPeers()
        peers.catalog.columns = columns
        peers.catalog.items = []
        peers.at(category: columns == 3 ? "A" : nil)
        let list: StaticString = columns == 3 ? "content" : "sidebar"
        var driver = CoreDriver()
        #expect(try driver.view(peers).at(list, "status")?.string == "empty")
        peers.down = [away]
        let view = try driver.view(peers)
        #expect(view.at(list, "status")?.string == "stale")
        #expect(view.at(list, "placeholder")?.isNull == true)
        #expect(view.at(list, "page", "total")?.int == 0)
        peers.down = []
        #expect(try driver.view(peers).at(list, "status")?.string == "empty")
    }

    @Test func whileTheCatalogIsAwayAnEmptyOneIsStaleToo() throws {
        let peers = TestPeers()
        (peers.catalog.categories, peers.catalog.items) = ([], [])
        peers.at()
        var driver = CoreDriver()
        #expect(statuses(try driver.view(peers)) == ["empty", "noSelection", "noSelection"])
        peers.down = [.catalog]
        #expect(statuses(try driver.view(peers)) == ["stale", "noSelection", "noSelection"])
    }

    @Test func withoutTheCatalogWhatIsNotKnownIsUnavailable() throws {
        let peers = peers()
        peers.down = [.catalog]
        let view = try view(peers)
        #expect(statuses(view) == ["unavailable", "unavailable", "unavailable"])
        for column in ["sidebar", "content", "detail"] {
            let placeholder = view.members.first { $0.name == column }?.value["placeholder"]
            #expect(placeholder?["title"]?.string == "Not Available")
        }
        #expect(view["revision"]?.int == 3)
    }

    @Test func whatNeedsNoCatalogIsSaidWithoutIt() throws {
        let peers = TestPeers()
        peers.at()
        var driver = CoreDriver()
        _ = try driver.view(peers)
        peers.down = [.catalog]
        #expect(statuses(try driver.view(peers)) == ["stale", "noSelection", "noSelection"])
    }

    @Test(arguments: [true, false])
    func withoutTheSelectionServiceTheLastStateIsShown(_ isSilent: Bool) throws {
        let peers = peers()
        var driver = CoreDriver()
        let fresh = try driver.view(peers)
        peers.catalog.items[0].title = "Renamed"
        peers.catalog.revision = 8
        if isSilent { peers.silent = [.selection] } else { peers.down = [.selection] }
        let number = try driver.ask("view.get")
        try driver.settle(peers)
        if isSilent {
            try driver.runOut()
            #expect(driver.now < 6_000, "there is time left for the catalog")
            try driver.settle(peers)
        }
        let view = try driver.view(number)
        #expect(statuses(view) == ["stale", "stale", "stale"])
        #expect(view.at("detail", "title")?.string == "Renamed")
        #expect(view["revision"]?.int == fresh["revision"]?.int)
    }

    @Test func aSessionThatWasNeverSeenHasAListOfCategoriesAndNoMore() throws {
        let peers = peers()
        peers.down = [.selection]
        let view = try view(peers)
        #expect(statuses(view) == ["stale", "unavailable", "unavailable"])
        #expect(view.at("detail", "id")?.isNull == true)
    }

    @Test func withoutBothThereIsNoView() throws {
        let peers = peers()
        var driver = CoreDriver()
        _ = try driver.view(peers)
        peers.down = [.catalog, .selection]
        let number = try driver.ask("view.get")
        try driver.settle(peers)
        #expect(driver.error(number)?.reason == .upstreamUnavailable)
        peers.down = []
        peers.silent = [.catalog, .selection]
        let silent = try driver.ask("view.get")
        try driver.runOut()
        try driver.runOut()
        #expect(driver.error(silent)?.reason == .deadlineExceeded)
        #expect(driver.now == 6_000)
    }

    @Test func anEventIsNotAcceptedWithoutTheSelectionService() throws {
        let peers = peers()
        peers.down = [.selection]
        var driver = CoreDriver()
        try driver.ask("view.send", #"{"event":{"type":"reset"}}"#)
        try driver.settle(peers)
        #expect(driver.error(1)?.reason == .upstreamUnavailable)
    }

    @Test func anEventIsShownWithoutTheCatalogButNotWaitedForForever() throws {
        let peers = peers()
        var driver = CoreDriver()
        _ = try driver.view(peers)
        peers.down = [.catalog]
        let number = try driver.ask("view.send", #"{"event":{"type":"reset"}}"#)
        try driver.settle(peers)
        #expect(statuses(try driver.view(number)) == ["stale", "stale", "stale"])
        peers.down = []
        peers.silent = [.catalog]
        let late = try driver.ask("view.send", #"{"event":{"type":"reset"}}"#)
        try driver.settle(peers)
        try driver.runOut()
        #expect(driver.error(late)?.reason == .deadlineExceeded)
        #expect(driver.core.jobs.isEmpty)
    }

    @Test(arguments: ["{}", #"{"state":{}}"#, "[]", "7", #"{"state":null}"#])
    func aStateThatIsNoneIsAnOutage(_ nonsense: String) throws {
        let peers = peers()
        var driver = CoreDriver()
        _ = try driver.view(peers)
        let number = try driver.ask("view.get")
        let call = driver.calls.removeFirst()
        try driver.take(.answered(call.id, .success(try parse(nonsense))))
        try driver.settle(peers)
        #expect(statuses(try driver.view(number)) == ["stale", "stale", "stale"])
    }

    @Test(arguments: 0..<4) func nonsenseOfTheCatalogIsAnOutageToo(_ index: Int) throws {
        let peers = peers()
        var driver = CoreDriver()
        try driver.ask("view.get")
        try driver.answerNext(peers)
        let call = driver.calls.remove(at: index)
        try driver.take(.answered(call.id, .success(try parse(#"{"revision":7,"items":3}"#))))
        try driver.settle(peers)
        let statuses = statuses(try driver.view(1))
        #expect(statuses.contains("unavailable") || index == 0, "\(statuses)")
    }

    @Test func aCatalogThatIsGoneIsAnEmptyOneUntilTheSessionGoesToo() throws {
        let peers = peers()
        peers.catalog.id = "another"
        peers.states["default"]?.catalog = "c"
        #expect(statuses(try view(peers)) == ["empty", "missing", "missing"])
        // Also when everything in it was known.
        peers.catalog.id = "c"
        var driver = CoreDriver()
        #expect(statuses(try driver.view(peers)) == ["ready", "ready", "ready"])
        peers.catalog.id = "another"
        #expect(statuses(try driver.view(peers)) == ["empty", "missing", "missing"])
    }

    @Test func aListThatDoesNotFitALineIsAskedForInSmallerParts() throws {
        let peers = peers()
        peers.catalog.answerBytesMax = 400
        var driver = CoreDriver()
        let content = try driver.view(peers)["content"]
        #expect(content?["rows"]?.count == 3)
        #expect(content?.at("page", "total")?.int == 5)
        #expect(content?.at("page", "selectedIndex")?.int == 0)
    }

    /// Each bound is reached, and what is one past it goes.
    @Test func statesAndAnswersAreKeptUpToTheirBounds() throws {
        func kept(_ count: Int, items: Int = 0) -> (states: Int, bytes: Int) {
            var knowledge = PeerKnowledge()
            let ids = (0..<items).map { Identifier("\(10_000 + $0)" + String(repeating: "x", count: 123)) }
            for number in 0..<count {
                var state = SessionState(session: Identifier("s\(number)"))
                state.items = ids
                _ = knowledge.keep(state)
            }
            return (knowledge.counts.states, knowledge.bytes.states)
        }
        #expect(kept(Limits.sessionsKeptMax).states == Limits.sessionsKeptMax)
        #expect(kept(Limits.sessionsKeptMax + 1).states == Limits.sessionsKeptMax * 7 / 8)
        let (_, one) = kept(1, items: 1_000)
        let most = Limits.sessionsKeptBytesMax / one
        #expect(kept(most, items: 1_000) == (most, most * one))
        let fewer = kept(most + 1, items: 1_000)
        #expect(fewer.states < most && fewer.bytes <= Limits.sessionsKeptBytesMax * 7 / 8)
    }

    @Test func anAnswerCountsWithAllThatIsKeptWithIt() throws {
        let peers = peers()
        var driver = CoreDriver()
        _ = try driver.view(peers)
        let bytes = driver.core.knowledge.bytes
        // Its line, what that was parsed to, and the rows that were written of it.
        let list = try peers.catalog.respond("catalog.categories", parse(#"{"catalog":"c"}"#))
        #expect(bytes.answers > 4 * list.count && bytes.answers < 64 * 1_024)
        #expect(bytes.states > 512 && bytes.states < 2_048)
    }

    @Test func whatIsKnownIsBoundedInCountAndBytes() {
        var known = LastKnown<Int, String>(countMax: 8, bytesMax: 800)
        for key in 0..<100 {
            known.keep("\(key)", for: key, bytes: 10)
            #expect(known[0] == "0", "what is used stays")
            #expect(known.count <= 8)
        }
        for key in 100..<200 {
            known.keep("\(key)", for: key, bytes: 300)
        }
        #expect((1...2).contains(known.count))
        known.keep("too much", for: 1_000, bytes: 801)
        #expect(known[1_000] == nil)
    }
}
