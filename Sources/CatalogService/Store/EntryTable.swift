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
    private let groupForward: Query
    private let groupBackward: Query
    private let countBelow: Query
    private let countAbove: Query
    private let countInGroup: Query
    private let countBetween: Query
    private let skip: Query
    private let neighbours: NeighbourQueries

    init(_ database: Database) throws(SQLiteError) {
        insertRow = try Query(database, "INSERT INTO entry VALUES(?1, ?2, ?3, ?4, ?5)")
        deleteRow = try Query(
            database, "DELETE FROM entry WHERE list = ?1 AND sort = ?2 AND key = ?3 AND id = ?4")
        let page = "SELECT key, id, item FROM entry WHERE list = ?1 AND sort = ?2 AND"
        forward = try Query(database, "\(page) (key, id) > (?3, ?4) ORDER BY key, id LIMIT ?5")
        backward = try Query(database, "\(page) (key, id) < (?3, ?4) ORDER BY key DESC, id DESC LIMIT ?5")
        groupForward = try Query(database, "\(page) key = ?3 AND id > ?4 ORDER BY id LIMIT ?5")
        groupBackward = try Query(database, "\(page) key = ?3 AND id < ?4 ORDER BY id DESC LIMIT ?5")
        // Comparing keys alone takes half the time of comparing pairs, row for row.
        let count = "SELECT count(*) FROM (SELECT 1 FROM entry WHERE list = ?1 AND sort = ?2 AND"
        countBelow = try Query(database, "\(count) key < ?3 LIMIT ?4)")
        countAbove = try Query(database, "\(count) key > ?3 LIMIT ?4)")
        countBetween = try Query(database, "\(count) key > ?3 AND key < ?4 LIMIT ?5)")
        skip = try Query(database, "\(page) (key, id) > (?3, ?4) ORDER BY key, id LIMIT 1 OFFSET ?5")
        countInGroup = try Query(database, "\(count) key = ?3 AND id > ?4 AND id < ?5 LIMIT ?6)")
        neighbours = try NeighbourQueries(
            database, select: "SELECT item, key FROM entry WHERE list = ?1 AND sort = 0", key: "key")
    }

    func insert(_ list: Int, _ order: Order, _ key: [UInt8], _ id: Identifier, item: Int) throws(RPCError) {
        try insertRow.run(list, order.rawValue, key, id.text, item)
    }

    func delete(_ list: Int, _ order: Order, _ key: [UInt8], _ id: Identifier) throws(RPCError) {
        try deleteRow.run(list, order.rawValue, key, id.text)
    }

    /// The rows of one list in one order.
    func index(_ list: Int, _ order: Order, isDescending: Bool, group: Entry.Group?) -> Index {
        Index(table: self, list: list, order: order, isDescending: isDescending, group: group)
    }

    /// The places of the items of a category.
    func places(of category: Int) -> Places { Places(list: category, queries: neighbours) }
}

extension EntryTable {
    /// The rows of one list in one order, which is walked along the keys: up, or down if it is descending.
    struct Index {
        fileprivate let table: EntryTable
        let list: Int
        let order: Order
        fileprivate let isDescending: Bool
        fileprivate let group: Entry.Group?

        /// The rows behind a position, or with `isReverse` before it, nearest first; nil is the end.
        ///
        /// In a descending list ids go up while keys go down, but the index has both going one way. So a run of rows
        /// with one key is read in the order of the index and turned round, and where the page begins or ends inside
        /// such a run, that part of it is read on its own.
        func rows(from position: Cursor.Position?, isReverse: Bool, count: Int) throws(RPCError) -> [Entry] {
            guard isDescending else { return try scan(position, isDown: isReverse, count: count) }
            var rows: [Entry] = []
            if let position {
                rows = try run(position.key, from: position.id, isDown: isReverse, count: count)
            }
            let missing = count - rows.count
            let more = try scan(
                position.map { beyond($0, isDown: !isReverse) }, isDown: !isReverse, count: missing)
            guard let last = more.last, missing > 0 else { return rows }
            var start = 0
            while start < more.count {
                let end = more[start...].firstIndex { $0.key != more[start].key } ?? more.count
                if more[start].key == last.key, more.count == missing { break }
                rows += more[start..<end].reversed()
                start = end
            }
            guard start < more.count else { return rows }
            return try rows + run(last.key, from: nil, isDown: isReverse, count: count - rows.count)
        }

