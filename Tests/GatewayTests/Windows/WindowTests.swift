import JSON
import Shared
import Testing

@testable import Gateway

/// Windows that are kept current.
@Suite struct WindowTests {
    /// A window of a session in category `A`, with peers that tell of changes.
    private func open(
        _ params: String = "{}", _ prepare: (TestPeers) -> Void = { _ in }
    ) throws -> (driver: CoreDriver, peers: TestPeers, id: SubscriptionID, view: JSONValue) {
        let peers = TestPeers()
        peers.at(category: "A")
        prepare(peers)
        var driver = CoreDriver()
        try driver.connect(peers)
        let (id, view) = try driver.open(peers, params)
        return (driver, peers, id, view)
    }

    @Test func theFirstViewIsThatOfViewGetAndWhatChangesNothingTellsNothing() throws {
        var (driver, peers, id, view) = try open()
        #expect(try driver.view(peers).written == view.written)
        #expect(try driver.view(peers, #"{"subscription":"\#(id)"}"#).written == view.written)
        peers.changeState { $0.canGoBack = false }
        peers.states["default"]?.revision = 3
        try driver.settle(peers)
        #expect(driver.told.map { $0.news["view"]?["revision"]?.int } == [4])
    }

    @Test func changesOfSessionAndCatalogAreTold() throws {
        var (driver, peers, id, _) = try open()
        peers.changeState { $0.items = ["a2"] }
        try driver.settle(peers)
        #expect(driver.lastView(id)?.at("detail", "title")?.string == "Title a2")
        peers.changeCatalog { $0.items[1].title = "Renamed" }
        try driver.settle(peers)
        #expect(driver.lastView(id)?.at("detail", "title")?.string == "Renamed")
        #expect(driver.told.count == 2)
        #expect(try driver.view(peers).written == driver.lastView(id)?.written)
        peers.changeState("another") { $0.category = "B" }
        try driver.settle(peers)
        #expect(driver.told.count == 2)
    }

