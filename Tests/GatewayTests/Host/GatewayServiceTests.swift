import JSON
import Shared
import Testing
import TestSupport
import UV

@testable import Gateway

/// The gateway on its socket, with its peers played by mocks.
@Suite struct GatewayServiceTests {
    /// Starts a gateway and mocks that answer from memory.
    private func start(
        _ harness: Harness, _ peers: TestPeers
    ) throws -> (client: TestClient, catalog: MockService, selection: MockService) {
        let catalog = try harness.mock("catalog")
        let selection = try harness.mock("selection")
        catalog.responder = peers.responder
        selection.responder = peers.responder
        let client = try serve(harness)
        return (client, catalog, selection)
    }

    /// The pings that a peer is asked and does not answer until it is told to.
    private final class HeldPings {
        private(set) var lines: [[UInt8]] = []
        private let peer: MockService

        init(at peer: MockService, _ peers: TestPeers) {
            self.peer = peer
            peer.responder = { method, params, id in
                guard method == "rpc.ping" else { return peers.responder(method, params, id) }
                self.lines += peers.responder(method, params, id) ?? []
                return []
            }
        }

        func answer() { for line in lines { peer.send(bytes: line + [0x0A]) } }
    }

    /// Waits until what peers have said says nothing of their being alive any more.
    private func silence(_ harness: Harness) throws {
        let before = harness.loop.nanoseconds
        try harness.until("it was silent") { harness.loop.nanoseconds > before + Limits.lifeNanoseconds }
    }

    private func serve(_ harness: Harness) throws -> TestClient {
        try harness.serve("gateway") { service in
            GatewayHandler(
                service, catalogPath: harness.socket("catalog"), selectionPath: harness.socket("selection"))
        }
        let client = try harness.connect("gateway")
        try harness.until("the peers are there") {
            (try? client.call("rpc.health")["status"]?.string) == "ok"
        }
        return client
    }

    @Test func viewsAreGotAndSent() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let peers = TestPeers()
        peers.at(category: "A")
        peers.apply = { state, event in
            state.items = event["id"]?.string.map { [Identifier($0)] } ?? []
            return true
        }
        let (client, _, _) = try start(harness, peers)
        let view = try #require(try client.call("view.get")["view"])
        #expect(view.at("content", "title")?.string == "Category A")
        let row = try #require(view.at("content", "rows")?.elements.first { $0["id"]?.string == "a2" })
        let sent = try client.call("view.send", #"{"event":\#(row["event"]?.text ?? "")}"#)
        #expect(sent["changed"]?.bool == true)
        #expect(sent.at("view", "detail", "title")?.string == "Title a2")
        #expect(try client.call("view.get")["view"]?.text == sent["view"]?.text)
    }

