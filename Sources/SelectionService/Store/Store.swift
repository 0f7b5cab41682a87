import JSON
import SQLite
import Shared

/// The sessions on disk: `selection.sqlite`.
///
/// A session is a row; eight neighbouring places of its history are one of their own, so that what is written does not
/// grow with the history. The table `holds` finds the sessions that hold a thing. What a turn
/// does goes into the journal first, and into these rows later, with what later turns did.
final class Store {
    let database: Database
    let parser = JSONParser(depthMax: Limits.nestingLevelsMax)
    let statements: Statements
    var journal = Journal()
    /// What pages of the journal are written with: the page, and what was done to a session.
    var page = JournalPage()
    var entry = JSONWriter(capacity: Limits.journalPageBytes)
    /// The number of the last change.
    var revision = 0
    /// Whether sessions, known by their ids, had changes that could not be read at this start, or places of history.
    var hasLostEntries = false
    /// Whether there were changes, at this start, of which nobody knows whose they are.
    var hasUnknownLosses = false
    /// Sessions that one commit changes at most without the journal.
    var directChangesMax: Int

    /// A session with what only the store needs to know.
    ///
    /// An object, because it is handed on many times in a turn, and a session has many parts to copy.
    final class Kept {
        // The session is the last one, so that what is looked at alone lies in one line of the cache.

        /// What it takes in memory, roughly, in bytes.
        let weightBytes: Int
        /// The number of its row, as far as it is known: in this order rows are written.
        var number: Int?
        /// When it changed last, in milliseconds since 1970.
        let updatedMs: Int
        let session: Session

        init(session: Session, number: Int? = nil, updatedMs: Int) {
            (self.session, self.number, self.updatedMs) = (session, number, updatedMs)
            weightBytes = session.weightBytes
        }
    }

    /// What is found under a session's id.
    enum Found {
        case nothing
        case session(Kept)
        /// Its record, or one of its places, can't be read.
        case damaged(number: Int, catalog: Identifier)
    }

    /// Opens the file in a directory, and makes both if they are missing.
    ///
    /// - Throws: `StartFailure`.
    init(directory: String, directChangesMax: Int = Limits.directChangesMax) throws(StartFailure) {
        self.directChangesMax = directChangesMax
        try Paths.makeDirectory(directory)
        let path = "\(directory)/selection.sqlite"
        do throws(SQLiteError) {
            database = try Database(path: path)
            try database.execute("PRAGMA cache_size=-\(Limits.cacheKiB)")
        } catch {
            throw Self.startFailure(path, "\(error)", isCorrupt: error.isCorrupt)
        }
        do throws(MigrationFailure) {
            try database.migrate(Self.schema)
        } catch {
            throw Self.startFailure(path, "\(error)", isCorrupt: true)
        }
        do throws(SQLiteError) {
            statements = try Statements(database)
        } catch {
            throw Self.startFailure(path, "\(error)", isCorrupt: true)
        }
        do throws(SQLiteError) {
            try replay()
        } catch {
            throw Self.startFailure(path, "\(error)", isCorrupt: error.isCorrupt)
        }
        database.stopCheckpointing()
    }

    private static func startFailure(_ path: String, _ why: String, isCorrupt: Bool) -> StartFailure {
        isCorrupt
            ? StartFailure(.data, "\(path) can't be used (\(why)): move it away, or name another --data")
            : StartFailure(
                .io, "\(path) can't be opened (\(why)): check the directory, or name another --data")
    }

    /// What the column `hour` counts.
    static let hourMs = 3_600_000

    // MARK: Reading

    /// Looks a session up.
    ///
    /// - Throws: `SQLiteError`.
    func find(_ id: Identifier) throws(SQLiteError) -> Found {
        if let change = journal.unwritten[id] { return change.after.map(Found.session) ?? .nothing }
        return try findRow(id)
    }

