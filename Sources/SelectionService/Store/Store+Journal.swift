import JSON
import SQLite
import Shared

// A turn in the journal: a JSON array with an object for each session that it changed, without what is false or empty.
//
//     {"deleted":"s"}
//     {"state":{...},"position":3,"nextPosition":4,"seen":7,"updated":1700000000000,"isOther":true,
//      "lost":[0],"added":[{"position":2,"place":{...}}]}

extension Store {
    /// What a turn did to sessions, as the journal keeps it.
    func journalEntries(_ changes: [Identifier: Change]) -> [UInt8] {
        var json = JSONWriter(capacity: 1_024 * changes.count)
        json.array { json in
            for (id, change) in changes {
                json.object { json in
                    guard let after = change.after else { return json.member("deleted", id.text) }
                    write(after, change, to: &json)
                }
            }
        }
        return json.bytes
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

    /// A turn as it lies in the journal.
    private struct StoredTurn {
        let number: Int
        let entries: [UInt8]
        let sum: Int
    }

    /// Takes up what a process left in the journal that did not end in order.
    ///
    /// The rows of a session may be ahead of some turns; then doing again what these did ends where the rows are. Nothing is
    /// written unless something is damaged: a service must start also when there is no room.
    ///
    /// - Throws: `SQLiteError`.
    func replay() throws(SQLiteError) {
        var turns: [StoredTurn] = []
        try statements.turns.rows(each: { row in
            turns.append(StoredTurn(number: row.int(0), entries: row.bytes(1), sum: row.int(2)))
        })
        if try resume(turns) { return }
        journal.clear()
        try database.transaction { () throws(SQLiteError) in try mend(turns) }
        journal.clear()
    }

    /// Has the sessions of all turns in memory, from where their rows are written as at any time; tells whether all of them
    /// could be read.
    private func resume(_ turns: [StoredTurn]) throws(SQLiteError) -> Bool {
        for turn in turns {
            guard let changes = try changes(of: turn, mends: false) else { return false }
            journal.resume(changes, turn: turn.number, bytes: turn.entries.count)
        }
        return true
    }

    /// Keeps aside what is damaged, and has the rows tell all the rest.
    private func mend(_ turns: [StoredTurn]) throws(SQLiteError) {
        for turn in turns {
            if let changes = try changes(of: turn, mends: true) {
                journal.resume(changes, turn: turn.number, bytes: turn.entries.count)
            } else {
                // Whose it was can't be told any more: these sessions are as they were before it, or as a later turn says.
                hasLostTurns = true
                try statements.keepTurn.run(
                    turn.number, Self.damagedTurns, Clock.unixTime().seconds * 1_000)
            }
        }
        var written: [(Kept, number: Int)] = []
        try moveAll(&written)
    }

    /// Under what name damaged turns are kept; no session has it.
    static let damagedTurns = ""

    /// What a turn did; nil if that can't be read, or unless it `mends` if a row of its sessions can't.
    private func changes(of turn: StoredTurn, mends: Bool) throws(SQLiteError) -> [(Identifier, Change)]? {
        guard Digest.ofWords(turn.entries) == turn.sum, let root = try? parser.parse(turn.entries).root,
            root.kind == .array
        else { return nil }
        var changes: [(Identifier, Change)] = []
        for entry in root.elements {
            let state = entry["state"].flatMap(SessionState.init)
            guard let id = state?.session ?? entry["deleted"]?.string.map({ Identifier($0) }) else {
                return nil
            }
            var before: Kept?
            switch try find(id) {
            case .nothing: break
            case .session(let kept): before = kept
            case .damaged(let number, _):
                guard mends else { return nil }
                // The journal knows where it is, if not where it was before.
                try keepAside(number, id, nowMs: Clock.unixTime().seconds * 1_000)
            }
            guard let state else {
                changes.append((id, Change(before: before)))
                continue
            }
            // One of another catalog is another session, also if the turn is lost that made it.
            let isReplaced =
                entry["isOther"]?.bool ?? false || before?.session.state.catalog != state.catalog
            guard let after = kept(entry, state, over: isReplaced ? nil : before) else { return nil }
            changes.append((id, Change(before: before, after: after, isReplaced: isReplaced)))
        }
        return changes
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
