import Shared

/// Remembers some rows of lists with their indexes, so that the index of a row need not be counted from the beginning.
///
/// They hold for one revision of the catalog.
final class Milestones {
    private struct Key: Hashable {
        let list: Int
        let order: Order
    }

    private struct Marks {
        let revision: Int
        /// The rows with the indexes `step - 1`, `2 * step - 1` and so on.
        var positions: [Cursor.Position] = []
        /// No further one is in the list.
        var isComplete = false
    }

    private var lists: [Key: Marks] = [:]
    private let step = Limits.milestoneRows

    /// How many rows come before a position in an ascending list; nil if they are more than `max`.
    func index(
        of position: Cursor.Position, in index: EntryTable.Index, revision: Int, max: Int
    ) throws(RPCError) -> Int? {
        let key = Key(list: index.list, order: index.order)
        var marks = lists[key] ?? Marks(revision: revision)
        if marks.revision != revision { marks = Marks(revision: revision) }
        while !marks.isComplete, marks.positions.count * step <= max,
            marks.positions.last.map({ index.precedes($0, position) }) ?? true
        {
            if let next = try index.row(after: marks.positions.last, skipping: step - 1) {
                marks.positions.append(next)
            } else {
                marks.isComplete = true
            }
        }
        if lists.count >= Limits.milestoneListsMax, lists[key] == nil { lists = [:] }
        lists[key] = marks

        var (low, high) = (0, marks.positions.count)
        while low < high {
            let middle = (low + high) / 2
            if index.precedes(marks.positions[middle], position) { low = middle + 1 } else { high = middle }
        }
        guard low * step <= max else { return nil }
        let from = low > 0 ? marks.positions[low - 1] : nil
        let count = try low * step + index.count(after: from, before: position, max: step)
        return count <= max ? count : nil
    }
}
