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
        let path = path(run)
        let events = events(of: sessions)
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

    /// Sessions of which `ask` has several events under way.
    static let askedSessions = 64

    /// Asks for a number of events on one connection, and waits for the last answers.
    ///
    /// Half of the sessions are under way at once, so that each commit has as many, and no session twice.
    static func ask(run: String, count: Int) throws(StartFailure) {
        let load = try Load(
            path: path(run), connections: 1, inFlight: askedSessions / 2,
            sessions: events(of: try Sessions.made(run: run, count: askedSessions)), changesPercent: 100)
        try load.ask(count)
        load.close()
    }

    private static func path(_ run: String) -> String { "\(run)/selection.sock" }

    /// The sessions, with events that only their owner is asked for.
    private static func events(of sessions: [Sessions.Session]) -> [Sessions.Session] {
        sessions.map { Sessions.Session(get: $0.get, send: $0.event) }
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
