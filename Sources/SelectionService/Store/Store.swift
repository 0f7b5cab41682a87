import JSON
import SQLite
import Shared

/// The sessions on disk: `selection.sqlite`.
///
/// A session is a row; each place of its history but the current one is a row of its own, so that what an
/// event writes does not grow with the history. The table `holds` finds the sessions that hold a thing.
final class Store {
    let database: Database
    let parser = JSONParser(depthMax: Limits.nestingLevelsMax)
    let statements: Statements

    /// A session with what only the store needs to know.
    ///
    /// An object, because it is handed on many times in a turn, and a session has many parts to copy.
    final class Kept {
        let session: Session
        /// The number of its row; nil for a session that is not stored yet.
        var number: Int?
        /// When it changed last, in milliseconds since 1970.
        let updatedMs: Int

        init(session: Session, number: Int? = nil, updatedMs: Int) {
            (self.session, self.number, self.updatedMs) = (session, number, updatedMs)
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
    init(directory: String) throws(StartFailure) {
        try Paths.makeDirectory(directory)
        let path = "\(directory)/selection.sqlite"
        do throws(SQLiteError) {
            database = try Database(path: path)
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
    }

    private static func startFailure(_ path: String, _ why: String, isCorrupt: Bool) -> StartFailure {
        isCorrupt
            ? StartFailure(.data, "\(path) can't be used (\(why)): move it away, or name another --data")
            : StartFailure(
                .io, "\(path) can't be opened (\(why)): check the directory, or name another --data")
    }

    /// The steps of the schema.
    static let schema = [
        """
        -- The number of the last change of any session.
        CREATE TABLE counter(only INTEGER PRIMARY KEY CHECK(only = 1), revision INTEGER NOT NULL);
        INSERT INTO counter VALUES(1, 0);

        -- record: JSON; sum: its FNV-1a; seen: the catalog's revision that is taken into account.
        CREATE TABLE sessions(
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          session TEXT NOT NULL UNIQUE,
          catalog TEXT NOT NULL,
          revision INTEGER NOT NULL,
          updated INTEGER NOT NULL,
          seen INTEGER NOT NULL,
          record BLOB NOT NULL,
          sum INTEGER NOT NULL);
        CREATE INDEX sessionsOfCatalog ON sessions(catalog, number);
        CREATE INDEX sessionsByUpdate ON sessions(updated);

        -- Places of history, but not the current one, which is in the session's record.
        CREATE TABLE places(
          session INTEGER NOT NULL,
          position INTEGER NOT NULL,
          record BLOB NOT NULL,
          sum INTEGER NOT NULL,
          PRIMARY KEY(session, position)) WITHOUT ROWID;

        -- Which place of which session names a thing, by its digest; position -1 is what is unfolded.
        CREATE TABLE holds(
          thing INTEGER NOT NULL,
          session INTEGER NOT NULL,
          position INTEGER NOT NULL,
          PRIMARY KEY(thing, session, position)) WITHOUT ROWID;

        -- settled: the revision up to which all sessions of the catalog are known to be right.
        CREATE TABLE catalogs(
          catalog TEXT PRIMARY KEY NOT NULL,
          columns INTEGER,
          settled INTEGER NOT NULL) WITHOUT ROWID;

        -- What could not be read, kept for a person to look at.
        CREATE TABLE damaged(session TEXT NOT NULL, kept INTEGER NOT NULL, record BLOB NOT NULL);
        """,
        """
        -- The index of `holds` does not say any more in which place: going to and fro changes nothing in it.
        CREATE TABLE held(
          thing INTEGER NOT NULL, session INTEGER NOT NULL, PRIMARY KEY(thing, session)) WITHOUT ROWID;
        INSERT INTO held SELECT DISTINCT thing, session FROM holds;
        DROP TABLE holds;
        ALTER TABLE held RENAME TO holds;

        -- hour: that of `updated`, since 1970, so that its index changes once an hour, and not with each event.
        ALTER TABLE sessions ADD COLUMN hour INTEGER NOT NULL DEFAULT 0;
        UPDATE sessions SET hour = updated / 3600000;
        DROP INDEX sessionsByUpdate;
        CREATE INDEX sessionsByHour ON sessions(hour);
        """,
    ]

    /// What the column `hour` counts.
    static let hourMs = 3_600_000

    // MARK: Reading

    /// The number of the last change.
    ///
    /// - Throws: `SQLiteError`.
    func revision() throws(SQLiteError) -> Int { try statements.revision.first { $0.int(0) } ?? 0 }

    /// Looks a session up.
    ///
    /// - Throws: `SQLiteError`.
    func find(_ id: Identifier) throws(SQLiteError) -> Found {
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
            each: { place in
                let bytes = place.bytes(1)
                if Digest.of(bytes) == place.int(2), let read = Place(bytes, parser: parser) {
                    entries?.append(History.Entry(position: place.int(0), place: read))
                } else {
                    entries = nil
                }
            })
        guard Digest.of(row.record) == row.sum, let entries,
            let record = SessionRecord(row.record, parser: parser),
            record.state.session == id, record.state.catalog == row.catalog
        else { return .damaged(number: row.number, catalog: row.catalog) }
        let history = History(
            position: record.position, nextPosition: record.nextPosition, entries: entries)
        let session = Session(state: record.state, history: history, seen: row.seen)
        return .session(Kept(session: session, number: row.number, updatedMs: row.updated))
    }

    /// Calls `row` with each session's id, catalog, revision and time of its last change, by id, until it
    /// returns false.
    ///
    /// - Throws: `SQLiteError`.
    func list(
        while row: (_ id: String, _ catalog: String, _ revision: Int, _ updatedMs: Int) -> Bool
    ) throws(SQLiteError) {
        try statements.list.rows(while: { (found) throws(SQLiteError) -> Bool in
            row(found.text(0), found.text(1), found.int(2), found.int(3))
        })
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
    /// - Throws: `SQLiteError`.
    func idle(since updatedMs: Int, limit: Int) throws(SQLiteError) -> [Identifier] {
        var found: [Identifier] = []
        let hour = updatedMs / Self.hourMs
        try statements.idle.rows(
            hour, updatedMs, limit, each: { row in found.append(Identifier(row.text(0))) })
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
