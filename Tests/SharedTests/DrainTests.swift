import JSON
import TestSupport
import Testing
import UV

@testable import Shared

@Suite struct DrainTests {
    @Test func whatWasSentBeforeTheStopIsAnswered() throws {
        let echo = try EchoFixture()
        defer { echo.harness.finish() }
        echo.client.send(EchoFixture.request("echo", "1"))
        echo.client.send(EchoFixture.ping(2))
        echo.service.stop()
        let first = try echo.client.message()
        #expect(first["result"] != nil || first.reason == "draining")
        #expect(try echo.client.message()["id"]?.int == 2)
        #expect(try echo.client.rest() == [])
    }

    @Test func aSlowReaderAndASilentRequestAreWaitedForSoLong() throws {
        let echo = try EchoFixture()
        defer { echo.harness.finish() }
        echo.server.bounds.drainMs = 60
        echo.client.send(EchoFixture.request("later", "1"))
        let slow = try echo.connect()
        slow.pauseReading()
        slow.send(EchoFixture.request("big", "1", #"{"bytes":900000}"#))
        try echo.harness.until("both are under way") { echo.handler.handled == 2 }
        let start = Loop.nanoseconds
        echo.service.stop()
        try echo.harness.until("it has stopped") { !echo.service.isRunning }
        #expect(Loop.nanoseconds - start >= 50_000_000)
        #expect(try echo.client.rest() == [])
    }

    @Test func aSlowReaderThatGoesOnGetsEverything() throws {
        let echo = try EchoFixture()
        defer { echo.harness.finish() }
        let slow = try echo.connect()
        slow.pauseReading()
        slow.send(EchoFixture.request("big", "1", #"{"bytes":900000}"#))
        try echo.harness.until("it is under way") { echo.handler.handled == 1 }
        echo.service.stop()
        echo.harness.settle()
        #expect(echo.service.isRunning)
        slow.resumeReading()
        #expect(try slow.rest().map(\.utf8.count).first ?? 0 > 900_000)
        #expect(!echo.service.isRunning)
    }

    @Test func aSecondStopEndsAtOnce() throws {
        let echo = try EchoFixture()
        defer { echo.harness.finish() }
        echo.client.send(EchoFixture.request("later", "1"))
        try echo.harness.until("it waits") { echo.handler.waiting.count == 1 }
        echo.service.stop()
        echo.harness.settle()
        #expect(echo.service.isRunning)
        echo.service.stop()
        #expect(!echo.service.isRunning)
        #expect(try echo.client.rest() == [])
    }

    /// Another process with the same data must not start before the last change of this one is made.
    @Test func thePathIsNotGivenAwayBeforeTheEnd() throws {
        let echo = try EchoFixture()
        defer { echo.harness.finish() }
        let path = echo.harness.socket("gateway")
        echo.client.send(EchoFixture.request("later", "1"))
        try echo.harness.until("it waits") { echo.handler.waiting.count == 1 }
        echo.service.stop()
        echo.harness.settle()
        do throws(ListeningSocket.Failure) {
            _ = try ListeningSocket(path: path)
            Issue.record("it was given away")
        } catch {
            guard case .taken = error else {
                Issue.record("\(error)")
                return
            }
        }
        echo.handler.answerWaiting()
        try echo.harness.until("it has stopped") { !echo.service.isRunning }
        let next = try ListeningSocket(path: path)
        next.release()
    }
}
