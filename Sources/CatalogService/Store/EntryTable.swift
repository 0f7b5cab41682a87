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
    private let deletePosition: Query
    private let deleteRow: Query
    let forward: Query
    let backward: Query
    let groupForward: Query
    let groupBackward: Query
    let countInGroup: Query
    let countBetween: Query
    let skip: Query
    private let neighbours: NeighbourQueries
    let runs: RunTable
    private let milestones: MilestoneTable

    /// Behind every key: none begins with three bytes 0xFF.
    static let behindAllKeys: [UInt8] = [0xFF, 0xFF, 0xFF]

    init(_ database: Database, _ runs: RunTable, _ milestones: MilestoneTable) throws(SQLiteError) {
        (self.runs, self.milestones) = (runs, milestones)
        insertRow = try Query(database, "INSERT INTO entry VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
        deletePosition = try Query(
            database, "DELETE FROM entry WHERE run = 0 AND list = ?1 AND sort = 0 AND key = ?2 AND id = ?3")
        deleteRow = try Query(
            database,
            """
            DELETE FROM entry WHERE run IN (SELECT number FROM run) AND list = ?1 AND sort = ?2 AND key = ?3
              AND id = ?4
            """)
        let those = "entry WHERE run = ?1 AND list = ?2 AND sort = ?3 AND"
        let page = "SELECT key, id, item FROM \(those)"
        forward = try Query(
            database, "\(page) (key, id) > (?4, ?5) AND key <= ?6 ORDER BY key, id LIMIT ?7")
        backward = try Query(
            database, "\(page) (key, id) < (?4, ?5) AND key >= ?6 ORDER BY key DESC, id DESC LIMIT ?7")
        groupForward = try Query(
            database, "\(page) key = ?4 AND id > ?5 AND id <= ?6 ORDER BY id LIMIT ?7")
        groupBackward = try Query(
            database, "\(page) key = ?4 AND id < ?5 AND id >= ?6 ORDER BY id DESC LIMIT ?7")
        // Comparing keys alone takes half the time of comparing pairs, row for row.
        let count = "SELECT count(*) FROM (SELECT 1 FROM \(those)"
        countBetween = try Query(database, "\(count) key > ?4 AND key < ?5 LIMIT ?6)")
        skip = try Query(
            database, "\(page) (key, id) > (?4, ?5) AND key <= ?6 ORDER BY key, id LIMIT 1 OFFSET ?7")
        countInGroup = try Query(database, "\(count) key = ?4 AND id > ?5 AND id < ?6 LIMIT ?7)")
        neighbours = try NeighbourQueries(
            database, select: "SELECT item, key FROM entry WHERE run = 0 AND list = ?1 AND sort = 0",
            key: "key")
    }

    func insert(_ list: Int, _ order: Order, _ key: [UInt8], _ id: Identifier, item: Int) throws(RPCError) {
        let run = order == .position ? 0 : runs.numberForNewRow()
        try insertRow.run(run, list, order.rawValue, key, id.text, item)
        try milestones.note(list, order, key, id, by: 1)
    }

    func delete(_ list: Int, _ order: Order, _ key: [UInt8], _ id: Identifier) throws(RPCError) {
        if order == .position {
            try deletePosition.run(list, key, id.text)
        } else {
            try deleteRow.run(list, order.rawValue, key, id.text)
        }
        try milestones.note(list, order, key, id, by: -1)
    }

    /// The rows of one list in one order.
    func index(_ list: Int, _ order: Order, isDescending: Bool, group: Entry.Group?) -> Index {
        Index(table: self, list: list, order: order, isDescending: isDescending, group: group)
    }

    /// The places of the items of a category.
    func places(of category: Int) -> Places { Places(list: category, queries: neighbours) }
}
