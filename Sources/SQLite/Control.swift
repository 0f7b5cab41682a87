import CSQLite

/// What begins and ends transactions and their parts: compiled when it is first needed, since that costs more than running it.
@safe struct Control {
    /// One of these statements.
    enum Name: Int, CaseIterable {
        case beginReading, begin, commit, rollback, beginSavepoint, releaseSavepoint, undoSavepoint

        var sql: String {
            switch self {
            case .beginReading: "BEGIN"
            case .begin: "BEGIN IMMEDIATE"
            case .commit: "COMMIT"
            case .rollback: "ROLLBACK"
            case .beginSavepoint: "SAVEPOINT change"
            case .releaseSavepoint: "RELEASE change"
            case .undoSavepoint: "ROLLBACK TO change"
            }
        }
    }

    // Not `Statement`s, which keep their database alive.
    fileprivate var compiled: [OpaquePointer?] = unsafe Array(repeating: nil, count: Name.allCases.count)

    /// To be called before the connection is closed.
    mutating func close() {
        for index in unsafe compiled.indices { unsafe sqlite3_finalize(compiled[index]) }
        unsafe compiled = []
    }
}

extension Database {
    /// Runs one of the statements of transactions.
    ///
    /// - Throws: `SQLiteError`.
    func run(_ name: Control.Name) throws(SQLiteError) {
        var statement = unsafe control.compiled[name.rawValue]
        if unsafe statement == nil {
            let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
            try check(unsafe sqlite3_prepare_v3(connection, name.sql, -1, flags, &statement, nil), name.sql)
            unsafe control.compiled[name.rawValue] = statement
        }
        let code = unsafe sqlite3_step(statement)
        // What has failed is told from the connection, so it is to be asked before the next call.
        let failure = code == SQLITE_DONE ? nil : unsafe SQLiteError(code, of: connection, name.sql)
        unsafe sqlite3_reset(statement)
        if let failure { throw failure }
    }
}
