import JSON
import Shared

// After a view has changed one is where one was: on the same row, at the same height of the screen.

extension BrowseCore {
    mutating func reconcile(with before: Scene) {
        for placed in scene.columns { reconcile(placed, with: before[placed.name], height: before.height) }
        focusVisible(before)
        if case .sorting(let index) = state.mode {
            let count = view?.list?.column.sort?.options.count ?? 0
            state.mode = count > 0 ? .sorting(index: min(index, count - 1)) : .browsing
        }
    }

    private mutating func reconcile(_ placed: Scene.Placed, with old: Scene.Placed?, height: Int) {
        let name = placed.name
        var position = state[name]
        defer {
            position.offset = min(max(position.offset, 0), scene.offsetMax(name))
            state[name] = position
        }
        guard name != .detail else {
            if let old, old.column.id != placed.column.id { position = Browsing.Position() }
            if placed.body.index(of: position.cursor) == nil { position.cursor = nil }
            return
        }
        let oldIndex = old?.body.index(of: position.cursor)
        let cursor = cursor(in: placed, old: old, position)
        position.cursor = cursor.map { placed.body.elements[$0].key }
        guard let cursor else { return }
        let line = placed.body.elements[cursor].lines
        if let old, let oldIndex, landing == nil {
            // The same height of the screen as before.
            let row = old.body.elements[oldIndex].lines.lowerBound - position.offset
            position.offset = line.lowerBound - row
        }
        position.offset = offset(position.offset, showing: cursor, in: placed)
    }

    /// The index of the element to be on.
    private func cursor(in placed: Scene.Placed, old: Scene.Placed?, _ position: Browsing.Position) -> Int? {
        let elements = placed.body.elements
        guard !elements.isEmpty else { return nil }
        switch landing {
        case .first? where placed.name == view?.list?.name: return 0
        case .last? where placed.name == view?.list?.name: return elements.count - 1
        default: break
        }
        let selected = placed.body.selectedIndex
        let selectedKey = selected.map { elements[$0].key }
        let oldSelected = old.flatMap { old in old.body.selectedIndex.map { old.body.elements[$0].key } }
        // What was newly chosen, by whomever.
        if let selected, old == nil || selectedKey != oldSelected, selectedKey != position.cursor,
            old != nil || position.cursor == nil
        {
            return selected
        }
        if let same = placed.body.index(of: position.cursor) { return same }
        guard let old, let index = old.body.index(of: position.cursor) else { return selected ?? 0 }
        // It has gone: the next one that is still there, else the one before it.
        let keys = Dictionary(elements.enumerated().map { ($1.key, $0) }) { first, _ in first }
        let neighbours = old.body.elements[index...].dropFirst() + old.body.elements[..<index].reversed()
        return neighbours.lazy.compactMap { keys[$0.key] }.first ?? selected ?? 0
    }

    /// The least change of an offset by which an element is seen, with what stands above it.
    func offset(_ offset: Int, showing index: Int, in placed: Scene.Placed) -> Int {
        let (elements, lines) = (placed.body.elements, placed.body.lines)
        var (start, end) = (elements[index].lines.lowerBound, elements[index].lines.upperBound)
        while start > 0, lines[start - 1].element == nil, end - start < scene.height { start -= 1 }
        if index == elements.count - 1, lines.count - start <= scene.height { end = lines.count }
        return max(min(offset, start), end - scene.height)
    }

    /// Sees to it that keys act on a column that is seen; one that comes to lie over others is gone to.
    private mutating func focusVisible(_ before: Scene) {
        let overlays = scene.columns.filter(\.isOverlay).map(\.name)
        if let new = overlays.last(where: { before[$0] == nil }) {
            state.focus = new
        } else if scene[state.focus] == nil {
            let all = ViewModel.Name.allCases
            let visible = all.filter { scene[$0] != nil }
            let at = all.firstIndex(of: state.focus) ?? 0
            state.focus = visible.first { (all.firstIndex(of: $0) ?? 0) >= at } ?? visible.last ?? state.focus
        }
    }
}