        /// Longer than any id, and of the last character.
        private static let behindAllIds = String(repeating: "\u{10FFFF}", count: Limits.idBytesMax / 4 + 1)

        /// Whether a position comes before another one.
        func precedes(_ a: Cursor.Position, _ b: Cursor.Position) -> Bool {
            if a.key == b.key { return a.id.utf8.lexicographicallyPrecedes(b.id.utf8) }
            return a.key.lexicographicallyPrecedes(b.key) != isDescending
        }

        /// The row that comes behind a position when some are left out; for ascending lists.
        func row(after position: Cursor.Position?, skipping count: Int) throws(RPCError) -> Cursor.Position? {
            try rows(table.skip, position?.key ?? [], position?.id ?? "", count: count).first?.position
        }

        /// How many rows are between two positions, at most `max`; for ascending lists.
        ///
        /// SQLite takes only one bound of a pair from an index, so runs with one key are counted on their own.
        func count(
            after low: Cursor.Position?, before high: Cursor.Position, max: Int
        ) throws(RPCError) -> Int {
            guard let low else { return try count(before: high, max: max) }
            if low.key == high.key { return try run(low.key, after: low.id, before: high.id, max: max) }
            let between = try table.countBetween.first(list, order.rawValue, low.key, high.key, max) {
                $0.int(0)
            }
            return try run(low.key, after: low.id, before: Self.behindAllIds, max: max) + (between ?? 0)
                + run(high.key, after: "", before: high.id, max: max)
        }

        /// How many rows come before a position; at most `max`.
        func count(before position: Cursor.Position, max: Int) throws(RPCError) -> Int {
            let outside = isDescending ? table.countAbove : table.countBelow
            let count = try outside.first(list, order.rawValue, position.key, max) { $0.int(0) } ?? 0
            return try count + run(position.key, after: "", before: position.id, max: max - count)
        }

        /// How many rows with one key have an id between two; at most `max`.
        private func run(
            _ key: [UInt8], after low: String, before high: String, max: Int
        ) throws(RPCError) -> Int {
            guard max > 0 else { return 0 }
            return try table.countInGroup.first(list, order.rawValue, key, low, high, max) { $0.int(0) } ?? 0
        }

        /// The position next to all rows with this key.
        private func beyond(_ position: Cursor.Position, isDown: Bool) -> Cursor.Position {
            Cursor.Position(group: position.group, key: isDown ? position.key : position.key + [0], id: "")
        }

        private func scan(_ position: Cursor.Position?, isDown: Bool, count: Int) throws(RPCError) -> [Entry]
        {
            // The end of the index is behind every key: none begins with three bytes 0xFF.
            let key = position?.key ?? (isDown ? [0xFF, 0xFF, 0xFF] : [])
            return try rows(isDown ? table.backward : table.forward, key, position?.id ?? "", count: count)
        }

        /// Rows with one key.
        private func run(_ key: [UInt8], from id: String?, isDown: Bool, count: Int) throws(RPCError)
            -> [Entry]
        {
            let id = id ?? (isDown ? Self.behindAllIds : "")
            return try rows(isDown ? table.groupBackward : table.groupForward, key, id, count: count)
        }

        private func rows(_ query: Query, _ key: [UInt8], _ id: String, count: Int) throws(RPCError)
            -> [Entry]
        {
            guard count > 0 else { return [] }
            return try query.all(list, order.rawValue, key, id, count) { row in
                Entry(key: row.bytes(0), id: row.text(1), item: row.int(2), group: group)
            }
        }
    }
}
