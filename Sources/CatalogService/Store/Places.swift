import SQLite
import Shared

/// The queries by which neighbours are found in any table with places.
struct NeighbourQueries {
    fileprivate let first: Query
    fileprivate let last: Query
    fileprivate let before: Query
    fileprivate let after: Query

    /// `select` gives the key and the place of all rows of the list ?1, `key` is the name of the place.
    init(_ database: Database, select: String, key: String) throws(SQLiteError) {
        first = try Query(database, "\(select) ORDER BY \(key) LIMIT 1")
        last = try Query(database, "\(select) ORDER BY \(key) DESC LIMIT 1")
        before = try Query(database, "\(select) AND \(key) < ?2 ORDER BY \(key) DESC LIMIT ?3")
        after = try Query(database, "\(select) AND \(key) > ?2 ORDER BY \(key) LIMIT ?3")
    }
}

/// The places of one list, in order.
struct Places {
    struct Row {
        let key: Int
        let place: Place
    }

    /// Where to put a row.
    enum Target {
        case first
        case last
        case before(Place)
        case after(Place)
    }

    let list: Int
    let queries: NeighbourQueries

    private static func row(_ row: SQLite.Row) -> Row {
        Row(key: row.int(0), place: Place(bytes: row.bytes(1)))
    }

    func first() throws(RPCError) -> Row? { try queries.first.first(list, read: Self.row) }

    private func last() throws(RPCError) -> Row? { try queries.last.first(list, read: Self.row) }

    private func before(_ place: Place, count: Int = 1) throws(RPCError) -> [Row] {
        try queries.before.all(list, place.bytes, count, read: Self.row)
    }

    private func after(_ place: Place, count: Int = 1) throws(RPCError) -> [Row] {
        try queries.after.all(list, place.bytes, count, read: Self.row)
    }

    /// A free place at the target; nil if the row `mover` is there already.
    ///
    /// It may be longer than `Limits.placeBytesMax`: then spread the rows around it, and ask again.
    func place(for mover: Int?, at target: Target) throws(RPCError) -> Place? {
        let low: Row?
        let high: Row?
        switch target {
        case .first: (low, high) = (nil, try first())
        case .last: (low, high) = (try last(), nil)
        case .before(let place): (low, high) = (try before(place).first, Row(key: 0, place: place))
        case .after(let place): (low, high) = (Row(key: 0, place: place), try after(place).first)
        }
        if let mover, low?.key == mover || high?.key == mover { return nil }
        return Place.between(low?.place, high?.place)
    }

    /// New places for the rows around one that has got too long, in their order.
    ///
    /// A place gets longer only when rows are put between the last two again and again, and each of them is no longer
    /// than the rows that are so near. So some hundred rows further off, where this begins and ends, places are short.
    func spread(around place: Place) throws(RPCError) -> [(row: Row, place: Place)] {
        let count = Limits.spreadRowsMax / 2
        let rows = try before(place, count: count).reversed() + after(place, count: count)
        guard let first = rows.first, let last = rows.last else { return [] }
        let low = try self.before(first.place).first
        let high = try after(last.place).first
        var spread: [(row: Row, place: Place)] = []
        for row in rows {
            spread.append((row, Place.between(spread.last?.place ?? low?.place, high?.place)))
        }
        return spread
    }
}
