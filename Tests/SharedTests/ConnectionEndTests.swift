import JSON
import TestSupport
import Testing
import UV

@testable import Shared

/// However a client goes, and whatever it had going: what it sent is carried out, and nothing of it stays.
@Suite struct ConnectionEndTests {
    /// What a connection has going when its client goes.
    enum Work: CaseIterable {
        case nothing, halfALine, answers, waiting, batch, subscription, keptSubscription, unread

        /// What it sends before its last line, which is a change.
        var lines: [String] {
            switch self {
            case .nothing, .halfALine: []
            case .answers: (0..<50).map { EchoFixture.request("echo", "\($0)") }
            case .waiting: (0..<300).map { EchoFixture.request("later", "\($0)") }
            case .batch:
                [
                    "[\(EchoFixture.request("later", "1")),\(EchoFixture.request("big", "2", #"{"bytes":9000}"#))]"
                ]
            case .subscription: [EchoFixture.request("subscribe", "1")]
            case .keptSubscription: [EchoFixture.request("subscribe", "1", #"{"keepAfterEof":true}"#)]
            case .unread: (0..<8).map { EchoFixture.request("big", "\($0)", #"{"bytes":400000}"#) }
            }
        }

        /// Answers and events that the client gets which half-closes.
        var linesBack: Int { lines.count + (self == .nothing ? 0 : self == .subscription ? 2 : 1) }
    }

    /// How it goes.
    enum End: CaseIterable { case half, full, halfThenFull }

    @Test(arguments: Work.allCases, End.allCases)
    func nothingStaysOfAClientThatGoes(work: Work, end: End) throws {
        let echo = try EchoFixture()
        defer { echo.harness.finish() }
        echo.server.bounds.watchMs = 5
        for turns in 0..<3 {
            let before = echo.handler.ticks
            let client = try echo.connect()
            if end != .half { client.pauseReading() }
            var text = work.lines.map { $0 + "\n" }.joined()
            if work != .nothing { text += EchoFixture.request("tick", "999") }
            if work != .halfALine { text += "\n" }
            // One write: what a client has not written when it goes was never sent.
            client.send(bytes: Array(text.utf8))
            echo.harness.settle(turns: turns)
            if end != .full { client.halfClose() }
            if end == .halfThenFull { echo.harness.settle(turns: turns) }
            if end != .half { client.close() }
            try echo.harness.until("the change is made") {
                echo.handler.answerWaiting()
                return echo.handler.ticks == before + (work == .nothing ? 0 : 1)
            }
            if end == .half, work == .keptSubscription {
                echo.harness.settle()
                #expect(!client.isAtEnd)
                client.close()
            } else if end == .half {
                try echo.harness.until("it is at its end") {
                    echo.handler.answerWaiting()
                    return client.isAtEnd
                }
                #expect(try client.rest().count == work.linesBack)
                client.close()
            }
            try echo.harness.until("its requests are answered") {
                echo.handler.answerWaiting()
                return echo.server.destinations.isEmpty
            }
            try echo.untilOnlyConnections()
            #expect(echo.handler.subscriptions.isEmpty)
        }
    }

    @Test func aClientThatGoesBeforeItsLastAnswerIsWrittenLeavesNothing() throws {
        let echo = try EchoFixture()
        defer { echo.harness.finish() }
        for _ in 0..<20 {
            let client = try echo.connect()
            client.send(bytes: Array("no JSON, and no LF".utf8))
            client.close()
        }
        try echo.untilOnlyConnections()
    }

    @Test func aClientThatGoesInsideItsThirdLongLineLeavesNothing() throws {
        let echo = try EchoFixture()
        defer { echo.harness.finish() }
        let client = try echo.connect()
        client.pauseReading()
        let long = [UInt8](repeating: 0x78, count: Limits.incomingLineBytesMax + 1)
        for _ in 0..<3 { client.send(bytes: long + [0x0A]) }
        client.send(bytes: long)
        try echo.harness.until("it was closed") { echo.server.connections.count == 1 }
        client.close()
        try echo.untilOnlyConnections()
    }

    /// A connection that is not read, because it does not take its answers, has requests in its socket.
    @Test func whatAClientSentThatTookNothingIsCarriedOutWhenItGoes() throws {
        let echo = try EchoFixture()
        defer { echo.harness.finish() }
        let client = try echo.connect()
        client.pauseReading()
        for id in 0..<4 { client.send(EchoFixture.request("big", "\(id)", #"{"bytes":900000}"#)) }
        try echo.harness.until("it is not read any more") {
            echo.server.connections.values.contains { $0.isPaused }
        }
        let handled = echo.handler.handled
        #expect(handled < 4)
        client.send((10..<60).map { EchoFixture.request("tick", "\($0)") }.joined(separator: "\n"))
        echo.harness.settle()
        #expect(echo.handler.handled == handled)
        client.close()
        try echo.harness.until("all changes are made") { echo.handler.ticks == 50 }
        // What nobody is there to hear is not said.
        #expect(echo.handler.handled < 54)
        try echo.untilOnlyConnections()
    }

    @Test func aSecondAnswerToARequestIsNone() throws {
        let echo = try EchoFixture()
        defer { echo.harness.finish() }
        echo.client.send(EchoFixture.request("later", "1"))
        try echo.harness.until("it waits") { echo.handler.waiting.count == 1 }
        let token = try #require(echo.handler.waiting.first)
        echo.handler.answerWaiting()
        echo.server.answer(token, result: Array("2".utf8))
        echo.server.fail(token, RPCError(.internal, "x"))
        echo.client.send(EchoFixture.ping(2))
        #expect(try echo.client.line() == #"{"jsonrpc":"2.0","id":1,"result":"done"}"#)
        #expect(try echo.client.message()["id"]?.int == 2)
    }
}
