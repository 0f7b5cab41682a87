import Curses
import JSON
import Shared

// Moving about in a column: from row to row in a list, from line to line and link to link in the detail.

extension BrowseCore {
    /// Moves, if the key is one for that.
    mutating func move(_ key: Key) -> [Effect]? {
        let page = max(1, scene.height - 1)
        switch key {
        case .up, .character("k"): return step(-1)
        case .down, .character("j"): return step(1)
        case .pageUp, .control("b"): return leap(-page)
        case .pageDown, .control("f"): return leap(page)
        case .control("u"): return leap(-max(1, scene.height / 2))
        case .control("d"): return leap(max(1, scene.height / 2))
        case .home, .character("g"): return goToEnd(isLast: false)
        case .end, .character("G"): return goToEnd(isLast: true)
        default: return nil
        }
    }

    private mutating func step(_ step: Int) -> [Effect] {
        guard let placed = scene[state.focus] else { return [] }
        guard placed.name != .detail else { return stepInDetail(step, placed) }
        guard let index = placed.body.index(of: state[placed.name].cursor) else {
            scroll(placed, by: step)
            return []
        }
        let next = index + step
        if placed.body.elements.indices.contains(next) { put(cursor: next, in: placed) }
        let lines = placed.body.elements[index].lines.count
        return askForRows(placed, step * lines, isAtEnd: !placed.body.elements.indices.contains(next))
    }

    /// Moves by lines: to the element that is so many lines away.
    private mutating func leap(_ lines: Int) -> [Effect] {
        guard let placed = scene[state.focus] else { return [] }
        let elements = placed.body.elements
        guard placed.name != .detail, let index = placed.body.index(of: state[placed.name].cursor) else {
            scroll(placed, by: lines)
            return []
        }
        let goal = elements[index].lines.lowerBound + lines
        let target =
            lines > 0
            ? elements.lastIndex { $0.lines.lowerBound <= goal } ?? index
            : elements.firstIndex { $0.lines.lowerBound >= goal } ?? index
        state[placed.name].offset = min(
            max(state[placed.name].offset + lines, 0), scene.offsetMax(placed.name))
        put(cursor: lines > 0 ? max(target, index) : min(target, index), in: placed)
        return askForRows(placed, lines, isAtEnd: target == index)
    }

    private mutating func goToEnd(isLast: Bool) -> [Effect] {
        guard let placed = scene[state.focus] else { return [] }
        let elements = placed.body.elements
        guard placed.name != .detail, !elements.isEmpty else {
            scroll(placed, by: isLast ? Int.max / 2 : -Int.max / 2)
            return []
        }
        let target = isLast ? elements.count - 1 : 0
        let wasThere = placed.body.index(of: state[placed.name].cursor) == target
        put(cursor: target, in: placed)
        return askForRows(placed, isLast ? 1 : -1, isAtEnd: wasThere, landing: isLast ? .last : .first)
    }

    /// Goes to an element of a list, and shows it.
    mutating func put(cursor index: Int, in placed: Scene.Placed) {
        state[placed.name].cursor = placed.body.elements[index].key
        let offset = offset(state[placed.name].offset, showing: index, in: placed)
        state[placed.name].offset = min(max(offset, 0), scene.offsetMax(placed.name))
    }

    // MARK: Long lists

    /// Asks for other rows of a list when one comes near the end of those that are there.
    ///
    /// Where every item is there once, they are asked for around the one where one is: so it stays where it is on
    /// the screen. At the very end, and where an item can be in several sections, it is the next or the last rows.
    private mutating func askForRows(
        _ placed: Scene.Placed, _ direction: Int, isAtEnd: Bool, landing: Landing? = nil
    ) -> [Effect] {
        owedLines = isScrolling && isAtEnd ? owed(direction, in: placed) : 0
        guard state.link == .live, !isScrolling, placed.name == view?.list?.name,
            let page = placed.column.page,
            let cursor = state[placed.name].cursor, let index = placed.body.index(of: cursor),
            let place = direction > 0
                ? page.after.map({ Place.after($0) }) : page.before.map({ Place.before($0) })
        else { return [] }
        let left = direction > 0 ? placed.body.elements.count - 1 - index : index
        let margin = min(scene.height, Limits.rowsPerWindow / 4)
        if isAtEnd, left == 0 {
            self.landing = landing ?? (direction > 0 ? .first : .last)
            isScrolling = true
            return [.scroll(place)]
        }
        guard placed.name == .content, cursor.kind == .row, left < margin else { return [] }
        isScrolling = true
        return [.scroll(.around(cursor.id))]
    }

