import JSON
import Shared
import Testing

@testable import Gateway

/// Which rows a subscribed window shows as its list and selection change.
@Suite struct HeldRowsTests {
    private final class Fixture {
        let peers: TestPeers
        var driver = CoreDriver()
        let id: SubscriptionID

        init(_ params: String = #"{"limit":10}"#) throws {
            let catalog = TestCatalog()
            catalog.hasKeyCursors = true
            catalog.categories = [.init(id: "A", title: "A"), .init(id: "B", title: "B")]
            catalog.items = (0..<100).map {
                .init(id: "r\($0)", title: "Row \($0)", categories: [$0 == 99 ? "B" : "A"])
            }
            peers = TestPeers(catalog)
            peers.at(category: "A")
            try driver.connect(peers)
            id = try driver.open(peers, params).id
        }

        /// First and last row of what the subscriber has, and how many there are.
        func rows() throws -> String {
            let view = try driver.view(peers, #"{"subscription":"\#(id)"}"#)
            let ids = view.at("content", "rows")?.strings("id") ?? []
            return "\(ids.first ?? "-")...\(ids.last ?? "-") \(ids.count)"
        }

        func select(_ items: String...) throws {
            peers.changeState { $0.items = items.map { Identifier($0) } }
            try driver.settle(peers)
        }

        func change(_ change: (TestCatalog) -> Void) throws {
            peers.changeCatalog(change)
            try driver.settle(peers)
        }

        func scroll(_ params: String) throws -> Bool? {
            try driver.result(peers, "view.scroll", #"{"subscription":"\#(id)"\#(params)}"#)["changed"]?.bool
        }
    }

    @Test func aSelectInsideLeavesItAndOneOutsideMovesIt() throws {
        let window = try Fixture()
        #expect(try window.rows() == "r0...r9 10")
        try window.select("r9")
        #expect(try window.rows() == "r0...r9 10")
        try window.select("r50")
        #expect(try window.rows() == "r45...r54 10")
        try window.select("r46")
        #expect(try window.rows() == "r45...r54 10")
        try window.select("not there")
        #expect(try window.rows() == "r45...r54 10")
    }

    @Test func atTheHeadItIsHeldByTheHead() throws {
        let window = try Fixture()
        try window.change { $0.items.insert(.init(id: "top", title: "Top", categories: ["A"]), at: 0) }
        #expect(try window.rows() == "top...r8 10")
        try window.change { $0.items.remove(at: 0) }
        #expect(try window.rows() == "r0...r9 10")
    }

    @Test func elsewhereItIsHeldByTheKeyOfItsFirstRow() throws {
        let window = try Fixture()
        #expect(try window.scroll(#","around":"r50""#) == true)
        #expect(try window.rows() == "r45...r54 10")
        try window.change { $0.items.insert(.init(id: "top", title: "Top", categories: ["A"]), at: 0) }
        #expect(try window.rows() == "r45...r54 10")
        try window.change { catalog in catalog.items.removeAll { $0.id == "r45" } }
        #expect(try window.rows() == "r46...r55 10")
        try window.select("r80")
        #expect(try window.rows() == "r75...r84 10")
    }

    @Test func whenFewerRowsFollowItIsFilledUp() throws {
        let window = try Fixture()
        #expect(try window.scroll(#","around":"r95""#) == true)
        #expect(try window.rows() == "r89...r98 10")
        try window.change { catalog in catalog.items.removeAll { $0.id == "r97" || $0.id == "r98" } }
        #expect(try window.rows() == "r87...r96 10")
        try window.change { catalog in catalog.items.removeAll { $0.id != "r3" && $0.id != "r4" } }
        #expect(try window.rows() == "r3...r4 2")
    }

    @Test func anotherListBeginsAroundTheSelectionElseAtItsHead() throws {
        let window = try Fixture()
        try window.select("r50")
        window.peers.changeState { $0.query.text = "row" }
        try window.driver.settle(window.peers)
        #expect(try window.rows() == "r45...r54 10")
        window.peers.changeState {
            $0.items = []
            $0.query.text = ""
            $0.sort = Sort(by: .title)
        }
        try window.driver.settle(window.peers)
        #expect(try window.rows() == "r0...r17 10")
        window.peers.changeState { $0.category = "B" }
        try window.driver.settle(window.peers)
        #expect(try window.rows() == "r99...r99 1")
    }

    @Test func aScrollWithoutAPlaceGoesBackToTheSelection() throws {
        let window = try Fixture()
        try window.select("r50")
        #expect(try window.scroll(#","around":"r20","limit":4"#) == true)
        #expect(try window.rows() == "r18...r21 4")
        #expect(try window.scroll("") == true)
        #expect(try window.rows() == "r48...r51 4")
        #expect(try window.scroll("") == false)
    }

    @Test func aScrollToABadCursorIsRefusedAndLeavesTheWindow() throws {
        let window = try Fixture()
        let number = try window.driver.ask(
            "view.scroll", #"{"subscription":"\#(window.id)","after":"bad"}"#)
        try window.driver.settle(window.peers)
        #expect(window.driver.error(number)?.path == "/after")
        #expect(try window.rows() == "r0...r9 10")
    }
}
