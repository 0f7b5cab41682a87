import Curses
import JSON
import Shared

extension BrowseCore {
    /// Takes the keys that have come, up to a bound, so that the screen is drawn in between.
    ///
    /// Returns how many there were.
    mutating func takeKeys(_ next: () -> Key?) -> (count: Int, effects: [Effect]) {
        var count = 0
        var effects: [Effect] = []
        while count < Limits.keysPerTurnMax, let key = next() {
            count += 1
            effects += handle(.key(key))
        }
        return (count, effects)
    }

    /// Takes a key.
    mutating func take(_ key: Key) -> [Effect] {
        switch key {
        case .control("c"): return [.quit]
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        default: break
        }
        state.message = nil
        switch state.mode {
        case .browsing: return browse(key)
        case .searching(let text, let before): return type(key, text, before: before)
        case .sorting(let index): return sort(key, index)
        case .helping(let offset): return help(key, offset)
        }
    }

    private mutating func browse(_ key: Key) -> [Effect] {
        if let effects = move(key) { return effects }
        owedLines = 0
        switch key {
        case .enter: return choose()
        case .character(" "): return fold()
        case .left, .character("h"): return fold(isExpanded: true) ?? goToColumn(-1)
        case .right, .character("l"): return fold(isExpanded: false) ?? goToColumn(1)
        case .tab: return goToColumn(1, wraps: true)
        case .backTab: return goToColumn(-1, wraps: true)
        case .escape: return send(view?.dismiss ?? view?.back?.event)
        case .backspace: return send(view?.back?.event)
        case .character("x"): return send(view?.dismiss)
        case .character("t"): return send(view?.toggle?.event)
        case .character("["), .altLeft, .alt("b"): return send(view?.historyBack)
        case .character("]"), .altRight, .alt("f"): return send(view?.historyForward)
        case .character("/"): startSearch()
        case .character("s"): startSorting()
        case .character("?"): state.mode = .helping(offset: 0)
        case .character("q"): return [.quit]
        case .press(let row, let column): return click(row: row, column: column)
        case .wheel(let isUp, let row, let column): return turnWheel(isUp: isUp, row: row, column: column)
        default: break
        }
        return []
    }

    /// Sends an event that the view has handed out, if there is one and somebody to take it.
    func send(_ event: ViewEvent?) -> [Effect] {
        guard let event, state.link == .live else { return [] }
        return [.send(event)]
    }

    // MARK: Choosing

    private mutating func choose() -> [Effect] {
        switch state.link {
        case .ended, .refused: return [subscription]
        case .connecting, .away: return []
        case .live: break
        }
        guard let element = element(in: state.focus), let event = element.event else { return [] }
        // What is chosen already is chosen again, which may bring its list back; and then one goes on to that.
        if element.isSelected { _ = goToColumn(1) }
        return [.send(event)]
    }

    /// The element that keys act on in a column.
    func element(in name: ViewModel.Name) -> ColumnBody.Element? {
        guard let body = scene[name]?.body, let index = body.index(of: state[name].cursor) else { return nil }
        return body.elements[index]
    }

    private func fold() -> [Effect] { send(element(in: state.focus)?.disclosure) }

    /// Folds or unfolds what is the other way; nil if there is nothing of that kind.
    private func fold(isExpanded: Bool) -> [Effect]? {
        guard let element = element(in: state.focus), element.isExpanded == isExpanded else { return nil }
        return send(element.disclosure)
    }

    /// Goes to a column beside this one.
    private mutating func goToColumn(_ step: Int, wraps: Bool = false) -> [Effect] {
        let order = scene.order
        guard let at = order.firstIndex(of: state.focus), !order.isEmpty else { return [] }
        let next = at + step
        if next < 0, !wraps { return send(eventAtLeftEdge) }
        state.focus =
            wraps ? order[(next + order.count) % order.count] : order[min(max(next, 0), order.count - 1)]
        return []
    }

    /// What the left arrow sends where there is no column to go to: the way back in a stack, else the button of a sidebar
    /// that is hidden.
    private var eventAtLeftEdge: ViewEvent? {
        guard scene[.sidebar] == nil else { return nil }
        return view?.toggle?.event ?? (scene.columns.count == 1 ? view?.back?.event : nil)
    }

    // MARK: Searching

    private mutating func startSearch() {
        guard state.link == .live, let search = view?.list?.column.search else { return }
        state.mode = .searching(text: search.text, before: search.text)
    }

    private mutating func type(_ key: Key, _ text: String, before: String) -> [Effect] {
        var new = text
        switch key {
        case .character(let character): new.append(character)
        case .backspace where text.isEmpty: state.mode = .browsing
        case .backspace: new.removeLast()
        case .control("u"): new = ""
        case .control("w"):
            while new.last == " " { new.removeLast() }
            while let last = new.last, last != " " { new.removeLast() }
        case .escape:
            state.mode = .browsing
            return text == before ? [] : search(before)
        case .enter, .down, .up, .tab:
            state.mode = .browsing
            if let name = view?.list?.name, scene[name] != nil { state.focus = name }
        default: break
        }
        guard case .searching = state.mode, new != text, new.utf8.count <= Limits.searchBytesMax else {
            return []
        }
        state.mode = .searching(text: new, before: before)
        return search(new)
    }

    /// The view's own search, with the text that was typed: the one thing that is added to an event.
    private func search(_ text: String) -> [Effect] {
        guard state.link == .live, let event = view?.list?.column.search?.event else { return [] }
        return [.search(event.with("text", .string(text)))]
    }

    // MARK: Orders

    private mutating func startSorting() {
        guard let options = view?.list?.column.sort?.options, !options.isEmpty else { return }
        state.mode = .sorting(index: options.firstIndex(where: \.isCurrent) ?? 0)
    }

    private mutating func sort(_ key: Key, _ index: Int) -> [Effect] {
        guard let options = view?.list?.column.sort?.options, options.indices.contains(index) else {
            state.mode = .browsing
            return []
        }
        switch key {
        case .up, .character("k"), .wheel(true, _, _): state.mode = .sorting(index: max(index - 1, 0))
        case .down, .character("j"), .wheel(false, _, _):
            state.mode = .sorting(index: min(index + 1, options.count - 1))
        case .enter:
            state.mode = .browsing
            return send(options[index].event)
        case .press(let row, let column):
            let line = Popup(scene, state.mode)?.line(row: row, column: column)
            state.mode = .browsing
            return line.map { send(options[$0].event) } ?? []
        case .escape, .character("q"), .character("s"), .backspace: state.mode = .browsing
        default: break
        }
        return []
    }

    private mutating func help(_ key: Key, _ offset: Int) -> [Effect] {
        let seen = scene.size.rows > 2 ? scene.size.rows - 2 : scene.size.rows
        let last = max(0, Popup.help(columns: scene.size.columns).count - seen)
        switch key {
        case .up, .character("k"), .wheel(true, _, _): state.mode = .helping(offset: max(offset - 1, 0))
        case .down, .character("j"), .wheel(false, _, _):
            state.mode = .helping(offset: min(offset + 1, last))
        case .pageUp, .home, .character("g"): state.mode = .helping(offset: max(offset - seen, 0))
        case .pageDown, .end, .character("G"): state.mode = .helping(offset: min(offset + seen, last))
        default: state.mode = .browsing
        }
        return []
    }
}