    /// What is owed after a key at the end of the rows that are there: keys that come faster than rows are not lost.
    private func owed(_ lines: Int, in placed: Scene.Placed) -> Int {
        guard placed.name == view?.list?.name else { return 0 }
        return min(max(owedLines + lines, -scene.height), scene.height)
    }

    /// Goes on in the rows that have come.
    mutating func goOn() -> [Effect] {
        let lines = owedLines
        owedLines = 0
        guard lines != 0, state.focus == view?.list?.name else { return [] }
        return leap(lines)
    }

    // MARK: The detail

    /// To the next link if it is seen, else by a line.
    private mutating func stepInDetail(_ step: Int, _ placed: Scene.Placed) -> [Effect] {
        let offset = state[placed.name].offset
        let seen = offset..<offset + scene.height
        let links = placed.body.elements
        let at = placed.body.index(of: state[placed.name].cursor)
        let next: Int? =
            if let at {
                links.indices.contains(at + step) ? at + step : nil
            } else {
                step > 0
                    ? links.firstIndex { $0.lines.lowerBound >= seen.lowerBound }
                    : links.lastIndex { $0.lines.upperBound <= seen.upperBound }
            }
        if let next, seen.contains(links[next].lines.lowerBound),
            seen.contains(links[next].lines.upperBound - 1)
        {
            state[placed.name].cursor = links[next].key
        } else {
            scroll(placed, by: step)
        }
        return []
    }

    /// Moves what is seen; one stays on an element that is seen.
    mutating func scroll(_ placed: Scene.Placed, by lines: Int) {
        let name = placed.name
        let offset = min(max(state[name].offset + lines, 0), scene.offsetMax(name))
        state[name].offset = offset
        let seen = offset..<offset + scene.height
        guard let index = placed.body.index(of: state[name].cursor) else { return }
        let elements = placed.body.elements
        guard !elements[index].lines.overlaps(seen) else { return }
        guard name != .detail else {
            state[name].cursor = nil
            return
        }
        let near =
            lines > 0
            ? elements.firstIndex { $0.lines.lowerBound >= seen.lowerBound }
            : elements.lastIndex { $0.lines.upperBound <= seen.upperBound }
        if let near { state[name].cursor = elements[near].key }
    }

    // MARK: The mouse

    mutating func turnWheel(isUp: Bool, row: Int, column: Int) -> [Effect] {
        guard let placed = scene.column(at: column) else { return [] }
        let before = state[placed.name].offset
        let lines = isUp ? -Limits.wheelRows : Limits.wheelRows
        scroll(placed, by: lines)
        return askForRows(placed, lines, isAtEnd: before == state[placed.name].offset)
    }

    mutating func click(row: Int, column: Int) -> [Effect] {
        if row == scene.rows.bar {
            let button = scene.buttons.first { $0.cells.contains(column) }
            return send(button.flatMap { view?.event(of: $0.button) })
        }
        guard let placed = scene.column(at: column) else { return [] }
        // Beside what lies over others a click puts that away.
        if !placed.isOverlay, let dismiss = view?.dismiss { return send(dismiss) }
        state.focus = placed.name
        let line = row - scene.firstRow(of: placed) + state[placed.name].offset
        guard scene.rows.body.contains(row), placed.body.lines.indices.contains(line),
            let index = placed.body.lines[line].element
        else { return [] }
        put(cursor: index, in: placed)
        let element = placed.body.elements[index]
        let isFold =
            placed.body.lines[line].disclosure?.contains(column - placed.inner.lowerBound) == true
        return send(isFold ? element.disclosure : element.event)
    }
}

extension Scene {
    /// The column at a place: the one that lies above others.
    func column(at column: Int) -> Placed? { columns.last { $0.cells.contains(column) } }
}
