import SQLite
import Shared

/// A row of a list in one order.
struct Entry {
    /// The category that a row stands under, in a list of several.
    struct Group {
        let id: Identifier
        let place: Place
    }

    let key: [UInt8]
    let id: String
    let item: Int
    let group: Group?

    var position: Cursor.Position { Cursor.Position(group: group?.place, key: key, id: id) }
}

/// Every list of items in every order.
struct EntryTable {
    private let insertRow: Query
    private let deleteRow: Query
    private let forward: Query
    private let backward: Query
    private let countBefore: Query
    private let countAfter: Query
    private let neighbours: NeighbourQueries

    init(_ database: Database) throws(SQLiteError) {
        insertRow = try Query(database, "INSERT INTO entry VALUES(?1, ?2, ?3, ?4, ?5)")
        deleteRow = try Query(
            database, "DELETE FROM entry WHERE list = ?1 AND sort = ?2 AND key = ?3 AND id = ?4")
        let page = "SELECT key, id, item FROM entry WHERE list = ?1 AND sort = ?2 AND (key, id)"
        forward = try Query(database, "\(page) > (?3, ?4) ORDER BY key, id LIMIT ?5")
        backward = try Query(database, "\(page) < (?3, ?4) ORDER BY key DESC, id DESC LIMIT ?5")
        let count = "SELECT count(*) FROM (SELECT 1 FROM entry WHERE list = ?1 AND sort = ?2 AND (key, id)"
        countBefore = try Query(database, "\(count) < (?3, ?4) LIMIT ?5)")
        countAfter = try Query(database, "\(count) > (?3, ?4) LIMIT ?5)")
        neighbours = try NeighbourQueries(
            database, select: "SELECT item, key FROM entry WHERE list = ?1 AND sort = 0", key: "key")
    }

    func insert(_ list: Int, _ order: Order, _ key: [UInt8], _ id: Identifier, item: Int) throws(RPCError) {
        try insertRow.run(list, order.rawValue, key, id.text, item)
    }

    func delete(_ list: Int, _ order: Order, _ key: [UInt8], _ id: Identifier) throws(RPCError) {
        try deleteRow.run(list, order.rawValue, key, id.text)
    }

    /// The rows behind a key, or before it from there backwards.
    func rows(
        _ list: Int, _ order: Order, isBackwards: Bool, from key: [UInt8], _ id: String, count: Int,
        group: Entry.Group?
    ) throws(RPCError) -> [Entry] {
        try (isBackwards ? backward : forward).all(list, order.rawValue, key, id, count) { row in
            Entry(key: row.bytes(0), id: row.text(1), item: row.int(2), group: group)
        }
    }

    /// How many rows there are before a key, or behind it; at most `max`.
    func count(
        _ list: Int, _ order: Order, isBehind: Bool, _ key: [UInt8], _ id: String, max: Int
    ) throws(RPCError) -> Int {
        try (isBehind ? countAfter : countBefore).first(list, order.rawValue, key, id, max) { $0.int(0) } ?? 0
    }

    /// The places of the items of a category.
    func places(of category: Int) -> Places { Places(list: category, queries: neighbours) }
}
