import Glibc
import JSON
public import UV

// What a service's main calls: it takes the command line apart, takes the socket, runs the loop, and stops cleanly.

/// A program that serves a socket.
public final class Service {
    /// What tells one service from another.
    public struct Program: Sendable {
        let executable: String
        let service: String
        let summary: String
        let options: [Arguments.Option]

        /// Describes a program; `service` is its name on the wire and of its socket, `options` come beside
        /// `--socket`, `--log-level`, `--help` and `--version`.
        public init(executable: String, service: String, summary: String, options: [Arguments.Option]) {
            (self.executable, self.service, self.summary, self.options) = (
                executable, service, summary, options
            )
        }

        var allOptions: [Arguments.Option] {
            [
                .init(
                    "socket", value: "PATH",
                    "the socket to serve (default: $TRIPTYCH_RUN/\(service).sock, else run/\(service).sock)")
            ] + options + [
                .init(
                    "log-level", value: "LEVEL",
                    "the least that is logged to stderr: debug, info, warning or error (default: info)"),
                .init("version", "print the version"),
                .init("help", "print this"),
            ]
        }

        var help: String {
            """
            usage: \(executable) [options]

            \(summary)

            It speaks JSON-RPC 2.0, one message a line. To look at it:
              echo '{"jsonrpc":"2.0","id":1,"method":"rpc.info"}' | socat -t 30 - UNIX-CONNECT:run/\(service).sock

            \(allOptions.map(\.usage).joined(separator: "\n"))
            """
        }
    }

    /// The service's name on the wire.
    public let name: String
    /// The loop that everything hangs on.
    public let loop: Loop
    /// Where events of operation go.
    public let log: Log
    /// The clients' side.
    public let server: Server
    var clients: [Client] = []
    var handler: (any Handler)?
    private var turnEnd: TurnEnd?
    private let signals: [Signal]
    private let drainLimit: Timer
    private let giveBack: Timer
    /// What is told whether it serves; nil if nobody wants to know.
    var manager: ServiceManager?
    let startedAt = Clock.now()
    var isStopping = false
    /// Whether it has not been stopped to the end.
    public private(set) var isRunning = true

    /// Takes the socket; the handler is made after that, so that no other process touches the service's data.
    ///
    /// `trust` says who may connect.
    ///
    /// - Throws: `StartFailure`.
    public init(
        name: String, socketPath: String, loop: Loop, log: Log, trust: Trust = Trust(),
        makeHandler: (Service) throws(StartFailure) -> any Handler
    ) throws(StartFailure) {
        Signal.ignoreBrokenPipes()
        (self.name, self.loop, self.log) = (name, loop, log)
        let descriptors = Self.raiseDescriptorLimit()
        // Whoever sees the socket may also end the process, cleanly.
        let stopping = Stopping()
        let signals = try stopping.listen(on: loop)
        self.signals = signals
        let socket: ListeningSocket
        do throws(StartFailure) {
            socket = try Self.takeSocket(socketPath, name, trust, for: loop)
        } catch {
            for signal in signals { signal.close() }
            throw error
        }
        do throws(UVError) {
            server = try Server(
                service: name, socket: socket, loop: loop, log: log, trust: trust,
                connectionsMax: min(Limits.connectionsMax, max(1, descriptors - Limits.descriptorsReserved)))
        } catch {
            socket.release()
            for signal in signals { signal.close() }
            throw StartFailure(.system, "\(error)")
        }
        drainLimit = Timer(on: loop)
        giveBack = Timer(on: loop)
        let handler: any Handler
        do throws(StartFailure) {
            handler = try makeHandler(self)
        } catch {
            stopNow()
            throw error
        }
        self.handler = handler
        server.host = { [weak self] method, params throws(RPCError) in try self?.answer(method, params) }
        server.install(handler)
        turnEnd = TurnEnd(on: loop) { [weak self] in self?.endTurn() }
        stopping.service = self
        log.write(.info, "started") { json in
            json.member("socket", socketPath)
            json.member("version", Version.product)
        }
    }

    /// A client of a peer that lives as long as the service, connected when the handler has been made.
    public func makeClient(_ peer: String, path: String) -> Client {
        let client = Client(name: peer, path: path, loop: loop, log: log)
        clients.append(client)
        return client
    }

    /// Connects to the peers.
    ///
    /// All else is done by running the loop, which ends when the service is stopped.
    public func start() {
        for client in clients { client.start() }
        manager?.tellReady()
    }

    /// Gives freed memory back from time to time.
    func startGivingBack() {
        giveBack.start(milliseconds: Limits.giveBackMs, repeating: Limits.giveBackMs) { Memory.giveBack() }
    }

    private func endTurn() {
        let isMoreLeft = server.endTurn {
            for client in clients { client.readPending() }
        } callPeers: {
            for client in clients { client.flush() }
        }
        turnEnd?.wantsAnotherTurn = isMoreLeft
    }

    // MARK: Stopping

    /// Answers what is in flight and ends; a second call ends at once.
    public func stop() {
        guard !isStopping else { return stopNow() }
        isStopping = true
        log.write(.info, "stopping")
        manager?.tellStopping()
        drainLimit.start(milliseconds: server.bounds.drainMs) { [weak self] in self?.stopNow() }
        server.drain { [weak self] in self?.stopNow() }
    }

    private func stopNow() {
        isStopping = true
        isRunning = false
        server.shutDown()
        for client in clients { client.close() }
        handler?.stop()
        drainLimit.close()
        giveBack.close()
        manager?.close()
        turnEnd?.close()
        for signal in signals { signal.close() }
        // Not before: whoever has the socket has the data.
        server.socket.release()
    }

    // MARK: Start

    private static func takeSocket(
        _ path: String, _ name: String, _ trust: Trust, for loop: Loop
    ) throws(StartFailure) -> ListeningSocket {
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try Paths.makeDirectory(String(path[..<slash]))
        }
        do throws(ListeningSocket.Failure) {
            return try ListeningSocket.take(path, for: loop, mode: trust.socketMode)
        } catch {
            switch error {
            case .pathTooLong(let path):
                throw StartFailure(
                    .usage,
                    "\(path) has more than \(ListeningSocket.pathBytesMax) bytes: name a shorter path with --socket"
                )
            case .taken(let path):
                throw StartFailure(
                    .unavailable,
                    "another \(name) service has \(path): stop it first, or name another path with --socket")
            case .notASocket(let path):
                throw StartFailure(
                    .cannotCreate, "\(path) is no socket: move it away, or name another path with --socket")
            case .system(let error):
                throw StartFailure(
                    .cannotCreate, "\(error): check the directory, or name another path with --socket")
            }
        }
    }

    /// Returns how many descriptors there may be.
    private static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        limit.rlim_cur = limit.rlim_max
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}

/// What the signals that end a process reach, also before there is a service.
private final class Stopping {
    weak var service: Service?

    func listen(on loop: Loop) throws(StartFailure) -> [Signal] {
        do throws(UVError) {
            let terminate = try Signal(.terminate, on: loop) { self.service?.stop() }
            return [terminate, try Signal(.interrupt, on: loop) { self.service?.stop() }]
        } catch {
            throw StartFailure(.system, "\(error)")
        }
    }
}
