import CSQLite

// What is committed goes to the end of a log, and from there into the file when the log has got long: a checkpoint. SQLite
// does that inside of the commit that makes it too long, unless it is told that the program will.

extension Database {
    /// Leaves it to the program to move the log into the file.
    ///
    /// Statements of other connections to the file still do it by themselves.
    public func stopCheckpointing() {
        unsafe sqlite3_wal_hook(
            connection,
            { database, _, _, pages in
                unsafe database.map { unsafe Unmanaged<Database>.fromOpaque($0).takeUnretainedValue() }?
                    .logPages = Int(pages)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Moves into the file what is in the log, as far as nobody reads an older state.
    ///
    /// - Throws: `SQLiteError`.
    public func checkpoint() throws(SQLiteError) {
        logPages = 0
        let code = unsafe sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        // Whoever reads or moves it at the same time is no failure: the next time does more.
        if code != SQLITE_BUSY { try check(code, "checkpoint \(path)") }
    }
}
