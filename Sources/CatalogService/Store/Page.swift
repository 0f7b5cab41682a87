import Shared

/// Which rows of a list are wanted.
enum Window {
    case first
    case after(Cursor.Position)
    case before(Cursor.Position)
    case around(Identifier)
}

/// Some rows of a list that stand together.
struct Page {
    var entries: [Entry] = []
    /// The cursor before the first row; nil if there are no rows before it.
    var before: Cursor.Position?
    /// The cursor behind the last row; nil if there are no rows behind it.
    var after: Cursor.Position?
    /// The index of the first row; nil if it is not known.
    var first: Int? = 0
    /// The index of the row that the window is around; nil if there is none, or it is not known.
    var aroundIndex: Int?
}

/// A list of rows that is walked from row to row.
protocol RowList {
    /// The rows that follow a position, or with `isReverse` the ones before it, nearest first; nil is the end.
    func rows(from position: Cursor.Position?, isReverse: Bool, count: Int) throws(RPCError) -> [Entry]

    /// How many rows come before a position; nil if they are too many to be counted.
    func index(of position: Cursor.Position) throws(RPCError) -> Int?

    /// The row of an item; nil if the list does not have it.
    func entry(of item: Identifier) throws(RPCError) -> Entry?

    /// All rows of an item in this list.
    func entries(of item: ItemRow) throws(RPCError) -> [Entry]

    /// Whether a position comes before another one.
    func precedes(_ a: Cursor.Position, _ b: Cursor.Position) -> Bool
}

extension Cursor.Position {
    /// A position right behind this one, so that the rows before it are also the one that stands here.
    var behind: Cursor.Position { Cursor.Position(group: group, key: key, id: id + "\0") }
}

extension RowList {
    /// The rows of a window.
    func page(_ window: Window, limit: Int) throws(RPCError) -> Page {
        switch window {
        case .first: return try page(rows(from: nil, isReverse: false, count: limit))
        case .after(let position):
            let entries = try rows(from: position, isReverse: false, count: limit)
            guard entries.isEmpty else { return try page(entries) }
            let end = position.behind
            let isAnyBefore = try !rows(from: end, isReverse: true, count: 1).isEmpty
            return Page(before: isAnyBefore ? end : nil, first: try index(of: end))
        case .before(let position):
            let entries = try rows(from: position, isReverse: true, count: limit)
            guard entries.isEmpty else { return try page(entries.reversed()) }
            return Page(after: try rows(from: position, isReverse: false, count: 1).isEmpty ? nil : position)
        case .around(let item):
            guard let entry = try entry(of: item) else { return try page(.first, limit: limit) }
            return try page(around: entry, limit: limit)
        }
    }

    /// The window with the row in its middle, moved so far that it is full if the list has enough rows.
    private func page(around entry: Entry, limit: Int) throws(RPCError) -> Page {
        var before = try rows(from: entry.position, isReverse: true, count: limit / 2)
        let behind = try rows(from: entry.position, isReverse: false, count: limit - before.count - 1)
        let missing = limit - before.count - 1 - behind.count
        if missing > 0, before.count == limit / 2 {
            before += try rows(from: (before.last ?? entry).position, isReverse: true, count: missing)
        }
        var page = try page(before.reversed() + [entry] + behind)
        page.aroundIndex = page.first.map { $0 + before.count }
        return page
    }

    /// A page of these rows, which are some.
    private func page(_ entries: [Entry]) throws(RPCError) -> Page {
        guard let first = entries.first?.position, let last = entries.last?.position else { return Page() }
        let isAnyBehind = try !rows(from: last, isReverse: false, count: 1).isEmpty
        let index = try index(of: first)
        return Page(
            entries: entries, before: index == 0 ? nil : first, after: isAnyBehind ? last : nil, first: index)
    }
}
