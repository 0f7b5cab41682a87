import JSON
import Shared
import UV

/// A service, for as long as a command needs it.
///
/// Unlike a service's own peers it must be there at once: a command does not wait for someone to start it.
final class Peer {
    private let client: Client
    private let loop: Loop

    /// Connects.
    ///
    /// - Throws: `StartFailure` if nobody listens at `path`.
    init(_ name: String, path: String, on loop: Loop) throws(StartFailure) {
        self.loop = loop
        client = Client(name: name, path: path, loop: loop, log: Log(service: "triptych", least: .error))
        var isRefused = false
        client.onDown = { isRefused = true }
        client.start()
        while !client.isUp, !isRefused { loop.step() }
        client.onDown = nil
        guard client.isUp else {
            client.close()
            throw StartFailure(.unavailable, "no \(name) at \(path): start it with deploy/run-all.sh")
        }
    }

    /// Calls a method and waits for the answer.
    func call(_ method: String, params: (inout JSONWriter) -> Void) -> Result<JSONValue, RPCError> {
        var answer: Result<JSONValue, RPCError>?
        send(method, params: params) { answer = $0 }
        while true {
            if let answer { return answer }
            wait()
        }
    }

    /// Calls a method; `then` is told the answer during a `wait`.
    func send(
        _ method: String, params: (inout JSONWriter) -> Void,
        then: @escaping (Result<JSONValue, RPCError>) -> Void
    ) {
        client.call(method, deadline: loop.now + Limits.answerMsMax, params: params, then: then)
        client.flush()
    }

    /// Waits until something happens.
    func wait() { loop.step() }

    /// Ends the connection.
    func close() { client.close() }
}

extension Peer {
    /// Connects to a service on a loop of its own, uses it, and ends both.
    ///
    /// - Throws: `StartFailure` if nobody listens at `path`, and what `use` throws.
    static func with<Value>(
        _ name: String, path: String, _ use: (Peer) throws(StartFailure) -> Value
    ) throws(StartFailure) -> Value {
        let loop = try Loop.ofProgram()
        defer { loop.run() }
        let peer = try Peer(name, path: path, on: loop)
        defer { peer.close() }
        return try use(peer)
    }
}
