import JSON
import Testing

@testable import Gateway
@testable import Shared

/// Windows that show the same: one is drawn, the others take its view over.
@Suite struct TwinTests {
    private func open(
        _ params: [String], onConnections count: Int = 3
    ) throws -> (driver: CoreDriver, peers: TestPeers, views: [SubscriptionID: Applied]) {
        let peers = TestPeers()
        peers.at(category: "A")
        var driver = CoreDriver()
        try driver.connect(peers)
        var views: [SubscriptionID: Applied] = [:]
        for (number, params) in params.enumerated() {
            let (id, view) = try driver.open(peers, params, connection: number % count)
            views[id] = Applied(view)
        }
        try driver.endTurn()
        return (driver, peers, views)
    }

    @Test func oneViewIsDrawnForAllThatLookAlike() throws {
        var (driver, peers, views) = try open(Array(repeating: #"{"format":"patch"}"#, count: 20))
        let drawn = driver.core.counters.views
        peers.changeState { $0.items = ["a2"] }
        try driver.settle(peers)
        #expect(driver.core.counters.views == drawn + 1)
        #expect(driver.core.counters.sharedViews == 19)
        peers.changeCatalog { $0.items[0].title = "Renamed" }
        try driver.settle(peers)
        #expect(driver.core.counters.views == drawn + 2)
        for (id, news) in driver.told {
            for operation in try #require(news["patch"]).elements { try views[id]?.apply(operation) }
        }
        let fresh = try driver.view(peers)
        #expect(driver.told.count == 40)
        for view in views.values { #expect(view.written == fresh.written) }
        #expect(driver.core.leaders.isEmpty && driver.core.orphans.isEmpty)
    }

    @Test func patchesAndWholeViewsAndOtherSizesAreToldAsTheyWant() throws {
        var (driver, peers, views) = try open([
            #"{"format":"patch"}"#, #"{"format":"full"}"#, #"{"format":"patch"}"#, #"{"width":700}"#,
            #"{"width":700,"format":"patch"}"#, #"{"width":400}"#,
        ])
        for item in ["a2", "a1", "a3"] {
            peers.changeState { $0.items = [Identifier(item)] }
            try driver.settle(peers)
        }
        for (id, news) in driver.told {
            if let view = news["view"] { views[id] = Applied(view) }
            for operation in news["patch"].map({ Array($0.elements) }) ?? [] {
                try views[id]?.apply(operation)
            }
        }
        #expect(driver.told.count == 18)
        for (id, view) in views {
            let width = Int(try #require(driver.core.windows[id]).frame.width)
            // The layout has a past, all else is as in a window that is new.
            let fresh = try driver.view(peers, #"{"width":\#(width)}"#)
            let kept = try driver.core.windows[id]?.shown.view.map { try parse($0) }
            #expect(view.written == kept?.written)
            #expect(kept?["detail"]?.written == fresh["detail"]?.written)
        }
    }

    @Test func whoWaitsForAViewThatNeverComesIsDrawnByHimself() throws {
        var (driver, peers, views) = try open(Array(repeating: "{}", count: 6))
        peers.silent = [.catalog]
        driver.now += 10
        peers.changeCatalog { $0.items[0].title = "Renamed" }
        try driver.settle(peers)
        let drawing = try #require(driver.core.windows.values.first { $0.drawing != nil })
        #expect(driver.core.windows.values.count { $0.drawing != nil } == 1)
        try driver.take(.subscriptionEnded(drawing.subscription))
        #expect(driver.core.windows.values.count { $0.drawing != nil } == 1)
        peers.silent = []
        try driver.settle(peers)
        views[drawing.subscription] = nil
        #expect(Set(driver.told.map(\.window)) == Set(views.keys))
        #expect(driver.told.count == 5)
    }

    @Test func whatHappensToOneOfThemMeanwhileIsNotLost() throws {
        var (driver, peers, _) = try open(Array(repeating: "{}", count: 6), onConnections: 6)
        peers.silent = [.catalog]
        driver.now += 10
        peers.changeCatalog { $0.items[0].title = "Renamed" }
        try driver.settle(peers)
        let follower = try #require(driver.core.windows.values.first { $0.drawing == nil })
        let resize = try driver.ask(
            "view.resize", #"{"subscription":"\#(follower.subscription)","width":500}"#,
            connection: follower.connection.number)
        peers.changeState { $0.items = ["a2"] }
        peers.silent = []
        try driver.settle(peers)
        #expect(driver.error(resize) == nil)
        for window in driver.core.windows.values {
            let view = try #require(driver.lastView(window.subscription))
            #expect(view["revision"]?.int == peers.state.revision)
            #expect(
                view.at("layout", "width")?.int == (window.connection == follower.connection ? 500 : 1_024))
            #expect(
                view.at("detail", "title")?.string == "Title a2")
            #expect(!window.isDirty && window.drawing == nil)
        }
    }

    @Test func whenAPeerIsBackAllAreDrawnAlsoThoseThatWouldHaveTriedAgainLater() throws {
        var (driver, peers, _) = try open(Array(repeating: "{}", count: 6))
        peers.silent = [.catalog]
        driver.now += 10
        peers.changeCatalog { $0.items[0].title = "Renamed" }
        try driver.settle(peers)
        while !driver.calls.isEmpty {
            try driver.runOut()
            try driver.settle(peers)
        }
        #expect(driver.core.windows.values.contains { $0.isWaiting })
        try driver.take(.down(.catalog))
        peers.silent = []
        try driver.take(.up(.catalog))
        try driver.settle(peers)
        for window in driver.core.windows.values {
            let view = try #require(driver.lastView(window.subscription))
            #expect(view.at("sidebar", "status")?.string == "ready")
            #expect(!window.isDirty && window.drawing == nil)
        }
    }

    @Test(arguments: [0, 1])
    func soManyTakeAViewOverAndTheNextHasOneOfItsOwn(_ beyond: Int) throws {
        var (driver, peers, _) = try open(Array(repeating: "{}", count: 1 + Limits.twinsPerViewMax + beyond))
        let drawn = driver.core.counters.views
        peers.changeState { $0.items = ["a2"] }
        try driver.settle(peers)
        #expect(driver.core.counters.sharedViews == Limits.twinsPerViewMax)
        #expect(driver.core.counters.views == drawn + 1 + beyond)
        #expect(driver.told.count == 1 + Limits.twinsPerViewMax + beyond)
    }
}
