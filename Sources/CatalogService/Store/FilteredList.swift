import Shared

/// The rows of a list that match, when they are too many to be sorted: the list is walked, and others are left out.
///
/// That may take longer than a turn. Then `isInterrupted` says that what was given is worth nothing; it remembers how
/// far it came, and whoever asks again for the same rows goes on from there.
final class FilteredList: RowList {
    private struct Call: Hashable {
        let group: [UInt8]?
        let key: [UInt8]?
        let id: [UInt8]
        let isReverse: Bool
    }

    private struct Walk {
        var found: [Entry] = []
        var position: Cursor.Position?
        var isAtEnd = false
        var step = Limits.walkRowsPerStep.lowerBound
    }

    /// How it is told whether a row matches.
    enum Filter {
        /// All that match are known.
        case keys(KeySet)
        /// The words of a row are looked through.
        case words(WordQuery, ItemTable)
    }

    private let base: any RowList
    private let filter: Filter
    /// How many rows were looked at.
    private(set) var walkedRows = 0
    private var walks: [Call: Walk] = [:]
    private var isTimeOver: () -> Bool = { false }
    /// There was no time to find all that was asked for.
    private var isInterrupted = false

    init(_ base: any RowList, _ filter: Filter) { (self.base, self.filter) = (base, filter) }

    private func matches(_ item: Int) throws(RPCError) -> Bool {
        switch filter {
        case .keys(let keys): keys.contains(item)
        case .words(let query, let items): query.matches(try items.words(item))
        }
    }

    /// The rows of a window, or nil if there was no time to find them: then ask again.
    func page(_ window: Window, limit: Int, isTimeOver: @escaping () -> Bool) throws(RPCError) -> Page? {
        (self.isTimeOver, isInterrupted) = (isTimeOver, false)
        let page = try page(window, limit: limit)
        return isInterrupted ? nil : page
    }

    /// All rows if they are at most `max`, else `max + 1` of them; nil if there was no time to find them: then ask again.
    func rows(max: Int, isTimeOver: @escaping () -> Bool) throws(RPCError) -> [Entry]? {
        (self.isTimeOver, isInterrupted) = (isTimeOver, false)
        let found = try rows(from: nil, isReverse: false, count: max + 1)
        return isInterrupted ? nil : found
    }

    func rows(from position: Cursor.Position?, isReverse: Bool, count: Int) throws(RPCError) -> [Entry] {
        let call = Call(
            group: position?.group?.bytes, key: position?.key, id: Array((position?.id ?? "").utf8),
            isReverse: isReverse)
        var walk = walks[call] ?? Walk(position: position)
        while walk.found.count < count, !walk.isAtEnd {
            isInterrupted = isInterrupted || isTimeOver()
            if isInterrupted { break }
            let step = walk.step
            walk.step = min(step * 2, Limits.walkRowsPerStep.upperBound)
            let rows = try base.rows(from: walk.position, isReverse: isReverse, count: step)
            walkedRows += rows.count
            for row in rows where try matches(row.item) { walk.found.append(row) }
            walk.isAtEnd = rows.count < step
            if let last = rows.last { walk.position = last.position }
        }
        walks[call] = walk
        return Array(walk.found.prefix(count))
    }

    func index(of position: Cursor.Position) throws(RPCError) -> Int? {
        let count = try rows(from: position, isReverse: true, count: Limits.matchIndexMax + 1).count
        return count <= Limits.matchIndexMax ? count : nil
    }

    func entry(of item: Identifier) throws(RPCError) -> Entry? {
        guard let entry = try base.entry(of: item), try matches(entry.item) else { return nil }
        return entry
    }

    func entries(of item: ItemRow) throws(RPCError) -> [Entry] {
        try matches(item.key) ? base.entries(of: item) : []
    }

    func precedes(_ a: Cursor.Position, _ b: Cursor.Position) -> Bool { base.precedes(a, b) }
}
