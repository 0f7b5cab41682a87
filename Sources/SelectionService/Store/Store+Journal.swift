import JSON
import SQLite
import Shared

// An entry of the journal: a JSON object for a session that a turn has changed, without what is false or empty.
//
//     {"deleted":"s"}
//     {"state":{...},"position":3,"nextPosition":4,"seen":7,"updated":1700000000000,"isOther":true,
//      "lost":[0],"added":[{"position":2,"place":{...}}]}

extension Store {
    /// Writes what a turn did to a session, as the journal keeps it.
    func writeEntry(_ id: Identifier, _ change: Change, to json: inout JSONWriter) {
        json.object { json in
            guard let after = change.after else { return json.member("deleted", id.text) }
            write(after, change, to: &json)
        }
    }

    private func write(_ kept: Kept, _ change: Change, to json: inout JSONWriter) {
        let history = kept.session.history
        let before = change.isReplaced ? nil : change.before
        let difference = history.difference(from: before?.session.history)
        json.key("state")
        if let state = change.state {
            json.value(written: state)
        } else {
            kept.session.state.write(to: &json)
        }
        json.member("position", history.position)
        json.member("nextPosition", history.nextPosition)
        json.member("seen", kept.session.seen)
        json.member("updated", kept.updatedMs)
        if change.isReplaced { json.member("isOther", true) }
        if !difference.lost.isEmpty {
            json.array("lost") { json in for entry in difference.lost { json.value(entry.position) } }
        }
        guard !difference.added.isEmpty else { return }
        json.key("added")
        History.Entry.write(difference.added, to: &json)
    }

    // MARK: After a start

    /// What is found of an entry in the journal.
    private struct StoredEntry {
        /// Its session; nil if that can't be read.
        let session: Identifier?
        let bytes: [UInt8]
        let isSound: Bool
    }

    /// Takes up what a process left in the journal that did not end in order.
    ///
    /// The rows of a session may be ahead of some entries; then doing again what these did ends where the rows are. Nothing is
    /// written unless something is damaged, or an earlier version has left something: a service must start also when there is
    /// no room.
    ///
    /// - Throws: `SQLiteError`.
    func replay() throws(SQLiteError) {
        var pages: [(page: Int, number: Int, isUsed: Bool)] = []
        let numbers = try database.prepare(
            "SELECT page, number, number > done FROM journalPages, counter ORDER BY number")
        try numbers.rows(each: { row in pages.append((row.int(0), row.int(1), row.int(2) != 0)) })
        journal.resume(places: JournalPlaces(pages))
        let former = try formerEntries()
        let entries = former + (try storedEntries())
        if former.isEmpty, try resume(entries) { return }
        journal.clear()
        let revision = try revision()
        try database.transaction { () throws(SQLiteError) in try mend(entries, revision) }
        journal.clear()
    }

    /// What earlier versions have left, which had a row for each entry.
    private func formerEntries() throws(SQLiteError) -> [StoredEntry] {
        var entries: [StoredEntry] = []
        let former = try database.prepare("SELECT session, entry, sum FROM journal ORDER BY number")
        try former.rows(each: { row in
            let bytes = row.bytes(1)
            entries.append(
                StoredEntry(
                    session: Identifier(row.text(0)), bytes: bytes,
                    isSound: Digest.ofWords(bytes) == row.int(2)))
        })
        return entries
    }

    private func storedEntries() throws(SQLiteError) -> [StoredEntry] {
        var entries: [StoredEntry] = []
        let pages = try database.prepare(
            "SELECT entries FROM journalPages WHERE number > (SELECT done FROM counter) ORDER BY number")
        try pages.rows(each: { row in
            for found in JournalPage.read(row.bytes(0)) {
                switch found {
                case .entry(let id, let bytes):
                    entries.append(StoredEntry(session: id, bytes: bytes, isSound: true))
                case .damaged(let id, let bytes):
                    entries.append(StoredEntry(session: id, bytes: bytes, isSound: false))
                }
            }
        })
        return entries
    }

    /// Has the sessions of all entries in memory, from where their rows are written as at any time; tells whether all of them
    /// could be read.
    private func resume(_ entries: [StoredEntry]) throws(SQLiteError) -> Bool {
        for entry in entries {
            guard let id = entry.session, let change = try change(of: id, entry, mends: false) else {
                return false
            }
            journal.resume(change, of: id)
        }
        return true
    }

