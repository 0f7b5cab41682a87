import JSON
import TestSupport
import Testing
import UV

@testable import Shared

/// Each bound of a connection and of the process: what just fits is served, what is beyond is not, and others never
/// notice.
@Suite struct ServerBoundTests {
    private let echo: EchoFixture
    init() throws { echo = try EchoFixture() }

    private func isServed(_ client: TestClient) throws -> Bool { try client.call("rpc.ping").count == 0 }

    // MARK: Turns

    /// Has a connection say some lines, as if they had been received.
    private func say(_ connection: Connection, _ lines: Int) {
        let text = (0..<lines).map { EchoFixture.request("echo", "\($0)") + "\n" }.joined()
        unsafe Array(text.utf8).withUnsafeBytes { unsafe connection.decoder.append($0.bytes) }
        echo.server.queue(connection)
    }

    /// Gives each turn an hour, so that its lines alone bound it, however slow the machine is.
    private func letLinesDecide() { echo.server.bounds.nanosecondsPerTurnMax = 3_600_000_000_000 }

    /// Who came too late for a turn comes first in the next, before those that have just said something, too.
    @Test func whoIsLeftOverInATurnComesFirstInTheNext() throws {
        defer { echo.harness.finish() }
        letLinesDecide()
        for _ in 0..<3 { _ = try echo.connect() }
        let connections = echo.server.connections.values.sorted { $0.id.number < $1.id.number }
        echo.server.linesPerTurnMax = 2
        func turn() -> [Int] {
            let isMoreLeft = echo.server.endTurn {}
            let left = connections.indices.filter { connections[$0].decoder.heldBytes > 0 }
            #expect(isMoreLeft == !left.isEmpty)
            return left
        }
        for connection in connections { say(connection, 1) }
        #expect(turn() == [2, 3])
        say(connections[0], 1)
        #expect(turn() == [0])
        say(connections[1], Limits.messagesPerTurnMax + 1)
        #expect(turn() == [1])
        for connection in connections[2...] { say(connection, 1) }
        // Who has more lines than one gets in a turn shares the next one with those who have just said something.
        #expect(turn() == [3])
        #expect(turn() == [])
        #expect(echo.handler.handled == 4 + 1 + Limits.messagesPerTurnMax + 1 + 2)
    }

    @Test func whoHasMoreThanATurnTakesIsServedSomeTime() throws {
        defer { echo.harness.finish() }
        letLinesDecide()
        for _ in 0..<2 { _ = try echo.connect() }
        let connections = echo.server.connections.values.sorted { $0.id.number < $1.id.number }
        echo.server.linesPerTurnMax = 2
        say(connections[0], Limits.messagesPerTurnMax + 1)
        _ = echo.server.endTurn {}
        var turns = 0
        while connections[0].decoder.heldBytes > 0, turns < 10_000 {
            say(connections[1], 1)
            say(connections[2], 1)
            _ = echo.server.endTurn {}
            turns += 1
        }
        #expect(turns < 10)
    }

    @Test func thoseWhoHaveWaitedGetHalfOfATurnHoweverManySaySomething() throws {
        defer { echo.harness.finish() }
        letLinesDecide()
        for _ in 1..<16 { _ = try echo.connect() }
        let connections = echo.server.connections.values.sorted { $0.id.number < $1.id.number }
        // One line of each of these is left over when all have had their share of a turn.
        let (greedy, polite) = (connections[..<8], connections[8...])
        for connection in greedy { say(connection, Limits.messagesPerTurnMax + 1) }
        _ = echo.server.endTurn {}
        #expect(greedy.allSatisfy { $0.decoder.heldBytes > 0 })
        // There are always as many others as fill a turn.
        echo.server.linesPerTurnMax = 8
        for connection in polite { say(connection, 1) }
        var turns = 0
        while greedy.contains(where: { $0.decoder.heldBytes > 0 }), turns < 100 {
            _ = echo.server.endTurn {}
            for connection in polite where connection.decoder.heldBytes == 0 { say(connection, 1) }
            turns += 1
        }
        #expect(turns <= 4)
    }

    // MARK: Connections

    @Test func aUserHas768ConnectionsAndTheNextIsToldSo() throws {
        defer { echo.harness.finish() }
        var clients: [TestClient] = []
        for _ in 1..<Limits.connectionsPerUserMax { clients.append(try echo.connect()) }
        let last = try #require(clients.last)
        #expect(try isServed(last))
        for _ in 0..<3 {
            let refused = try echo.connect()
            let refusal = try refused.message()
            #expect(refusal.reason == "too_many_connections")
            #expect(refusal["id"]?.isNull == true)
            #expect(refusal.limit == "connectionsPerUser")
            #expect(try refused.rest() == [])
            refused.close()
        }
        #expect(try isServed(echo.client))
        last.close()
        try echo.untilOnlyConnections(Limits.connectionsPerUserMax - 1)
        #expect(try isServed(try echo.connect()))
    }

