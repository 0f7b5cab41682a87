import SQLite
import Shared

/// How many rows there are in each stretch of a list, so that the index of a row is a sum, and only the stretch that the
/// row is in has to be counted.
///
/// A stretch ends at a milestone, which is a key and an id; a row need not be there. Beyond the last milestone there is no row.
/// What changes is noted, and counted in before the commit: a stretch is then written once for all of its rows.
final class MilestoneTable {
    private struct Change {
        let list: Int
        let order: Order
        let position: Cursor.Position
        let difference: Int

        func precedes(_ other: Change) -> Bool {
            if list != other.list { return list < other.list }
            if order != other.order { return order.rawValue < other.order.rawValue }
            return position.precedesInIndex(other.position)
        }
    }

    private let selectSum: Query
    private let selectAll: Query
    private let selectBefore: Query
    private let selectEnd: Query
    private let insertRow: Query
    private let addRows: Query
    private let deleteEmpty: Query
    private let selectLong: Query
    private var changes: [Change] = []
    /// How many of them are of changes that can't be undone alone any more.
    private var keptCount = 0

    init(_ database: Database) throws(SQLiteError) {
        let those = "FROM milestone WHERE list = ?1 AND sort = ?2"
        selectSum = try Query(database, "SELECT sum(rows) \(those) AND (key, id) < (?3, ?4)")
        selectAll = try Query(database, "SELECT sum(rows) \(those)")
        selectBefore = try Query(
            database,
            "SELECT key, id \(those) AND (key, id) < (?3, ?4) ORDER BY key DESC, id DESC LIMIT 1")
        selectEnd = try Query(
            database, "SELECT key, id \(those) AND (key, id) >= (?3, ?4) ORDER BY key, id LIMIT 1")
        insertRow = try Query(database, "INSERT INTO milestone VALUES(?1, ?2, ?3, ?4, ?5)")
        let that = "WHERE list = ?1 AND sort = ?2 AND key = ?3 AND id = ?4"
        addRows = try Query(database, "UPDATE milestone SET rows = rows + ?5 \(that)")
        deleteEmpty = try Query(database, "DELETE FROM milestone \(that) AND rows = 0")
        selectLong = try Query(
            database,
            """
            SELECT key, id, list, sort FROM milestone INDEXED BY milestone_long
            WHERE rows > \(Schema.stretchRowsMax) LIMIT 1
            """)
    }

    // MARK: Reading

    /// How many rows come before a position, along the index; nil if more than `max` would have to be counted for it.
    func index(of position: Cursor.Position, in index: EntryTable.Index, max: Int) throws(RPCError) -> Int? {
        let (list, sort) = (index.list, index.order.rawValue)
        let known = try selectSum.first(list, sort, position.key, position.id) { $0.int(0) } ?? 0
        let start = try start(of: position, list, sort)
        let counted = try index.count(from: start, to: position, max: max + 1)
        return counted <= max ? known + counted : nil
    }

    /// How many rows a list has.
    func total(of index: EntryTable.Index) throws(RPCError) -> Int {
        try selectAll.first(index.list, index.order.rawValue) { $0.int(0) } ?? 0
    }

    /// The milestone before a position.
    private func start(of position: Cursor.Position, _ list: Int, _ sort: Int) throws(RPCError)
        -> Cursor.Position
    {
        try selectBefore.first(list, sort, position.key, position.id, read: Self.position)
            ?? Cursor.Position(group: nil, key: [], id: "")
    }

    private static func position(_ row: Row) -> Cursor.Position {
        Cursor.Position(group: nil, key: row.bytes(0), id: row.text(1))
    }

    // MARK: Changes

    /// A row was put into a list, or taken out.
    func note(_ list: Int, _ order: Order, _ key: [UInt8], _ id: Identifier, by difference: Int)
        throws(RPCError)
    {
        let position = Cursor.Position(group: nil, key: key, id: id.text)
        changes.append(Change(list: list, order: order, position: position, difference: difference))
        // A long change set: what it has counted in is undone by its savepoint if need be.
        if changes.count - keptCount >= Limits.notedChangesMax { try write(from: keptCount) }
    }

    /// A change set begins, which may be undone alone.
    func beginChange() { keptCount = changes.count }

    /// The change set that was begun last is undone.
    func undoChange() { changes.removeLast(changes.count - keptCount) }

    /// Counts in what was noted; not to be called during a change set.
    func write() throws(RPCError) {
        try write(from: 0)
        keptCount = 0
    }

    /// The transaction has ended.
    func end() { (changes, keptCount) = ([], 0) }

    private func write(from first: Int) throws(RPCError) {
        let sorted = changes[first...].sorted { $0.precedes($1) }
        changes.removeLast(changes.count - first)
        var rest = sorted[...]
        while let change = rest.first {
            let end = try end(of: change)
            let behind = rest.firstIndex { other in
                other.list != change.list || other.order != change.order
                    || end.precedesInIndex(other.position)
            }
            let difference = rest[..<(behind ?? rest.endIndex)].reduce(0) { $0 + $1.difference }
            rest = rest[(behind ?? rest.endIndex)...]
            guard difference != 0 else { continue }
            try addRows.run(change.list, change.order.rawValue, end.key, end.id, difference)
            guard difference < 0 else { continue }
            try deleteEmpty.run(change.list, change.order.rawValue, end.key, end.id)
        }
    }

    /// The milestone at which the stretch of a change ends.
    private func end(of change: Change) throws(RPCError) -> Cursor.Position {
        let (list, sort, position) = (change.list, change.order.rawValue, change.position)
        if let end = try selectEnd.first(list, sort, position.key, position.id, read: Self.position) {
            return end
        }
        let end = Cursor.Position(group: nil, key: EntryTable.behindAllKeys, id: "")
        try insertRow.run(list, sort, end.key, end.id, 0)
        return end
    }

    // MARK: Long stretches

    /// Divides stretches that have got long, until `isTimeOver` says so.
    ///
    /// To be called in a transaction, when what was noted is counted in. Returns whether none is left.
    @discardableResult
    func divide(in entries: EntryTable, isTimeOver: () -> Bool) throws(RPCError) -> Bool {
        while let (list, sort, end) = try selectLong.first(read: { row in
            (row.int(2), row.int(3), Self.position(row))
        }) {
            guard let order = Order(rawValue: sort) else { throw .damaged("has a list in an unknown order") }
            let index = entries.index(list, order, isDescending: false, group: nil)
            let start = try start(of: end, list, sort)
            let middle = try index.middle(from: start, to: end)
            let rows = try index.count(from: start, to: middle, max: Int.max) + 1
            try insertRow.run(list, sort, middle.key, middle.id, rows)
            try addRows.run(list, sort, end.key, end.id, -rows)
            if isTimeOver() { return false }
        }
        return true
    }
}