    /// Keeps aside what is damaged, and has the rows tell all the rest.
    ///
    /// A session whose last entry can't be read begins anew, as one whose record can't be read.
    private func mend(_ entries: [StoredEntry], _ revision: Int) throws(SQLiteError) {
        let nowMs = Clock.unixTime().seconds * 1_000
        var lost: Set<Identifier> = []
        for entry in entries {
            if let id = entry.session, let change = try change(of: id, entry, mends: true) {
                lost.remove(id)
                journal.resume(change, of: id)
            } else {
                hasLostEntries = true
                if let id = entry.session { lost.insert(id) }
                try statements.keep.run(entry.session?.text ?? "", nowMs, entry.bytes)
            }
        }
        for id in lost {
            journal.forget(id)
            if let number = try statements.row.first(id.text, read: { $0.int(0) }) {
                try keepAside(number, id, nowMs: nowMs)
            }
        }
        var written: [(Kept, number: Int)] = []
        try moveAll(&written, revision)
        try database.execute("DELETE FROM journal")
    }

    /// What an entry says was done; nil if that can't be read, or unless it `mends` if the rows of its session can't.
    private func change(
        of id: Identifier, _ stored: StoredEntry, mends: Bool
    ) throws(SQLiteError) -> Change? {
        guard stored.isSound, let entry = try? parser.parse(stored.bytes).root else { return nil }
        var before: Kept?
        switch try find(id) {
        case .nothing: break
        case .session(let kept): before = kept
        case .damaged(let number, _):
            guard mends else { return nil }
            // The journal knows where it is, if not where it was before.
            try keepAside(number, id, nowMs: Clock.unixTime().seconds * 1_000)
        }
        if entry["deleted"]?.string == id.text { return Change(before: before) }
        guard let state = entry["state"].flatMap(SessionState.init), state.session == id else { return nil }
        // One of another catalog is another session, also if the entry is lost that made it.
        let isReplaced = entry["isOther"]?.bool ?? false || before?.session.state.catalog != state.catalog
        guard let after = kept(entry, state, over: isReplaced ? nil : before) else { return nil }
        return Change(before: before, after: after, isReplaced: isReplaced)
    }

    private func kept(_ entry: JSONValue, _ state: SessionState, over before: Kept?) -> Kept? {
        guard let position = entry["position"]?.int, let nextPosition = entry["nextPosition"]?.int,
            let seen = entry["seen"]?.int, let updatedMs = entry["updated"]?.int,
            let added = entry["added"].map(History.Entry.entries) ?? []
        else { return nil }
        var places: [Int: History.Entry] = [:]
        for place in before?.session.history.others ?? [] { places[place.position] = place }
        for place in entry["lost"]?.elements.map({ $0 }) ?? [] { places[place.int ?? -1] = nil }
        for place in added { places[place.position] = place }
        let history = History(
            position: position, nextPosition: nextPosition,
            entries: places.values.sorted { $0.position < $1.position })
        return Kept(session: Session(state: state, history: history, seen: seen), updatedMs: updatedMs)
    }
}

// What the indexes don't tell of sessions that are in the journal.

extension Store {
    /// The sessions of a catalog whose rows are not written.
    func unwrittenSessions(of catalog: Identifier) -> [Identifier] {
        journal.unwritten.compactMap { id, change in
            change.after?.session.state.catalog == catalog ? id : nil
        }
    }

    /// Whether a session holds one of some things that its rows don't name, by their digests; nil stands for all things.
    func isConcerned(_ id: Identifier, by things: Set<Int>?) -> Bool {
        guard let things else { return true }
        // What is written meanwhile is found by the index, which is asked later.
        guard let change = journal.unwritten[id], let session = change.after?.session,
            let catalog = session.state.catalog
        else { return false }
        let before = change.isReplaced ? nil : change.before
        return session.place.digests(in: catalog).contains(where: things.contains)
            || session.state.expanded.contains { things.contains(Digest.of(.category($0), in: catalog)) }
            || session.history.difference(from: before?.session.history).added.contains { entry in
                entry.digests(in: catalog).contains(where: things.contains)
            }
    }
}