    @Test func aProcessHasSoManyConnectionsAndTheNextIsToldSo() throws {
        defer { echo.harness.finish() }
        echo.server.bounds.connectionsMax = 3
        let others = try (0..<2).map { _ in try echo.connect() }
        #expect(try others.allSatisfy(isServed))
        let refusal = try echo.connect().message()
        #expect(refusal.reason == "too_many_connections")
        #expect(refusal.limit == "connections")
        #expect(try isServed(echo.client))
    }

    @Test func whoIsRefusedMayStillSendAndIsLeftWhenItGoes() throws {
        defer { echo.harness.finish() }
        echo.server.bounds.connectionsMax = 1
        let refused = try echo.connect()
        try echo.harness.until("it is refused") { !echo.server.lingering.isEmpty }
        // As socat does: it writes first and reads then; a write to a closed socket would have failed.
        refused.send(EchoFixture.ping(1))
        #expect(try refused.message().reason == "too_many_connections")
        #expect(try refused.rest() == [])
        refused.close()
        try echo.harness.until("it is forgotten") { echo.server.lingering.isEmpty }
    }

    @Test func aRefusedClientThatStaysIsLeftAfterAWhile() throws {
        defer { echo.harness.finish() }
        echo.server.bounds.connectionsMax = 1
        echo.server.bounds.watchMs = 5
        let refused = try echo.connect()
        try echo.harness.until("it is refused") { !echo.server.lingering.isEmpty }
        try echo.harness.until("it is left") { echo.server.lingering.isEmpty }
        #expect(try refused.rest().count == 1)
    }

