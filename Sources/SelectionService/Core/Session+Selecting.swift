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
        let held = OneOf(state.items)
        for (index, id) in ids.enumerated() where !held.contains(id) {
            _ = try facts.categories(of: id, choice.path(index))
        }
        if facts.columns == 3, let first = ids.first {
            // What is selected is in the list that is shown; of everything else the facts tell.
            let shown = state.listCategory
            func isItem(_ id: Identifier, in category: Identifier?) -> Bool {
                guard let category else { return false }
                if category == shown, held.contains(id) { return true }
                return facts.categories(of: id)?.contains(category) ?? false
            }
            var list = shown
            if state.query.isCatalogWide, !isItem(first, in: shown) {
                list = facts.categories(of: first)?.first
                (state.category, state.contentPath) = (list, [])
            }
            for (index, id) in ids.enumerated() where !isItem(id, in: list) {
                throw .notPossible(
                    choice.path(index), "The item \"\(id)\" is not in the list that is shown.")
            }
        }
        state.items = ids
        state.detailPath = []
    }
}
