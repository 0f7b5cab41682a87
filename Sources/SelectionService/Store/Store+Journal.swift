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

    /// Has the rows of sessions tell what the journal says, which a process left that did not end in order.
    ///
    /// The rows of a session may be ahead of some turns; then doing again what these did ends where the rows are.
    ///
    /// - Throws: `SQLiteError`.
    func replay() throws(SQLiteError) {
        var turns: [(number: Int, entries: [UInt8], sum: Int)] = []
        try statements.turns.rows(each: { row in turns.append((row.int(0), row.bytes(1), row.int(2))) })
        guard !turns.isEmpty else { return }
        try database.transaction { () throws(SQLiteError) in
            for turn in turns {
                guard Digest.ofWords(turn.entries) == turn.sum,
                    let changes = try changes(of: turn.entries)
                else {
                    // Whose it was can't be told any more: these sessions are as they were before it.
                    hasLostTurns = true
                    try statements.keepTurn.run(
                        turn.number, Self.damagedTurns, Clock.unixTime().seconds * 1_000)
                    continue
                }
                for (id, change) in changes { journal.add(change, to: id) }
            }
            var written: [(Kept, number: Int)] = []
            try moveAll(&written)
        }
        journal.clear()
    }

    /// Under what name damaged turns are kept; no session has it.
    static let damagedTurns = ""

    /// What a turn did; nil if that can't be read.
    private func changes(of entries: [UInt8]) throws(SQLiteError) -> [(Identifier, Change)]? {
        guard let root = try? parser.parse(entries).root, root.kind == .array else { return nil }
        var changes: [(Identifier, Change)] = []
        for entry in root.elements {
            if let id = entry["deleted"]?.string {
                let before = try keptForReplay(Identifier(id))
                changes.append((Identifier(id), Change(before: before)))
                continue
            }
            guard let state = entry["state"].flatMap(SessionState.init) else { return nil }
            let isOther = entry["isOther"]?.bool ?? false
            let before = try keptForReplay(state.session)
            guard let after = kept(entry, state, over: isOther ? nil : before) else { return nil }
            changes.append((state.session, Change(before: before, after: after, isReplaced: isOther)))
        }
        return changes
    }

    private func keptForReplay(_ id: Identifier) throws(SQLiteError) -> Kept? {
        switch try find(id) {
        case .nothing: return nil
        case .session(let kept): return kept
        case .damaged(let number, _):
            // The journal knows where it is, if not where it was before.
            try keepAside(number, id, nowMs: Clock.unixTime().seconds * 1_000)
            return nil
        }
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
