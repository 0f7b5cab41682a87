import CSQLite

// Group commit: a service begins at the first change of a turn, puts each change into a savepoint, and commits at
// the end of the turn. One sync then serves all changes of the turn.

extension Database {
    /// Whether a transaction is under way.
    ///
    /// SQLite itself ends one when the disk is full or the file is damaged.
    public var isInTransaction: Bool { unsafe sqlite3_get_autocommit(connection) == 0 }

    /// Begins a transaction that only reads: all of it sees the same state.
    ///
    /// - Throws: `SQLiteError`.
    public func beginReading() throws(SQLiteError) { try run(.beginReading) }

    /// Begins a transaction that may write.
    ///
    /// - Throws: `SQLiteError` if another process writes for too long.
    public func begin() throws(SQLiteError) { try run(.begin) }

    /// Ends the transaction: what it did is on the disk when this returns.
    ///
    /// - Throws: `SQLiteError`; then nothing of the transaction was done.
    public func commit() throws(SQLiteError) {
        do throws(SQLiteError) {
            try run(.commit)
        } catch {
            rollback()
            throw error
        }
    }

    /// Whether a commit waits until it is on the disk, as it does unless told otherwise.
    ///
    /// What is committed without that may be undone by a power cut, but never without what was committed after it. Not to
    /// be called inside a transaction.
    ///
    /// - Throws: `SQLiteError`.
    public func setWaitsForDisk(_ waits: Bool) throws(SQLiteError) {
        try execute("PRAGMA synchronous=\(waits ? "FULL" : "NORMAL")")
    }

    /// Undoes the transaction, if one is under way.
    public func rollback() {
        // It fails only for a transaction that SQLite has rolled back by itself.
        if isInTransaction { try? run(.rollback) }
    }

    /// Does all of the body in a transaction, or nothing.
    ///
    /// - Throws: `SQLiteError`.
    public func transaction<Value>(_ body: () throws(SQLiteError) -> Value) throws(SQLiteError) -> Value {
        try begin()
        do throws(SQLiteError) {
            let value = try body()
            try commit()
            return value
        } catch {
            rollback()
            throw error
        }
    }

    /// Finds out whether a commit reaches the disk, and changes nothing.
    ///
    /// A row that is given the values it has is not written at all; the version of the schema always is. Not to be called
    /// inside a transaction.
    ///
    /// - Throws: `SQLiteError` if it does not.
    public func tryWriting() throws(SQLiteError) {
        try transaction { () throws(SQLiteError) in
            try execute("PRAGMA user_version=\(try schemaVersion())")
        }
    }

    // MARK: Savepoints

    /// Begins a part of the transaction that can be undone alone.
    ///
    /// - Throws: `SQLiteError`.
    public func beginSavepoint() throws(SQLiteError) { try run(.beginSavepoint) }

    /// Ends the part; what it did belongs to the transaction.
    ///
    /// - Throws: `SQLiteError` if the whole transaction is lost; roll it back.
    public func releaseSavepoint() throws(SQLiteError) { try run(.releaseSavepoint) }

    /// Undoes the part; what came before it stays.
    ///
    /// - Throws: `SQLiteError` if the whole transaction is lost; roll it back.
    public func undoSavepoint() throws(SQLiteError) {
        try run(.undoSavepoint)
        try run(.releaseSavepoint)
    }

    /// Does all of the body inside the transaction that is under way, or nothing; what came before it stays.
    ///
    /// Returns the failure of the body as a value, so that it can't be taken for one of the transaction.
    ///
    /// - Throws: `SQLiteError` if the whole transaction is lost; roll it back.
    public func savepoint<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(SQLiteError) -> Result<Value, Failure> {
        try beginSavepoint()
        let result = Result(catching: body)
        switch result {
        case .success: try releaseSavepoint()
        case .failure: try undoSavepoint()
        }
        return result
    }
}
