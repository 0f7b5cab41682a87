import SQLite
import Shared

// Counting is along the index: ids go the same way as keys, down if the list is descending.

extension EntryTable.Index {
    /// Longer than any id, and of the last character.
    static let behindAllIds = String(repeating: "\u{10FFFF}", count: Limits.idBytesMax / 4 + 1)

    /// A row some way behind a position, and how many rows there are up to it; nil if no run has `count` more rows.
    ///
    /// Of several runs it is the nearest one that is `count` rows away in its run, so that no run has more in between.
    func row(after position: Cursor.Position?, count: Int) throws(RPCError) -> (
        position: Cursor.Position, count: Int
    )? {
        let query = isDescending ? table.skipBackward : table.skipForward
        let key = position?.key ?? (isDescending ? top : [])
        var nearest: (position: Cursor.Position, run: Int)?
        let runs = try runs()
        for run in runs {
            let found = try query.first(run, list, order.rawValue, key, position?.id ?? "", count - 1) {
                row in
                Cursor.Position(group: group?.place, key: row.bytes(0), id: row.text(1))
            }
            if let found, nearest.map({ isAhead(found, of: $0.position) }) ?? true { nearest = (found, run) }
        }
        guard let nearest else { return nil }
        let others = try self.count(
            from: position, to: nearest.position, max: count, in: runs.filter { $0 != nearest.run })
        return (nearest.position, count + others)
    }

    /// Whether a position comes before another one along the index.
    func isAhead(_ a: Cursor.Position, of b: Cursor.Position) -> Bool {
        isDescending ? b.precedesInIndex(a) : a.precedesInIndex(b)
    }

    /// How many rows are between two positions along the index; nil is its beginning.
    ///
    /// In each run they are counted up to `max`.
    func count(from: Cursor.Position?, to: Cursor.Position, max: Int) throws(RPCError) -> Int {
        try count(from: from, to: to, max: max, in: runs())
    }

    private func count(
        from: Cursor.Position?, to: Cursor.Position, max: Int, in runs: [Int]
    ) throws(RPCError) -> Int {
        var all = 0
        for run in runs {
            if isDescending {
                let from = from ?? Cursor.Position(group: nil, key: top, id: "")
                all += try between(run, to, from, max: max)
            } else if let from {
                all += try between(run, from, to, max: max)
            } else {
                all += try table.countBelow.first(run, list, order.rawValue, to.key, max) { $0.int(0) } ?? 0
                all += try self.run(run, to.key, after: "", before: to.id, max: max)
            }
        }
        return all
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
    /// Whether it comes before another one in an ascending index.
    func precedesInIndex(_ other: Cursor.Position) -> Bool {
        if key != other.key { return key.lexicographicallyPrecedes(other.key) }
        return id.utf8.lexicographicallyPrecedes(other.id.utf8)
    }
}
