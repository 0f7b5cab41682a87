import JSON
import SQLite
import Shared

// What a turn has changed becomes one transaction: pages of the journal. Of each session's rows, when they are written,
// only the difference is.

extension Store {
    /// What a turn did to one session, or several turns whose rows are not written.
    ///
    /// An object, because each is handed on several times.
    final class Change {
        /// The session before the turn; nil if there was none.
        let before: Kept?
        /// The session after the turn; nil if it was deleted.
        var after: Kept?
        /// Whether it is another session under the same id, which shares nothing with the one before.
        private(set) var isReplaced: Bool
        /// The row of a damaged session, whose bytes are to be kept aside.
        let damaged: Int?
        /// The state after the turn as JSON, if somebody has written it already.
        private(set) var state: ArraySlice<UInt8>?

        init(before: Kept?, after: Kept? = nil, isReplaced: Bool = false, damaged: Int? = nil) {
            (self.before, self.after, self.isReplaced, self.damaged) = (before, after, isReplaced, damaged)
        }

        /// What it takes in memory, roughly, in bytes.
        var weightBytes: Int { (after ?? before)?.weightBytes ?? 0 }

        /// Whether a session that was there is not any more, or another one has its id.
        var endsOther: Bool {
            guard before != nil else { return false }
            return if case .none = after { true } else { isReplaced }
        }

