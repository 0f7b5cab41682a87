import SQLite
import Shared

extension EntryTable {
    /// The rows of one list in one order, which is walked along the keys: up, or down if it is descending.
    struct Index {
        let table: EntryTable
        let list: Int
        let order: Order
        let isDescending: Bool
        let group: Entry.Group?

        /// The rows behind a position, or with `isReverse` before it, nearest first; nil is the end.
        func rows(from position: Cursor.Position?, isReverse: Bool, count: Int) throws(RPCError) -> [Entry] {
            guard isDescending else { return try scan(position, isDown: isReverse, count: count) }
            guard order == .date else {
                return try rowsDown(from: position, isReverse: isReverse, count: count)
            }
            // Rows without a date come last, as they do in the index: they are read on their own.
            let isAtUndated = position.map { $0.key == SortKeys.undated }
            if isReverse {
                var rows: [Entry] = []
                if isAtUndated ?? true {
                    rows = try run(SortKeys.undated, from: position?.id, isDown: true, count: count)
                }
                let from = isAtUndated ?? true ? nil : position
                let more = try rowsDown(from: from, isReverse: true, count: count - rows.count)
                return rows + more.prefix { $0.key != SortKeys.undated }
            }
            var rows: [Entry] = []
            if isAtUndated != true { rows = try rowsDown(from: position, isReverse: false, count: count) }
            let from = isAtUndated == true ? position?.id : nil
            return try rows + run(SortKeys.undated, from: from, isDown: false, count: count - rows.count)
        }

        /// The same for a descending list.
        ///
        /// In a descending list ids go up while keys go down, but the index has both going one way. So a run of rows
        /// with one key is read in the order of the index and turned round, and where the page begins or ends inside
        /// such a run, that part of it is read on its own.
        private func rowsDown(
            from position: Cursor.Position?, isReverse: Bool, count: Int
        ) throws(RPCError) -> [Entry] {
            guard count > 0 else { return [] }
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

        /// Whether a position comes before another one.
        func precedes(_ a: Cursor.Position, _ b: Cursor.Position) -> Bool {
            if a.key == b.key { return a.id.utf8.lexicographicallyPrecedes(b.id.utf8) }
            if order == .date, a.key == SortKeys.undated || b.key == SortKeys.undated {
                return b.key == SortKeys.undated
            }
            return a.key.lexicographicallyPrecedes(b.key) != isDescending
        }

        /// Where a descending list begins in the index: behind every key, or at the rows without a date.
        private var top: [UInt8] {
            order == .date && isDescending ? SortKeys.undated : EntryTable.behindAllKeys
        }

        /// The position next to all rows with this key.
        private func beyond(_ position: Cursor.Position, isDown: Bool) -> Cursor.Position {
            Cursor.Position(group: position.group, key: isDown ? position.key : position.key + [0], id: "")
        }

        private func scan(_ position: Cursor.Position?, isDown: Bool, count: Int) throws(RPCError) -> [Entry]
        {
            let key = position?.key ?? (isDown ? top : [])
            return try rows(
                isDown ? table.backward : table.forward, key, position?.id ?? "", upTo: \.key,
                isDown ? [] : EntryTable.behindAllKeys, isDown: isDown, count: count)
        }

        /// Rows with one key.
        private func run(_ key: [UInt8], from id: String?, isDown: Bool, count: Int) throws(RPCError)
            -> [Entry]
        {
            let id = id ?? (isDown ? Self.behindAllIds : "")
            return try rows(
                isDown ? table.groupBackward : table.groupForward, key, id, upTo: \.id,
                isDown ? "" : Self.behindAllIds, isDown: isDown, count: count)
        }

        /// What all runs have of it, merged.
        ///
        /// A run is not asked for what is beyond the rows that are there already, so that many runs together give not
        /// many more rows than one would.
        private func rows<Bound: Bindable>(
            _ query: Query, _ key: [UInt8], _ id: String, upTo bound: KeyPath<Entry, Bound>, _ end: Bound,
            isDown: Bool, count: Int
        ) throws(RPCError) -> [Entry] {
            guard count > 0 else { return [] }
            var all: [Entry] = []
            for run in try runs() {
                let end = all.count == count ? all[count - 1][keyPath: bound] : end
                let rows = try query.all(run, list, order.rawValue, key, id, end, count) { row in
                    Entry(key: row.bytes(0), id: row.text(1), item: row.int(2), group: group)
                }
                all = all.isEmpty ? rows : merged(all, rows, isDown: isDown, count: count)
            }
            return all
        }

        private func merged(_ a: [Entry], _ b: [Entry], isDown: Bool, count: Int) -> [Entry] {
            guard !b.isEmpty else { return a }
            var (i, j) = (0, 0)
            var merged: [Entry] = []
            merged.reserveCapacity(min(count, a.count + b.count))
            while merged.count < count, i < a.count || j < b.count {
                if j == b.count || (i < a.count && a[i].precedes(b[j]) != isDown) {
                    merged.append(a[i])
                    i += 1
                } else {
                    merged.append(b[j])
                    j += 1
                }
            }
            return merged
        }

        /// The runs in which rows of this order may be, the largest first.
        func runs() throws(RPCError) -> [Int] { order == .position ? [0] : try table.runs.numbers() }
    }
}

extension Entry {
    /// Whether it stands before another one in an index.
    fileprivate func precedes(_ other: Entry) -> Bool {
        if key == other.key { return id.utf8.lexicographicallyPrecedes(other.id.utf8) }
        return key.lexicographicallyPrecedes(other.key)
    }
}
