import JSON
import SQLite
import Shared

/// The words of all items, and the index of them.
struct WordTable {
    private let select: Query
    private let replace: Query
    private let delete: Query
    private let insertIndex: Query
    private let deleteIndex: Query
    private let match: Query
    private let parser = JSONParser(depthMax: Limits.nestingLevelsMax)

    init(_ database: Database) throws(SQLiteError) {
        select = try Query(database, "SELECT text FROM words WHERE item = ?1")
        replace = try Query(database, "INSERT OR REPLACE INTO words(item, text) VALUES(?1, ?2)")
        delete = try Query(database, "DELETE FROM words WHERE item = ?1")
        insertIndex = try Query(database, "INSERT INTO search(rowid, text) VALUES(?1, ?2)")
        // The index knows only what it is told: to forget a text it needs the text.
        deleteIndex = try Query(database, "INSERT INTO search(search, rowid, text) VALUES('delete', ?1, ?2)")
        match = try Query(
            database, "SELECT rowid FROM search WHERE search MATCH ?1 AND rowid > ?2 ORDER BY rowid LIMIT ?3")
    }

    /// Takes the words of an item as it is stored.
    func set(_ item: Int, row: [UInt8], blocks: [UInt8]) throws(RPCError) {
        guard let row = try? parser.parse(row).root, let blocks = try? parser.parse(blocks).root else {
            preconditionFailure("what is stored is JSON")
        }
        let text = SearchText.words(title: row["title"], subtitle: row["subtitle"], blocks: blocks)
        if let old = try select.first(item, read: { $0.text(0) }) {
            if Array(old.utf8) == Array(text.utf8) { return }
            try deleteIndex.run(item, old)
        }
        try replace.run(item, text)
        try insertIndex.run(item, text)
    }

    func remove(_ item: Int) throws(RPCError) {
        guard let old = try select.first(item, read: { $0.text(0) }) else { return }
        try deleteIndex.run(item, old)
        try delete.run(item)
    }

    /// The next items, by key, that match an expression, whatever their catalog.
    func matches(_ expression: String, after item: Int, count: Int) throws(RPCError) -> [Int] {
        try match.all(expression, item, count) { $0.int(0) }
    }
}
