import JSON
import Shared
import Testing

@testable import Gateway

/// The views that are kept for windows have a bound together.
@Suite struct KeptWindowTests {
    /// Some windows of different widths, of whose views only `viewsKept` fit.
    private func open(
        viewsKept: Double, _ format: String = "patch"
    ) throws -> (driver: CoreDriver, peers: TestPeers, ids: [SubscriptionID], views: [Applied]) {
        let peers = TestPeers()
        peers.at(category: "A")
        var probe = CoreDriver()
        try probe.connect(peers)
        _ = try probe.open(peers, #"{"width":1000}"#)
        let bytes = probe.core.windowViewsBytes
        let fresh = TestPeers()
        fresh.at(category: "A")
        var driver = CoreDriver()
        driver.core = GatewayCore(windowViewsBytesMax: Int(viewsKept * Double(bytes)))
        try driver.connect(fresh)
        var (ids, views): ([SubscriptionID], [Applied]) = ([], [])
        for width in 1_000..<1_008 {
            let (id, view) = try driver.open(fresh, #"{"width":\#(width),"format":"\#(format)"}"#)
            ids.append(id)
            views.append(Applied(view))
        }
        try driver.endTurn()
        return (driver, fresh, ids, views)
    }

    private func isWhole(_ driver: CoreDriver, _ id: SubscriptionID) -> Bool {
        driver.core.windows[id]?.shown.view != nil
    }

    @Test func theOldestViewsGoWhenTheBoundIsPassed() throws {
        let (within, _, ids, _) = try open(viewsKept: 8.5)
        #expect(ids.allSatisfy { isWhole(within, $0) })
        let (beyond, _, others, _) = try open(viewsKept: 4.5)
        #expect(beyond.core.windowViewsBytes <= beyond.core.windowViewsBytesMax)
        #expect(others.map { isWhole(beyond, $0) }.last == true)
        #expect(!isWhole(beyond, others[0]))
        let kept = beyond.core.windows.values.reduce(0) { $0 + $1.shown.bytes }
        #expect(kept == beyond.core.windowViewsBytes)
    }

    @Test func withoutItsViewAWindowIsToldTheWholeOneInAPatch() throws {
        var (driver, peers, ids, views) = try open(viewsKept: 2.5)
        peers.changeState { $0.items = ["a2"] }
        try driver.settle(peers)
        peers.changeState { $0.items = ["a3"] }
        try driver.settle(peers)
        #expect(driver.told.count == 16)
        for (id, news) in driver.told {
            let number = try #require(ids.firstIndex(of: id))
            for operation in try #require(news["patch"]).elements { try views[number].apply(operation) }
        }
        for (number, id) in ids.enumerated() {
            let answer = try driver.view(peers, #"{"subscription":"\#(id)"}"#)
            #expect(answer.written == views[number].written)
        }
        #expect(driver.told.count == 16)
    }

    @Test func whatChangesNothingTellsNothingWithoutTheView() throws {
        var (driver, peers, ids, _) = try open(viewsKept: 2.5)
        #expect(!isWhole(driver, ids[0]))
        peers.changeCatalog { _ in }
        let revision = peers.catalog.revision
        peers.catalog.revision = revision - 1
        try driver.settle(peers)
        #expect(driver.told.isEmpty)
    }

    @Test func aSlowReaderWithoutItsViewIsToldTheWholeOneThatIsDrawnForHim() throws {
        var (driver, peers, ids, _) = try open(viewsKept: 2.5)
        driver.congested = Set(ids)
        peers.changeState { $0.items = ["a2"] }
        try driver.settle(peers)
        let id = try #require(ids.first { !isWhole(driver, $0) })
        driver.congested = []
        try driver.take(.drained(id))
        try driver.settle(peers)
        #expect(driver.told.map(\.window) == [id])
        #expect(driver.told[0].news["lagged"]?.bool == true)
        #expect(driver.told[0].news["view"]?.at("detail", "id")?.string == "a2")
        #expect(driver.core.windows[id]?.isLagging == false)
    }

    @Test func whoIsGoneTakesUpNoRoom() throws {
        var (driver, _, ids, _) = try open(viewsKept: 4.5)
        for id in ids { try driver.take(.subscriptionEnded(id)) }
        #expect(driver.core.windowViewsBytes == 0)
    }
}
