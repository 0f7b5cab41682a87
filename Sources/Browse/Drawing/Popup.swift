import Curses

/// A box that lies over everything: the keys, or the orders of a list.
struct Popup {
    struct Line: Equatable {
        var left: String
        var right = ""
    }

    let title: String
    let lines: [Line]
    /// The line that is chosen, in a menu.
    let chosen: Int?
    /// The first line that is seen.
    let first: Int
    /// Its cells, frame and all.
    let box: (columns: Range<Int>, rows: Range<Int>)

    /// The box of a mode, if it has one.
    init?(_ scene: Scene, _ mode: Browsing.Mode) {
        switch mode {
        case .browsing, .searching: return nil
        case .helping:
            title = "Keys"
            lines = Self.help(columns: scene.size.columns)
            chosen = nil
        case .sorting(let index):
            guard let sort = scene.view?.list?.column.sort else { return nil }
            title = "Order"
            let mark = scene.charset == .unicode ? "✓" : "*"
            lines = sort.options.map { Line(left: "\($0.isCurrent ? mark : " ") \($0.title) ") }
            chosen = index
        }
        let widths = lines.map { line in
            GlyphText(line.left + line.right, in: scene.charset).width + 1
        }
        let width = min(max(widths.max() ?? 0, title.count + 4) + 2, scene.size.columns)
        let height = min(lines.count + 2, scene.size.rows)
        let column = (scene.size.columns - width) / 2
        let row = (scene.size.rows - height) / 2
        box = (column..<column + width, row..<row + height)
        let seen = height > 2 ? height - 2 : height
        let last = max(0, lines.count - seen)
        switch mode {
        case .helping(let offset): first = min(max(offset, 0), last)
        case .sorting(let index): first = min(max(0, index - seen + 1), last)
        case .browsing, .searching: first = 0
        }
    }

    /// The keys beside what they do, or above it, in lines, where there is no room for that.
    static func help(columns: Int) -> [Line] {
        let cells = (Help.keys.map(\.keys.count).max() ?? 0) + 2
        let needed = cells + (Help.keys.map(\.what.count).max() ?? 0) + 4
        guard columns >= needed else {
            func wrapped(_ text: String, indent: String) -> [Line] {
                // The frame, and a space at either side.
                let room = max(columns - 4 - indent.count, 1)
                return GlyphText.wrapped(text, to: room, in: .unicode).map { line in
                    Line(left: indent + line.glyphs.map(\.text).joined())
                }
            }
            return Help.keys.flatMap { wrapped($0.keys, indent: "") + wrapped($0.what, indent: "  ") }
        }
        return Help.keys.map { keys, what in
            Line(left: keys + String(repeating: " ", count: cells - keys.count), right: what + " ")
        }
    }

    /// The line at a place of the screen; nil if there is none.
    func line(row: Int, column: Int) -> Int? {
        guard box.rows.contains(row), box.columns.contains(column) else { return nil }
        let isFramed = box.rows.count > 2
        let index = row - box.rows.lowerBound - (isFramed ? 1 : 0) + first
        return lines.indices.contains(index) && row < box.rows.upperBound - (isFramed ? 1 : 0) ? index : nil
    }
}
