import JSON
import TestSupport
import Testing
import UV

@testable import Shared

/// The echo service on a harness, with one client that is connected.
struct EchoFixture {
    let harness: Harness
    let service: Service
    let handler: EchoHandler
    let client: TestClient

    init() throws {
        harness = try Harness()
        var made: EchoHandler?
        service = try harness.serve("gateway") { service in
            let handler = EchoHandler(service)
            made = handler
            return handler
        }
        handler = try #require(made)
        client = try harness.connect("gateway")
    }

    var server: Server { service.server }

    func connect() throws -> TestClient { try harness.connect("gateway") }

    /// Waits until only so many connections are left, and nothing that belonged to the others.
    func untilOnlyConnections(_ count: Int = 1) throws {
        try harness.until("\(count) connections are left") { server.connections.count == count }
        #expect(server.perUser.values.reduce(0, +) == count)
        #expect(server.outputBytesQueued == 0)
        #expect(server.subscribers.isEmpty)
        #expect(server.destinations.isEmpty)
    }

    static func ping(_ id: Int) -> String { #"{"jsonrpc":"2.0","id":\#(id),"method":"rpc.ping"}"# }

    static func request(_ method: String, _ id: String, _ params: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
    }
}

extension JSONValue {
    /// The stable key of a refusal.
    var reason: String? { self["error"]?["data"]?["reason"]?.string }
    /// The bound that a refusal names.
    var limit: String? { self["error"]?["data"]?["limit"]?.string }
}
