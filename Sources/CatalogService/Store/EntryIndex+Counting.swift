import SQLite
import Shared

// Counting is along the index, where ids go the same way as keys.

extension EntryTable.Index {
    /// Longer than any id, and of the last character.
    static let behindAllIds = String(repeating: "\u{10FFFF}", count: Limits.idBytesMax / 4 + 1)

    /// How many rows are between two positions.
    ///
    /// In each run they are counted up to `max`.
    func count(from: Cursor.Position, to: Cursor.Position, max: Int) throws(RPCError) -> Int {
        var all = 0
        for run in try runs() { all += try between(run, from, to, max: max) }
        return all
    }

    /// The row in the middle of those that the largest run has between two positions, of which there must be some.
    ///
    /// So some thousandths of all rows at least are on either side of it, and mostly about half.
    func middle(from: Cursor.Position, to: Cursor.Position) throws(RPCError) -> Cursor.Position {
        var largest = (run: 0, rows: 0)
        for run in try runs() {
            let rows = try between(run, from, to, max: Schema.stretchRowsMax)
            if rows > largest.rows { largest = (run, rows) }
        }
        let middle = try table.skip.first(
            largest.run, list, order.rawValue, from.key, from.id, to.key, largest.rows / 2
        ) { row in Cursor.Position(group: nil, key: row.bytes(0), id: row.text(1)) }
        guard let middle else { throw .damaged("has less rows in a list than it has counted") }
        return middle
    }

    /// How many rows with one key have an id before this one.
    func count(_ key: [UInt8], before id: String, max: Int) throws(RPCError) -> Int {
        var all = 0
        for run in try runs() { all += try self.run(run, key, after: "", before: id, max: max) }
        return all
    }

    /// SQLite takes only one bound of a pair from an index, so rows with one key are counted on their own.
    private func between(
        _ run: Int, _ low: Cursor.Position, _ high: Cursor.Position, max: Int
    ) throws(RPCError) -> Int {
        if low.key == high.key { return try self.run(run, low.key, after: low.id, before: high.id, max: max) }
        let inside = try table.countBetween.first(run, list, order.rawValue, low.key, high.key, max) {
            $0.int(0)
        }
        return try self.run(run, low.key, after: low.id, before: Self.behindAllIds, max: max) + (inside ?? 0)
            + self.run(run, high.key, after: "", before: high.id, max: max)
    }

    /// How many rows with one key have an id between two.
    private func run(
        _ run: Int, _ key: [UInt8], after low: String, before high: String, max: Int
    ) throws(RPCError) -> Int {
        try table.countInGroup.first(run, list, order.rawValue, key, low, high, max) { $0.int(0) } ?? 0
    }
}

extension Cursor.Position {
    /// Whether it comes before another one in an index.
    func precedesInIndex(_ other: Cursor.Position) -> Bool {
        if key != other.key { return key.lexicographicallyPrecedes(other.key) }
        return id.utf8.lexicographicallyPrecedes(other.id.utf8)
    }
}
