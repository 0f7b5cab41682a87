import Curses

/// Something in the first row that can be clicked.
enum Button: Equatable {
    case toggle, dismiss, back, historyBack, historyForward
}

extension ViewModel {
    /// What a button sends, if it is there.
    func event(of button: Button) -> ViewEvent? {
        switch button {
        case .toggle: toggle?.event
        case .dismiss: dismiss
        case .back: back?.event
        case .historyBack: historyBack
        case .historyForward: historyForward
        }
    }
}

extension Scene {
    /// A button with its place in the first row.
    struct PlacedButton {
        let button: Button
        let cells: Range<Int>
        let text: GlyphText
    }

    /// The buttons, as far as there is room for them.
    var buttons: [PlacedButton] {
        guard let view, rows.bar != nil else { return [] }
        let marks = charset.marks
        var placed: [PlacedButton] = []
        var end = size.columns
        for (button, text) in [(Button.historyForward, marks.forward), (.historyBack, marks.back)]
        where view.event(of: button) != nil {
            let glyphs = GlyphText(" \(text) ", in: charset)
            guard end - glyphs.width >= 0 else { break }
            placed.append(PlacedButton(button: button, cells: end - glyphs.width..<end, text: glyphs))
            end -= glyphs.width
        }
        var start = 0
        var left: [(Button, String)] = []
        if let toggle = view.toggle {
            left.append((.toggle, toggle.isChevron ? marks.chevron : marks.sidebar))
        }
        if view.dismiss != nil { left.append((.dismiss, marks.dismiss)) }
        if let back = view.back {
            let arrow = charset == .unicode ? "‹" : "<"
            left.append((.back, "\(arrow) \(back.title ?? "Back")"))
        }
        for (button, text) in left {
            // The way back may take half of the row at most: the catalog's title is there, too.
            let room = button == .back ? min(end - start - 2, max(size.columns / 2, 8)) : end - start - 2
            var glyphs = GlyphText(text, in: charset).fitted(to: room, in: charset)
            guard glyphs.width > 0 else { break }
            glyphs = GlyphText([Glyph(" ", width: 1)] + glyphs.glyphs + [Glyph(" ", width: 1)])
            placed.append(PlacedButton(button: button, cells: start..<start + glyphs.width, text: glyphs))
            start += glyphs.width
        }
        return placed
    }

    /// Where the first row is free for the title.
    func titleCells(among buttons: [PlacedButton]) -> Range<Int> {
        let left = buttons.filter { $0.button != .historyBack && $0.button != .historyForward }
        let right = buttons.filter { $0.button == .historyBack || $0.button == .historyForward }
        let start = (left.map(\.cells.upperBound).max() ?? 0) + 1
        return start..<max(start, right.map(\.cells.lowerBound).min() ?? size.columns)
    }
}