    @Test func aPatchTurnsTheViewBeforeIntoTheOneAfter() throws {
        var (driver, peers, _, view) = try open(#"{"format":"patch"}"#)
        var patched = Applied(view)
        peers.changeState { $0.items = ["a2"] }
        try driver.settle(peers)
        peers.changeCatalog { $0.items.remove(at: 0) }
        try driver.settle(peers)
        for (_, news) in driver.told {
            for operation in try #require(news["patch"]).elements { try patched.apply(operation) }
        }
        #expect(driver.told.count == 2)
        #expect(try patched.written == driver.view(peers).written)
    }

    @Test func anOverlayStaysUntilAnItemIsChosen() throws {
        var (driver, peers, id, _) = try open(#"{"width":820}"#)
        func shown() -> String? { driver.lastView(id)?.at("layout", "presentation")?.string }
        peers.changeState(cause: "explicitRequest") { $0.visibility = .all }
        try driver.settle(peers)
        #expect(shown() == "overlay")
        peers.changeState { $0.category = "B" }
        try driver.settle(peers)
        #expect(shown() == "overlay")
        peers.changeState { $0.items = ["b1"] }
        try driver.settle(peers)
        #expect(shown() == "tiled")
        #expect(driver.lastView(id)?.at("layout", "visibility", "requested")?.string == "all")
    }

    @Test func changesThatCameTogetherMoveTheColumnsOneByOne() throws {
        var (driver, peers, id, _) = try open(#"{"width":820}"#)
        // The catalog is slow: both changes are drawn at once.
        peers.silent = [.catalog]
        peers.changeState { $0.items = ["a1"] }
        peers.changeState(cause: "explicitRequest") { $0.visibility = .all }
        try driver.settle(peers)
        peers.silent = []
        try driver.settle(peers)
        #expect(driver.lastView(id)?.at("layout", "presentation")?.string == "overlay")
        #expect(driver.lastView(id)?.at("detail", "id")?.string == "a1")
    }

    // MARK: Wishes

    @Test func aResizeIsAnsweredAndThenTold() throws {
        var (driver, peers, id, _) = try open()
        func resize(_ width: Int) throws -> Bool? {
            try driver.result(peers, "view.resize", #"{"subscription":"\#(id)","width":\#(width)}"#)[
                "changed"]?
                .bool
        }
        #expect(try resize(1_024) == false)
        #expect(driver.told.isEmpty)
        #expect(try resize(400) == true)
        #expect(driver.lastView(id)?.at("layout", "top")?.string == "content")
        #expect(driver.core.lanes.values.allSatisfy { $0.holder == nil && $0.jobs.isEmpty })
    }

    @Test func anEventSentFromAWindowUsesItsLayoutAndIsToldAfterItsAnswer() throws {
        var (driver, peers, id, _) = try open(#"{"width":820}"#)
        peers.apply = { state, event in
            if event["type"]?.string == "setVisibility" {
                state.visibility = .all
            } else {
                state.category = "B"
            }
            return true
        }
        for type in ["setVisibility", "select"] {
            let result = try driver.result(
                peers, "view.send", #"{"subscription":"\#(id)","event":{"type":"\#(type)"}}"#)
            #expect(result.at("view", "layout", "presentation")?.string == "overlay")
            #expect(result["view"]?.written == driver.lastView(id)?.written)
        }
        #expect(driver.told.count == 2)
    }

    @Test func theWindowsOfAConnectionAreToldAfterTheAnswerOfWhatItSends() throws {
        var (driver, peers, id, _) = try open()
        peers.apply = { state, _ in
            state.category = "B"
            return true
        }
        let number = try driver.ask("view.send", #"{"event":{"type":"select"},"limit":2}"#)
        while driver.results[number] == nil {
            #expect(driver.told.isEmpty)
            try driver.answerNext(peers)
        }
        try driver.settle(peers)
        #expect(driver.lastView(id)?.at("content", "title")?.string == "Category B")
    }

    @Test(arguments: ["view.get", "view.resize", "view.scroll", "view.unsubscribe"])
    func aWindowBelongsToItsConnection(_ method: String) throws {
        var (driver, peers, id, _) = try open()
        let other = try driver.ask(method, #"{"subscription":"\#(id)"}"#, connection: 2)
        #expect(driver.error(other)?.reason == .notFound)
        #expect(driver.error(other)?.path == "/subscription")
        try driver.ask(method, #"{"subscription":"\#(id)","x":1}"#)
        #expect(driver.error(other + 1)?.path == "/x")
        _ = peers
    }

    @Test func unsubscribingEndsIt() throws {
        var (driver, peers, id, _) = try open()
        _ = try driver.result(peers, "view.unsubscribe", #"{"subscription":"\#(id)"}"#)
        #expect(driver.ended == [id])
        peers.changeState { $0.items = ["a1"] }
        try driver.settle(peers)
        #expect(driver.told.isEmpty)
        #expect(
            driver.core.windows.isEmpty && driver.core.lanes.isEmpty && driver.core.windowsOfSession.isEmpty)
    }

    // MARK: The end

    @Test func aDeletedSessionEndsItsWindowsAndADroppedCatalogToo() throws {
        for isDropped in [true, false] {
            var (driver, peers, id, _) = try open()
            if isDropped { peers.catalog.id = "another" }
            peers.deleteState()
            try driver.settle(peers)
            #expect(
                driver.told.map { $0.news["ended"]?.string } == [
                    isDropped ? "catalog dropped" : "session deleted"
                ])
            #expect(driver.ended == [id])
            #expect(driver.core.windows.isEmpty)
        }
    }

    @Test func aDroppedCatalogEndsItsWindowsAtOnce() throws {
        var (driver, peers, id, _) = try open()
        peers.changeCatalog(isDropped: true)
        try driver.settle(peers)
        #expect(driver.told.map { $0.news["ended"]?.string } == ["catalog dropped"])
        #expect(driver.ended == [id])
    }

    // MARK: Trouble

    @Test func withoutAPeerTheWindowIsStaleAndRecovers() throws {
        var (driver, peers, id, view) = try open()
        for peer in GatewayCore.Peer.allCases {
            peers.down = [peer]
            try driver.take(.down(peer))
            try driver.settle(peers)
            #expect(driver.lastView(id)?.at("content", "status")?.string == "stale")
            peers.down = []
            try driver.take(.up(peer))
            try driver.settle(peers)
            #expect(driver.lastView(id)?.written == view.written)
        }
    }

    @Test func whatHappenedWhileAPeerWasAwayIsSeenWhenItIsBack() throws {
        var (driver, peers, id, _) = try open()
        try driver.take(.down(.selection))
        peers.states["default"]?.revision = 9
        peers.states["default"]?.items = ["a3"]
        try driver.take(.up(.selection))
        try driver.settle(peers)
        #expect(driver.lastView(id)?.at("detail", "id")?.string == "a3")
    }

    @Test func aSilentPeerIsAskedAgain() throws {
        var (driver, peers, id, _) = try open()
        peers.silent = [.catalog]
        driver.now += 1
        peers.changeState { $0.items = ["a1"] }
        try driver.settle(peers)
        try driver.runOut()
        #expect(driver.lastView(id)?.at("content", "status")?.string == "stale")
        peers.silent = []
        driver.now = try #require(driver.wakeAt)
        try driver.take(.wake)
        try driver.settle(peers)
        #expect(driver.lastView(id)?.at("content", "status")?.string == "ready")
    }

    @Test func aSlowReaderIsToldOnceAndTheWholeView() throws {
        var (driver, peers, id, _) = try open(#"{"format":"patch"}"#)
        driver.congested = [id]
        for number in 1...5 {
            peers.changeState { $0.items = [Identifier("a\(number)")] }
            try driver.settle(peers)
        }
        #expect(driver.told.isEmpty)
        driver.congested = []
        try driver.take(.drained(id))
        #expect(driver.told.count == 1)
        #expect(driver.told[0].news["lagged"]?.bool == true)
        #expect(try driver.lastView(id)?.written == driver.view(peers).written)
    }

    /// Found by simulation: what it was told then was older than what its connection had been answered.
    @Test func whatASlowReaderHasMissedIsNotOlderThanWhatItWasAnswered() throws {
        var (driver, peers, id, _) = try open()
        driver.congested = [id]
        peers.changeState { $0.items = ["a1"] }
        try driver.settle(peers)
        // Its connection is answered of a change before the gateway is told of it.
        peers.catalog.revision += 1
        driver.core.behind.catalog = true
        let answered = try driver.ask("view.get")
        try driver.settle(peers)
        let revision = try driver.view(answered).at("catalog", "revision")?.int
        #expect(revision == peers.catalog.revision)
        driver.congested = []
        try driver.take(.drained(id))
        try driver.settle(peers)
        #expect(driver.told.map { $0.news.at("view", "catalog", "revision")?.int } == [revision])
        #expect(driver.told.first?.news["lagged"]?.bool == true)
    }

    @Test func aSlowReaderIsToldThatItsWindowIsOver() throws {
        var (driver, peers, id, _) = try open(#"{"format":"patch"}"#)
        driver.congested = [id]
        peers.changeState { $0.items = ["a1"] }
        try driver.settle(peers)
        #expect(driver.told.isEmpty)
        peers.deleteState()
        try driver.settle(peers)
        #expect(driver.told.map { $0.news["ended"]?.string } == ["session deleted"])
        #expect(driver.ended == [id])
    }

    /// Found by simulation: what had waited for a subscription was told before what had been answered until then.
    @Test func whatWaitsForASubscriptionDoesNotOvertakeWhatWasAnsweredBefore() throws {
        var (driver, peers, id, view) = try open()
        peers.apply = { state, _ in
            state.items = ["a1"]
            return true
        }
        // All of these wait for the event, and go on with its answer.
        let sent = try driver.ask("view.send", #"{"subscription":"\#(id)","event":{"type":"select"}}"#)
        let opened = try driver.ask("view.subscribe")
        let asked = try driver.ask("view.get", #"{"subscription":"\#(id)"}"#)
        let resized = try driver.ask("view.resize", #"{"subscription":"\#(id)","width":1400}"#)
        #expect(driver.core.lanes.values.map(\.waiting.count) == [3])
        let before = driver.order.count
        try driver.settle(peers)
        #expect(Array(driver.order[before...]) == [sent, opened, asked, resized])
        #expect(try driver.view(asked).at("layout", "width")?.int == view.at("layout", "width")?.int)
        #expect(driver.lastView(id)?.at("layout", "width")?.int == 1_400)
    }

    @Test func manyWindowsAreDrawnInSeveralTurns() throws {
        let peers = TestPeers()
        peers.at(category: "A")
        var driver = CoreDriver()
        try driver.connect(peers)
        let count = Limits.windowsPerTurnMax * 2 + 1
        for number in 0..<count {
            // Of different widths, so that none can take over the view of another one.
            _ = try driver.open(peers, #"{"width":\#(800 + number)}"#, connection: number % 7)
        }
        try driver.endTurn()
        peers.changeCatalog { $0.items[0].title = "Renamed" }
        try driver.settle(peers)
        var told = [driver.told.count]
        while driver.told.count < count {
            try driver.endTurn()
            try driver.take(.wake)
            try driver.settle(peers)
            told.append(driver.told.count)
        }
        #expect(told == [Limits.windowsPerTurnMax, Limits.windowsPerTurnMax * 2, count])
        #expect(Set(driver.told.map(\.window)).count == count)
        #expect(driver.core.jobs.isEmpty && driver.core.deferred.isEmpty)
    }

    @Test func aSubscriptionThatCanNotBeMadeIsRefused() throws {
        let peers = TestPeers()
        var driver = CoreDriver()
        driver.refusesSubscriptions = true
        let number = try driver.ask("view.subscribe")
        try driver.settle(peers)
        #expect(driver.error(number) == CoreDriver.tooMany)
        #expect(driver.core.windows.isEmpty && driver.core.opening.isEmpty && driver.core.lanes.isEmpty)
    }
}
