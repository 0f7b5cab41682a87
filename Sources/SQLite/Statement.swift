import CSQLite

/// A compiled statement.
///
/// Values are bound and read by position: parameters count from 1, columns from 0.
@safe public final class Statement {
    private let database: Database
    private let raw: OpaquePointer
    private var isRunning = false

    init(_ sql: String, on database: Database) throws(SQLiteError) {
        var compiled: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        try database.check(
            unsafe sqlite3_prepare_v3(database.connection, sql, -1, flags, &compiled, nil), sql)
        guard let compiled = unsafe compiled else { preconditionFailure("no statement in \"\(sql)\"") }
        self.database = database
        unsafe raw = compiled
    }

    deinit { unsafe sqlite3_finalize(raw) }

    /// The text it was compiled from.
    public var sql: String { unsafe sqlite3_sql(raw).map { unsafe String(cString: $0) } ?? "" }

    // MARK: Running

    /// Binds all parameters and runs to the end, without looking at rows.
    ///
    /// - Throws: `SQLiteError`.
    public func run<each Value: Bindable>(_ values: repeat each Value) throws(SQLiteError) {
        try start(repeat each values)
        defer { reset() }
        while try step() {}
    }

    /// Binds all parameters and calls `row` with each row.
    ///
    /// - Throws: `SQLiteError`, also what `row` throws.
    public func rows<each Value: Bindable>(
        _ values: repeat each Value, each row: (Row) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        try start(repeat each values)
        defer { reset() }
        while try step() { try row(Row(statement: self)) }
    }

    /// Binds all parameters and calls `row` with each row until that returns false.
    ///
    /// - Throws: `SQLiteError`, also what `row` throws.
    public func rows<each Value: Bindable>(
        _ values: repeat each Value, while row: (Row) throws(SQLiteError) -> Bool
    ) throws(SQLiteError) {
        try start(repeat each values)
        defer { reset() }
        while try step() { guard try row(Row(statement: self)) else { return } }
    }

    /// Binds all parameters and reads the first row; nil if there is none.
    ///
    /// - Throws: `SQLiteError`, also what `read` throws.
    public func first<Value, each Parameter: Bindable>(
        _ values: repeat each Parameter, read: (Row) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Value? {
        try start(repeat each values)
        defer { reset() }
        return try step() ? read(Row(statement: self)) : nil
    }

    private func start<each Value: Bindable>(_ values: repeat each Value) throws(SQLiteError) {
        precondition(!isRunning, "a statement can't be run from its own rows")
        var count: Int32 = 0
        for value in repeat each values {
            count += 1
            try value.bind(to: self, at: count)
        }
        precondition(unsafe count == sqlite3_bind_parameter_count(raw), "a parameter is missing: \(sql)")
        isRunning = true
    }

    private func step() throws(SQLiteError) -> Bool {
        switch unsafe sqlite3_step(raw) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw unsafe SQLiteError(code, of: database.connection, sql)
        }
    }

    /// Gives back the lock on the database, which a statement holds until it is reset.
    private func reset() {
        isRunning = false
        unsafe sqlite3_reset(raw)  // repeats the code of the last step, which was thrown already
    }

    // MARK: Binding

    func bind(_ value: Int, at index: Int32) throws(SQLiteError) {
        try check(unsafe sqlite3_bind_int64(raw, index, Int64(value)))
    }

    func bind(_ value: Double, at index: Int32) throws(SQLiteError) {
        try check(unsafe sqlite3_bind_double(raw, index, value))
    }

    func bindNull(at index: Int32) throws(SQLiteError) { try check(unsafe sqlite3_bind_null(raw, index)) }

    func bind(_ value: String, at index: Int32) throws(SQLiteError) {
        var value = value
        let code = value.withUTF8 { text in
            unsafe CSQLite_bind_text(raw, index, text.baseAddress, UInt64(text.count))
        }
        try check(code)
    }

    func bind(_ value: [UInt8], at index: Int32) throws(SQLiteError) {
        try check(unsafe CSQLite_bind_blob(raw, index, value, UInt64(value.count)))
    }

    private func check(_ code: Int32) throws(SQLiteError) { try database.check(code, "bind to \(sql)") }

    // MARK: Columns

    func int(_ column: Int) -> Int { Int(unsafe sqlite3_column_int64(raw, Int32(column))) }

    func double(_ column: Int) -> Double { unsafe sqlite3_column_double(raw, Int32(column)) }

    func isNull(_ column: Int) -> Bool { unsafe sqlite3_column_type(raw, Int32(column)) == SQLITE_NULL }

    func text(_ column: Int) -> String { unsafe String(decoding: borrowed(column), as: UTF8.self) }

    func bytes(_ column: Int) -> [UInt8] { unsafe Array(borrowed(column)) }

    /// The bytes of a text or blob, which SQLite keeps until the next step.
    private func borrowed(_ column: Int) -> UnsafeBufferPointer<UInt8> {
        // In this order: the first call may convert the value, the second tells the size after that.
        let start = unsafe sqlite3_column_blob(raw, Int32(column))
        let count = Int(unsafe sqlite3_column_bytes(raw, Int32(column)))
        return unsafe UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count)
    }
}
