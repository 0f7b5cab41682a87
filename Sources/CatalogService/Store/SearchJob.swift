import Shared

/// A list with a query on its way, in steps: it may take longer than a turn.
///
/// First the index tells all items that match. If they are few for the length of the list, each is looked up in it;
/// else the list is walked. If at most `Limits.matchesMax` are in it they are all at hand, and so are total and index; else the
/// list is walked from where the window is.
final class SearchJob {
    private enum Phase {
        case collecting(after: Int)
        case placing(next: Int)
        case counting(FilteredList)
        case walking(FilteredList)
    }

    private let reads: Reads
    private let request: ItemsRequest
    private var catalog: CatalogRow
    private var list: any RowList
    private var total: Int
    private var phase = Phase.collecting(after: 0)
    private var keys: [Int] = []
    private var entries: [Entry] = []
    private var restarts = 0

    var store: Store { reads.store }

    init(_ request: ItemsRequest, _ reads: Reads) throws(RPCError) {
        (self.request, self.reads) = (request, reads)
        catalog = try reads.store.catalog(request.catalog)
        (list, total) = try reads.rowList(request, of: catalog)
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
        (catalog, phase, keys, entries) = (current, .collecting(after: 0), [], [])
        (list, total) = try reads.rowList(request, of: current)
        restarts += 1
    }

    private func proceed(isTimeOver: @escaping () -> Bool) throws(RPCError) -> [UInt8]? {
        repeat {
            switch phase {
            case .collecting(let last): try collect(after: last)
            case .placing(let next):
                if try place(from: next) { return try answer(entries) }
            case .counting(let filtered):
                if let found = try filtered.rows(max: Limits.matchesMax, isTimeOver: isTimeOver) {
                    if found.count <= Limits.matchesMax { return try answer(found) }
                    phase = .walking(filtered)
                }
            case .walking(let filtered):
                if let page = try filtered.page(request.window, limit: request.limit, isTimeOver: isTimeOver)
                {
                    return try reads.answer(request, catalog, page, total: Limits.matchesMax, isCapped: true)
                }
            }
        } while !isTimeOver()
        return nil
    }

    private func collect(after last: Int) throws(RPCError) {
        let found = try store.words.matches(request.match, after: last, count: Limits.matchesPerStep)
        keys += found
        if found.count == Limits.matchesPerStep {
            phase = .collecting(after: found[found.count - 1])
        } else if keys.count * Limits.walkedRowsPerPlace < total {
            phase = .placing(next: 0)
        } else {
            phase = .counting(FilteredList(list, KeySet(keys)))
        }
    }

    /// Looks up some matches in the list.
    ///
    /// Returns whether all are looked up.
    private func place(from next: Int) throws(RPCError) -> Bool {
        let end = min(next + Limits.placesPerStep, keys.count)
        for key in keys[next..<end] {
            guard let item = try store.items.find(key, of: catalog.key) else { continue }
            entries += try list.entries(of: item)
        }
        phase =
            entries.count > Limits.matchesMax
            ? .walking(FilteredList(list, KeySet(keys))) : .placing(next: end)
        return end == keys.count && entries.count <= Limits.matchesMax
    }

    private func answer(_ entries: [Entry]) throws(RPCError) -> [UInt8] {
        let page = try MatchedList(list, entries).page(request.window, limit: request.limit)
        return try reads.answer(request, catalog, page, total: entries.count)
    }
}
