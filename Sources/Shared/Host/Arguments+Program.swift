import Glibc
public import UV

// What programs do with their command lines alike.

extension Arguments {
    /// Takes apart the command line of this process, which has no operands.
    ///
    /// Prints the help or the version, and ends the process, if it asks for that.
    ///
    /// - Throws: `StartFailure` if it can't be used.
    public static func ofProcess(
        _ options: [Option], program: String, help: String
    ) throws(StartFailure) -> Arguments {
        do throws(Failure) {
            let arguments = try Arguments(CommandLine.arguments.dropFirst(), options: options)
            if arguments.has("help") {
                print(help)
                exit(0)
            }
            if arguments.has("version") {
                print("\(program) \(Version.product)")
                exit(0)
            }
            if let operand = arguments.operands.first {
                throw Failure(message: "\"\(operand)\" is no option; see --help")
            }
            return arguments
        } catch {
            throw StartFailure(.usage, error.message)
        }
    }

    /// The whole number that was given for an option, or nil if none was; `unit` says what it counts.
    ///
    /// - Throws: `StartFailure` if it is no whole number, or not within the range.
    public func number(
        _ name: String, _ range: ClosedRange<Int>, of unit: String? = nil
    ) throws(StartFailure) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let what = unit.map { " of \($0)" } ?? ""
            throw StartFailure(
                .usage, "--\(name) is a whole number\(what) from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The log of a service, of as little as `--log-level` says.
    ///
    /// - Throws: `StartFailure` if there is no such level.
    public func log(of service: String) throws(StartFailure) -> Log {
        guard let level = Log.Level(rawValue: self["log-level"] ?? "info") else {
            throw StartFailure(.usage, "--log-level is debug, info, warning or error")
        }
        return Log(service: service, least: level)
    }
}

extension Loop {
    /// Makes the loop of a program.
    ///
    /// - Throws: `StartFailure` if the system gives no descriptors for it.
    public static func ofProgram() throws(StartFailure) -> Loop {
        do throws(UVError) { return try Loop() } catch { throw StartFailure(.system, "\(error)") }
    }
}
