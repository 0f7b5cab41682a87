public import JSON
public import Shared
public import UV

/// One loop that the test itself drives, with services, mocks and clients on it, all over real sockets.
///
/// ```swift
/// let harness = try Harness()
/// try harness.serve("catalog") { service in try CatalogHandler(...) }
/// let client = harness.connect("catalog")
/// #expect(try client.call("catalog.list")["catalogs"]?.count == 0)
/// harness.finish()
/// ```
public final class Harness {
    /// What went wrong in a test's hands.
    public struct Failure: Error, CustomStringConvertible {
        /// What went wrong.
        public let description: String
    }

    /// The loop.
    public let loop: Loop
    /// A directory of this test alone.
    public var directory: String { temporary.path }
    private let temporary: TemporaryDirectory
    private var services: [String: Service] = [:]
    private var wasStopped: Set<String> = []
    private var mocks: [MockService] = []
    private var clients: [TestClient] = []
    private let tick: UV.Timer

    /// Makes a loop and a directory.
    public init() throws {
        temporary = try TemporaryDirectory()
        loop = try Loop()
        tick = UV.Timer(on: loop)
        // A step must come back also when nothing happens, to look whether the time is over.
        tick.start(milliseconds: 2, repeating: 2) {}
    }

    /// The socket of a service in this test's directory.
    public func socket(_ name: String) -> String { "\(directory)/\(name).sock" }

    // MARK: Services and mocks

    /// Starts a service on its socket.
    @discardableResult
    public func serve(
        _ name: String, _ makeHandler: (Service) throws(StartFailure) -> any Handler
    ) throws(StartFailure) -> Service {
        let end = Loop.nanoseconds + 5_000_000_000
        while true {
            do throws(StartFailure) {
                let service = try Service(
                    name: name, socketPath: socket(name), loop: loop, log: Log(service: name, least: .error),
                    makeHandler: makeHandler)
                services[name] = service
                service.start()
                return service
            } catch {
                // A child that another test starts just now has the lock, too, until it is another program.
                guard error.status == .unavailable, wasStopped.contains(name), Loop.nanoseconds < end else {
                    throw error
                }
                loop.step()
            }
        }
    }

    /// Stops a service cleanly and waits until it has gone.
    public func stop(_ name: String) throws {
        guard let service = services.removeValue(forKey: name) else { return }
        wasStopped.insert(name)
        service.stop()
        try until("\(name) has stopped") { !service.isRunning }
    }

    /// Starts a mock on a service's socket.
    @discardableResult
    public func mock(_ name: String, _ script: String? = nil) throws -> MockService {
        let mock = try MockService(script.map { try ContractScript($0) }, path: socket(name), loop: loop)
        mocks.append(mock)
        return mock
    }

    // MARK: Clients

    /// Connects to a service or mock.
    public func connect(_ name: String) throws -> TestClient {
        let client = TestClient(harness: self, path: socket(name))
        clients.append(client)
        try until("connected to \(name)") { client.isConnected }
        return client
    }

    /// Runs the loop until the condition holds.
    ///
    /// - Throws: `Failure` if it does not within `seconds`: far longer than anything takes on a machine that has other things
    ///   to do, too. Who waits for megabytes there may wait for more than ten.
    public func until(_ what: String, seconds: UInt64 = 60, _ condition: () -> Bool) throws {
        let end = Loop.nanoseconds + seconds * 1_000_000_000
        while !condition() {
            guard Loop.nanoseconds < end else { throw Failure(description: "never happened: \(what)") }
            loop.step()
        }
    }

    /// Runs the loop for some turns, to see that nothing comes.
    public func settle(turns: Int = 10) { for _ in 0..<turns { loop.step() } }

    /// Ends everything and proves that no handle leaked.
    public func finish() {
        for client in clients { client.close() }
        for service in services.values {
            service.stop()
            service.stop()
        }
        for mock in mocks { mock.close() }
        tick.close()
        loop.run()
        // Clients know the harness: without this neither would ever go.
        (clients, services, mocks) = ([], [:], [])
        temporary.remove()
    }
}

/// A client that speaks lines, and looks at what comes back.
public final class TestClient {
    private let harness: Harness
    private let pipe: Pipe
    private let parser = JSONParser(depthMax: 200)
    private var decoder = LineDecoder(lineBytesMax: 2_000_000)
    private var lines: [String] = []
    private var lastId = 1_000_000
    /// Whether there is a connection.
    public private(set) var isConnected = false
    /// Whether the service has closed.
    public private(set) var isAtEnd = false

    init(harness: Harness, path: String) {
        self.harness = harness
        pipe = Pipe(on: harness.loop)
        pipe.connect(to: path) { [weak self] error in
            guard let self, error == nil, !self.pipe.isClosing else { return }
            self.isConnected = true
            self.pipe.startReading(
                onBytes: { [weak self] bytes in self?.received(bytes) },
                onEnd: { [weak self] _ in self?.isAtEnd = true })
        }
    }

    private func received(_ bytes: RawSpan) {
        decoder.append(bytes)
        while case .text(let line)? = decoder.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }

    /// Stops taking what arrives.
    public func pauseReading() { pipe.pauseReading() }

    /// Takes again what arrives.
    public func resumeReading() { pipe.resumeReading() }

    /// Sends bytes as they are.
    public func send(bytes: [UInt8]) { pipe.write(bytes) { _ in } }

    /// Sends a text as it is, with an LF.
    public func send(_ line: String) { send(bytes: Array(line.utf8) + [0x0A]) }

    /// Says that nothing more comes from here.
    public func halfClose() { pipe.shutDownWriting() }

    /// Ends the connection.
    public func close() { pipe.close() }

    /// The next line.
    ///
    /// - Throws: `Harness.Failure` if none comes.
    public func line() throws -> String {
        try harness.until("a line") { !lines.isEmpty || isAtEnd }
        guard !lines.isEmpty else {
            throw Harness.Failure(description: "the connection was closed, no line came")
        }
        return lines.removeFirst()
    }

    /// The next line, parsed.
    ///
    /// - Throws: `Harness.Failure` if none comes.
    public func message() throws -> JSONValue {
        let line = try line()
        return try parser.parse(Array(line.utf8)).root
    }

    /// Whether a line is there that was not taken.
    public var hasLine: Bool { !lines.isEmpty }

    /// All lines up to the end of the connection.
    public func rest() throws -> [String] {
        try harness.until("the end") { isAtEnd }
        defer { lines = [] }
        return lines
    }

    /// Sends a request, whose params are JSON text, and gives the whole answer; events before it are left out.
    public func respond(_ method: String, _ params: String = "{}") throws -> JSONValue {
        lastId += 1
        send(#"{"jsonrpc":"2.0","id":\#(lastId),"method":"\#(method)","params":\#(params)}"#)
        while true {
            let message = try message()
            if message["id"]?.int == lastId { return message }
        }
    }

    /// Sends a request, whose params are JSON text, and gives the result.
    ///
    /// - Throws: `Harness.Failure` if the answer is an error.
    public func call(_ method: String, _ params: String = "{}") throws -> JSONValue {
        let answer = try respond(method, params)
        guard let result = answer["result"] else {
            throw Harness.Failure(description: "\(method): \(String(decoding: answer.raw, as: UTF8.self))")
        }
        return result
    }
}

extension JSONValue {
    /// The text this value was written with.
    public var text: String { String(decoding: raw, as: UTF8.self) }
}