    /// What the rows of a session say, whatever the journal does.
    func findRow(_ id: Identifier) throws(SQLiteError) -> Found {
        let row = try statements.find.first(id.text) { row in
            (
                number: row.int(0), catalog: Identifier(row.text(1)), updated: row.int(2), seen: row.int(3),
                record: row.bytes(4), sum: row.int(5)
            )
        }
        guard let row else { return .nothing }
        var entries: [History.Entry]? = []
        try statements.places.rows(
            row.number,
            each: { piece in
                let bytes = piece.bytes(0)
                let isSound = piece.isNull(1) || Digest.ofWords(bytes) == piece.int(1)
                if isSound, let read = History.Entry.entries(bytes, parser: parser) {
                    entries?.append(contentsOf: read)
                } else {
                    entries = nil
                }
            })
        guard Digest.of(row.record) == row.sum, let entries,
            let record = SessionRecord(row.record, parser: parser),
            record.state.session == id, record.state.catalog == row.catalog
        else { return .damaged(number: row.number, catalog: row.catalog) }
        let history = History(
            position: record.position, nextPosition: record.nextPosition,
            entries: entries.sorted { $0.position < $1.position })
        let session = Session(kept: record.state, history: history, seen: row.seen)
        return .session(Kept(session: session, number: row.number, updatedMs: row.updated))
    }

    /// Calls `row` with each session's id, catalog, revision and time of its last change, by id, until it
    /// returns false.
    ///
    /// - Throws: `SQLiteError`.
    func list(
        while row: (_ id: String, _ catalog: String, _ revision: Int, _ updatedMs: Int) -> Bool
    ) throws(SQLiteError) {
        // Both are in the order of their ids.
        var unwritten = journal.unwritten.keys.sorted()[...]
        func tellUnwritten() -> Bool {
            guard let kept = journal.unwritten[unwritten.removeFirst()]?.after else { return true }
            let state = kept.session.state
            return row(state.session.text, state.catalog?.text ?? "", state.revision, kept.updatedMs)
        }
        var goesOn = true
        try statements.list.rows(while: { (found) throws(SQLiteError) -> Bool in
            let id = Identifier(found.text(0))
            while goesOn, let next = unwritten.first, next < id { goesOn = tellUnwritten() }
            guard goesOn else { return false }
            goesOn =
                unwritten.first == id
                ? tellUnwritten() : row(id.text, found.text(1), found.int(2), found.int(3))
            return goesOn
        })
        while goesOn, !unwritten.isEmpty { goesOn = tellUnwritten() }
    }

    /// Sessions of a catalog with a row after `number`, at most `limit`, in the order of their rows.
    ///
    /// - Throws: `SQLiteError`.
    func sessions(
        of catalog: Identifier, after number: Int, limit: Int
    ) throws(SQLiteError) -> [(number: Int, id: Identifier)] {
        var found: [(number: Int, id: Identifier)] = []
        try statements.ofCatalog.rows(
            catalog.text, number, limit, each: { row in found.append((row.int(0), Identifier(row.text(1)))) })
        return found
    }

    /// Sessions that hold a thing, with a row after `number`, at most `limit`, in the order of their rows.
    ///
    /// - Throws: `SQLiteError`.
    func holders(
        of thing: Int, after number: Int, limit: Int
    ) throws(SQLiteError) -> [(number: Int, id: Identifier)] {
        var found: [(number: Int, id: Identifier)] = []
        try statements.holders.rows(
            thing, number, limit, each: { row in found.append((row.int(0), Identifier(row.text(1)))) })
        return found
    }

    /// Sessions that did not change since a moment, at most `limit`, the longest idle first.
    ///
    /// What is in the journal has changed just now.
    ///
    /// - Throws: `SQLiteError`.
    func idle(since updatedMs: Int, limit: Int) throws(SQLiteError) -> [Identifier] {
        var found: [Identifier] = []
        let hour = updatedMs / Self.hourMs
        try statements.idle.rows(
            hour, updatedMs,
            while: { (row) throws(SQLiteError) -> Bool in
                let id = Identifier(row.text(0))
                if journal.unwritten[id] == nil { found.append(id) }
                return found.count < limit
            })
        return found
    }

    /// What was known of catalogs that have, or had, sessions.
    ///
    /// - Throws: `SQLiteError`.
    func catalogs() throws(SQLiteError) -> [(id: Identifier, columns: Int?, settled: Int)] {
        var found: [(id: Identifier, columns: Int?, settled: Int)] = []
        try statements.catalogs.rows(each: { row in
            found.append((Identifier(row.text(0)), row.optionalInt(1), row.int(2)))
        })
        return found
    }

    /// How many damaged records are kept aside.
    ///
    /// - Throws: `SQLiteError`.
    func damagedCount() throws(SQLiteError) -> Int { try statements.damagedCount.first { $0.int(0) } ?? 0 }
}
