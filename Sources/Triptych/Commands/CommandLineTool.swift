import Shared
import UV

/// The whole of `triptych`: finds the command and runs it.
enum CommandLineTool {
    /// What there is, in the order of the help.
    static let commands: [Command] = [.view, .watch, .browse, .send, .call, .import, .mock]

    /// Runs a command line and gives the exit status.
    static func run(_ words: some Collection<String>) -> Int32 {
        // A service that goes away must be an error of the call, not the end of this process.
        Signal.ignoreBrokenPipes()
        guard let word = words.first, word != "--help", word != "help" else {
            StandardOutput.writeLine(help)
            return words.isEmpty ? StartFailure.Status.usage.rawValue : 0
        }
        if word == "--version" {
            StandardOutput.writeLine("triptych \(Version.product)")
            return 0
        }
        guard let command = commands.first(where: { $0.name == word }) else {
            StandardError.writeLine("triptych: there is no command \"\(word)\"; see triptych --help")
            return StartFailure.Status.usage.rawValue
        }
        do throws(StartFailure) {
            let rest = command.passesWordsOn ? ["--"] + words.dropFirst() : Array(words.dropFirst())
            let arguments = try parse(rest, for: command)
            if arguments.has("help") {
                StandardOutput.writeLine(command.help)
                return 0
            }
            return try command.run(arguments)
        } catch {
            StandardError.writeLine("triptych \(command.name): \(error.message)")
            return error.status.rawValue
        }
    }

    private static func parse(_ words: some Sequence<String>, for command: Command) throws(StartFailure)
        -> Arguments
    {
        do throws(Arguments.Failure) {
            return try Arguments(words, options: command.allOptions)
        } catch {
            throw StartFailure(.usage, error.message)
        }
    }

    private static var help: String {
        let width = commands.map(\.name.count).max() ?? 0
        let lines = commands.map { command in
            let gap = String(repeating: " ", count: width - command.name.count + 2)
            return "  \(command.name)\(gap)\(command.summary)"
        }
        return """
            usage: triptych COMMAND [options]

            Looks at a Triptych screen, acts on it, and fills its catalogs.

            \(lines.joined(separator: "\n"))

            triptych COMMAND --help says more of each; triptych --version prints the version.
            """
    }
}
