/// What can be a parameter of a statement.
public protocol Bindable {
    /// Binds this value to a parameter, counted from 1.
    ///
    /// - Throws: `SQLiteError`.
    func bind(to statement: Statement, at index: Int32) throws(SQLiteError)
}

extension Int: Bindable {
    /// Binds a whole number.
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(self, at: index)
    }
}

extension Double: Bindable {
    /// Binds a number.
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(self, at: index)
    }
}

extension Bool: Bindable {
    /// Binds 1 or 0.
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(self ? 1 : 0, at: index)
    }
}

extension String: Bindable {
    /// Binds a text.
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(self, at: index)
    }
}

extension [UInt8]: Bindable {
    /// Binds a blob.
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(self, at: index)
    }
}

extension Optional: Bindable where Wrapped: Bindable {
    /// Binds the value, or NULL.
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        guard let self else { return try statement.bindNull(at: index) }
        try self.bind(to: statement, at: index)
    }
}
