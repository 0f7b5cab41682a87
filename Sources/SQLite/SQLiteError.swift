import CSQLite

/// A call of SQLite that failed.
public struct SQLiteError: Error, Equatable, CustomStringConvertible {
    /// The extended result code, such as 1555 for a primary key that is there already.
    public let code: Int32
    /// What SQLite says of it, with names of tables and columns.
    public let message: String
    /// What was tried: a statement's text, or the opening of a file.
    public let operation: String

    /// The error that a connection has just met.
    init(_ code: Int32, of connection: OpaquePointer?, _ operation: String) {
        self.code = code
        self.operation = operation
        let text = unsafe connection == nil ? sqlite3_errstr(code) : sqlite3_errmsg(connection)
        message = unsafe text.map { unsafe String(cString: $0) } ?? "unknown error"
    }

    /// The general class of the code, such as 19 for every broken constraint.
    public var primaryCode: Int32 { code & 0xFF }

    /// The disk, or the quota, is full.
    public var isDiskFull: Bool { primaryCode == SQLITE_FULL }

    /// The file is damaged, or is no database.
    public var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// Another process holds the database.
    public var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

    /// What was tried, what SQLite says, and the code.
    public var description: String { "\(operation): \(message) (\(code))" }
}
