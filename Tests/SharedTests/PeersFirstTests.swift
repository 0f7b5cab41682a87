import Glibc
import JSON
import TestSupport
import Testing
import UV

@testable import Shared

/// What a peer has said before a client wrote its request is known when the request is handled, also if both came while a
/// turn was under way.
@Suite struct PeersFirstTests {
    /// Notes what it is told, in this order.
    private final class Witness: Handler {
        private let server: Server
        let peer: Client
        var seen: [String] = []

        init(_ service: Service, peer path: String) {
            server = service.server
            peer = service.makeClient("peer", path: path)
            peer.onEvent = { [weak self] method, _ in self?.seen.append(method) }
        }

        let methods = [Method("look", .read, "Looks.")]

        func handle(_ request: Request) throws(RPCError) {
            seen.append(request.method)
            server.answer(request.token, result: Array("{}".utf8))
        }

        func subscriptionEnded(_ subscription: SubscriptionID) {}
        func stop() {}
        var checks: [(name: String, problem: String?)] { [] }
        var metrics: [(name: String, value: Int)] { [] }
    }

    @Test func anEventIsHeardBeforeARequestThatWasWrittenAfterIt() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let mock = try harness.mock("peer")
        var made: Witness?
        try harness.serve("gateway") { service in
            let witness = Witness(service, peer: harness.socket("peer"))
            made = witness
            return witness
        }
        let witness = try #require(made)
        let client = try harness.connect("gateway")
        try harness.until("the peer is there") { witness.peer.isUp }

        // While a turn reads, first this descriptor and then the client, the peer and after it the client say more.
        let request = Array((EchoFixture.request("look", "1") + "\n").utf8)
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        let poll = try Poll(descriptor: ends[0], on: harness.loop) {
            var byte: UInt8 = 0
            #expect(unsafe read(ends[0], &byte, 1) == 1)
            mock.send(#"{"jsonrpc":"2.0","method":"changed","params":{}}"#)
            client.send(bytes: Array(request[9...]))
        }
        for _ in 0..<20 {
            witness.seen = []
            #expect(unsafe write(ends[1], "x", 1) == 1)
            client.send(bytes: Array(request[..<9]))
            try harness.until("both have come") { witness.seen.count == 2 }
            #expect(witness.seen == ["changed", "look"])
        }
        poll.close()
        for end in ends { close(end) }
    }
}
