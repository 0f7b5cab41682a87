import Shared

/// A list with a query on its way, in steps: it may take longer than a turn.
///
/// First the index tells what matches, up to `Limits.matchesMax`. If these are all, each is looked up in the list, or the
/// list is walked if that is quicker; then all are at hand, and so are total and index. If there are more the list
/// is walked from where the window is and the words of its rows are looked through, which finds many matches soon;
/// if it does not, the index tells all of them, and the list is walked with that.
final class SearchJob {
    private enum Phase {
        case collecting
        case placing(next: Int)
        case counting(FilteredList)
        case trying(FilteredList)
        case collectingAll
        case walking(FilteredList)
    }

    private let reads: Reads
    private let request: ItemsRequest
    private var catalog: CatalogRow
    private var list: any RowList
    private var total: Int
    private var matches: Matches
    private var phase = Phase.collecting
    private var entries: [Entry] = []
    private var restarts = 0

    var store: Store { reads.store }

    init(_ request: ItemsRequest, _ reads: Reads) throws(RPCError) {
        (self.request, self.reads) = (request, reads)
        catalog = try reads.store.catalog(request.catalog)
        (list, total) = try reads.rowList(request, of: catalog)
        matches = try Self.matches(request, reads.store, catalog)
    }

    private static func matches(_ request: ItemsRequest, _ store: Store, _ catalog: CatalogRow)
        throws(RPCError) -> Matches
    {
        var category: CategoryRow?
        if let id = request.category { category = try store.category(id, in: catalog, path: "/category") }
        return try Matches(request.match, store, catalog, category)
    }

    /// Goes on until `isTimeOver` says so.
    ///
    /// Returns the answer, or nil if it isn't there yet.
    func step(isTimeOver: @escaping () -> Bool) throws(RPCError) -> [UInt8]? {
        let current = try store.catalog(request.catalog)
        if current.revision != catalog.revision || current.key != catalog.key { try restart(current) }
        // Who changes a catalog all the time must not keep others from ever finding something in it.
        let isPatient = restarts <= Limits.searchRestartsMax
        return try proceed { isPatient && isTimeOver() }
    }

    private func restart(_ current: CatalogRow) throws(RPCError) {
        (catalog, phase, entries) = (current, .collecting, [])
        (list, total) = try reads.rowList(request, of: current)
        matches = try Self.matches(request, store, current)
        restarts += 1
    }

    private func proceed(isTimeOver: @escaping () -> Bool) throws(RPCError) -> [UInt8]? {
        repeat {
            switch phase {
            case .collecting: try collect()
            case .placing(let next):
                if try place(from: next) { return try answer(entries) }
            case .counting(let filtered):
                if let found = try filtered.rows(max: Limits.matchesMax, isTimeOver: isTimeOver) {
                    if found.count <= Limits.matchesMax { return try answer(found) }
                    phase = .walking(filtered)
                }
            case .trying(let filtered):
                if let answer = try walk(filtered, isTimeOver) { return answer }
                if filtered.walkedRows > Limits.triedRowsMax { phase = .collectingAll }
            case .collectingAll:
                try matches.collect()
                if matches.isComplete { phase = .walking(FilteredList(list, .keys(matches.set))) }
            case .walking(let filtered):
                if let answer = try walk(filtered, isTimeOver) { return answer }
            }
        } while !isTimeOver()
        return nil
    }

    private func collect() throws(RPCError) {
        try matches.collect()
        if matches.keys.count > Limits.matchesMax {
            phase = .trying(FilteredList(list, .words(request.match, store.items)))
        } else if matches.isComplete {
            let isQuick = matches.keys.count * Limits.walkedRowsPerPlace < total
            phase = isQuick ? .placing(next: 0) : .counting(FilteredList(list, .keys(matches.set)))
        }
    }

    /// The answer if there are too many to be counted; nil if there is no time to find it.
    private func walk(_ filtered: FilteredList, _ isTimeOver: @escaping () -> Bool) throws(RPCError)
        -> [UInt8]?
    {
        let page = try filtered.page(request.window, limit: request.limit, isTimeOver: isTimeOver)
        guard let page else { return nil }
        return try reads.answer(request, catalog, page, total: Limits.matchesMax, isCapped: true)
    }

    /// Looks up some matches in the list.
    ///
    /// Returns whether all are looked up.
    private func place(from next: Int) throws(RPCError) -> Bool {
        let keys = matches.keys
        let end = min(next + Limits.placesPerStep, keys.count)
        for key in keys[next..<end] {
            guard let item = try store.items.find(key, of: catalog.key) else { continue }
            entries += try list.entries(of: item)
        }
        phase =
            entries.count > Limits.matchesMax
            ? .walking(FilteredList(list, .keys(matches.set))) : .placing(next: end)
        return end == keys.count && entries.count <= Limits.matchesMax
    }

    private func answer(_ entries: [Entry]) throws(RPCError) -> [UInt8] {
        let page = try MatchedList(list, entries).page(request.window, limit: request.limit)
        return try reads.answer(request, catalog, page, total: entries.count)
    }
}
