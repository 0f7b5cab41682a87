import JSON
import TestSupport
import Testing

@testable import Shared

/// What a connection is told beside a batch whose events have to wait for its last answer.
@Suite struct BatchOrderTests {
    let echo: EchoFixture

    init() throws { echo = try EchoFixture() }

    /// Found by simulation: what was shown went back with the event, and events came for a subscription that was over.
    @Test func whatIsAskedBesideABatchDoesNotOvertakeItsEvents() throws {
        defer { echo.harness.finish() }
        let client = echo.client
        let subscription = try #require(try client.call("subscribe")["subscription"]?.text)
        client.send("[\(EchoFixture.request("tick", "1")),\(EchoFixture.request("later", "2"))]")
        client.send(EchoFixture.request("echo", "3"))
        client.send(EchoFixture.request("nothing", "4"))
        client.send(EchoFixture.request("unsubscribe", "5", #"{"subscription":\#(subscription)}"#))
        client.send(EchoFixture.ping(6))
        // Neither a method that there is not nor one of the host has anything to wait for.
        #expect(try [client.message(), client.message()].map { $0["id"]?.int } == [4, 6])
        echo.harness.settle()
        #expect(!client.hasLine)
        echo.handler.answerWaiting()
        #expect(try client.message().elements.map { $0["id"]?.int } == [1, 2])
        // The event is told to nobody: who wanted it has said meanwhile that he does not.
        #expect(try [client.message(), client.message()].map { $0["id"]?.int } == [3, 5])
        let connection = try #require(echo.server.connections.values.first)
        #expect(connection.heldBytes == 0 && connection.heldLines.isEmpty)
    }

    /// Found by simulation: the event came behind the answer that said that its subscription was over.
    @Test func aSubscriptionThatEndsInABatchIsToldNothingAfterIt() throws {
        defer { echo.harness.finish() }
        let client = echo.client
        let ended = try #require(try client.call("subscribe")["subscription"]?.text)
        let other = try #require(try client.call("subscribe")["subscription"]?.text)
        let end = EchoFixture.request("unsubscribe", "3", #"{"subscription":\#(ended)}"#)
        client.send("[\(EchoFixture.request("tick", "1")),\(EchoFixture.request("later", "2")),\(end)]")
        client.send(EchoFixture.ping(4))
        #expect(try client.message()["id"]?.int == 4)
        echo.handler.answerWaiting()
        #expect(try client.message().elements.map { $0["id"]?.int } == [1, 2, 3])
        #expect(try client.message()["params"]?["subscription"]?.text == other)
        client.send(EchoFixture.ping(5))
        #expect(try client.message()["id"]?.int == 5)
        #expect(try #require(echo.server.connections.values.first).heldBytes == 0)
    }
}
