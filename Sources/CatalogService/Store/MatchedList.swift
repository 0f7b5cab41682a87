import Shared

/// The rows of a list that match, when they are few enough to be sorted here.
struct MatchedList: RowList {
    private let base: any RowList
    private let sorted: [Entry]

    init(_ base: any RowList, _ entries: [Entry]) {
        self.base = base
        sorted = entries.sorted { base.precedes($0.position, $1.position) }
    }

    func rows(from position: Cursor.Position?, isReverse: Bool, count: Int) throws(RPCError) -> [Entry] {
        guard !isReverse else {
            let end = position.map { lowerBound($0) } ?? sorted.count
            return sorted[..<end].suffix(count).reversed()
        }
        return Array(sorted[(position.map { lowerBound($0.behind) } ?? 0)...].prefix(count))
    }

    func index(of position: Cursor.Position) throws(RPCError) -> Int? { lowerBound(position) }

    func entry(of item: Identifier) throws(RPCError) -> Entry? {
        sorted.first { Identifier($0.id) == item }
    }

    func entries(of item: ItemRow) throws(RPCError) -> [Entry] { sorted.filter { $0.item == item.key } }

    func precedes(_ a: Cursor.Position, _ b: Cursor.Position) -> Bool { base.precedes(a, b) }

    /// The index of the first row that does not come before a position.
    private func lowerBound(_ position: Cursor.Position) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if base.precedes(sorted[middle].position, position) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
