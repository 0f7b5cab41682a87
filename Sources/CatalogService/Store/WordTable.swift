import SQLite
import Shared

/// The index of words.
///
/// A row is an item in one of its categories, and its number begins with the category: so the matches in a category are
/// a range, and nobody has to look through those in all others.
///
/// The index gathers words in memory and writes them at each savepoint, so it would be in many small pieces. So what is
/// to be written is kept here, and given to the index before the commit.
final class WordTable {
    private struct Entry {
        let isInserted: Bool
        let number: Int
        let words: String
    }

    private let insert: Query
    private let delete: Query
    private let match: Query
    private let selectRows: Query
    private var entries: [Entry] = []
    /// How many entries, from the first one, were given to the index since the last savepoint.
    private var givenCount = 0
    /// How many of the entries are of changes that can't be undone alone any more.
    private var keptCount = 0

    init(_ database: Database) throws(SQLiteError) {
        insert = try Query(database, "INSERT INTO search(rowid, text) VALUES(?1, ?2)")
        // The index knows only what it is told: to forget a text it needs the text.
        delete = try Query(database, "INSERT INTO search(search, rowid, text) VALUES('delete', ?1, ?2)")
        match = try Query(
            database,
            """
            SELECT rowid FROM search WHERE search MATCH ?1 AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid LIMIT ?4
            """)
        // What is in the index, word by word; it is no table of the file.
        try database.execute("CREATE VIRTUAL TABLE temp.word USING fts5vocab(main, search, instance)")
        selectRows = try Query(
            database, "SELECT term, doc FROM word WHERE term >= ?1 AND term < ?2 LIMIT ?3")
    }

    func insert(_ item: Int, in category: Int, _ words: String) throws(RPCError) {
        try add(Entry(isInserted: true, number: Self.number(of: item, in: category), words: words))
    }

    func delete(_ item: Int, from category: Int, _ words: String) throws(RPCError) {
        try add(Entry(isInserted: false, number: Self.number(of: item, in: category), words: words))
    }

    private func add(_ entry: Entry) throws(RPCError) {
        entries.append(entry)
        guard entries.count - keptCount >= Limits.keptWordEntriesMax else { return }
        // This change set is a long one: what it did so far is undone by its savepoint if need be. What earlier ones did
        // would be undone with it, and is remembered until then.
        try give { false }
        entries.removeLast(entries.count - keptCount)
        givenCount = keptCount
    }

    /// A change set begins, which may be undone alone.
    func beginChange() {
        entries.removeFirst(givenCount)
        (givenCount, keptCount) = (0, entries.count)
    }

    /// The change set that was begun last is undone.
    func undoChange() {
        entries.removeLast(entries.count - keptCount)
        givenCount = 0
    }

    /// Whether there is something that the index has not got yet.
    var isWaiting: Bool { givenCount < entries.count }

    /// Gives the index what it has not got yet, until `isTimeOver` says so.
    ///
    /// Returns whether it has got all.
    @discardableResult func give(isTimeOver: () -> Bool) throws(RPCError) -> Bool {
        while givenCount < entries.count {
            if isTimeOver() { return false }
            let entry = entries[givenCount]
            try (entry.isInserted ? insert : delete).run(entry.number, entry.words)
            givenCount += 1
        }
        return true
    }

    /// The transaction has ended: with a commit all of it is in the index, else nothing.
    func end() { (entries, givenCount, keptCount) = ([], 0, 0) }

    /// The next rows of some categories that match an expression.
    func matches(_ expression: String, in range: Range, count: Int) throws(RPCError) -> [Int] {
        try match.all(expression, range.first, range.last, count) { $0.int(0) }
    }

    /// The words from one on that have the same beginning, in order, each with its rows, in all categories.
    ///
    /// A row is there as often as it has the word.
    func rows(from word: String, beginning: String, count: Int) throws(RPCError) -> [(word: String, row: Int)]
    {
        try selectRows.all(word, beginning + "\u{10FFFF}", count) { ($0.text(0), $0.int(1)) }
    }

    // MARK: Numbers

    /// Rows that follow each other.
    struct Range {
        let first: Int
        let last: Int

        private init(first: Int, last: Int) { (self.first, self.last) = (first, last) }

        func contains(_ row: Int) -> Bool { first <= row && row <= last }

        /// What is left of it from a row on; nil if nothing is.
        func from(_ row: Int) -> Range? {
            row <= last ? Range(first: max(row, first), last: last) : nil
        }

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
