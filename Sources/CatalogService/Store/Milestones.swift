import Shared

/// Remembers some rows of lists and how many come before them, so that the index of a row need not be counted from the
/// beginning.
///
/// Shared by who reads and who writes: what is committed is counted in, so that a change costs a list nothing.
final class Milestones {
    private struct Key: Hashable {
        let list: Int
        let order: Order
        let isDescending: Bool
    }

    private struct Marks {
        /// Rows in the order of the index, about `Limits.milestoneRows` from each other; some may be gone.
        var positions: [Cursor.Position] = []
        /// How many rows there are from the one before, without it, to each, with it.
        var counts: [Int] = []
        /// No run has another one.
        var isComplete = false

        /// The number of marks before a position.
        func before(_ position: Cursor.Position, _ isAhead: (Cursor.Position, Cursor.Position) -> Bool)
            -> Int
        {
            var (low, high) = (0, positions.count)
            while low < high {
                let middle = (low + high) / 2
                if isAhead(positions[middle], position) { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    private struct Change {
        let list: Int
        let order: Order
        let position: Cursor.Position
        let difference: Int
    }

    private var lists: [Key: Marks] = [:]
    private var changes: [Change] = []
    /// There were too many changes to tell what they do.
    private var isLost = false

    /// How many rows come before a position along an index; nil if they are more than `max`.
    func index(of position: Cursor.Position, in index: EntryTable.Index, max: Int) throws(RPCError) -> Int? {
        let key = Key(list: index.list, order: index.order, isDescending: index.isDescending)
        var marks = lists[key] ?? Marks()
        var total = marks.counts.reduce(0, +)
        while !marks.isComplete, total <= max,
            marks.positions.last.map({ index.isAhead($0, of: position) }) ?? true
        {
            let last = marks.positions.last
            if let next = try index.row(after: last, count: Limits.milestoneRows) {
                marks.positions.append(next.position)
                marks.counts.append(next.count)
                total += next.count
            } else {
                marks.isComplete = true
            }
        }
        if lists.count >= Limits.milestoneListsMax, lists[key] == nil { lists = [:] }
        lists[key] = marks
        let before = marks.before(position) { index.isAhead($0, of: $1) }
        let known = marks.counts[..<before].reduce(0, +)
        guard known <= max else { return nil }
        let from = before > 0 ? marks.positions[before - 1] : nil
        let count = try known + index.count(from: from, to: position, max: max)
        return count <= max ? count : nil
    }

    // MARK: Changes

    /// A place in the list of changes, to come back to.
    var mark: Int { changes.count }

    /// A row was put into a list, or taken out; it counts after `commit`.
    func note(_ list: Int, _ order: Order, _ key: [UInt8], _ id: Identifier, by difference: Int) {
        guard changes.count < Limits.notedChangesMax else { return isLost = true }
        let position = Cursor.Position(group: nil, key: key, id: id.text)
        changes.append(Change(list: list, order: order, position: position, difference: difference))
    }

    /// What was noted since then has not happened.
    func undo(to mark: Int) { changes.removeLast(max(0, changes.count - mark)) }

    /// What was noted has happened.
    func commit() {
        if isLost { lists = [:] }
        if !lists.isEmpty { for change in changes { count(change) } }
        (changes, isLost) = ([], false)
    }

    /// Nothing of what was noted has happened.
    func rollback() { (changes, isLost) = ([], false) }

    private func count(_ change: Change) {
        for isDescending in [false, true] {
            // Rows without a date come last then, and are not counted from there.
            if isDescending, change.order == .date, change.position.key == SortKeys.undated { continue }
            let key = Key(list: change.list, order: change.order, isDescending: isDescending)
            guard var marks = lists.removeValue(forKey: key) else { continue }
            let index = marks.before(change.position) { a, b in
                isDescending ? b.precedesInIndex(a) : a.precedesInIndex(b)
            }
            // What is behind all marks is counted when it is asked for.
            if index < marks.counts.count { marks.counts[index] += change.difference }
            // Marks that have drifted apart would make counting slow.
            if index < marks.counts.count, marks.counts[index] > Limits.milestoneRowsMax { continue }
            lists[key] = marks
        }
    }
}
