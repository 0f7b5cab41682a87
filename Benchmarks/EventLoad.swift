import JSON
import Shared

/// Durable events: how many of them the selection service takes when 256 are under way, over many sessions.
enum EventLoad {
    private static let connections = 16
    private static let inFlight = 16

    /// Measures some rounds, and prints a line for each, with what `rpc.metrics` counts meanwhile.
    static func measure(
        run: String, sessions: [Sessions.Session], rounds: Int, milliseconds: Int
    ) throws(StartFailure) {
        let path = "\(run)/selection.sock"
        let events = sessions.map { Sessions.Session(get: $0.get, send: $0.event) }
        let caller = try Caller(path: path)
        defer { caller.close() }
        for _ in 0..<rounds {
            let load = try Load(
                path: path, connections: connections, inFlight: inFlight, sessions: events,
                changesPercent: 100, isApart: true)
            let before = try counters(caller)
            let seconds = try load.run(milliseconds: milliseconds)
            let after = try counters(caller)
            // Selecting what is selected is no event that has to be kept: each change has a number.
            let count = after.changes - before.changes
            load.close()
            let commits = after.commits - before.commits
            print(
                "\(Int(Double(count) / seconds)) events/s, \(commits) commits in \(after.turns - before.turns) turns, "
                    + "\(count / max(commits, 1)) events a commit")
        }
    }

    private static func counters(_ caller: Caller) throws(StartFailure) -> (
        commits: Int, turns: Int, changes: Int
    ) {
        let metrics = try caller.call("rpc.metrics", "")
        return (
            metrics["commits_total"]?.int ?? 0, metrics["turns_total"]?.int ?? 0,
            metrics["revision"]?.int ?? 0
        )
    }
}
