import SQLite
import Shared

/// The runs that the rows of lists are spread over.
///
/// A row that comes at random into a list of a million would dirty a page of its own, so each commit would write
/// hundreds of pages. Instead new rows go to the open run, which is small; when it is full it is closed and the next one
/// is opened, and closed runs of one size are moved together into a larger one (`RunMover`). Every row is in one run at
/// any time, so whoever reads a list merges what all runs have of it.
final class RunTable {
    private let selectNumbers: Query
    private let selectOpen: Query
    private let insertRun: Query
    private let addRows: Query
    /// The run that takes new rows, while a transaction is under way.
    private(set) var open = 0
    private var inserted = 0

    init(_ database: Database) throws(SQLiteError) {
        selectNumbers = try Query(database, "SELECT number FROM run ORDER BY rows DESC")
        selectOpen = try Query(
            database,
            "SELECT number, rows FROM run WHERE level = 0 AND target IS NULL ORDER BY number DESC LIMIT 1")
        insertRun = try Query(database, "INSERT INTO run(level, rows) VALUES(0, 0) RETURNING number")
        addRows = try Query(database, "UPDATE run SET rows = rows + ?2 WHERE number = ?1")
    }

    /// All runs, the largest first.
    func numbers() throws(RPCError) -> [Int] { try selectNumbers.all { $0.int(0) } }

    /// To be called when a transaction has begun: chooses the run that takes new rows.
    ///
    /// It is asked for anew each time, so that nothing of a transaction that was undone is remembered.
    func begin() throws(RPCError) {
        inserted = 0
        if let last = try selectOpen.first(read: { (number: $0.int(0), rows: $0.int(1)) }),
            last.rows < Limits.openRunRowsMax
        {
            open = last.number
        } else {
            open = try insertRun.first { $0.int(0) } ?? 0
        }
    }

    /// The number of the run for one more row.
    func numberForNewRow() -> Int {
        precondition(open > 0, "rows are inserted in a transaction")
        inserted += 1
        return open
    }

    /// To be called before the commit.
    ///
    /// Returns how many rows were inserted.
    func end() throws(RPCError) -> Int {
        if inserted > 0 { try addRows.run(open, inserted) }
        defer { inserted = 0 }
        return inserted
    }
}
