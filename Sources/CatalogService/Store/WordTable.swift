import SQLite
import Shared

/// The index of words.
///
/// A row is an item in one of its categories, and its number begins with the category: so the matches in a category are
/// a range, and nobody has to look through those in all others.
struct WordTable {
    private let insert: Query
    private let delete: Query
    private let match: Query

    init(_ database: Database) throws(SQLiteError) {
        insert = try Query(database, "INSERT INTO search(rowid, text) VALUES(?1, ?2)")
        // The index knows only what it is told: to forget a text it needs the text.
        delete = try Query(database, "INSERT INTO search(search, rowid, text) VALUES('delete', ?1, ?2)")
        match = try Query(
            database,
            """
            SELECT rowid FROM search WHERE search MATCH ?1 AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid LIMIT ?4
            """)
    }

    func insert(_ item: Int, in category: Int, _ words: String) throws(RPCError) {
        try insert.run(Self.number(of: item, in: category), words)
    }

    func delete(_ item: Int, from category: Int, _ words: String) throws(RPCError) {
        try delete.run(Self.number(of: item, in: category), words)
    }

    /// The next rows of some categories that match an expression.
    func matches(_ expression: String, in range: Range, count: Int) throws(RPCError) -> [Int] {
        try match.all(expression, range.first, range.last, count) { $0.int(0) }
    }

    // MARK: Numbers

    /// Rows that follow each other.
    struct Range {
        /// The first row.
        var first: Int
        /// The last row.
        var last: Int

        /// All rows of categories with these keys.
        init(categories: ClosedRange<Int>) {
            first = number(of: 0, in: categories.lowerBound)
            last = number(of: 0, in: categories.upperBound + 1) - 1
        }
    }

    private static let itemBits = 32

    private static func number(of item: Int, in category: Int) -> Int {
        precondition(item >> itemBits == 0, "there are too many items")
        return category << itemBits | item
    }

    /// The item of a row.
    static func item(of row: Int) -> Int { row & (1 << itemBits - 1) }
}
