import Glibc
import JSON
import TestSupport
import Testing

@testable import Shared

/// What `rpc.connections` tells.
@Suite struct ConnectionReportTests {
    private let echo: EchoFixture
    init() throws { echo = try EchoFixture() }

    private func report() throws -> [JSONValue] {
        let connections = try #require(try echo.client.call("rpc.connections")["connections"])
        return Array(connections.elements)
    }

    @Test func itTellsEverythingOfEachConnectionInTheOrderOfTheirComing() throws {
        defer { echo.harness.finish() }
        _ = try echo.client.call("rpc.ping")
        let other = try echo.connect()
        for id in ["1", "2"] { other.send(EchoFixture.request("later", id)) }
        for id in ["3", "4", "5"] { other.send(EchoFixture.request("subscribe", id)) }
        for _ in 0..<3 { _ = try other.line() }
        let ids = echo.server.connections.keys.map(\.number).sorted()
        #expect(ids.count == 2)
        let (pid, uid) = (getpid(), getuid())
        func line(_ id: Int, _ rest: String) -> String {
            #"{"id":\#(id),"pid":\#(pid),"uid":\#(uid),"ageSeconds":0,\#(rest)}"#
        }
        #expect(
            try report().map(\.text) == [
                line(ids[0], #""requestsInFlight":0,"queuedBytes":0,"subscriptions":0"#),
                line(ids[1], #""requestsInFlight":2,"queuedBytes":0,"subscriptions":3"#),
            ])
        echo.handler.answerWaiting()
        for _ in 0..<2 { _ = try other.line() }
        #expect(try report()[1]["requestsInFlight"]?.int == 0)
        other.close()
        try echo.untilOnlyConnections()
        #expect(try report().count == 1)
    }

    @Test func itTellsWhatAReaderDoesNotTake() throws {
        defer { echo.harness.finish() }
        let slow = try echo.connect()
        slow.pauseReading()
        for id in 1...2 { slow.send(EchoFixture.request("big", "\(id)", #"{"bytes":600000}"#)) }
        try echo.harness.until("it has been asked") { echo.handler.handled >= 2 }
        // What fits the socket has gone; all the rest is queued.
        let queued = try #require(try report()[1]["queuedBytes"]?.int)
        #expect((500_000..<1_200_200).contains(queued))
    }

    @Test func itsAgeGrows() throws {
        defer { echo.harness.finish() }
        _ = try echo.client.call("rpc.ping")
        try echo.harness.until("it is a second old") { (try? report()[0]["ageSeconds"]?.int) == 1 }
    }

    @Test func itTakesNoParamsAndIsListed() throws {
        defer { echo.harness.finish() }
        #expect(try echo.client.respond("rpc.connections", #"{"id":1}"#).reason == "invalid_params")
        let methods = try #require(try echo.client.call("rpc.discover")["methods"])
        #expect(methods.elements.contains { $0["name"]?.string == "rpc.connections" })
    }
}
