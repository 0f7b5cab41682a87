import JSON
import Shared
import Testing

@testable import Gateway

/// What a connection is shown never goes back, whatever fails meanwhile.
///
/// All of these were found by simulation.
@Suite struct NeverBackTests {
    /// Has all calls under way answered, but does not hear what that causes.
    private func answerAll(_ driver: inout CoreDriver, _ peers: TestPeers) throws {
        while !driver.calls.isEmpty {
            let (id, call) = driver.calls.removeFirst()
            let answer = try peers.respond(call.method, parse(call.params)).get()
            try driver.take(.answered(id, .success(try parse(answer))))
        }
    }

    /// Asks for a view on the same connection whose time is over before the earlier ones are answered.
    private func overtake(_ driver: inout CoreDriver, _ peers: TestPeers) throws -> JSONValue {
        let number = try driver.ask("view.get", patience: 100)
        try driver.settle(peers)
        driver.now += 100
        try driver.take(.wake)
        #expect(driver.order.last == number)
        return try driver.view(number)
    }

    @Test func aWindowWaitsForTheEventOfWhatItsConnectionWasAnswered() throws {
        let peers = TestPeers()
        peers.at(category: "A")
        var driver = CoreDriver()
        try driver.connect(peers)
        let window = try driver.open(peers, #"{"format":"full"}"#).id
        peers.apply = { state, _ in
            state.category = "B"
            return true
        }
        let sent = try driver.ask("view.send", #"{"event":{"type":"select"}}"#)
        // Somebody else's event comes first; the window has to wait for the answer to its own connection.
        peers.changeState { $0.items = ["a1"] }
        try driver.hear(peers)
        try answerAll(&driver, peers)
        #expect(try driver.view(sent)["revision"]?.int == 5)
        #expect(driver.lastView(window) == nil, "it would show revision 4")
        try driver.settle(peers)
        #expect(driver.lastView(window)?["revision"]?.int == 5)
    }

    @Test func aCatalogThatIsNotShownDoesNotMakeTheOneThatIsLookOld() throws {
        let peers = TestPeers()
        peers.at(category: "A")
        var driver = CoreDriver()
        try driver.connect(peers)
        let number = try driver.ask("view.get", #"{"catalog":"another"}"#)
        // Both revisions are of one counter: that of the other catalog may be the later one.
        let asked = driver.calls.firstIndex { $0.call.method == "catalog.describe" }
        let (id, _) = driver.calls.remove(at: try #require(asked))
        let own = try peers.respond("catalog.describe", parse(#"{"catalog":"\#(peers.catalog.id)"}"#)).get()
        let text = String(decoding: own, as: UTF8.self)
            .replacing(#""revision":\#(peers.catalog.revision)"#, with: #""revision":99"#)
            .replacing(#""\#(peers.catalog.id)""#, with: #""another""#)
        #expect(text.contains("99") && text.contains("another"))
        try driver.take(.answered(id, .success(try parse(text))))
        try driver.settle(peers)
        #expect(try driver.view(number).at("catalog", "id")?.string == peers.catalog.id)
        #expect(driver.core.jobs.isEmpty)
    }

    @Test func aViewWithoutTheCatalogIsNotOlderThanWhatWasShown() throws {
        let peers = TestPeers()
        peers.at(category: "A")
        var driver = CoreDriver()
        let first = try driver.ask("view.get")
        try driver.answerNext(peers)
        let (id, call) = driver.calls.removeFirst()
        let described = try peers.respond(call.method, parse(call.params)).get()
        try driver.take(.answered(id, .success(try parse(described))))
        let late = driver.calls
        driver.calls = []
        peers.catalog.revision = 8
        #expect(try driver.view(peers, #"{"session":"another"}"#).at("catalog", "revision")?.int == 8)
        for (id, _) in late { try driver.take(.answered(id, .failure(RPCError(.draining, "it stops")))) }
        #expect(try driver.view(first).at("catalog", "revision")?.int == 8)
    }

    @Test func aSessionThatCameToBeIsNotShownAsItWasBefore() throws {
        let peers = TestPeers()
        var driver = CoreDriver()
        let first = try driver.ask("view.get")
        try driver.answerNext(peers)
        let late = driver.calls
        driver.calls = []
        peers.at(category: "A")
        #expect(try overtake(&driver, peers)["revision"]?.int == 3)
        driver.calls += late
        try driver.settle(peers)
        #expect(try driver.view(first)["revision"]?.int == 3)
    }

    @Test func aStateThatIsNotFreshIsNotOlderThanWhatWasShown() throws {
        let peers = TestPeers()
        peers.at(category: "A")
        var driver = CoreDriver()
        _ = try driver.view(peers)
        let first = try driver.ask("view.get")
        let index = try #require(driver.calls.firstIndex { $0.call.method == "selection.get" })
        let (id, _) = driver.calls.remove(at: index)
        try driver.take(.answered(id, .failure(RPCError(.deadlineExceeded, "late"))))
        let late = driver.calls
        driver.calls = []
        peers.state.revision = 4
        #expect(try overtake(&driver, peers)["revision"]?.int == 4)
        driver.calls += late
        try driver.settle(peers)
        #expect(try driver.view(first)["revision"]?.int == 4)
    }

    @Test func aWindowDrawnWithoutTheCatalogIsDrawnAgainWhenItIsBack() throws {
        let peers = TestPeers()
        peers.at(category: "A")
        var driver = CoreDriver()
        try driver.connect(peers)
        let window = try driver.open(peers, #"{"format":"full"}"#).id
        peers.down = [.catalog]
        try driver.take(.down(.catalog))
        try driver.settle(peers)
        try driver.ask("view.send", #"{"subscription":"\#(window)","event":{"type":"reset"}}"#)
        while let index = driver.calls.firstIndex(where: { $0.call.peer == .catalog }) {
            let (id, _) = driver.calls.remove(at: index)
            try driver.take(.answered(id, .failure(RPCError(.upstreamUnavailable, "down"))))
        }
        // It comes back before the event is answered.
        peers.down = []
        try driver.take(.up(.catalog))
        let index = try #require(driver.calls.firstIndex { $0.call.method == "catalog.subscribe" })
        let (id, call) = driver.calls.remove(at: index)
        let answer = try peers.respond(call.method, parse(call.params)).get()
        try driver.take(.answered(id, .success(try parse(answer))))
        try driver.settle(peers)
        #expect(driver.lastView(window)?.at("sidebar", "status")?.string == "ready")
    }
}