    @Test func ofManyWhoAreRefusedOnlySoManyStay() throws {
        defer { echo.harness.finish() }
        echo.server.bounds.connectionsMax = 1
        var refused: [TestClient] = []
        for _ in 0..<Limits.refusedLingeringMax + 5 {
            refused.append(try echo.connect())
            #expect(echo.server.lingering.count <= Limits.refusedLingeringMax)
        }
        for client in refused { #expect(try client.message().reason == "too_many_connections") }
        try echo.harness.until("all were refused") {
            echo.server.counters.connectionsRefused == refused.count
        }
        #expect(try isServed(echo.client))
    }

    @Test func aProcessHas16384Subscriptions() throws {
        defer { echo.harness.finish() }
        var clients: [TestClient] = []
        let each = Limits.subscriptionsPerConnectionMax
        for number in 0..<(Limits.subscriptionsMax / each) {
            let client = try echo.connect()
            clients.append(client)
            client.send(
                (0..<each).map { EchoFixture.request("subscribe", "\($0)") }.joined(separator: "\n"))
            try echo.harness.until("they are made") { echo.server.subscribers.count == (number + 1) * each }
        }
        let refusal = try echo.client.respond("subscribe")
        #expect(refusal.reason == "overloaded")
        #expect(refusal.limit == "subscriptions")
        clients[0].close()
        try echo.harness.until("some have ended") { echo.server.subscribers.count < Limits.subscriptionsMax }
        #expect(try echo.client.respond("subscribe")["result"] != nil)
    }

    // MARK: Requests under way

    @Test func aConnectionWithTooManyBytesUnderWayWaitsUntilSomeAreAnswered() throws {
        defer { echo.harness.finish() }
        let text = String(repeating: "x", count: 1_000_000)
        for id in 0..<8 { echo.client.send(EchoFixture.request("later", "\(id)", #"{"text":"\#(text)"}"#)) }
        try echo.harness.until("it is not read any more") {
            echo.server.connections.values.contains { $0.isPaused }
        }
        #expect(echo.handler.waiting.count == 5)
        #expect(try isServed(echo.connect()))
        echo.handler.answerWaiting()
        try echo.harness.until("the rest is under way") { echo.handler.waiting.count == 3 }
        echo.handler.answerWaiting()
        for _ in 0..<8 { #expect(try echo.client.message()["result"]?.string == "done") }
    }

    @Test func aGreedyConnectionDoesNotHoldUpOthers() throws {
        defer { echo.harness.finish() }
        let polite = try echo.connect()
        echo.client.send((0..<5_000).map { EchoFixture.request("echo", "\($0)") }.joined(separator: "\n"))
        polite.send(EchoFixture.ping(1))
        _ = try polite.line()
        #expect(echo.handler.handled <= 10 * Limits.messagesPerTurnMax)
        for id in 0..<5_000 { #expect(try echo.client.message()["id"]?.int == id) }
    }

    /// Ever so many greedy ones: who says a single thing is answered in the next turn.
    @Test func manyGreedyConnectionsDoNotHoldUpOthers() throws {
        defer { echo.harness.finish() }
        let work = (0..<200).map { EchoFixture.request("echo", "\($0)", #"{"a":[1,2,3]}"#) }.joined(
            separator: "\n")
        let greedy = try (0..<100).map { _ in try echo.connect() }
        for client in greedy { client.send(work) }
        try echo.harness.until("they are served") { echo.handler.handled > 0 }
        let before = echo.handler.handled
        echo.client.send(EchoFixture.ping(1))
        _ = try echo.client.line()
        #expect(echo.handler.handled - before < 100 * 200 / 4)
        for client in greedy {
            for id in 0..<200 { #expect(try client.message()["id"]?.int == id) }
        }
    }

    // MARK: Lines

    @Test func aLineMayBeIncompleteForSoLongAndNotLonger() throws {
        defer { echo.harness.finish() }
        (echo.server.bounds.partialLineMs, echo.server.bounds.watchMs) = (400, 5)
        let (slow, endless, quiet) = (try echo.connect(), try echo.connect(), try echo.connect())
        let line = Array((EchoFixture.ping(1) + "\n").utf8)
        slow.send(bytes: Array(line[..<10]))
        // Too long, and then never complete: refused once, then cut.
        endless.send(bytes: [UInt8](repeating: 0x78, count: Limits.incomingLineBytesMax + 1))
        echo.client.send(bytes: Array(line[..<20]))
        echo.harness.settle()
        echo.client.send(bytes: Array(line[20...]))
        #expect(try echo.client.message()["id"]?.int == 1)
        #expect(try slow.rest() == [])
        #expect(try endless.rest().count == 1)
        #expect(try isServed(quiet))
        #expect(try isServed(echo.client))
        #expect(echo.server.counters.connectionsCut == 2)
    }

    @Test func aClientThatIsNotReadIsNotLateWithItsLine() throws {
        defer { echo.harness.finish() }
        (echo.server.bounds.partialLineMs, echo.server.bounds.watchMs) = (500, 5)
        for id in 0..<Limits.requestsInFlightMax { echo.client.send(EchoFixture.request("later", "\(id)")) }
        let line = Array((EchoFixture.request("echo", "999") + "\n").utf8)
        echo.client.send(bytes: Array(line[..<20]))
        try echo.harness.until("it is not read any more") {
            echo.server.connections.values.contains { $0.isPaused }
        }
        echo.client.send(bytes: Array(line[20...]))
        let other = try echo.connect()
        other.send(bytes: [0x78])
        try echo.harness.until("another one is cut") { other.isAtEnd }
        echo.handler.answerWaiting()
        for _ in 0..<Limits.requestsInFlightMax { _ = try echo.client.message() }
        #expect(try echo.client.message()["id"]?.int == 999)
    }

    @Test(arguments: [
        #""method":"\#(String(repeating: "m", count: 1_000_000))""#,
        #""method":"rpc.ping","params":{"\#(String(repeating: "~", count: 900_000))":1}"#,
        #""method":"\#(String(repeating: "\u{2028}", count: 300_000))""#,
    ])
    func aRefusalFitsALineWhateverIsRefused(members: String) throws {
        defer { echo.harness.finish() }
        echo.client.send("{\"jsonrpc\":\"2.0\",\"id\":1,\(members)}")
        let line = try echo.client.line()
        #expect(line.utf8.count <= Limits.outgoingLineBytesMax)
        #expect(line.hasPrefix(#"{"jsonrpc":"2.0","id":1,"error":{"code":-326"#))
    }

    @Test func anIdIsEchoedUpToItsBound() throws {
        defer { echo.harness.finish() }
        let digits = String(repeating: "7", count: Limits.requestIdBytesWrittenMax)
        echo.client.send(EchoFixture.request("echo", digits))
        #expect(try echo.client.line() == #"{"jsonrpc":"2.0","id":\#(digits),"result":{}}"#)
        echo.client.send(EchoFixture.request("echo", digits + "7"))
        #expect(try echo.client.message()["id"]?.isNull == true)
        let escaped = "\"" + String(repeating: "\\u0041", count: Limits.requestIdBytesMax) + "\""
        echo.client.send(EchoFixture.request("echo", escaped))
        #expect(try echo.client.message()["id"]?.text == escaped)
    }

    @Test func anIdIsTheSameHoweverItIsEscaped() throws {
        defer { echo.harness.finish() }
        echo.client.send(EchoFixture.request("later", #""a\n""#))
        echo.client.send(EchoFixture.request("echo", #""\u0061\u000A""#))
        #expect(try echo.client.message().reason == "duplicate_id")
        echo.handler.answerWaiting()
        #expect(try echo.client.message()["id"]?.text == #""a\n""#)
        echo.client.send(EchoFixture.request("echo", #""\u0061\u000A""#))
        #expect(try echo.client.message()["result"] != nil)
    }
}