    @Test func pipelinedEventsAreAnsweredInOrderAndEachViewIsThatOfItsEvent() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let peers = TestPeers()
        peers.at()
        peers.apply = { state, event in
            state.category = event["id"]?.string.map { Identifier($0) }
            return true
        }
        let (client, _, _) = try start(harness, peers)
        for number in 0..<200 {
            let id = number % 2 == 0 ? "A" : "B"
            client.send(
                #"{"jsonrpc":"2.0","id":\#(number),"method":"view.send","params":{"event":{"type":"select","id":"\#(id)"}}}"#
            )
        }
        var revision = 3
        for number in 0..<200 {
            let answer = try client.message()
            let view = try #require(answer.at("result", "view"))
            #expect(answer["id"]?.int == number)
            #expect(view.at("content", "title")?.string == (number % 2 == 0 ? "Category A" : "Category B"))
            let next = try #require(view["revision"]?.int)
            #expect(next > revision)
            revision = next
        }
    }

    @Test func aPeerThatDiesInTheMiddleOfAViewLeavesAStaleOne() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let peers = TestPeers()
        peers.at(category: "A", items: ["a1"])
        let (client, catalog, _) = try start(harness, peers)
        _ = try client.call("view.get")
        peers.changeCatalog()
        for line in peers.takeNews() { catalog.send(String(decoding: line, as: UTF8.self)) }
        catalog.responder = { [weak catalog] method, params, id in
            guard method == "catalog.items" else { return peers.responder(method, params, id) }
            catalog?.disconnect()
            return []
        }
        let view = try #require(try client.call("view.get")["view"])
        #expect(view.at("content", "status")?.string == "stale")
        #expect(view.at("detail", "status")?.string == "stale")
        catalog.responder = peers.responder
        try harness.until("it recovers by itself") {
            (try? client.call("view.get"))?.at("view", "content", "status")?.string == "ready"
        }
    }

    @Test func garbageOfAPeerHarmsNobody() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let peers = TestPeers()
        peers.at(category: "A")
        let (client, catalog, selection) = try start(harness, peers)
        for garbage in ["not JSON", "{", "[1,2]", #"{"jsonrpc":"2.0","id":999999,"result":{}}"#, "7"] {
            catalog.send(garbage)
            selection.send(garbage)
        }
        try harness.until("views are ready again") {
            (try? client.call("view.get"))?.at("view", "content", "status")?.string == "ready"
        }
    }

    @Test func atTheDeadlineASilentCatalogLeavesAViewAndRefusesAnEvent() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let peers = TestPeers()
        peers.at(category: "A")
        let (client, catalog, _) = try start(harness, peers)
        catalog.responder = { _, _, _ in [] }
        let view = try client.call("view.get", #"{"_meta":{"deadlineMs":60}}"#)
        #expect(view.at("view", "content", "status")?.string == "unavailable")
        let refused = try client.respond(
            "view.send", #"{"event":{"type":"reset"},"_meta":{"deadlineMs":60}}"#)
        #expect(refused.at("error", "code")?.int == -32_002)
        #expect(try client.call("rpc.ping").text == "{}")
    }

    @Test func withoutPeersTheRefusalSaysWhatToDo() throws {
        let harness = try Harness()
        defer { harness.finish() }
        try harness.serve("gateway") { service in
            GatewayHandler(
                service, catalogPath: harness.socket("catalog"), selectionPath: harness.socket("selection"))
        }
        let client = try harness.connect("gateway")
        let refused = try client.respond("view.get")
        #expect(refused.at("error", "code")?.int == -32_005)
        #expect(refused.at("error", "message")?.string?.contains("start it") == true)
        #expect(try client.call("rpc.health")["status"]?.string == "degraded")
        #expect(try client.respond("layout.resolve").at("error", "code")?.int == -32_602)
    }

    @Test func aSubscriptionIsAnsweredAndThenTold() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let peers = TestPeers()
        peers.at(category: "A")
        let (client, catalog, selection) = try start(harness, peers)
        let opened = try client.call("view.subscribe", #"{"width":390,"keepAfterEof":true}"#)
        let id = try #require(opened["subscription"]?.string)
        peers.changeState { $0.items = ["a2"] }
        for line in peers.takeNews() { selection.send(String(decoding: line, as: UTF8.self)) }
        let first = try client.message()
        #expect(first["method"]?.string == "view.changed")
        #expect(first.at("params", "subscription")?.string == id)
        #expect(first.at("params", "seq")?.int == 1)
        #expect(first.at("params", "view", "layout", "top")?.string == "detail")
        client.halfClose()
        peers.changeCatalog { $0.items[1].title = "Renamed" }
        for line in peers.takeNews() { catalog.send(String(decoding: line, as: UTF8.self)) }
        let second = try client.message()
        #expect(second.at("params", "seq")?.int == 2)
        #expect(second.at("params", "view", "detail", "title")?.string == "Renamed")
    }

    /// Found by simulation: the older view came last.
    @Test func aSubscriptionIsAnsweredBeforeAnotherWindowOfItsConnectionIsToldMore() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let peers = TestPeers()
        peers.at(category: "A")
        let (client, catalog, selection) = try start(harness, peers)
        _ = try client.call("view.subscribe", #"{"format":"full"}"#)
        // What is known of the catalog has to wait for a sign of life.
        let held = HeldPings(at: catalog, peers)
        try silence(harness)
        client.send(#"{"jsonrpc":"2.0","id":"second","method":"view.subscribe","params":{"width":900}}"#)
        try harness.until("it is asked for life") { !held.lines.isEmpty }
        harness.settle()
        peers.changeState { $0.visibility = .all }
        for line in peers.takeNews() { selection.send(bytes: line + [0x0A]) }
        harness.settle()
        held.answer()
        let answer = try client.message()
        #expect(answer["id"]?.string == "second")
        #expect(try client.message().at("params", "view", "revision")?.int == 4)
    }

    /// At the end of that turn both are asked for another sign of life, and one of the calls fails at once.
    @Test func aPeerMayBeLostInTheTurnInWhichTheOtherOneGivesASignOfLife() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let peers = TestPeers()
        peers.at(category: "A")
        let (client, catalog, selection) = try start(harness, peers)
        _ = try client.call("view.get")
        let held = HeldPings(at: selection, peers)
        try silence(harness)
        let count = 200
        for number in 0..<count { client.send(#"{"jsonrpc":"2.0","id":\#(number),"method":"view.get"}"#) }
        try harness.until("it is asked for life") { !held.lines.isEmpty }
        harness.settle()
        #expect(!client.hasLine)
        held.answer()
        catalog.disconnect()
        for number in 0..<count {
            let answer = try client.message()
            #expect(answer["id"]?.int == number)
            #expect(answer.at("result", "view", "content", "status")?.string == "ready")
        }
        selection.responder = peers.responder
        try harness.until("it recovers by itself") {
            (try? client.call("rpc.health")["status"]?.string) == "ok"
        }
    }

    /// Peers whose views soon are more than a connection takes unread.
    private func longPeers() -> TestPeers {
        let peers = TestPeers()
        for index in peers.catalog.items.indices {
            peers.catalog.items[index].subtitle = String(repeating: "s", count: 10_000)
        }
        peers.at(category: "A")
        return peers
    }

    @Test func aReaderThatIsTooSlowIsToldOnceWhenItHasCaughtUp() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let peers = longPeers()
        let (client, _, selection) = try start(harness, peers)
        _ = try client.call("view.subscribe")
        let watcher = try harness.connect("gateway")
        client.pauseReading()
        var revision = 0
        for number in 0..<60 {
            peers.changeState { $0.items = [Identifier("a\(number % 5 + 1)")] }
            revision = peers.state.revision
            for line in peers.takeNews() { selection.send(String(decoding: line, as: UTF8.self)) }
            _ = try watcher.call("view.get")
        }
        client.resumeReading()
        var count = 0
        var lagged = 0
        var last: JSONValue?
        while last?.at("params", "view", "revision")?.int != revision {
            last = try client.message()
            count += 1
            if last?.at("params", "lagged")?.bool == true { lagged += 1 }
            #expect(last?.at("params", "seq")?.int == count)
        }
        #expect(lagged >= 1 && count < 60, "\(count) events, \(lagged) lagged")
    }

    @Test func aReaderThatIsTooSlowIsToldThatItsWindowIsOver() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let peers = longPeers()
        let (client, _, selection) = try start(harness, peers)
        _ = try client.call("view.subscribe")
        let watcher = try harness.connect("gateway")
        client.pauseReading()
        for number in 0..<60 {
            peers.changeState { $0.items = [Identifier("a\(number % 5 + 1)")] }
            for line in peers.takeNews() { selection.send(String(decoding: line, as: UTF8.self)) }
            _ = try watcher.call("view.get")
        }
        peers.deleteState()
        for line in peers.takeNews() { selection.send(String(decoding: line, as: UTF8.self)) }
        try harness.until("it is over") { (try? watcher.call("rpc.metrics")["windows"]?.int) == 0 }
        client.resumeReading()
        var last = try client.message()
        while last.at("params", "ended") == nil { last = try client.message() }
        #expect(last.at("params", "ended")?.string == "session deleted")
    }

    @Test func moreWindowsThanOneTurnDrawsAreAllTold() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let peers = TestPeers()
        peers.at(category: "A")
        let (client, catalog, _) = try start(harness, peers)
        for _ in 0...Limits.windowsPerTurnMax { _ = try client.call("view.subscribe") }
        peers.changeCatalog { $0.items[0].title = "Renamed" }
        for line in peers.takeNews() { catalog.send(String(decoding: line, as: UTF8.self)) }
        for _ in 0...Limits.windowsPerTurnMax {
            #expect(try client.message().at("params", "view", "catalog", "revision")?.int == 8)
        }
    }

    @Test func contract() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let peers = TestPeers()
        peers.apply = { state, event in
            guard event["type"]?.string == "select" else {
                throw RPCError.invalidParams("/event/type", "/event/type is no event.")
            }
            state.category = event["id"]?.string.map { Identifier($0) }
            return true
        }
        _ = try start(harness, peers)
        try Contracts.replay("gateway", on: harness, service: "gateway")
    }
}

extension TestPeers {
    /// Answers the lines of a mock.
    func responder(_ method: String, _ params: JSONValue?, _ id: ArraySlice<UInt8>) -> [[UInt8]]? {
        var json = JSONWriter()
        json.object { json in
            json.member("jsonrpc", "2.0")
            json.member("id", raw: id)
            switch respond(method, params) {
            case .success(let result): json.member("result", raw: result)
            case .failure(let error):
                json.key("error")
                error.write(to: &json, service: String(method.prefix { $0 != "." }))
            }
        }
        return [json.bytes] + takeNews()
    }

    /// What is to be told, as lines.
    func takeNews() -> [[UInt8]] {
        defer { news = [] }
        return news.map { peer, params in
            var json = JSONWriter()
            json.object { json in
                json.member("jsonrpc", "2.0")
                json.member("method", peer == .catalog ? "catalog.changed" : "selection.changed")
                json.member("params", raw: params)
            }
            return json.bytes
        }
    }
}
