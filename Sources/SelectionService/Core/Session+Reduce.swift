import Shared

// The navigation reducer: what each event does to a session, and to it alone.

extension Session {
    /// What an event makes of the session; nil if that is no change, and no request for a presentation.
    ///
    /// `facts` tell of every thing that the event `needs`.
    ///
    /// - Throws: `not_found` for an unknown id, `not_possible` for what can't be.
    func reduced(by event: NavigationEvent, _ facts: Facts) throws(RPCError) -> Session? {
        try event.check(columns: facts.columns)
        var next = self
        try next.perform(event, facts)
        next.keepHistory(of: event, from: place)
        next.tellHistory()
        return next != self || event.isPresentationRequest ? next : nil
    }

    private mutating func perform(_ event: NavigationEvent, _ facts: Facts) throws(RPCError) {
        switch event {
        case .select(.sidebar, let choice) where facts.columns == 3: try selectCategory(choice, facts)
        case .select(_, let choice): try selectItems(choice, facts)
        case .open(let category, let item, let path, let query):
            try open(category, item, path, query, facts)
        case .push(let column, let id): try push(id, in: column, facts)
        case .pop(let column, let count):
            setPath(path(of: column).dropLast(count), of: column)
        case .setPath(let column, let path): try setPath(path, of: column, facts)
        case .back(let collapsed): goBack(isCollapsed: collapsed, columns: facts.columns)
        case .historyBack: if let earlier = history.goBack(from: place) { place = earlier }
        case .historyForward: if let later = history.goForward(from: place) { place = later }
        case .setVisibility(let visibility): state.visibility = visibility
        case .setStyle(let style): state.style = style
        case .showColumn(let column, let collapsed): show(column, isCollapsed: collapsed)
        case .setWidth(let column, let width): state.widths[column] = width
        case .search(let query):
            state.query = query
            if query.hasText { state.compactColumn = nil }
        case .sort(let sort): state.sort = sort
        case .expand(let id): try expand(id, facts)
        case .collapse(let id):
            try facts.require(.category(id), heldBy: self, "/event/id")
            state.expanded.removeAll { $0 == id }
        case .reset: reset()
        }
    }

    /// Makes the step from `old` to where the session is now a part of history.
    private mutating func keepHistory(of event: NavigationEvent, from old: consuming Place) {
        let new = place
        let isElsewhere = new.isElsewhere(than: old)
        switch event {
        case .select, .open: state.compactColumn = nil
        default: if isElsewhere { state.compactColumn = nil }
        }
        switch event {
        case .historyBack, .historyForward, .reset: break
        case .open where new != old: history.go(from: old, to: new)
        default:
            if isElsewhere {
                history.go(from: old, to: new)
            } else if new != old {
                history.amend(to: new)
            }
        }
    }

    // MARK: The whole

    private mutating func reset() {
        var empty = SessionState(session: state.session, catalog: state.catalog)
        empty.revision = state.revision
        guard state != empty || history.canMove else { return }
        state = empty
        history.clear()
    }

    private mutating func open(
        _ category: Identifier?, _ item: Identifier?, _ path: [Identifier], _ query: Query, _ facts: Facts
    ) throws(RPCError) {
        var place = Place(category: category, detailPath: path, query: query)
        if let category { try facts.require(.category(category), heldBy: self, "/event/category") }
        if let item {
            let categories = try facts.categories(of: item, "/event/item")
            if facts.columns == 3 {
                place.category = category ?? categories.first
                if let category, !categories.contains(category) {
                    throw .notPossible("/event/item", "The item \"\(item)\" is not in \"\(category)\".")
                }
            }
            place.items = [item]
        }
        for (index, id) in path.enumerated() {
            try facts.require(.item(id), heldBy: self, "/event/path/\(index)")
        }
        self.place = place
    }

    // MARK: Presentation

    private mutating func show(_ column: Column, isCollapsed: Bool) {
        if isCollapsed {
            state.compactColumn = column
            return
        }
        switch column {
        case .sidebar: state.visibility = .all
        case .content: if state.visibility == .detailOnly { state.visibility = .doubleColumn }
        case .detail: if state.style == .prominentDetail { state.visibility = .detailOnly }
        }
    }

    private mutating func expand(_ id: Identifier, _ facts: Facts) throws(RPCError) {
        try facts.require(.category(id), heldBy: self, "/event/id")
        guard !state.expanded.contains(id) else { return }
        guard state.expanded.count < Limits.expandedMax else {
            throw .notPossible("/event/id", "At most \(Limits.expandedMax) categories can be unfolded.")
        }
        state.expanded.insert(id, at: state.expanded.firstIndex { id < $0 } ?? state.expanded.endIndex)
    }
}

extension Facts {
    /// Refuses a thing that does not exist.
    ///
    /// - Throws: `not_found`.
    func require(_ thing: Thing, heldBy session: Session, _ path: String) throws(RPCError) {
        guard session.holds(thing) || self[thing] ?? nil != nil else {
            throw .notFound(thing.kind.name, thing.id, path: path)
        }
    }

    /// The categories of an item.
    ///
    /// - Throws: `not_found`.
    func categories(of item: Identifier, _ path: String) throws(RPCError) -> [Identifier] {
        guard let categories = categories(of: item) else { throw .notFound("item", item, path: path) }
        return categories
    }

    /// The categories of an item; nil if there is no such item.
    func categories(of item: Identifier) -> [Identifier]? { self[.item(item)]??.categories }
}
