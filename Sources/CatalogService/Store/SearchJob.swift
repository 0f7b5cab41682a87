import Shared

/// A list with a query on its way, in steps: it may take longer than a turn.
///
/// First the index tells all items that match. If few of them are in the list they are sorted, and all is known
/// exactly; else the list is walked from where the window is.
final class SearchJob {
    private enum Phase {
        case collecting(after: Int)
        case placing(next: Int)
        case walking(FilteredList)
    }

    private let reads: Reads
    private let request: ItemsRequest
    private var catalog: CatalogRow
    private var list: any RowList
    private var phase = Phase.collecting(after: 0)
    private var keys: [Int] = []
    private var entries: [Entry] = []
    private var restarts = 0

    var store: Store { reads.store }

    init(_ request: ItemsRequest, _ reads: Reads) throws(RPCError) {
        (self.request, self.reads) = (request, reads)
        catalog = try reads.store.catalog(request.catalog)
        list = try reads.rowList(request, of: catalog).list
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
        list = try reads.rowList(request, of: current).list
        restarts += 1
    }

    private func proceed(isTimeOver: @escaping () -> Bool) throws(RPCError) -> [UInt8]? {
        repeat {
            switch phase {
            case .collecting(let last):
                let found = try store.words.matches(
                    request.match, after: last, count: Limits.matchesPerStep)
                keys += found
                phase =
                    found.count < Limits.matchesPerStep
                    ? .placing(next: 0) : .collecting(after: found[found.count - 1])
            case .placing(let next):
                let end = min(next + Limits.placesPerStep, keys.count)
                for key in keys[next..<end] {
                    if let item = try store.items.find(key, of: catalog.key) {
                        entries += try list.entries(of: item)
                    }
                }
                if entries.count > Limits.matchesMax {
                    phase = .walking(FilteredList(list, KeySet(keys)))
                } else if end < keys.count {
                    phase = .placing(next: end)
                } else {
                    let page = try MatchedList(list, entries).page(request.window, limit: request.limit)
                    return try reads.answer(request, catalog, page, total: entries.count)
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
}
