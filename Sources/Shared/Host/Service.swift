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
    private var clients: [Client] = []
    private var handler: (any Handler)?
    private var turnEnd: TurnEnd?
    private var signals: [Signal] = []
    private let drainLimit: Timer
    private let startedAt = Clock.now()
    private var isStopping = false
    /// Whether it has not been stopped to the end.
    public private(set) var isRunning = true

    /// Takes the socket; the handler is made after that, so that no other process touches the service's data.
    ///
    /// - Throws: `StartFailure`.
    public init(
        name: String, socketPath: String, loop: Loop, log: Log,
        makeHandler: (Service) throws(StartFailure) -> any Handler
    ) throws(StartFailure) {
        Signal.ignoreBrokenPipes()
        (self.name, self.loop, self.log) = (name, loop, log)
        let descriptors = Self.raiseDescriptorLimit()
        let socket = try Self.takeSocket(socketPath, name)
        do throws(UVError) {
            server = try Server(
                service: name, socket: socket, loop: loop, log: log,
                connectionsMax: min(Limits.connectionsMax, max(1, descriptors - Limits.descriptorsReserved)))
        } catch {
            socket.release()
            throw StartFailure(.system, "\(error)")
        }
        drainLimit = Timer(on: loop)
        let handler: any Handler
        do throws(StartFailure) {
            handler = try makeHandler(self)
        } catch {
            stopNow()
            socket.release()
            throw error
        }
        self.handler = handler
        server.host = { [weak self] method, params throws(RPCError) in try self?.answer(method, params) }
        server.install(handler)
        turnEnd = TurnEnd(on: loop) { [weak self] in self?.endTurn() }
        do throws(UVError) {
            for number in [Signal.Number.terminate, .interrupt] {
                signals.append(try Signal(number, on: loop) { [weak self] in self?.stop() })
            }
        } catch {
            throw StartFailure(.system, "\(error)")
        }
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

    /// Connects to the peers. All else is done by running the loop, which ends when the service is stopped.
    public func start() {
        for client in clients { client.start() }
    }

    private func endTurn() {
        let isMoreLeft = server.endTurn { for client in clients { client.readPending() } }
        for client in clients { client.flush() }
        turnEnd?.wantsAnotherTurn = isMoreLeft
    }

    // MARK: Stopping

    /// Answers what is in flight and ends; a second call ends at once.
    public func stop() {
        guard !isStopping else { return stopNow() }
        isStopping = true
        log.write(.info, "stopping")
        drainLimit.start(milliseconds: Limits.drainMs) { [weak self] in self?.stopNow() }
        server.drain { [weak self] in self?.stopNow() }
    }

    private func stopNow() {
        isStopping = true
        isRunning = false
        server.shutDown()
        for client in clients { client.close() }
        handler?.stop()
        drainLimit.close()
        turnEnd?.close()
        for signal in signals { signal.close() }
    }

    // MARK: rpc.*

    private func answer(_ method: String, _ params: JSONValue?) throws(RPCError) -> [UInt8]? {
        guard method.hasPrefix("rpc.") else { return nil }
        var reader = try ObjectReader(params)
        let isText =
            method == HostMethods.metrics.name
            ? try reader.word("format", MetricsFormat.self) == .prometheus : false
        try reader.finish()
        var json = JSONWriter()
        switch method {
        case HostMethods.info.name: writeInfo(to: &json)
        case HostMethods.health.name: writeHealth(to: &json)
        case HostMethods.metrics.name: writeMetrics(to: &json, isText: isText)
        case HostMethods.discover.name: writeDiscovery(to: &json)
        default: json.object { _ in }
        }
        return json.bytes
    }

    private func writeInfo(to json: inout JSONWriter) {
        json.object { json in
            json.member("service", name)
            json.member("version", Version.product)
            json.member("protocol", Version.wire)
            json.object("limits") { json in
                json.member("incomingLineBytes", Limits.incomingLineBytesMax)
                json.member("outgoingLineBytes", Limits.outgoingLineBytesMax)
                json.member("nestingLevels", Limits.nestingLevelsMax)
                json.member("batchItems", Limits.batchItemsMax)
                json.member("requestsInFlight", Limits.requestsInFlightMax)
                json.member("subscriptionsPerConnection", Limits.subscriptionsPerConnectionMax)
                json.member("connections", Limits.connectionsMax)
                json.member("connectionsPerUser", Limits.connectionsPerUserMax)
            }
            json.member("pid", Int(getpid()))
            json.member("startedAt", startedAt)
        }
    }

    private func writeHealth(to json: inout JSONWriter) {
        var checks: [(name: String, problem: String?)] = handler?.checks ?? []
        for client in clients {
            checks.append((client.name, client.isUp ? nil : "the \(client.name) service can't be reached"))
        }
        let isWell = checks.allSatisfy { $0.problem == nil }
        json.object { json in
            json.member("status", isStopping ? "draining" : isWell ? "ok" : "degraded")
            json.object("checks") { json in
                for check in checks {
                    json.key(check.name)
                    json.value(check.problem ?? "ok")
                }
            }
        }
    }

    private func writeDiscovery(to json: inout JSONWriter) {
        json.object { json in
            json.member("openrpc", "1.3.2")
            json.object("info") { json in
                json.member("title", "Triptych \(name)")
                json.member("version", Version.product)
            }
            json.array("methods") { json in
                for method in (handler?.methods ?? []) + HostMethods.all { method.write(to: &json) }
            }
        }
    }

    private func writeMetrics(to json: inout JSONWriter, isText: Bool) {
        let counters = server.counters
        var all: [(name: String, value: Int)] = [
            ("connections_accepted_total", counters.connectionsAccepted),
            ("connections_refused_total", counters.connectionsRefused),
            ("connections_cut_total", counters.connectionsCut), ("requests_total", counters.requests),
            ("notifications_dropped_total", counters.notificationsDropped),
            ("responses_dropped_total", counters.responsesDropped), ("events_total", counters.events),
        ]
        for reason in ErrorReason.allCases {
            all.append(("errors_\(reason.rawValue)_total", counters.errors[reason] ?? 0))
        }
        all += server.gauges + (handler?.metrics ?? [])
        json.object { json in
            if isText {
                json.member("text", all.map { "triptych_\(name)_\($0.name) \($0.value)\n" }.joined())
            } else {
                for (name, value) in all {
                    json.key(name)
                    json.value(value)
                }
            }
        }
    }

    // MARK: Start

    private static func takeSocket(_ path: String, _ name: String) throws(StartFailure) -> ListeningSocket {
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try Paths.makeDirectory(String(path[..<slash]))
        }
        do throws(ListeningSocket.Failure) {
            return try ListeningSocket(path: path)
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

private enum MetricsFormat: String, CaseIterable { case json, prometheus }

extension Service {
    /// The whole `main` of a service: never returns.
    public static func main(
        _ program: Program, makeHandler: (Service, Arguments) throws(StartFailure) -> any Handler
    ) -> Never {
        do throws(StartFailure) {
            let arguments = try parse(program)
            let log = try makeLog(program, arguments)
            let service = try Service(
                name: program.service, socketPath: arguments["socket"] ?? Paths.socket(of: program.service),
                loop: makeLoop(), log: log
            ) { service throws(StartFailure) in try makeHandler(service, arguments) }
            service.start()
            service.loop.run()
            log.write(.info, "stopped")
            exit(0)
        } catch {
            StandardError.writeLine("\(program.executable): \(error.message)")
            exit(error.status.rawValue)
        }
    }

    private static func makeLoop() throws(StartFailure) -> Loop {
        do throws(UVError) { return try Loop() } catch { throw StartFailure(.system, "\(error)") }
    }

    private static func parse(_ program: Program) throws(StartFailure) -> Arguments {
        do throws(Arguments.Failure) {
            let arguments = try Arguments(CommandLine.arguments.dropFirst(), options: program.allOptions)
            if arguments.has("help") {
                print(program.help)
                exit(0)
            }
            if arguments.has("version") {
                print("\(program.executable) \(Version.product)")
                exit(0)
            }
            if let operand = arguments.operands.first {
                throw Arguments.Failure(message: "\"\(operand)\" is no option; see --help")
            }
            return arguments
        } catch {
            throw StartFailure(.usage, error.message)
        }
    }

    private static func makeLog(_ program: Program, _ arguments: Arguments) throws(StartFailure) -> Log {
        guard let level = Log.Level(rawValue: arguments["log-level"] ?? "info") else {
            throw StartFailure(.usage, "--log-level is debug, info, warning or error")
        }
        return Log(service: program.service, least: level)
    }
}
