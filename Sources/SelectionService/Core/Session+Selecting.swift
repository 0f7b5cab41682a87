import Shared

// Choosing: what each choice clears follows from which list the later columns show.

extension Session {
    /// Chooses a category, or none.
    ///
    /// - Throws: `not_found`.
    mutating func selectCategory(_ choice: Choice, _ facts: Facts) throws(RPCError) {
        guard let id = choice.ids.first else { return leaveCategory() }
        guard id != state.category else { return uncoverList() }
        try facts.require(.category(id), heldBy: self, choice.path(0))
        place = Place(category: id)
    }

    /// Chooses no category; a search of the whole catalog, which needs none, ends as well.
    mutating func leaveCategory() {
        if state.category != nil {
            place = Place()
        } else if state.query.isCatalogWide {
            state.query = Query()
        }
    }

    /// Brings the list of the current category back from under folders or a search of the whole catalog.
    private mutating func uncoverList() {
        if !state.contentPath.isEmpty {
            place = Place(category: state.category)
        } else if state.query.isCatalogWide {
            state.query = Query()
        }
    }

    /// Chooses items of the list that is shown, or none.
    ///
    /// - Throws: `not_found` for an unknown item, `not_possible` for one of another list.
    mutating func selectItems(_ choice: Choice, _ facts: Facts) throws(RPCError) {
        let ids = choice.ids
        guard !Place.areSame(ids, state.items) else { return }
        // What is selected is in the list that is shown, if there is one; of everything else the facts tell.
        let shown = state.listCategory
        let held = OneOf(state.items)
        var firstStranger: Int?
        for (index, id) in ids.enumerated() {
            var isShown = shown != nil
            if !held.contains(id) {
                let categories = try facts.categories(of: id, choice.path(index))
                isShown = shown.map(categories.contains) ?? false
            }
            if !isShown, firstStranger == nil { firstStranger = index }
        }
        if facts.columns == 3, let firstStranger {
            guard firstStranger == 0, state.query.isCatalogWide else {
                throw Self.isElsewhere(choice, firstStranger)
            }
            try showList(of: choice, facts)
        }
        state.items = ids
        state.detailPath = []
    }

    /// Shows the list that the first of some items is in, as a search of the whole catalog can find any.
    ///
    /// - Throws: `not_possible` if another one is not in it.
    private mutating func showList(of choice: Choice, _ facts: Facts) throws(RPCError) {
        let list = choice.ids.first.flatMap { facts.categories(of: $0)?.first }
        for (index, id) in choice.ids.enumerated() {
            guard let list, facts.categories(of: id)?.contains(list) ?? false else {
                throw Self.isElsewhere(choice, index)
            }
        }
        (state.category, state.contentPath) = (list, [])
    }

    private static func isElsewhere(_ choice: Choice, _ index: Int) -> RPCError {
        .notPossible(
            choice.path(index), "The item \"\(choice.ids[index])\" is not in the list that is shown.")
    }
}
