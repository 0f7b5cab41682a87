import JSON
import Shared

// What an event changes lies in many pages of the file: the session's row, a place, an index. So a turn only adds one row
// to the journal; the rows of its sessions are written when it has got long, each once for all that was done to it.

/// The sessions whose rows are older than what the journal says.
struct Journal {
    /// What was done to each of them since its rows were written.
    private(set) var unwritten: [Identifier: Store.Change] = [:]
    /// The number of the last entry.
    private(set) var lastEntry = 0
    /// What turns took since the rows were begun to be written, in bytes.
    private var bytes = 0
    /// What the sessions take that have become unwritten since then, in bytes.
    private var weightBytes = 0
    private var moving: Moving?

    private struct Moving {
        /// The sessions whose rows are still to be written, the next one last.
        var sessions: [Identifier]
        /// The last turn that is done with then.
        let lastEntry: Int
    }

    /// What the next commit writes.
    struct Step {
        var sessions: ArraySlice<Identifier> = []
        /// The turns up to this one are done with; nil as long as rows are to be written.
        var endsWith: Int?
    }

    /// Whether rows are being written.
    var isMoving: Bool { moving != nil }

    /// Begins to write the rows of all sessions, in the order in which they lie.
    mutating func beginMoving() {
        guard moving == nil, !unwritten.isEmpty else { return }
        var sessions = unwritten.map { id, change in
            (row: change.after?.number ?? change.before?.number ?? .max, id: id)
        }
        sessions.sort { $0.row > $1.row }
        moving = Moving(sessions: sessions.map(\.id), lastEntry: lastEntry)
        (bytes, weightBytes) = (0, 0)
    }

    /// Leaves rows as they are until it is begun again.
    mutating func stopMoving() { moving = nil }

    /// What the commit of a turn is to write: more sessions than become unwritten by it.
    func step(with changes: [Identifier: Store.Change]) -> Step {
        guard let moving else { return Step() }
        let newCount = changes.keys.count { unwritten[$0] == nil }
        let sessions = moving.sessions.suffix(Limits.movedSessionsPerTurn + newCount)
        let isLast = sessions.count == moving.sessions.count
        return Step(sessions: sessions, endsWith: isLast ? moving.lastEntry : nil)
    }

    /// A step is on the disk.
    mutating func moved(_ step: Step) {
        for id in step.sessions { unwritten[id] = nil }
        moving?.sessions.removeLast(step.sessions.count)
        if step.endsWith != nil { moving = nil }
    }

    /// A turn is on the disk, in so many bytes.
    mutating func append(_ changes: [Identifier: Store.Change], bytes count: Int) {
        guard !changes.isEmpty else { return }
        lastEntry += changes.count
        bytes += count
        for (id, change) in changes { add(change, to: id) }
        if bytes > Limits.journalBytesMax || weightBytes > Limits.unwrittenBytesMax { beginMoving() }
    }

    /// An entry was found on the disk after a start, in so many bytes.
    mutating func resume(_ change: Store.Change, of id: Identifier, number: Int, bytes count: Int) {
        lastEntry = number
        bytes += count
        add(change, to: id)
    }

    /// What was done to a session can't be known.
    mutating func forget(_ id: Identifier) { unwritten[id] = nil }

    /// More was done to a session.
    private mutating func add(_ change: Store.Change, to id: Identifier) {
        if unwritten[id]?.become(change.after, change.state, isReplaced: change.isReplaced) == nil {
            weightBytes += (change.after ?? change.before)?.weightBytes ?? 0
            unwritten[id] = Store.Change(
                before: change.before, after: change.after, isReplaced: change.isReplaced,
                state: change.state)
        }
    }

    /// All rows are written.
    mutating func clear() { self = Journal() }
}
