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
        /// The state after the turn as JSON, if somebody has written it already.
        var state: [UInt8]?

        /// The turn has done one more thing to the session.
        mutating func become(_ after: Kept?, _ state: [UInt8]?, isReplaced: Bool) {
            self.isReplaced = self.isReplaced || isReplaced
            (self.after, self.state) = (after, state)
        }
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
    /// New sessions have the numbers of their rows then.
    ///
    /// - Throws: `SQLiteError`.
    func commit(_ turn: Transaction, nowMs: Int) throws(SQLiteError) {
        try database.transaction { () throws(SQLiteError) in
            for (id, change) in turn.changes {
                if let number = change.damaged { try keepAside(number, id, nowMs: nowMs) }
                let isOther = change.isReplaced || change.after == nil
                if isOther, let before = change.before { try remove(before) }
                guard let after = change.after else { continue }
                try write(after, change.state, over: isOther ? nil : change.before)
            }
            for (id, catalog) in turn.catalogs {
                try statements.putCatalog.run(id.text, catalog.columns, catalog.settled)
            }
            for id in turn.forgottenCatalogs { try statements.deleteCatalog.run(id.text) }
            try statements.setRevision.run(turn.revision)
        }
    }

    // MARK: One session

    private func write(_ kept: Kept, _ written: [UInt8]?, over before: Kept?) throws(SQLiteError) {
        let session = kept.session
        let state = session.state
        let record = SessionRecord(
            state: state, position: session.history.position, nextPosition: session.history.nextPosition
        ).bytes(written)
        let hour = kept.updatedMs / Self.hourMs
        let number: Int
        if let before, let row = before.number {
            number = row
            try statements.update.run(
                row, state.revision, kept.updatedMs, session.seen, record, Digest.of(record))
            if before.updatedMs / Self.hourMs != hour { try statements.updateHour.run(row, hour) }
        } else {
            guard let catalog = state.catalog else { preconditionFailure("a session without a catalog") }
            try statements.insert.run(
                state.session.text, catalog.text, state.revision, kept.updatedMs, session.seen, record,
                Digest.of(record), hour)
            number = database.lastInsertedRow
        }
        kept.number = number
        let difference = session.history.difference(from: before?.session.history)
        try writePlaces(difference, number)
        try writeIndex(session, over: before?.session, difference, number)
    }

    /// A position is never used twice; but a place that was left may have been come back to, changed and left
    /// again.
    private func writePlaces(_ difference: History.Difference, _ number: Int) throws(SQLiteError) {
        for entry in difference.added {
            let bytes = entry.place.bytes
            try statements.putPlace.run(number, entry.position, bytes, Digest.of(bytes))
        }
        guard !difference.lost.isEmpty else { return }
        let again = Set(difference.added.map(\.position))
        for entry in difference.lost where !again.contains(entry.position) {
            try statements.deletePlace.run(number, entry.position)
        }
    }

    /// Writes what the session names now and did not before, and the other way round.
    ///
    /// Places that were left before, and still are, need not be looked at but to find out whether what came or went
    /// somewhere else is there as well.
    private func writeIndex(
        _ session: Session, over before: Session?, _ difference: History.Difference, _ number: Int
    ) throws(SQLiteError) {
        guard let catalog = session.state.catalog else { return }
        var new = session.place.things
        var old = before?.place.things ?? []
        for entry in difference.added { new += entry.place.things }
        for entry in difference.lost { old += entry.place.things }
        if before?.state.expanded ?? [] != session.state.expanded {
            new += session.state.expanded.map(Thing.category)
            old += before?.state.expanded.map(Thing.category) ?? []
        }
        var now: [Int] = []
        var was: [Int] = []
        if new.count + old.count > Self.thingsSearchedMax {
            let (all, allBefore) = (session.digests, before?.digests ?? [])
            now = Array(all.subtracting(allBefore))
            was = Array(allBefore.subtracting(all))
        } else {
            now = new.filter { !old.contains($0) }.map { Digest.of($0, in: catalog) }
            was = old.filter { !new.contains($0) }.map { Digest.of($0, in: catalog) }
            now.removeAll { before?.names($0) ?? false }
            was.removeAll { session.names($0) }
        }
        for thing in now { try statements.hold.run(thing, number) }
        for thing in was { try statements.letGo.run(thing, number) }
    }

    /// Things that are searched for one by one; for more a set of all is made.
    private static let thingsSearchedMax = 16

    private func remove(_ kept: Kept) throws(SQLiteError) {
        guard let number = kept.number else { return }
        for thing in kept.session.digests { try statements.letGo.run(thing, number) }
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
    /// What stands in the index for what is unfolded.
    fileprivate var expandedDigests: [Int] {
        guard let catalog = state.catalog else { return [] }
        return state.expanded.map { Digest.of(.category($0), in: catalog) }
    }

    /// What stands in the index for all that it names.
    fileprivate var digests: Set<Int> {
        guard let catalog = state.catalog else { return [] }
        var digests = Set(place.digests(in: catalog))
        digests.formUnion(expandedDigests)
        for entry in history.back { digests.formUnion(entry.digests(in: catalog)) }
        for entry in history.forward { digests.formUnion(entry.digests(in: catalog)) }
        return digests
    }

    /// Whether it names what has this digest; what it was near of late is found first.
    fileprivate func names(_ digest: Int) -> Bool {
        guard let catalog = state.catalog else { return false }
        return history.back.reversed().contains { $0.digests(in: catalog).contains(digest) }
            || history.forward.reversed().contains { $0.digests(in: catalog).contains(digest) }
            || place.digests(in: catalog).contains(digest) || expandedDigests.contains(digest)
    }
}
