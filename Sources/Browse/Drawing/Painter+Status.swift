import Curses
import JSON

// The last row, and what lies over everything: the list of keys and the menu of orders.

extension Painter {
    /// The row for messages; a terminal without one lends the last row when there is something to say.
    private var statusRow: Int { scene.rows.status ?? max(scene.size.rows - 1, 0) }

    mutating func drawStatus() {
        let all = 0..<scene.size.columns
        if case .searching(let text, _) = state.mode { return drawPrompt(text) }
        let banner: (text: String, style: CellStyle)? =
            switch state.link {
            case .away: ("gateway is away, trying again…", CellStyle(.warning, .reverse))
            case .connecting:
                (
                    "no gateway yet, trying again… (start it with deploy/run-all.sh)",
                    CellStyle(.warning, .reverse)
                )
            case .ended(let reason): ("\(reason): Enter begins again, q quits", CellStyle(.alarm, .reverse))
            case .refused(let message): (message, CellStyle(.alarm, .reverse))
            case .live: state.message.map { ($0, CellStyle(.warning)) }
            }
        if let banner {
            fill(row: statusRow, in: all, style: banner.style)
            let text = glyphs(" \(banner.text)").fitted(to: all.count, in: scene.charset)
            put(text, row: statusRow, column: 0, in: all, style: banner.style)
        } else if scene.rows.status != nil {
            drawHints(row: statusRow)
        }
    }

    private mutating func drawPrompt(_ text: String) {
        let all = 0..<scene.size.columns
        fill(row: statusRow, in: all)
        var column = put(
            glyphs(" Search: "), row: statusRow, column: 0, in: all, style: CellStyle(.accent, .bold))
        // Its end is what is typed: that is seen in any case.
        var shown = glyphs(text)
        while column + shown.width >= all.count, !shown.glyphs.isEmpty { shown.glyphs.removeFirst() }
        column = put(shown, row: statusRow, column: column, in: all)
        setCaret(row: statusRow, column: column)
        let hint = glyphs("Enter keeps  Esc undoes ")
        if column + hint.width + 2 < all.count {
            put(hint, row: statusRow, column: all.count - hint.width, in: all, style: CellStyle(.plain, .dim))
        }
    }

    /// The most important keys, as many as there is room for.
    private mutating func drawHints(row: Int) {
        var column = 1
        for (keys, what) in Help.hints(scene.view, isUnicode: scene.charset == .unicode) {
            let (keys, what) = (glyphs(keys), glyphs(" \(what)"))
            guard column + keys.width + what.width <= scene.size.columns else { break }
            let all = 0..<scene.size.columns
            column = put(keys, row: row, column: column, in: all)
            column = put(what, row: row, column: column, in: all, style: CellStyle(.plain, .dim)) + 2
        }
    }

    // MARK: Popups

    mutating func drawPopup() {
        guard let popup = Popup(scene, state.mode) else { return }
        let box = popup.box
        guard box.columns.count > 2, box.rows.count > 2 else { return drawUnframed(popup) }
        let inner = box.columns.lowerBound + 1..<box.columns.upperBound - 1
        for row in box.rows {
            fill(row: row, in: box.columns)
            let isEdge = row == box.rows.lowerBound || row == box.rows.upperBound - 1
            let isTop = row == box.rows.lowerBound
            fill(row: row, in: inner, text: isEdge ? marks.horizontal : " ", style: CellStyle(.accent))
            let corners = marks.corners
            let ends =
                isTop
                ? (corners.topLeft, corners.topRight)
                : isEdge ? (corners.bottomLeft, corners.bottomRight) : (marks.vertical, marks.vertical)
            put(
                glyphs(ends.0), row: row, column: box.columns.lowerBound, in: box.columns,
                style: CellStyle(.accent))
            put(
                glyphs(ends.1), row: row, column: inner.upperBound, in: box.columns, style: CellStyle(.accent)
            )
        }
        let title = glyphs(" \(popup.title) ").fitted(to: inner.count, in: scene.charset)
        put(
            title, row: box.rows.lowerBound, column: inner.lowerBound + 1, in: inner,
            style: CellStyle(.accent, .bold))
        drawLines(popup, rows: box.rows.lowerBound + 1..<box.rows.upperBound - 1, in: inner)
    }

    /// A terminal without room for a frame shows the lines alone.
    private mutating func drawUnframed(_ popup: Popup) {
        for row in popup.box.rows { fill(row: row, in: popup.box.columns) }
        drawLines(popup, rows: popup.box.rows, in: popup.box.columns)
    }

    private mutating func drawLines(_ popup: Popup, rows: Range<Int>, in cells: Range<Int>) {
        for (row, index) in zip(rows, popup.first...) where popup.lines.indices.contains(index) {
            let line = popup.lines[index]
            let left = ColumnBody.Span(text: glyphs(" \(line.left)"), style: CellStyle(.plain, .bold))
            let right = ColumnBody.Span(text: glyphs(line.right), style: CellStyle(.plain, .dim))
            draw(ColumnBody.Line(left: [left, right]), row: row, in: cells)
            if popup.chosen == index {
                restyle(row: row, in: cells) { $0 = CellStyle(.accent, [.reverse, .bold]) }
            }
        }
    }
}
