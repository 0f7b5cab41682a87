import CSQLite

/// One connection to a database file; all of it is used on one thread.
///
/// ```swift
/// let database = try Database(path: "data/catalog.sqlite")
/// try database.migrate(["CREATE TABLE thing(id INTEGER PRIMARY KEY, name TEXT NOT NULL)"])
/// let insert = try database.prepare("INSERT INTO thing(name) VALUES(?1)")
/// try insert.run("shakshuka")
/// ```
@safe public final class Database {
    let connection: OpaquePointer
    /// The file.
    public let path: String
    /// How many pages the log had after the last commit, since `stopCheckpointing`.
    public internal(set) var logPages = 0
    /// What is asked before each commit; see `askBeforeCommits`.
    var commitQuestion: CommitQuestion?
    var control = Control()

    /// Opens a file, and makes it if it is missing: with a write-ahead log that is on the disk when a commit returns.
    ///
    /// `:memory:` is a database without a file. Waits up to `busyMilliseconds` for another process that writes.
    ///
    /// - Throws: `SQLiteError`, also if the file is no database.
    public init(path: String, busyMilliseconds: Int32 = 5_000) throws(SQLiteError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            defer { unsafe sqlite3_close_v2(opened) }
            throw unsafe SQLiteError(code, of: opened, "open \(path)")
        }
        unsafe connection = opened
        self.path = path
        unsafe sqlite3_busy_timeout(opened, busyMilliseconds)
        try check(unsafe CSQLite_harden(opened), "configure \(path)")
        // FULL, because an acknowledged change must survive a power cut; in WAL mode that is one sync a commit.
        try execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY")
    }

    // Statements keep the connection alive until the last one is finalized.
    deinit {
        control.close()
        unsafe sqlite3_close_v2(connection)
    }

    /// Runs statements that give no rows.
    ///
    /// - Throws: `SQLiteError` of the first one that fails.
    public func execute(_ sql: String) throws(SQLiteError) {
        try check(unsafe sqlite3_exec(connection, sql, nil, nil, nil), sql)
    }

    /// Compiles a statement, to be run any number of times.
    ///
    /// - Throws: `SQLiteError` if it does not fit the schema.
    public func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: self) }

    /// The rowid of the row that was inserted last.
    public var lastInsertedRow: Int { Int(unsafe sqlite3_last_insert_rowid(connection)) }

    /// How many rows the last statement changed.
    public var changedRows: Int { Int(unsafe sqlite3_changes64(connection)) }

    func check(_ code: Int32, _ operation: @autoclosure () -> String) throws(SQLiteError) {
        guard code != SQLITE_OK else { return }
        throw unsafe SQLiteError(code, of: connection, operation())
    }
}
