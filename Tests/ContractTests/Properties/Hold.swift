import Shared

/// What a window showed of its list, to tell which rows it must show next.
struct Hold {
    let session: ModelSession
    let catalog: ModelCatalog
    let limit: Int
    let list: [ModelCatalog.Row]
    let shown: Range<Int>
    let revisions: [Tree]
    /// How many things had happened in the world.
    let moment: Int

    init?(_ check: ViewCheck, _ moment: Int) {
        let column = check.isTwoColumn ? check.view["sidebar"] : check.view["content"]
        guard let first = column["page"]["first"].int else { return nil }
        let rows =
            check.isTwoColumn
            ? column["sections"].elements.flatMap { $0["rows"].elements } : column["rows"].elements
        (session, catalog, list) = (check.session, check.catalog, check.list)
        (limit, shown) = (check.window.limit ?? 50, first..<first + rows.count)
        revisions = [check.view["revision"], check.view["catalog"]["revision"]]
        self.moment = moment
    }

    private var name: [Identifier] {
        let place = session.place
        // Where there is no text, or all is one list, the scope tells nothing.
        let list: Identifier = catalog.columns == 2 ? "" : place.isCatalogWide ? "*" : place.shown ?? ""
        let order = "\(session.sortBy) \(session.isDescending)"
        return [catalog.id, list, Identifier(place.isSearching ? place.text : ""), Identifier(order)]
    }

    /// The index of the first row that must be shown after one more thing has happened; nil if any will do.
    func next(_ now: Hold) -> Int? {
        if revisions == now.revisions { return shown.lowerBound }
        let end = max(0, now.list.count - limit)
        let selected = now.session.place.items.first.flatMap { id in now.list.firstIndex { $0.id == id } }
        let around = selected.map { max(0, min($0 - limit / 2, end)) } ?? 0
        guard name == now.name else { return around }
        let chosen = now.session.place.items.filter { !session.place.items.contains($0) }
        guard chosen.isEmpty else {
            guard chosen.count == 1, now.session.place.items.count == 1 else { return nil }
            // A window that was scrolled to the head may have shown fewer rows than it shows from there on.
            let window = list[shown.lowerBound..<min(list.count, shown.lowerBound + limit)]
            let isInside = window.contains { $0.id == chosen[0] }
            let isListed = now.list.contains { $0.id == chosen[0] }
            return isInside || !isListed ? min(shown.lowerBound, end) : around
        }
        guard shown.lowerBound > 0, let held = list[shown].first else { return 0 }
        // A row holds by its place, so only where no other row has moved is it known what that means.
        let (old, new) = (Set(list), Set(now.list))
        // One that was put where it was before has another place, too.
        guard let index = now.list.firstIndex(of: held),
            catalog.placings(of: held) == now.catalog.placings(of: held),
            list.filter(new.contains) == now.list.filter(old.contains)
        else { return nil }
        return min(index, end)
    }
}
