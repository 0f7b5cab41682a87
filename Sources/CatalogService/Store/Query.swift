import SQLite
import Shared

/// A statement whose failures are refusals.
struct Query {
    private let database: Database
    private let statement: Statement

    init(_ database: Database, _ sql: String) throws(SQLiteError) {
        self.database = database
        statement = try database.prepare(sql)
    }

    func run<each Value: Bindable>(_ values: repeat each Value) throws(RPCError) {
        do throws(SQLiteError) { try statement.run(repeat each values) } catch { throw RPCError(error) }
    }

    /// Runs a statement that changes rows.
    ///
    /// Returns how many.
    func change<each Value: Bindable>(_ values: repeat each Value) throws(RPCError) -> Int {
        try run(repeat each values)
        return database.changedRows
    }

    /// Runs a statement that inserts a row.
    ///
    /// Returns its number.
    func insert<each Value: Bindable>(_ values: repeat each Value) throws(RPCError) -> Int {
        try run(repeat each values)
        return database.lastInsertedRow
    }

    func rows<each Value: Bindable>(
        _ values: repeat each Value, each row: (Row) throws(SQLiteError) -> Void
    ) throws(RPCError) {
        do throws(SQLiteError) {
            try statement.rows(repeat each values, each: row)
        } catch {
            throw RPCError(error)
        }
    }

    func all<Element, each Value: Bindable>(
        _ values: repeat each Value, read: (Row) throws(SQLiteError) -> Element
    ) throws(RPCError) -> [Element] {
        var all: [Element] = []
        try rows(repeat each values) { row throws(SQLiteError) in all.append(try read(row)) }
        return all
    }

    func first<Element, each Value: Bindable>(
        _ values: repeat each Value, read: (Row) throws(SQLiteError) -> Element
    ) throws(RPCError) -> Element? {
        do throws(SQLiteError) {
            return try statement.first(repeat each values, read: read)
        } catch {
            throw RPCError(error)
        }
    }
}

extension RPCError {
    /// The refusal of whatever meets what can't be in a file that is as it was written.
    static func damaged(_ what: String) -> RPCError {
        RPCError(.storage, "catalog.sqlite \(what): restore a copy of it, or import the catalog anew.")
    }

    /// The refusal of whatever needs data that can't be read or written.
    init(_ error: SQLiteError) {
        let hint =
            if error.isDiskFull {
                "the disk is full: make room, then try again"
            } else if error.isCorrupt {
                "the file is damaged: stop the service and restore a copy"
            } else {
                error.message
            }
        self.init(.storage, "The catalogs can't be read or written: \(hint).")
    }
}
