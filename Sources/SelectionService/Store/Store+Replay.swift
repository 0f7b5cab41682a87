import JSON
import SQLite
import Shared

// What a start makes of the journal that a process has left which did not end in order.

extension Store {
    /// What the heads of the pages and the counter say.
    private struct Heads {
        /// The pages in use, in their order, by their rows.
        var used: [Int] = []
        /// Pages whose heads are damaged.
        var damaged: [Int] = []
        var places = JournalPlaces()
        var revision = 0
        /// Whether nothing is damaged, or missing.
        var isSound = true
    }

    /// Takes up what is in the journal: has the sessions in memory, from where their rows are written as at any time.
    ///
    /// The rows of a session may be ahead of some entries; then doing again what these did ends where the rows are. Nothing is
    /// written unless something is damaged, or an earlier version has left something: a service must start also when there is
    /// no room.
    ///
    /// - Throws: `SQLiteError`.
    func replay() throws(SQLiteError) {
        let heads = try readHeads()
        revision = heads.revision
        journal.resume(places: heads.places)
        let isNew = try database.prepare("SELECT 1 FROM journal LIMIT 1").first { _ in false } ?? true
        if isNew, heads.isSound, try takeUp(heads) { return }
        journal = Journal()
        try database.transaction { () throws(SQLiteError) in try mend(heads) }
        journal = Journal()
    }

    private func readHeads() throws(SQLiteError) -> Heads {
        var heads = Heads()
        var pages: [(page: Int, head: JournalPage.Head, size: Int)] = []
        let all = try database.prepare(
            "SELECT page, substr(entries, 1, ?1), length(entries) FROM journalPages")
        try all.rows(
            JournalPage.headBytes,
            each: { row in
                if let head = JournalPage.Head(row.bytes(1)) {
                    pages.append((row.int(0), head, JournalPage.size(bytes: row.int(2))))
                } else {
                    heads.damaged.append(row.int(0))
                }
            })
        pages.sort { $0.head.number < $1.head.number }
        // If it can't be known which pages are done with, all are read: entries that the rows are ahead of do no harm.
        let counter = try readCounter()
        let (revision, done) = counter ?? (0, 0)
        heads.revision = pages.reduce(revision) { max($0, $1.head.revision) }
        let numbers = pages.map(\.head.number).filter { $0 > done }
        let isComplete =
            numbers.elementsEqual(done + 1..<done + 1 + numbers.count)
            && pages.last?.head.number ?? 0 >= done
        heads.isSound = counter != nil && heads.damaged.isEmpty && isComplete
        heads.places = JournalPlaces(pages.map { ($0.page, $0.head.number, $0.size, $0.head.number > done) })
        heads.used = pages.filter { $0.head.number > done }.map(\.page)
        // A page whose head is damaged stands where the revisions of its entries do, and is in use if those behind it are.
        for page in heads.damaged {
            let revision = try read(page).reduce(0) { most, found in
                if case .entry(_, let bytes) = found { max(most, revisionOf(bytes)) } else { most }
            }
            let next = pages.first { $0.head.revision >= revision }
            if let next, next.head.number <= done { continue }
            let place = next.flatMap { next in heads.used.firstIndex(of: next.page) }
            heads.used.insert(page, at: place ?? heads.used.endIndex)
        }
        return heads
    }

    /// The number of the last change when rows were written, and of the last page that was done with; nil if they are damaged.
    private func readCounter() throws(SQLiteError) -> (revision: Int, done: Int)? {
        var counter: (revision: Int, done: Int)?
        try database.prepare("SELECT revision, done, sum FROM counter").rows(each: { row in
            let (revision, done) = (row.int(0), row.int(1))
            let isSound = row.isNull(2) ? done == 0 : row.int(2) == Digest.ofWords(revision, done)
            if isSound { counter = (revision, done) }
        })
        return counter
    }

    private func bytes(of page: Int) throws(SQLiteError) -> [UInt8] {
        try statements.page.first(page) { $0.bytes(0) } ?? []
    }

    private func read(_ page: Int) throws(SQLiteError) -> [JournalPage.Found] {
        JournalPage.read(try bytes(of: page), parser: parser)
    }

    private func revisionOf(_ entry: [UInt8]) -> Int {
        guard let entry = try? parser.parse(entry).root else { return 0 }
        return (entry["state"]?["revision"] ?? entry["revision"])?.int ?? 0
    }

    // MARK: Where all is sound

    /// False as soon as an entry can't be read.
    private func takeUp(_ heads: Heads) throws(SQLiteError) -> Bool {
        for page in heads.used {
            for found in try read(page) {
                guard case .entry(let id, let bytes) = found, try takeUp(id, bytes) else { return false }
            }
        }
        return true
    }

    /// What is being made good.
    private struct Mending {
        /// Sessions whose last entry so far can't be read.
        var lost: Set<Identifier> = []
        let nowMs = Clock.unixTime().seconds * 1_000
    }

