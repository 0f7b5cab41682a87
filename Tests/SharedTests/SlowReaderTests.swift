import JSON
import TestSupport
import Testing
import UV

@testable import Shared

/// Clients that do not take what they are sent: nobody else notices, and memory is bounded.
@Suite struct SlowReaderTests {
    private let echo: EchoFixture
    init() throws { echo = try EchoFixture() }

    /// Subscribes clients that stop reading, and tells them events of so many bytes.
    private func tell(_ readers: [TestClient], bytes: Int, times: Int = 1) throws {
        let text = String(repeating: "x", count: bytes)
        for _ in 0..<times { _ = try echo.client.call("tick", #"{"text":"\#(text)"}"#) }
    }

    private func reader() throws -> TestClient {
        let reader = try echo.connect()
        _ = try reader.call("subscribe")
        reader.pauseReading()
        return reader
    }

    private func queued(_ reader: TestClient) -> Int {
        echo.server.connections.values.map(echo.server.queuedBytes).max() ?? 0
    }

    @Test func aConnectionThatTakesNoAnswersIsNotReadUntilItDoes() throws {
        defer { echo.harness.finish() }
        let reader = try echo.connect()
        reader.pauseReading()
        for id in 0..<20 { reader.send(EchoFixture.request("big", "\(id)", #"{"bytes":500000}"#)) }
        try echo.harness.until("it is not read any more") {
            echo.server.connections.values.contains { $0.isPaused }
        }
        echo.harness.settle()
        #expect(echo.handler.handled < 6)
        #expect(queued(reader) <= Limits.outputBytesPause + 500_100)
        #expect(try echo.client.call("rpc.ping").count == 0)
        reader.resumeReading()
        for id in 0..<20 { #expect(try reader.message()["id"]?.int == id) }
    }

    @Test func aReaderIsCutAbove16MiBAndNotBelow() throws {
        defer { echo.harness.finish() }
        let reader = try reader()
        try tell([reader], bytes: 500_000, times: 33)
        #expect(queued(reader) <= Limits.outputBytesMax)
        #expect(queued(reader) > Limits.outputBytesMax - 1_000_000)
        #expect(echo.handler.subscriptions.count == 1)
        try tell([reader], bytes: 500_000, times: 2)
        #expect(echo.handler.subscriptions.isEmpty)
        #expect(echo.server.counters.connectionsCut == 1)
        try echo.untilOnlyConnections()
    }

    @Test func aReaderIsCutThatStaysAbove8MiBAndNotBelow() throws {
        defer { echo.harness.finish() }
        (echo.server.bounds.outputSlowMs, echo.server.bounds.watchMs) = (1_000, 5)
        let (below, above) = (try reader(), try reader())
        try tell([below, above], bytes: 500_000, times: 17)
        #expect(queued(below) < Limits.outputBytesSlow + 500_000)
        below.resumeReading()
        try echo.harness.until("it has taken some") { below.hasLine }
        below.pauseReading()
        try tell([below, above], bytes: 500_000, times: 1)
        try echo.harness.until("one is cut") { echo.server.counters.connectionsCut == 1 }
        #expect(try echo.client.call("rpc.ping").count == 0)
        below.resumeReading()
        for seq in 1...18 { #expect(try below.message()["params"]?["seq"]?.int == seq) }
        #expect(echo.server.counters.connectionsCut == 1)
    }

    @Test func theLargestIsCutWhenItIsTooMuchInAll() throws {
        defer { echo.harness.finish() }
        let first = try reader()
        try tell([first], bytes: 900_000)
        let second = try reader()
        echo.server.bounds.outputBytesMax = 1_000_000
        try tell([first, second], bytes: 400_000)
        #expect(echo.server.connections.count == 3)
        try tell([first, second], bytes: 400_000)
        #expect(echo.server.counters.connectionsCut == 1)
        #expect(echo.server.outputBytesQueued <= 1_000_000)
        second.resumeReading()
        for seq in 1...2 { #expect(try second.message()["params"]?["seq"]?.int == seq) }
        first.resumeReading()
        try echo.harness.until("the first one is at its end") { first.isAtEnd }
        second.close()
        try echo.untilOnlyConnections()
    }

    @Test func anEventThatDoesNotFitALineEndsTheConnection() throws {
        defer { echo.harness.finish() }
        let reader = try echo.connect()
        _ = try reader.call("subscribe")
        try tell([reader], bytes: 999_000)
        #expect(try reader.message()["params"]?["seq"]?.int == 1)
        try tell([reader], bytes: 999_930)
        #expect(try reader.rest() == [])
        #expect(try echo.client.call("rpc.ping").count == 0)
    }

    /// The answers of a batch wait for its last one; what can't fit its line is not kept meanwhile.
    @Test func anUnansweredBatchHoldsNoMoreThanALine() throws {
        defer { echo.harness.finish() }
        let items = (2...50).map { EchoFixture.request("big", "\($0)", #"{"bytes":300000}"#) }
        echo.client.send("[\(EchoFixture.request("later", "1")),\(items.joined(separator: ","))]")
        try echo.harness.until("it waits") { echo.handler.waiting.count == 1 }
        let connection = try #require(echo.server.connections.values.first)
        #expect(connection.heldBytes > 900_000)
        #expect(connection.heldBytes <= Limits.outgoingLineBytesMax)
        echo.handler.answerWaiting()
        let line = try echo.client.line()
        #expect(line.utf8.count <= Limits.outgoingLineBytesMax)
        let batch = try JSONParser(depthMax: 9).parse(Array(line.utf8)).root
        #expect(batch.elements.map { $0["id"]?.int } == Array(1...50))
        #expect(batch.elements.map { $0["result"] != nil } == (1...50).map { $0 <= 4 })
        #expect(connection.heldBytes == 0)
    }

    @Test func batchesThatWaitCountAsOutput() throws {
        defer { echo.harness.finish() }
        for number in 0..<6 {
            let (late, big) = (
                EchoFixture.request("later", "\(number)"),
                EchoFixture.request("big", "\"\(number)\"", #"{"bytes":600000}"#)
            )
            echo.client.send("[\(late),\(big)]")
        }
        try echo.harness.until("it is not read any more") {
            echo.server.connections.values.contains { $0.isPaused }
        }
        #expect(echo.handler.waiting.count == 2)
        var answered = 0
        try echo.harness.until("all are answered") {
            echo.handler.answerWaiting()
            while echo.client.hasLine, (try? echo.client.message()) != nil { answered += 1 }
            return answered == 6
        }
    }
}
