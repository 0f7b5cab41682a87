import Glibc
import UV

// The command line of a service, and how it ends.

extension Service {
    /// The whole `main` of a service: never returns.
    public static func main(
        _ program: Program, makeHandler: (Service, Arguments) throws(StartFailure) -> any Handler
    ) -> Never {
        // Whatever it makes is for its own user alone, also in a directory that others can enter.
        _ = umask(0o077)
        Memory.keepFreed(bytesMax: Limits.freedBytesKept)
        var loop: Loop?
        do throws(StartFailure) {
            let arguments = try parse(program)
            let log = try makeLog(program, arguments)
            let made = try makeLoop()
            loop = made
            try serve(program, arguments, on: made, log, makeHandler)
            log.write(.info, "stopped")
            exit(0)
        } catch {
            StandardError.writeLine("\(program.executable): \(error.message)")
            // A failed start leaves handles on the loop, which must not go before the process does.
            withExtendedLifetime(loop) { exit(error.status.rawValue) }
        }
    }

    /// Runs until it is stopped.
    ///
    /// When this returns the handler has gone, too, and with it what it had open.
    private static func serve(
        _ program: Program, _ arguments: Arguments, on loop: Loop, _ log: Log,
        _ makeHandler: (Service, Arguments) throws(StartFailure) -> any Handler
    ) throws(StartFailure) {
        let service = try Service(
            name: program.service, socketPath: arguments["socket"] ?? Paths.socket(of: program.service),
            loop: loop, log: log, trust: try Trust(arguments)
        ) { service throws(StartFailure) in try makeHandler(service, arguments) }
        if let settings = ServiceManager.Settings.environment {
            service.manager = ServiceManager(settings, on: loop, log: log)
        }
        service.start()
        loop.run()
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
