import Curses
import Glibc
import Shared
import UV

/// The whole of `triptych-browse`.
enum BrowseTool {
    /// Runs a command line and gives the exit status.
    static func run(_ words: some Sequence<String>) -> Int32 {
        Signal.ignoreBrokenPipes()
        do throws(StartFailure) {
            let arguments = try parse(words)
            if arguments.has("help") { return say(BrowseOptions.help) }
            if arguments.has("version") { return say("triptych-browse \(Version.product)") }
            let options = try BrowseOptions(arguments)
            guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
                throw StartFailure(
                    .unavailable, "this needs a terminal to read from and to write to; triptych view does not"
                )
            }
            if let failure = try TerminalHost(options).run() { throw StartFailure(.system, "\(failure)") }
            return 0
        } catch {
            StandardError.writeLine("triptych-browse: \(error.message)")
            return error.status.rawValue
        }
    }

    private static func parse(_ words: some Sequence<String>) throws(StartFailure) -> Arguments {
        do throws(Arguments.Failure) {
            return try Arguments(words, options: BrowseOptions.all)
        } catch {
            throw StartFailure(.usage, error.message)
        }
    }

    private static func say(_ text: String) -> Int32 {
        unsafe puts(text)
        return 0
    }
}
