import JSON
import SQLite
import Shared

// What a turn has changed becomes one transaction: pages of the journal.

extension Store {
    /// What a turn did to one session, or several turns whose rows are not written.
    ///
    /// An object, because each is handed on several times.
    final class Change {
        let id: Identifier
        /// The session before the turn; nil if there was none.
        let before: Kept?
        /// The session after the turn; nil if it was deleted.
        var after: Kept?
        /// Whether it is another session under the same id, which shares nothing with the one before.
        private(set) var isReplaced: Bool
        /// The row of a damaged session, whose bytes are to be kept aside.
        let damaged: Int?
        /// The state after the turn as everyone is told it, as long as the turn is not on the disk.
        private(set) var told: ArraySlice<UInt8>?

        init(
            _ id: Identifier, before: Kept?, after: Kept? = nil, isReplaced: Bool = false, damaged: Int? = nil
        ) {
            (self.id, self.before, self.after) = (id, before, after)
            (self.isReplaced, self.damaged) = (isReplaced, damaged)
        }

        /// What it takes in memory, roughly, in bytes.
        var weightBytes: Int { (after ?? before)?.weightBytes ?? 0 }

        /// Whether a session that was there is not any more, or another one has its id.
        var endsOther: Bool {
            guard before != nil else { return false }
            return if case .none = after { true } else { isReplaced }
        }

        /// The turn has done one more thing to the session.
        func become(_ after: Kept?, told: ArraySlice<UInt8>? = nil, isReplaced: Bool) {
            self.isReplaced = self.isReplaced || isReplaced
            (self.after, self.told) = (after, told)
        }

        /// Forgets the text of the state: it is written.
        func forgetTold() { told = nil }
    }

    /// What a turn did to all.
    struct Transaction {
        var revision: Int
        /// One for each session that was changed.
        var changes: [Change] = []
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
            for change in turn.changes {
                if let number = change.damaged { try keepAside(number, change.id, nowMs: nowMs) }
                // What was kept of a damaged session goes with it, when a person or time ends the session.
                if change.endsOther { try statements.dropKept.run(change.id.text) }
            }
            if isDirect {
                for change in turn.changes { try writeRows(change, &written) }
            } else {
                sizes = try writePages(turn)
            }
            step = journal.step(with: turn.changes, filling: sizes.reduce(0, +))
            for id in step.sessions {
                if let change = journal.unwritten[id] { try writeRows(change, &written) }
            }
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
        journal.append(isDirect ? [] : turn.changes, pages: sizes, with: step)
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
            try statements.putPage.run(journal.places.next(sizes.count), page.bytes)
            sizes.append(JournalPage.size(bytes: page.bytes.count))
        }
        for change in turn.changes {
            defer { entry.reset() }
            let name = writeEntry(change, turn.revision, to: &entry)
            if !page.hasRoom(forName: name.count, entry: entry.count) {
                try put()
                page.begin(last + sizes.count + 1, revision: turn.revision)
            }
            unsafe entry.withBytes { entry in
                unsafe page.add(UnsafeRawBufferPointer(rebasing: entry[name]), entry)
            }
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
        for change in journal.unwritten.values { try writeRows(change, &written) }
        try count(revision, done: journal.places.last)
    }
}
