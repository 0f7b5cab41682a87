import Glibc
import JSON
import Shared
import UV

/// The command line of `triptych-web`, and how it ends.
enum WebProgram {
    private static let name = "triptych-web"

    private static let options: [Arguments.Option] = [
        .init(
            "port", value: "PORT",
            "the port to listen on (default: 8765); 0 is any free one, which is printed"),
        .init(
            "address", value: "ADDRESS",
            "the numeric address to listen on (default: 127.0.0.1, this machine alone)"),
        .init(
            "allow-host", value: "NAME",
            "a further name, with its port if it has one, under which browsers reach it, such as a proxy's; may be repeated"
        ),
        .init(
            "gateway-socket", value: "PATH",
            "the gateway (default: $TRIPTYCH_RUN/gateway.sock, else run/gateway.sock)"),
        .init(
            "shared-session", value: "NAME",
            "let every browser see and change this session, instead of one of its own: for showing, not for strangers"
        ),
        .init(
            "log-level", value: "LEVEL",
            "the least that is logged to stderr: debug, info, warning or error (default: info)"),
        .init("version", "print the version"),
        .init("help", "print this"),
    ]

    private static let help = """
        usage: \(name) [options]

        Serves a page that shows the gateway's screen in a browser. It prints its address.

        \(options.map(\.usage).joined(separator: "\n"))
        """

    /// Never returns.
    static func main() -> Never {
        _ = umask(0o077)
        Signal.ignoreBrokenPipes()
        var loop: Loop?
        do throws(StartFailure) {
            let arguments = try Arguments.ofProcess(options, program: name, help: help)
            let log = try arguments.log(of: "web")
            let settings = try settings(arguments)
            let made = try Loop.ofProgram()
            loop = made
            try serve(settings, on: made, log)
            log.write(.info, "stopped")
            exit(0)
        } catch {
            StandardError.writeLine("\(name): \(error.message)")
            // A failed start leaves handles on the loop, which must not go before the process does.
            withExtendedLifetime(loop) { exit(error.status.rawValue) }
        }
    }

    private static func serve(_ settings: Front.Settings, on loop: Loop, _ log: Log) throws(StartFailure) {
        let front = try Front(settings, loop: loop, log: log)
        let manager = ServiceManager.Settings.environment.map { ServiceManager($0, on: loop, log: log) }
        var signals: [Signal] = []
        func stop() {
            log.write(.info, "stopping")
            manager?.tellStopping()
            front.stop {
                manager?.close()
                for signal in signals { signal.close() }
            }
        }
        do throws(UVError) {
            for number in [Signal.Number.terminate, .interrupt] {
                signals.append(try Signal(number, on: loop) { stop() })
            }
        } catch {
            throw StartFailure(.system, "\(error)")
        }
        log.write(.info, "started") { json in
            json.member("url", front.url)
            json.member("gateway", settings.gatewayPath)
            json.member("version", Version.product)
        }
        if let shared = settings.sharedSession {
            log.write(.warning, "every browser has the same session") { $0.member("session", shared) }
        }
        print(front.url)
        fflush(nil)  // whoever started it may wait for this line
        manager?.tellReady()
        loop.run()
    }

    private static func settings(_ arguments: Arguments) throws(StartFailure) -> Front.Settings {
        let port = try arguments.number("port", 0...65_535) ?? 8_765
        let address = arguments["address"] ?? "127.0.0.1"
        guard isNumeric(address) else {
            throw StartFailure(.usage, "--address is a numeric address such as 127.0.0.1 or ::1")
        }
        if let shared = arguments["shared-session"], !(1...Limits.idBytesMax).contains(shared.utf8.count) {
            throw StartFailure(.usage, "--shared-session is a name of 1 to \(Limits.idBytesMax) bytes")
        }
        let gatewayPath = arguments["gateway-socket"] ?? Paths.socket(of: "gateway")
        guard gatewayPath.utf8.count <= ListeningSocket.pathBytesMax else {
            throw StartFailure(
                .usage, "\(gatewayPath) is too long for a socket (\(ListeningSocket.pathBytesMax) bytes)")
        }
        return Front.Settings(
            address: address, port: port, gatewayPath: gatewayPath,
            allowedHosts: arguments.all("allow-host"), sharedSession: arguments["shared-session"])
    }

    private static func isNumeric(_ address: String) -> Bool {
        var bytes = in6_addr()
        return unsafe inet_pton(AF_INET, address, &bytes) == 1 || inet_pton(AF_INET6, address, &bytes) == 1
    }
}
