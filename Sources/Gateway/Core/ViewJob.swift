import Shared

// One view on its way: which answers it needs, which it has, and whether they belong together.

/// A request for a view that isn't answered yet.
struct ViewJob {
    let token: RequestToken
    let connection: ConnectionID
    let deadline: UInt64
    let request: ViewRequest

    /// The catalog of a session that has none: the one asked for, or the default one once it is known.
    var catalog: Identifier?
    /// Whether the event has changed something; nil for `view.get`.
    var changed: Bool?
    /// Where the session is, once that is known.
    var state: SessionState?
    var knowledge = ViewInput.StateKnowledge.unknown
    /// What the catalog has answered.
    var answers: [CatalogQuestion: Known<CatalogAnswer>] = [:]
    /// Why the state isn't fresh.
    var selectionFailure: RPCError?
    /// Why the catalog isn't asked any more.
    var catalogFailure: RPCError?
    /// Calls under way.
    var pending = 0
    /// How often it was begun anew.
    var rounds = 0
    /// Rows at most; less than asked for if they don't fit a line.
    var limit: Int
    /// The session's revision that the connection has been shown since this was asked.
    var stateFloor = 0
    /// The catalogs' revisions that the connection has been shown since this was asked.
    var catalogFloors: [Identifier: Int] = [:]

    init(_ request: Request, _ view: ViewRequest) {
        (token, connection, deadline) = (request.token, request.connection, request.deadline)
        self.request = view
        catalog = view.catalog
        limit = view.window.limit
    }

    // MARK: What is needed

    /// The catalog that is shown, if it is known by now; a session's own one wins.
    var shownCatalog: Identifier? {
        if let own = state?.catalog ?? catalog { return own }
        guard case .list(let list)? = answers[.list]?.value else { return nil }
        return list.first
    }

    /// Everything that the view needs, as far as that is known by now.
    ///
    /// `isTwoColumn` is what is believed until the catalog has described itself.
    func questions(believing isTwoColumn: Bool) -> [CatalogQuestion] {
        guard let state else { return [] }
        guard let catalog = shownCatalog else { return answers[.list] == nil ? [.list] : [] }
        let screen = Screen(state: state, isTwoColumn: self.isTwoColumn(catalog) ?? isTwoColumn)
        var questions: [CatalogQuestion] = [.describe(catalog), .categories(catalog)]
        if let page = pageQuestion(screen, catalog) {
            questions.append(.page(page))
            if let location = locationQuestion(page) { questions.append(.page(location)) }
        }
        questions += titledItems(screen).map { .item(catalog, $0) }
        return questions
    }

    private func isTwoColumn(_ catalog: Identifier) -> Bool? {
        guard case .description(let description)? = answers[.describe(catalog)]?.value else { return nil }
        return description.columns == 2
    }

    private func pageQuestion(_ screen: Screen, _ catalog: Identifier) -> PageQuestion? {
        guard screen.isTwoColumn || screen.hasContent, knowsWhichList(screen) else { return nil }
        let state = screen.state
        var page = PageQuestion(catalog: catalog, sort: state.sort, limit: limit)
        if screen.isTwoColumn {
            page.isGrouped = true
        } else if !screen.isCatalogWide {
            page.category = screen.listCategory
        }
        if screen.isSearching { page.query = state.query.text }
        page.place =
            switch request.window.rows {
            case .selection: state.items.first.map { .around($0) }
            case .after(let cursor): .after(cursor)
            case .before(let cursor): .before(cursor)
            case .around(let id): .around(id)
            }
        return page
    }

    /// Two columns list the same items wherever the session is.
    private func knowsWhichList(_ screen: Screen) -> Bool { screen.isTwoColumn || knowledge != .unknown }

    /// Asks where the first selected item is, if the rows don't tell.
    private func locationQuestion(_ question: PageQuestion) -> PageQuestion? {
        guard let selected = state?.items.first, question.place != .around(selected),
            case .page(let page)? = answers[.page(question)]?.value, !page.isWhole,
            page.index(of: selected) == nil
        else { return nil }
        var location = question
        (location.place, location.limit) = (.around(selected), 1)
        return location
    }

    /// The items of which something is shown: the detail, its path, and what `back` leads to.
    private func titledItems(_ screen: Screen) -> [Identifier] {
        var ids = screen.state.detailPath
        if ids.count < 2, let only = screen.onlyItem { ids.append(only) }
        var seen: Set<Identifier> = []
        return ids.filter { seen.insert($0).inserted }
    }

    // MARK: Whether it fits together

    /// Forgets answers of an older revision of the catalog than the newest one, or the connection, has seen.
    ///
    /// Returns whether there were any.
    mutating func dropOutdatedAnswers() -> Bool {
        guard let catalog = shownCatalog else { return false }
        var newest = catalogFloors[catalog] ?? 0
        var isMixed = false
        for case .fresh(let answer) in answers.values {
            guard let revision = answer.revision else { continue }
            newest = max(newest, revision)
        }
        for case .fresh(let answer) in answers.values {
            if let revision = answer.revision, revision < newest { isMixed = true }
        }
        guard isMixed else { return false }
        answers = answers.filter { _, known in
            guard case .fresh(let answer) = known else { return false }
            return answer.revision.map { $0 == newest } ?? true
        }
        return true
    }

    /// Why there is nothing to show: neither service has said anything.
    var outage: RPCError? {
        guard let selectionFailure, let catalogFailure else { return nil }
        for case .fresh in answers.values { return nil }
        return selectionFailure.reason == .deadlineExceeded ? selectionFailure : catalogFailure
    }

    /// Begins anew from the state of the session.
    mutating func startOver() {
        state = nil
        answers = [:]
    }

    // MARK: The view

    /// What the view is composed of, when everything is there.
    func input(believing isTwoColumn: Bool) -> ViewInput? {
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
        if let send = request.send, send.cause == .explicitRequest { input.change.cause = .explicitRequest }
        guard let catalog = shownCatalog else {
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
        let screen = Screen(state: state, isTwoColumn: self.isTwoColumn(catalog) ?? isTwoColumn)
        if let question = pageQuestion(screen, catalog) {
            input.page = page(.page(question))
            if case .around(let center)? = question.place { input.pageCenter = center }
            input.location = locationQuestion(question).map { page(.page($0)) }
        }
        for id in titledItems(screen) {
            input.items[id] = known(.item(catalog, id)) {
                if case .item(let item) = $0 { item } else { nil }
            }
        }
        return input
    }
}
