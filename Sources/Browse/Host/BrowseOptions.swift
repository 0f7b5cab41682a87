import Shared

/// What the command line says.
struct BrowseOptions {
    static let all: [Arguments.Option] = [
        .init(
            "socket", value: "PATH",
            "the gateway's socket (default: gateway.sock in $TRIPTYCH_RUN, else in run)"),
        .init("run", value: "DIR", "the directory of the gateway's socket"),
        .init("session", value: "ID", "the session (default: default)"),
        .init("catalog", value: "ID", "the catalog of a session that has none yet (default: the first one)"),
        .init("cell-width", value: "N", "points that stand for the width of a character (default: 8)"),
        .init("help", "print this"),
        .init("version", "print the version"),
    ]

    static let help = """
        usage: triptych browse [options]
               triptych-browse [options]

        Shows the screen of a session in the terminal, and lets you act on it.

        It goes on until q or Ctrl-C; ? shows the keys. Colours are left out if $NO_COLOR is set.

        \(all.map(\.usage).joined(separator: "\n"))
        """

    let socket: String
    let session: String?
    let catalog: String?
    let cellPoints: Int

    init(_ arguments: Arguments) throws(StartFailure) {
        guard arguments.operands.isEmpty else {
            throw StartFailure(.usage, "browse takes no operands; see --help")
        }
        socket =
            arguments["socket"] ?? arguments["run"].map { "\($0)/gateway.sock" }
            ?? Paths.socket(of: "gateway")
        (session, catalog) = (arguments["session"], arguments["catalog"])
        cellPoints =
            try arguments.number("cell-width", Limits.cellPoints, of: "points") ?? Limits.cellPointsDefault
    }
}
