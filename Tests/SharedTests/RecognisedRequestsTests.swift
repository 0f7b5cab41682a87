import TestSupport
import Testing
import UV

@testable import Shared

/// A request that is recognised is carried out like one that is parsed.
@Suite struct RecognisedRequestsTests {
    private func handle(_ text: String, _ echo: EchoFixture, of connection: Connection? = nil) throws {
        let connection = try connection ?? #require(echo.connections.first)
        echo.server.handle(Array(text.utf8)[...], of: connection)
    }

    @Test func readsAndChangesAreRememberedAlone() throws {
        let echo = try EchoFixture()
        defer { echo.harness.finish() }
        for method in ["subscribe", "rpc.ping", "rpc.metrics", "no.such"] {
            for id in 0..<4 { try handle(EchoFixture.request(method, "\(id)"), echo) }
        }
        #expect(echo.server.recurring.count == 0)
        for (count, method) in ["echo", "tick"].enumerated() {
            for id in 0..<4 { try handle(EchoFixture.request(method, "\(id)"), echo) }
            #expect(echo.server.recurring.count == count + 1)
        }
        #expect(echo.handler.ticks == 4)
    }

    @Test(arguments: ["echo", "tick"])
    func whatAHandlerHasFoundIsHandedOn(method: String) throws {
        let echo = try EchoFixture()
        defer { echo.harness.finish() }
        for id in 0..<2 { try handle(EchoFixture.request(method, "\(id)"), echo) }
        #expect(echo.handler.recurrence == nil)
        try handle(EchoFixture.request(method, "2"), echo)
        let recurrence = try #require(echo.handler.recurrence)
        recurrence.found = recurrence
        try handle(EchoFixture.request(method, "3"), echo)
        #expect(echo.handler.recurrence?.found === recurrence)
        recurrence.found = nil
        try handle(EchoFixture.request(method, "3", #"{"a":1}"#), echo)
        #expect(echo.handler.recurrence == nil)
    }

    @Test func aBrokenConnectionStillMakesChanges() throws {
        let echo = try EchoFixture()
        defer { echo.harness.finish() }
        for id in 0..<3 {
            for method in ["echo", "tick"] { try handle(EchoFixture.request(method, "\(id)"), echo) }
        }
        try #require(echo.connections.first).isBroken = true
        let handled = echo.handler.handled
        for method in ["echo", "tick"] { try handle(EchoFixture.request(method, "9"), echo) }
        #expect(echo.handler.ticks == 4 && echo.handler.handled == handled + 1)
        #expect(echo.server.destinations.isEmpty)
    }

    /// The same random lines come to two services, one of which recognises none, because a space is in their heads: both
    /// send the same, to the byte and in the same order, and make the same changes.
    @Test(arguments: 0..<20)
    func allIsSentAndMadeAsIfItWasParsed(_: Int) throws {
        let seed = SeededGenerator.newSeed()
        var generator = SeededGenerator(seed: seed)
        let echoes = try (0..<2).map { _ in try EchoFixture() }
        defer { for echo in echoes { echo.harness.finish() } }
        for echo in echoes { _ = try (0..<2).map { _ in try echo.connect() } }
        let methods = [
            "echo", "tick", "tick", "later", "laterTick", "subscribe", "rpc.ping", "no.such", "big",
        ]
        let params = [
            "{}", #"{"a":1}"#, #"{"_meta":{"deadlineMs":9}}"#, #"{"_meta":{"deadlineMs":-1}}"#, "null", "[]",
            "1",
        ]
        for step in 0..<300 {
            let line = EchoFixture.request(
                methods.randomElement(using: &generator) ?? "",
                "\(Int.random(in: 0..<40, using: &generator))", params.randomElement(using: &generator) ?? "")
            let connection = Int.random(in: 0..<3, using: &generator)
            let event = Int.random(in: 0..<40, using: &generator)
            for (index, echo) in echoes.enumerated() {
                let connection = echo.connections[connection]
                try handle(index == 0 ? line : "{ " + line.dropFirst(), echo, of: connection)
                switch event {
                case 0: echo.handler.answerWaiting()
                case 1: echo.server.isDraining.toggle()
                case 2 where step > 200: connection.isBroken = true
                default: break
                }
            }
            guard event > 30 else { continue }
            let sent = echoes.map { echo in
                echo.server.output.take().map { write in
                    let connection = echo.server.connections[write.connection]
                    connection?.unsentBytes -= write.bytes.count
                    let place = echo.connections.firstIndex { $0 === connection } ?? -1
                    return "\(place) \(String(decoding: write.bytes.joined, as: UTF8.self))"
                }
            }
            #expect(sent[0] == sent[1], "seed \(seed)")
        }
        #expect(echoes[0].handler.ticks == echoes[1].handler.ticks, "seed \(seed)")
        #expect(echoes[0].handler.handled == echoes[1].handler.handled, "seed \(seed)")
        #expect(echoes[0].server.destinations.count == echoes[1].server.destinations.count, "seed \(seed)")
        #expect(echoes[0].server.recurring.count > 5 && echoes[1].server.recurring.count == 0)
    }
}

extension EchoFixture {
    /// The server's connections, in the order in which they came.
    fileprivate var connections: [Connection] {
        server.connections.values.sorted { $0.id.number < $1.id.number }
    }
}
