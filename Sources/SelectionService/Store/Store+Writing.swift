import SQLite
import Shared

// What a turn has changed becomes one transaction; of each session only the difference is written.

extension Store {
    /// What a turn did to one session.
    struct Change {
        /// The session before the turn; nil if there was none.
        let before: Kept?
        /// The session after the turn; nil if it was deleted.
        var after: Kept?
        /// Whether it is another session under the same id, which shares nothing with the one before.
        var isReplaced = false
        /// The row of a damaged session, whose bytes are to be kept aside.
        var damaged: Int?
    }

    /// What a turn did to all.
    struct Transaction {
        var revision: Int
        var changes: [Identifier: Change] = [:]
        /// What is known of catalogs now.
        var catalogs: [Identifier: (columns: Int?, settled: Int)] = [:]
        /// Catalogs that have no sessions any more, and no place in the store.
        var forgottenCatalogs: Set<Identifier> = []

        var isEmpty: Bool { changes.isEmpty && catalogs.isEmpty && forgottenCatalogs.isEmpty }
    }

    /// Writes what a turn has done: all of it or, if it throws, nothing.
    ///
    /// Returns the sessions as they are kept now.
    ///
    /// - Throws: `SQLiteError`.
    func commit(_ turn: Transaction, nowMs: Int) throws(SQLiteError) -> [Identifier: Kept] {
        try database.transaction { () throws(SQLiteError) in
            var kept: [Identifier: Kept] = [:]
            for (id, change) in turn.changes {
                if let number = change.damaged { try keepAside(number, id, nowMs: nowMs) }
                let isOther = change.isReplaced || change.after == nil
                if isOther, let before = change.before { try remove(before) }
                guard let after = change.after else { continue }
                kept[id] = try write(after, over: isOther ? nil : change.before)
            }
            for (id, catalog) in turn.catalogs {
                try statements.putCatalog.run(id.text, catalog.columns, catalog.settled)
            }
            for id in turn.forgottenCatalogs { try statements.deleteCatalog.run(id.text) }
            try statements.setRevision.run(turn.revision)
            return kept
        }
    }

    // MARK: One session

    private func write(_ kept: Kept, over before: Kept?) throws(SQLiteError) -> Kept {
        let session = kept.session
        let state = session.state
        let record = SessionRecord(
            state: state, position: session.history.position, nextPosition: session.history.nextPosition
        ).bytes
        var kept = kept
        let number: Int
        if let row = before?.number {
            number = row
            try statements.update.run(
                row, state.revision, kept.updatedMs, session.seen, record, Digest.of(record))
        } else {
            guard let catalog = state.catalog else { preconditionFailure("a session without a catalog") }
            try statements.insert.run(
                state.session.text, catalog.text, state.revision, kept.updatedMs, session.seen, record,
                Digest.of(record))
            number = database.lastInsertedRow
        }
        kept.number = number
        try writePlaces(session, over: before?.session, number)
        return kept
    }

    /// A position is never used twice; but a place that was left may have been come back to, changed and left
    /// again.
    private func writePlaces(
        _ session: Session, over before: Session?, _ number: Int
    ) throws(SQLiteError) {
        var old: [Int: History.Entry] = [:]
        for entry in before?.history.others ?? [] { old[entry.position] = entry }
        var same: Set<Int> = []
        for entry in session.history.others {
            if old.removeValue(forKey: entry.position) === entry {
                same.insert(entry.position)
                continue
            }
            let bytes = entry.place.bytes
            try statements.putPlace.run(number, entry.position, bytes, Digest.of(bytes))
        }
        for position in old.keys { try statements.deletePlace.run(number, position) }
        // The index: of places that were left before and still are, nothing has changed.
        let was = before?.held(except: same) ?? [:]
        let now = session.held(except: same)
        guard let catalog = session.state.catalog else { return }
        for (position, things) in now {
            for thing in things.subtracting(was[position] ?? []) {
                try statements.hold.run(Digest.of(thing, in: catalog), number, position)
            }
        }
        for (position, things) in was {
            for thing in things.subtracting(now[position] ?? []) {
                try statements.letGo.run(Digest.of(thing, in: catalog), number, position)
            }
        }
    }

    private func remove(_ kept: Kept) throws(SQLiteError) {
        guard let number = kept.number, let catalog = kept.session.state.catalog else { return }
        for (position, things) in kept.session.held(except: []) {
            for thing in things {
                try statements.letGo.run(Digest.of(thing, in: catalog), number, position)
            }
        }
        try statements.deletePlaces.run(number)
        try statements.delete.run(number)
        // What was kept of a damaged session goes with it, when a person or time ends the session.
        try statements.dropKept.run(kept.session.state.session.text)
    }

    /// Moves a damaged session's bytes aside; what it held stays in the index, where nothing is found any
    /// more.
    private func keepAside(_ number: Int, _ id: Identifier, nowMs: Int) throws(SQLiteError) {
        try statements.keepRecord.run(number, nowMs)
        try statements.keepPlaces.run(number, id.text, nowMs)
        try statements.deletePlaces.run(number)
        try statements.delete.run(number)
    }
}

extension Session {
    /// The position under which the index has what is unfolded.
    private static let expandedPosition = -1

    /// The things that each place holds, by position, and what is unfolded; places at `positions` are left
    /// out.
    fileprivate func held(except positions: Set<Int>) -> [Int: Set<Thing>] {
        var held = [
            Self.expandedPosition: Set(state.expanded.map(Thing.category)),
            history.position: Set(place.things),
        ]
        for entry in history.others where !positions.contains(entry.position) {
            held[entry.position] = Set(entry.place.things)
        }
        return held
    }
}