    /// Does again what an entry says was done to a session; false if that can't be read, or unless something is being made
    /// good if the rows of the session can't.
    private func takeUp(
        _ id: Identifier, _ bytes: [UInt8], _ mending: Mending? = nil
    ) throws(SQLiteError) -> Bool {
        guard let entry = try? parser.parse(bytes).root else { return false }
        let state = entry["state"].flatMap(SessionState.readBriefly)
        let isDeleted = entry["deleted"]?.string == id.text
        guard isDeleted || state?.session == id else { return false }
        var before: Kept?
        switch try find(id) {
        case .nothing: break
        case .session(let kept): before = kept
        case .damaged(let number, _):
            guard let mending else { return false }
            // The journal knows where it is, if not where it was before.
            try keepAside(number, id, nowMs: mending.nowMs)
            hasLostEntries = true
        }
        // Earlier versions did not write when a session was deleted.
        let entryRevision = state?.revision ?? entry["revision"]?.int
        revision = max(revision, entryRevision ?? 0)
        if let before, let entryRevision, entryRevision < before.session.state.revision { return true }
        guard let state else {
            journal.resume(Change(id, before: before))
            return true
        }
        // What was there before an entry that is lost is not what the next one was added to; and one of another catalog is
        // another session, also if the entry is lost that made it.
        let isReplaced =
            entry["isOther"]?.bool ?? false || mending?.lost.contains(id) ?? false
            || before?.session.state.catalog != state.catalog
        guard let session = session(entry, state, over: isReplaced ? nil : before),
            let updatedMs = entry["updated"]?.int
        else { return false }
        let after = Kept(session: session, updatedMs: updatedMs)
        journal.resume(Change(id, before: before, after: after, isReplaced: isReplaced))
        return true
    }

    private func session(_ entry: JSONValue, _ state: SessionState, over before: Kept?) -> Session? {
        guard let nextPosition = entry["nextPosition"]?.int, let seen = entry["seen"]?.int,
            let added = entry["added"].map(History.Entry.entries) ?? []
        else { return nil }
        let position = entry["position"]?.int ?? nextPosition - 1
        var places: [Int: History.Entry] = [:]
        for place in before?.session.history.others ?? [] { places[place.position] = place }
        for place in entry["lost"]?.elements.map({ $0 }) ?? [] { places[place.int ?? -1] = nil }
        // If the rows are ahead they have it already.
        if let left = entry["left"]?.int, let before = before?.session, before.history.position == left {
            places[left] = History.Entry(position: left, place: before.place)
        }
        for place in added { places[place.position] = place }
        let history = History(
            position: position, nextPosition: nextPosition,
            entries: places.values.sorted { $0.position < $1.position })
        return Session(kept: state, history: history, seen: seen)
    }

    // MARK: Where something is not

    /// Keeps aside what is damaged, has the rows tell all the rest, and begins the journal anew.
    ///
    /// A session whose last entry can't be read begins anew, as one whose record can't be read.
    private func mend(_ heads: Heads) throws(SQLiteError) {
        var mending = Mending()
        hasUnknownLosses = !heads.isSound
        revision = max(revision, try revisionOfRows())
        try takeUpFormer(&mending)
        for page in heads.damaged { try statements.keep.run("", mending.nowMs, bytes(of: page)) }
        for page in heads.used { for found in try read(page) { try takeUp(found, &mending) } }
        for id in mending.lost {
            journal.forget(id)
            if let number = try statements.row.first(id.text, read: { $0.int(0) }) {
                try keepAside(number, id, nowMs: mending.nowMs)
            }
        }
        // What nobody can read may have had revisions that nobody else has, and that must not come again.
        if !heads.isSound { revision += Limits.revisionsSkipped }
        var written: [(Kept, number: Int)] = []
        try moveAll(&written)
        try database.execute("DELETE FROM journal; DELETE FROM journalPages")
    }

    private func takeUp(_ found: JournalPage.Found, _ mending: inout Mending) throws(SQLiteError) {
        switch found {
        case .entry(let id, let bytes):
            if try takeUp(id, bytes, mending) {
                mending.lost.remove(id)
            } else {
                try lose(id, bytes, &mending)
            }
        case .damaged(let id, let bytes): try lose(id, bytes, &mending)
        }
    }

    private func lose(_ id: Identifier?, _ bytes: [UInt8], _ mending: inout Mending) throws(SQLiteError) {
        if let id {
            hasLostEntries = true
            mending.lost.insert(id)
        } else {
            hasUnknownLosses = true
        }
        try statements.keep.run(id?.text ?? "", mending.nowMs, bytes)
    }

    /// Takes up what earlier versions have left, which had a row for each entry.
    private func takeUpFormer(_ mending: inout Mending) throws(SQLiteError) {
        let former = try database.prepare("SELECT session, entry, sum FROM journal ORDER BY number")
        try former.rows(each: { (row) throws(SQLiteError) in
            let (id, bytes) = (Identifier(row.text(0)), row.bytes(1))
            let isSound = Digest.ofWords(bytes) == row.int(2)
            try takeUp(isSound ? .entry(id, bytes) : .damaged(id, bytes), &mending)
        })
    }

    /// The highest revision of a session whose row is sound: what the counter says may be damaged.
    private func revisionOfRows() throws(SQLiteError) -> Int {
        var revision = 0
        let rows = try database.prepare("SELECT record, sum FROM sessions")
        try rows.rows(each: { row in
            let bytes = row.bytes(0)
            guard Digest.of(bytes) == row.int(1), let record = SessionRecord(bytes, parser: parser) else {
                return
            }
            revision = max(revision, record.state.revision)
        })
        return revision
    }
}
