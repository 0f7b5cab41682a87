import Shared

/// One thing that `triptych` does.
struct Command: Sendable {
    /// The word behind `triptych`.
    let name: String
    /// What follows it, as shown in the usage line.
    let operands: String
    /// What it does, in one line.
    let summary: String
    /// More about it, for its own help.
    let details: String
    /// Its options, beside `--run` and `--help`.
    let options: [Arguments.Option]
    /// Whether what follows it is for another program: all of it are operands then.
    var passesWordsOn = false
    /// Does it and gives the exit status.
    let run: @Sendable (Arguments) throws(StartFailure) -> Int32

    /// The options that it takes in all.
    var allOptions: [Arguments.Option] {
        options + [
            .init("run", value: "DIR", "where the sockets are (default: $TRIPTYCH_RUN, else run)"),
            .init("help", "print this"),
        ]
    }

    /// Its help.
    var help: String {
        """
        usage: triptych \(name) \(operands)

        \(summary)

        \(details)

        \(allOptions.map(\.usage).joined(separator: "\n"))
        """
    }
}

extension Arguments {
    /// The socket of a service, in the directory that `--run` names.
    func socket(of service: String) -> String {
        self["run"].map { "\($0)/\(service).sock" } ?? Paths.socket(of: service)
    }

    /// The operands, if there are as many as there should be.
    ///
    /// - Throws: `StartFailure` that shows how it is used.
    func operands(_ count: ClosedRange<Int>, of usage: String) throws(StartFailure) -> [String] {
        guard count.contains(operands.count) else {
            throw StartFailure(.usage, "this is not how it is used: triptych \(usage)")
        }
        return operands
    }
}
