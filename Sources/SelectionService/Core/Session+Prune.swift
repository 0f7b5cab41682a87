import Shared

/// What sessions lose by changes of the catalog.
struct Losses: Equatable {
    /// Things that were deleted; one that came back afterwards is another one.
    var gone: Set<Thing> = []
    /// The categories, as they are now, of items that may have been moved.
    var categories: [Identifier: [Identifier]] = [:]
}

extension Session {
    /// Takes out of the session what the catalog does not have any more, and nothing else.
    mutating func prune(_ losses: Losses) {
        place.prune(losses)
        state.expanded.removeAll { losses.gone.contains(.category($0)) }
        history.prune(around: place) { $0.holds(after: losses) }
        tellHistory()
    }
}

extension Place {
    /// Takes out what is gone, with what depends on it.
    mutating func prune(_ losses: Losses) {
        // A deleted category is left as if none had been chosen.
        if let category, losses.gone.contains(.category(category)) {
            self = Place()
            return
        }
        // A deleted folder is left with all folders inside, and the list shown is another one.
        if let cut = contentPath.firstIndex(where: { losses.gone.contains(.category($0)) }) {
            self = Place(category: category, contentPath: Array(contentPath[..<cut]))
            return
        }
        let kept = items.filter { isInList($0, after: losses) }
        // The path began at the selection; with one of several still selected it stays.
        if kept.isEmpty, !items.isEmpty { detailPath = [] }
        items = kept
        if let cut = detailPath.firstIndex(where: { losses.gone.contains(.item($0)) }) {
            detailPath.removeSubrange(cut...)
        }
    }

    /// Whether one could come back to this place and find it as it was.
    func holds(after losses: Losses) -> Bool {
        !things.contains(where: losses.gone.contains) && items.allSatisfy { isInList($0, after: losses) }
    }

    /// Whether a selected item is still in the list that is shown.
    private func isInList(_ item: Identifier, after losses: Losses) -> Bool {
        guard !losses.gone.contains(.item(item)) else { return false }
        guard let shown, let categories = losses.categories[item] else { return true }
        return categories.contains(shown)
    }
}
