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
            let arguments = try Arguments.ofProcess(
                program.allOptions, program: program.executable, help: program.help)
            let log = try arguments.log(of: program.service)
            let made = try Loop.ofProgram()
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
        service.startGivingBack()
        service.start()
        loop.run()
    }
}
