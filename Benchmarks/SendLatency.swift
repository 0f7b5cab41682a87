import Glibc
import JSON
import SQLite
import Shared
import UV

/// What one durable event and its view take with one request in flight, beside the least that could be: two round trips of
/// a bare server, since two services have to be woken, and one commit.
struct SendLatency {
    /// Medians, in microseconds.
    private(set) var send: Double
    private(set) var roundTrip: Double
    private(set) var commit: Double

    /// How many times as long as the least it takes.
    var ratio: Double { send / (2 * roundTrip + commit) }

    /// Measures all three in turn, round by round; the commits go to a file in `directory`.
    init(
        product: Target, floor: Target, directory: String, sessions: [Sessions.Session], rounds: Int,
        milliseconds: Int
    ) throws(StartFailure) {
        let sends = Case(connections: 1, inFlight: 1, sessions: 4, changesPercent: 100)
        let reads = Case(connections: 1, inFlight: 1, sessions: 4)
        var (all, floors, commits): ([Double], [Double], [Double]) = ([], [], [])
        let commit = try Commit(directory: directory)
        defer { commit.remove() }
        for round in 0...rounds {
            let one = try Figures.measure(product, sends, sessions: sessions, milliseconds: milliseconds)
            let bare = try Figures.measure(floor, reads, sessions: sessions, milliseconds: milliseconds)
            let wait = try commit.median(milliseconds: milliseconds)
            guard round > 0 else { continue }
            all.append(one.p50Microseconds)
            floors.append(bare.p50Microseconds)
            commits.append(wait)
        }
        func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        (send, roundTrip, self.commit) = (middle(all), middle(floors), middle(commits))
    }

    /// A line for people.
    var line: String {
        let (send, roundTrip, commit) = (Int(send), Int(roundTrip), Int(commit))
        let ratio = Double(Int(ratio * 100)) / 100
        return
            "view.send, 1 x 1: p50 \(send) us; two bare round trips and a commit: 2 x \(roundTrip) + \(commit) us; ratio \(ratio)"
    }

    func write(to json: inout JSONWriter) {
        json.object("send") { json in
            json.member("p50Microseconds", send)
            json.member("roundTripMicroseconds", roundTrip)
            json.member("commitMicroseconds", commit)
            json.member("ratio", (ratio * 1_000).rounded() / 1_000)
        }
    }
}

/// One small row that is written again and again, each time durably, as the services write theirs.
private struct Commit {
    private let database: Database
    private let update: Statement

    init(directory: String) throws(StartFailure) {
        do throws(SQLiteError) {
            database = try Database(path: "\(directory)/commit.sqlite")
            try database.execute("CREATE TABLE one(number INTEGER PRIMARY KEY, record BLOB)")
            try database.execute("INSERT INTO one VALUES(1, zeroblob(512))")
            update = try database.prepare("UPDATE one SET record = randomblob(512)")
        } catch {
            throw StartFailure(.io, "\(error)")
        }
    }

    func remove() { for end in ["", "-wal", "-shm"] { unsafe unlink(database.path + end) } }

    /// The median of the commits of some time, in microseconds.
    func median(milliseconds: Int) throws(StartFailure) -> Double {
        var waits: [UInt64] = []
        let end = Loop.nanoseconds + UInt64(milliseconds) * 1_000_000
        while Loop.nanoseconds < end {
            let begin = Loop.nanoseconds
            do throws(SQLiteError) {
                try update.run()
            } catch {
                throw StartFailure(.io, "\(error)")
            }
            waits.append(Loop.nanoseconds - begin)
        }
        return Double(waits.sorted()[waits.count / 2]) / 1_000
    }
}
