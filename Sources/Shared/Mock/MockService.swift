public import JSON
public import UV

/// Stands for a service: answers what a script, or a closure, says.
///
/// The answer to a request is the next one of the script with its method and exactly its params; when there is no
/// next one, the last one again. A request that the script does not have is answered with -32603 and kept in
/// `unexpected`.
public final class MockService {
    /// What a closure says to a request: lines to send, of which the first one is the answer.
    public typealias Responder = (_ method: String, _ params: JSONValue?, _ id: ArraySlice<UInt8>) ->
        [[UInt8]]?

    /// Requests that the script does not have, as they were written.
    public private(set) var unexpected: [String] = []
    /// All requests, as they were written.
    public private(set) var received: [String] = []
    /// Asked before the script; nil leaves the request to it.
    public var responder: Responder?

    private struct Exchange {
        let request: JSONValue
        var replies: [JSONValue]
        var isUsed = false
    }

    private let socket: ListeningSocket
    private let listener: Pipe
    private let parser = JSONParser(depthMax: Limits.nestingLevelsMax)
    private var exchanges: [Exchange] = []
    private var bindings = Bindings()
    private var connections: [Pipe] = []
    private var isClosed = false

    /// Listens on `path` and plays the script.
    ///
    /// - Throws: `ListeningSocket.Failure` if the path can't be had.
    public init(_ script: ContractScript?, path: String, loop: Loop) throws(ListeningSocket.Failure) {
        for step in script?.steps ?? [] {
            if step.isRequest {
                exchanges.append(Exchange(request: step.message, replies: []))
            } else if !exchanges.isEmpty {
                exchanges[exchanges.count - 1].replies.append(step.message)
            }
        }
        socket = try ListeningSocket(path: path)
        listener = Pipe(on: loop)
        do throws(UVError) {
            try listener.listen(on: socket) { [weak self] in self?.accept() }
        } catch {
            throw .system(error)
        }
    }

    /// Stops listening and ends all connections.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        listener.close()
        socket.release()
        disconnect()
    }

    /// Ends all connections, as a service does that dies, and goes on listening.
    public func disconnect() {
        for pipe in connections { pipe.close() }
        connections = []
    }

    /// Sends a line to everyone who is connected.
    public func send(_ line: String) { send(bytes: Array(line.utf8) + [0x0A]) }

    /// Sends bytes as they are to everyone who is connected.
    public func send(bytes: [UInt8]) { for pipe in connections { pipe.write(bytes) { _ in } } }

    private func accept() {
        guard let pipe = try? listener.accept() else { return }
        connections.append(pipe)
        var decoder = LineDecoder(lineBytesMax: Limits.incomingLineBytesMax)
        pipe.startReading(
            onBytes: { [weak self, weak pipe] bytes in
                decoder.append(bytes)
                while let self, let pipe, case .text(let line)? = decoder.next() {
                    self.take(line, from: pipe)
                }
            },
            onEnd: { [weak self, weak pipe] _ in
                pipe?.close()
                self?.connections.removeAll { $0 === pipe }
            })
    }

    private func take(_ line: ArraySlice<UInt8>, from pipe: Pipe) {
        let text = String(decoding: line, as: UTF8.self)
        guard let document = try? parser.parse(line),
            case .request(let id, let method, let params) = Message(document.root)
        else {
            unexpected.append(text)
            return
        }
        received.append(text)
        let lines = responder?(method, params, id) ?? play(document.root, method, id) ?? refuse(text, id)
        pipe.write(Array(lines.joined(separator: [0x0A])) + [0x0A]) { _ in }
    }

    private func play(_ request: JSONValue, _ method: String, _ id: ArraySlice<UInt8>) -> [[UInt8]]? {
        var found: Int?
        for (index, exchange) in exchanges.enumerated() where exchange.request["method"]?.string == method {
            var trial = bindings
            guard
                trial.mismatch(exchange.request["params"] ?? Self.nothing, request["params"] ?? Self.nothing)
                    == nil
            else { continue }
            found = index
            if !exchange.isUsed { break }
        }
        guard let found else { return nil }
        _ = bindings.mismatch(
            exchanges[found].request["params"] ?? Self.nothing, request["params"] ?? Self.nothing)
        exchanges[found].isUsed = true
        return exchanges[found].replies.map { reply in
            var json = JSONWriter()
            json.object { json in
                for member in reply.members {
                    json.key(member.name)
                    if member.isNamed("id") {
                        json.value(raw: id)
                    } else {
                        bindings.write(member.value, to: &json, as: member.name)
                    }
                }
            }
            return json.bytes
        }
    }

    private static let nothing: JSONValue = {
        guard let empty = try? JSONParser(depthMax: 1).parse(Array("{}".utf8)) else {
            preconditionFailure("{} is JSON")
        }
        return empty.root
    }()

    private func refuse(_ text: String, _ id: ArraySlice<UInt8>) -> [[UInt8]] {
        unexpected.append(text)
        var json = JSONWriter()
        json.object { json in
            json.member("jsonrpc", "2.0")
            json.member("id", raw: id)
            json.key("error")
            RPCError(.internal, "The script has no such request.").write(to: &json, service: "mock")
        }
        return [json.bytes]
    }
}
