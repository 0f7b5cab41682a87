import JSON
import Shared

// Which answers of the catalog a view needs, and what it is composed of when they are there.

extension ViewJob {
    /// The catalog that is shown, if it is known by now; a session's own one wins.
    var shownCatalog: Identifier? {
        if let own = state?.catalog ?? catalog { return own }
        guard case .list(let list)? = answers[.list]?.value else { return nil }
        return list.first
    }

    /// Has everything found that the view needs and does not have, as far as that is known by now.
    ///
    /// `isTwoColumn` is what is believed until the catalog has described itself. What `find` knows at once is there when
    /// it returns, and decides what is needed next; so a view of what is known needs one walk. Returns whether all is
    /// there.
    func findAll(believing isTwoColumn: Bool, _ find: (CatalogQuestion) -> Void) -> Bool {
        guard let state else { return false }
        var hasAll = true
        @discardableResult
        func need(_ question: CatalogQuestion) -> Bool {
            if answers[question] != nil { return true }
            find(question)
            if answers[question] != nil { return true }
            hasAll = false
            return false
        }
        guard let catalog = shownCatalog else { return need(.list) && shownCatalog == nil }
        need(.describe(catalog))
        need(.categories(catalog))
        let screen = Screen(state: state, isTwoColumn: self.isTwoColumn(catalog) ?? isTwoColumn)
        var plan = rowPlan(screen, catalog)
        while let next = plan?.next, need(.page(next)), plan?.endsWithNext == false {
            plan = rowPlan(screen, catalog)
        }
        var sources = Sources(screen: screen, page: plan?.shown, items: titledItems(screen))
        sources.location = sources.page.flatMap { locationQuestion($0) }
        if let location = sources.location { need(.page(location)) }
        for id in sources.items { need(.item(catalog, id)) }
        self.sources = sources
        return hasAll
    }

    /// What a view is drawn from, as far as that depends on the answers that are there.
    struct Sources {
        let screen: Screen
        /// The rows that are shown.
        let page: PageQuestion?
        /// Where the first selected item is.
        var location: PageQuestion?
        /// The items of which something is shown.
        let items: [Identifier]

        init(screen: Screen, page: PageQuestion?, items: [Identifier]) {
            (self.screen, self.page, self.items) = (screen, page, items)
        }
    }

    func isTwoColumn(_ catalog: Identifier) -> Bool? {
        guard case .description(let description)? = answers[.describe(catalog)]?.value else { return nil }
        return description.columns == 2
    }

    /// How the rows of the list are found; nil if no list is shown.
    func rowPlan(_ screen: Screen, _ catalog: Identifier) -> RowPlan? {
        guard let list = list(screen, catalog) else { return nil }
        return RowPlan(
            list, selected: screen.state.items.first, rows: request.window.rows, hold: hold, chosen: chosen
        ) { question in
            switch self.answers[.page(question)] {
            case nil: .open
            case .fresh(.page(let page))?, .stale(.page(let page))?: .page(page)
            default: .none
            }
        }
    }

    /// The list that is shown, without a place in it; nil if none is.
    private func list(_ screen: Screen, _ catalog: Identifier) -> PageQuestion? {
        guard screen.isTwoColumn || screen.hasContent, knowsWhichList(screen) else { return nil }
        var list = PageQuestion(catalog: catalog, sort: screen.state.sort, limit: limit)
        if screen.isTwoColumn {
            list.isGrouped = true
        } else if !screen.isCatalogWide {
            list.category = screen.state.listCategory
        }
        if screen.isSearching { list.query = screen.state.query.text }
        return list
    }

    /// Two columns list the same items wherever the session is.
    private func knowsWhichList(_ screen: Screen) -> Bool { screen.isTwoColumn || knowledge != .unknown }

    /// Asks where the first selected item is, if the rows don't tell.
    func locationQuestion(_ question: PageQuestion) -> PageQuestion? {
        guard let selected = state?.items.first, question.place != .around(selected),
            case .page(let page)? = answers[.page(question)]?.value, !page.isWhole,
            page.index(of: selected) == nil
        else { return nil }
        var location = question
        (location.place, location.limit) = (.around(selected), 1)
        return location
    }

    /// The items of which something is shown: the detail, its path, and what `back` leads to.
    func titledItems(_ screen: Screen) -> [Identifier] {
        var ids = screen.state.detailPath
        if ids.count < 2, let only = screen.state.onlyItem { ids.append(only) }
        guard ids.count > 1 else { return ids }
        var seen: Set<Identifier> = []
        return ids.filter { seen.insert($0).inserted }
    }

    // MARK: The view

    /// What the view is composed of, when everything is there.
    func input() -> ViewInput? {
        guard let state else { return nil }
        func known<Value>(
            _ question: CatalogQuestion, _ pick: (CatalogAnswer) -> Value?
        ) -> Known<Value> {
            switch answers[question] {
            case .fresh(let answer)?: pick(answer).map { .fresh($0) } ?? .unavailable
            case .stale(let answer)?: pick(answer).map { .stale($0) } ?? .unavailable
            case .missing?: .missing
            case .unavailable?, nil: .unavailable
            }
        }
        func page(_ question: CatalogQuestion) -> Known<ItemPage> {
            known(question) { if case .page(let page) = $0 { page } else { nil } }
        }
        var input = ViewInput(
            state: state, knowledge: knowledge, window: request.window, catalog: shownCatalog,
            description: .missing, categories: .missing)
        input.change = change
        guard let catalog = shownCatalog, let sources else {
            // No catalog at all is an empty one; one that isn't known is not available.
            if case .unavailable? = answers[.list] {
                (input.description, input.categories) = (.unavailable, .unavailable)
            }
            return input
        }
        input.description = known(.describe(catalog)) {
            if case .description(let description) = $0 { description } else { nil }
        }
        input.categories = known(.categories(catalog)) {
            if case .categories(let list) = $0 { list } else { nil }
        }
        if let question = sources.page {
            input.page = page(.page(question))
            if case .around(let center)? = question.place { input.pageCenter = center }
            input.location = sources.location.map { page(.page($0)) }
            if let before = input.page?.value?.value["before"] {
                input.hold = ListHold(list: question.withoutPlace, before: before.string)
            }
        }
        for id in sources.items {
            input.items[id] = known(.item(catalog, id)) {
                if case .item(let item) = $0 { item } else { nil }
            }
        }
        return input
    }
}