        /// The turn has done one more thing to the session.
        func become(_ after: Kept?, _ state: ArraySlice<UInt8>?, isReplaced: Bool) {
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
    /// - Throws: `SQLiteError`.
    func commit(_ turn: Transaction, nowMs: Int) throws(SQLiteError) {
        // One session is not worth a page, if nothing else is to be written later.
        let isDirect = journal.unwritten.isEmpty && turn.changes.count <= directChangesMax
        var sizes: [Int] = []
        var step = Journal.Step()
        var written: [(Kept, number: Int)] = []
        try database.transaction { () throws(SQLiteError) in
            for (id, change) in turn.changes {
                if let number = change.damaged { try keepAside(number, id, nowMs: nowMs) }
                // What was kept of a damaged session goes with it, when a person or time ends the session.
                if change.endsOther { try statements.dropKept.run(id.text) }
            }
            if isDirect {
                for (id, change) in turn.changes { try writeRows(of: id, change, &written) }
            } else {
                sizes = try writePages(turn)
            }
            step = journal.step(with: turn.changes, filling: sizes.reduce(0, +))
            for id in step.sessions { try writeRows(of: id, journal.unwritten[id], &written) }
            for (id, catalog) in turn.catalogs {
                try statements.putCatalog.run(id.text, catalog.columns, catalog.settled)
            }
            for id in turn.forgottenCatalogs { try statements.deleteCatalog.run(id.text) }
            if let last = isDirect ? journal.places.last : step.endsWith {
                try count(turn.revision, done: last)
            }
        }
        for (kept, number) in written { kept.number = number }
        revision = turn.revision
        journal.append(isDirect ? [:] : turn.changes, pages: sizes, with: step)
    }

    /// Writes the number of the last change, and that of the last page that is done with.
    private func count(_ revision: Int, done: Int) throws(SQLiteError) {
        try statements.setCounter.run(revision, done, Digest.ofWords(revision, done))
    }

    /// Writes what was done to each session into pages of the journal, and gives their sizes.
    private func writePages(_ turn: Transaction) throws(SQLiteError) -> [Int] {
        var sizes: [Int] = []
        let last = journal.places.last
        page.begin(last + 1, revision: turn.revision)
        func put() throws(SQLiteError) {
            page.fill()
            try statements.putPage.run(journal.places.next(sizes.count), page.bytes)
            sizes.append(JournalPage.size(bytes: page.bytes.count))
        }
        for (id, change) in turn.changes {
            defer {
                name.reset()
                entry.reset()
            }
            name.value(id.text)
            writeEntry(id, change, turn.revision, to: &entry)
            if !page.hasRoom(forName: name.count, entry: entry.count) {
                try put()
                page.begin(last + sizes.count + 1, revision: turn.revision)
            }
            unsafe name.withBytes { name in unsafe entry.withBytes { unsafe page.add(name, $0) } }
        }
        if !page.isEmpty { try put() }
        return sizes
    }

    /// Has the rows of all sessions tell what the journal says.
    ///
    /// - Throws: `SQLiteError`; then nothing of it was done.
    func moveAll() throws(SQLiteError) {
        var written: [(Kept, number: Int)] = []
        try database.transaction { () throws(SQLiteError) in try moveAll(&written) }
        for (kept, number) in written { kept.number = number }
        journal.clear()
    }

    /// Writes the rows of all sessions, and frees the journal, in a transaction that is under way.
    func moveAll(_ written: inout [(Kept, number: Int)]) throws(SQLiteError) {
        for (id, change) in journal.unwritten { try writeRows(of: id, change, &written) }
        try count(revision, done: journal.places.last)
    }

    // MARK: One session

    /// Writes the rows of a session to which something was done.
    private func writeRows(
        of id: Identifier, _ change: Change?, _ written: inout [(Kept, number: Int)]
    ) throws(SQLiteError) {
        guard let change else { return }
        var number = try statements.row.first(id.text) { $0.int(0) }
        if change.isReplaced || change.after == nil, let before = change.before, let row = number {
            try remove(before, row)
            number = nil
        }
        guard let after = change.after else { return }
        let row = try write(after, change, over: number)
        written.append((after, number: row))
    }

    /// Gives the number of the row.
    private func write(_ kept: Kept, _ change: Change, over number: Int?) throws(SQLiteError) -> Int {
        let session = kept.session
        let state = session.state
        let record = SessionRecord(
            state: state, position: session.history.position, nextPosition: session.history.nextPosition
        ).bytes(change.state)
        let hour = kept.updatedMs / Self.hourMs
        let before = number == nil ? nil : change.before
        let row: Int
        if let number {
            row = number
            try statements.update.run(
                row, state.revision, kept.updatedMs, session.seen, record, Digest.of(record))
            if before.map({ $0.updatedMs / Self.hourMs != hour }) ?? true {
                try statements.updateHour.run(row, hour)
            }
        } else {
            guard let catalog = state.catalog else { preconditionFailure("a session without a catalog") }
            try statements.insert.run(
                state.session.text, catalog.text, state.revision, kept.updatedMs, session.seen, record,
                Digest.of(record), hour)
            row = database.lastInsertedRow
        }
        let difference = session.history.difference(from: before?.session.history)
        try writePlaces(difference, of: session.history, row)
        try writeIndex(session, over: before?.session, difference, row)
        return row
    }

    /// Writes the pieces of history that have a place more or less.
    private func writePlaces(
        _ difference: History.Difference, of history: History, _ number: Int
    ) throws(SQLiteError) {
        var pieces: [Int] = []
        pieces.add(difference.added.map { $0.position / Self.placesPerPiece })
        pieces.add(difference.lost.map { $0.position / Self.placesPerPiece })
        guard !pieces.isEmpty else { return }
        for piece in pieces {
            let start = piece * Self.placesPerPiece
            let entries = history.others(at: start..<start + Self.placesPerPiece)
            if entries.isEmpty {
                try statements.deletePiece.run(number, piece)
            } else {
                let bytes = History.Entry.bytes(entries)
                try statements.putPlaces.run(number, piece, bytes, Digest.ofWords(bytes))
            }
        }
    }

    /// Places whose positions differ in less than this are in one row.
    private static let placesPerPiece = 8

    /// Writes what the session names now and did not before, and the other way round.
    ///
    /// Places that were left before, and still are, need not be looked at but to find out whether what came or went
    /// somewhere else is there as well.
    private func writeIndex(
        _ session: Session, over before: Session?, _ difference: History.Difference, _ number: Int
    ) throws(SQLiteError) {
        guard let catalog = session.state.catalog else { return }
        var new = session.place.digests(in: catalog)
        var old = before?.place.digests(in: catalog) ?? []
        for entry in difference.added { new.add(entry.digests(in: catalog)) }
        for entry in difference.lost { old.add(entry.digests(in: catalog)) }
        if before?.state.expanded ?? [] != session.state.expanded {
            new.add(session.expandedDigests)
            old.add(before?.expandedDigests ?? [])
        }
        var now: [Int] = []
        var was: [Int] = []
        if new.count + old.count > Self.thingsSearchedMax {
            let (all, allBefore) = (session.digests, before?.digests ?? [])
            now = all.without(allBefore)
            was = allBefore.without(all)
        } else {
            now = new.filter { !old.contains($0) && !(before?.names($0) ?? false) }
            was = old.filter { !new.contains($0) && !session.names($0) }
        }
        for thing in now { try statements.hold.run(thing, number) }
        for thing in was { try statements.letGo.run(thing, number) }
    }

    /// Things that are searched for one by one; for more a list of all is made.
    private static let thingsSearchedMax = 16

    private func remove(_ kept: Kept, _ number: Int) throws(SQLiteError) {
        for thing in kept.session.digests { try statements.letGo.run(thing, number) }
        try statements.deletePlaces.run(number)
        try statements.delete.run(number)
    }

    /// Moves a damaged session's bytes aside; what it held stays in the index, where nothing is found any
    /// more.
    func keepAside(_ number: Int, _ id: Identifier, nowMs: Int) throws(SQLiteError) {
        try statements.keepRecord.run(number, nowMs)
        try statements.keepPlaces.run(number, id.text, nowMs)
        try statements.deletePlaces.run(number)
        try statements.delete.run(number)
    }
}

extension [Int] {
    /// Adds what is not in it: of few numbers, most of which come again.
    fileprivate mutating func add(_ numbers: [Int]) {
        for number in numbers where !contains(number) { append(number) }
    }

    /// The numbers that another list does not have, each once; both are in order.
    fileprivate func without(_ other: [Int]) -> [Int] {
        var left: [Int] = []
        var at = 0
        for number in self where left.last != number {
            while at < other.count, other[at] < number { at += 1 }
            if at == other.count || other[at] != number { left.append(number) }
        }
        return left
    }
}

extension Session {
    /// What stands in the index for what is unfolded.
    fileprivate var expandedDigests: [Int] {
        guard let catalog = state.catalog else { return [] }
        return state.expanded.map { Digest.of(.category($0), in: catalog) }
    }

    /// What stands in the index for all that it names, in order; what it names twice is there twice.
    fileprivate var digests: [Int] {
        guard let catalog = state.catalog else { return [] }
        var digests = place.digests(in: catalog) + expandedDigests
        for entry in history.back { digests += entry.digests(in: catalog) }
        for entry in history.forward { digests += entry.digests(in: catalog) }
        digests.sort()
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
