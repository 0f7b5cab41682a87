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

    /// Forgets how long the log was: it is about to be moved into the file.
    public func beginCheckpoint() { logPages = 0 }

    /// Moves what is in the log of a file into it, as far as nobody reads an older state, on a connection of its own.
    ///
    /// It may run on any thread, and waits for the disk. It gives a code for `checkpointFailure`. The log begins anew if
    /// nothing was committed meanwhile.
    public static let checkpoint: @convention(c) (UnsafePointer<CChar>?) -> Int32 = unsafe CSQLite_checkpoint

    /// What a code of `checkpoint` says; nil if it has done what it could.
    public func checkpointFailure(_ code: Int32) -> SQLiteError? {
        // Whoever reads or moves it at the same time is no failure: the next time does more.
        guard code != SQLITE_OK, code & 0xFF != SQLITE_BUSY else { return nil }
        return unsafe SQLiteError(code, of: nil, "checkpoint \(path)")
    }
}
