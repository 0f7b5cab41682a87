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
    /// Pages that turns took since the rows were begun to be written.
    private var pages = 0
    /// What the sessions take that have become unwritten since then, in bytes.
    private var weightBytes = 0
    private var moving: Moving?

    private struct Moving {
        /// The sessions whose rows are still to be written, the next one last.
        var sessions: [Identifier]
        /// The last page that is done with then.
        let lastPage: Int
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
        moving = Moving(sessions: sessions.map(\.id), lastPage: places.last)
        (pages, weightBytes) = (0, 0)
    }

    /// Leaves rows as they are until it is begun again.
    mutating func stopMoving() { moving = nil }

    /// What the commit of a turn is to write: more sessions than become unwritten by it.
    func step(with changes: [Identifier: Store.Change]) -> Step {
        guard let moving else { return Step() }
        let newCount = changes.keys.count { unwritten[$0] == nil }
        let sessions = moving.sessions.suffix(Limits.movedSessionsPerTurn + newCount)
        let isLast = sessions.count == moving.sessions.count
        return Step(sessions: sessions, endsWith: isLast ? moving.lastPage : nil)
    }

    /// A step is on the disk.
    private mutating func moved(_ step: Step) {
        for id in step.sessions { unwritten[id] = nil }
        moving?.sessions.removeLast(step.sessions.count)
        guard let last = step.endsWith else { return }
        moving = nil
        places.free(upTo: last)
    }

    /// A turn is on the disk, in so many pages, with what it was a step of.
    mutating func append(_ changes: [Identifier: Store.Change], pages count: Int, with step: Step = Step()) {
        // Its pages were chosen before those were free that the step is done with.
        places.take(count)
        pages += count
        moved(step)
        guard !changes.isEmpty else { return }
        for (id, change) in changes { add(change, to: id) }
        if isLong { beginMoving() }
    }

    /// Whether the rows are worth to be written: of few sessions that is soon done, and then fewer pages are in use.
    private var isLong: Bool {
        weightBytes > Limits.unwrittenBytesMax || pages > Limits.journalPagesMax
            || pages > Limits.journalPagesFew && pages > Limits.journalPagesPerSession * unwritten.count
    }

    /// The file has these pages, in the order of their numbers; what is in those in use was not done yet.
    mutating func resume(places: JournalPlaces) {
        self.places = places
        pages = places.usedCount
    }

    /// An entry was found on the disk after a start.
    mutating func resume(_ change: Store.Change, of id: Identifier) { add(change, to: id) }

    /// What was done to a session can't be known.
    mutating func forget(_ id: Identifier) { unwritten[id] = nil }

    /// More was done to a session, or the first thing, which is the journal's own from now on.
    private mutating func add(_ change: Store.Change, to id: Identifier) {
        if let earlier = unwritten[id] {
            earlier.become(change.after, change.state, isReplaced: change.isReplaced)
        } else {
            weightBytes += (change.after ?? change.before)?.weightBytes ?? 0
            unwritten[id] = change
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

/// Which pages of the journal are in use, and which are to be written over next.
struct JournalPlaces: Equatable {
    /// The pages in use, in the order of their numbers, which end with `last`.
    private var used: [Int] = []
    /// Those to be written over, the next one last.
    private var free: [Int] = []
    /// Pages that there are.
    private var count = 0
    /// The number of the last one that was written.
    private(set) var last = 0

    /// A journal of the pages that the file has, in the order of their numbers.
    init(_ pages: [(page: Int, number: Int, isUsed: Bool)] = []) {
        for (page, number, isUsed) in pages {
            if isUsed { used.append(page) } else { free.append(page) }
            count = max(count, page)
            last = number
        }
        free.sort(by: >)
    }

    /// Pages in use.
    var usedCount: Int { used.count }

    /// Where the page is to go that is the next one but `index`.
    func next(_ index: Int) -> Int {
        index < free.count ? free[free.count - 1 - index] : count + 1 + index - free.count
    }

    /// So many pages were written.
    mutating func take(_ taken: Int) {
        for index in 0..<taken { used.append(next(index)) }
        count += max(0, taken - free.count)
        free.removeLast(min(taken, free.count))
        last += taken
    }

    /// The pages up to a number are not needed any more: the first ones come first again.
    mutating func free(upTo number: Int) {
        let done = used.count - (last - number)
        guard done > 0 else { return }
        free += used[..<done]
        used.removeFirst(done)
        free.sort(by: >)
    }
}
