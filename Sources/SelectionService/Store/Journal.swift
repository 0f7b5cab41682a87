import JSON
import Shared

// What an event changes lies in many pages of the file: the session's row, a place, an index. So a turn only fills pages of
// the journal; the rows of its sessions are written when it has got long, each once for all that was done to it.

/// The sessions whose rows are older than what the journal says.
struct Journal {
    /// What was done to each of them since its rows were written.
    private(set) var unwritten: [Identifier: Store.Change] = [:]
    /// Where its pages are.
    private(set) var places = JournalPlaces()
    /// What these sessions take, in bytes.
    private(set) var weightBytes = 0
    private var moving: Moving?

    private struct Moving {
        /// The sessions whose rows are still to be written, the next one last.
        var sessions: [Identifier]
        /// The last page that is done with then.
        let lastPage: Int
        /// How many sessions there were at first.
        let count: Int
    }

    /// What the next commit writes.
    struct Step {
        var sessions: ArraySlice<Identifier> = []
        /// The pages up to this one are done with; nil as long as rows are to be written.
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
        moving = Moving(sessions: sessions.map(\.id), lastPage: places.last, count: sessions.count)
    }

    /// Leaves rows as they are until it is begun again.
    mutating func stopMoving() { moving = nil }

    /// What the commit of a turn is to write that fills so much: more sessions than become unwritten by it, and such a part
    /// of all that no more comes in meanwhile than may be there when it is begun.
    func step(with changes: [Store.Change], filling size: Int) -> Step {
        guard let moving else { return Step() }
        var (newCount, newBytes) = (0, 0)
        for change in changes {
            let earlier = unwritten[change.id]
            if earlier == nil { newCount += 1 }
            newBytes += max(0, change.weightBytes - (earlier?.weightBytes ?? 0))
        }
        let part = max(
            Limits.movedSessionsPerPage * size,
            Self.part(size, of: Limits.journalPagesMax, moving.count),
            Self.part(newBytes, of: Limits.unwrittenBytesMax, moving.count))
        let sessions = moving.sessions.suffix(Limits.movedSessionsPerTurn + newCount + part)
        let isLast = sessions.count == moving.sessions.count
        return Step(sessions: sessions, endsWith: isLast ? moving.lastPage : nil)
    }

    /// As much of so many sessions as something is of its bound.
    private static func part(_ amount: Int, of most: Int, _ sessions: Int) -> Int {
        (sessions * min(amount, most) + most - 1) / most
    }

    /// A step is on the disk.
    private mutating func moved(_ step: Step) {
        for id in step.sessions { forget(id) }
        moving?.sessions.removeLast(step.sessions.count)
        guard let last = step.endsWith else { return }
        moving = nil
        places.free(upTo: last)
    }

    /// A turn is on the disk, in pages of these sizes, with what it was a step of.
    mutating func append(_ changes: [Store.Change], pages sizes: [Int], with step: Step = Step()) {
        // Its pages were chosen before those were free that the step is done with.
        places.take(sizes)
        moved(step)
        guard !changes.isEmpty else { return }
        for change in changes { add(change) }
        if isLong { beginMoving() }
    }

    /// Whether the rows are worth to be written: of few sessions that is soon done, and then fewer pages are in use.
    private var isLong: Bool {
        let size = places.usedSize
        return weightBytes > Limits.unwrittenBytesMax || size > Limits.journalPagesMax
            || size > Limits.journalPagesFew && size > Limits.journalPagesPerSession * unwritten.count
    }

    /// The file has these pages; what is in those in use was not done yet.
    mutating func resume(places: JournalPlaces) { self.places = places }

    /// An entry was found on the disk after a start.
    mutating func resume(_ change: Store.Change) { add(change) }

    /// What was done to a session is in its rows, or can't be known.
    mutating func forget(_ id: Identifier) {
        weightBytes -= unwritten.removeValue(forKey: id)?.weightBytes ?? 0
    }

    /// More was done to a session, or the first thing, which is the journal's own from now on.
    private mutating func add(_ change: Store.Change) {
        if let earlier = unwritten[change.id] {
            weightBytes -= earlier.weightBytes
            earlier.become(change.after, isReplaced: change.isReplaced)
            weightBytes += earlier.weightBytes
        } else {
            weightBytes += change.weightBytes
            change.forgetTold()
            unwritten[change.id] = change
        }
    }

    /// All rows are written.
    mutating func clear() {
        var places = places
        places.free(upTo: places.last)
        self = Journal()
        self.places = places
    }
}
