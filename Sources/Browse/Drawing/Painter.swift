import Curses
import JSON
import Shared

/// Draws a scene as somebody sees it: a view, a place in it and a size go in, cells come out.
struct Painter {
    let scene: Scene
    let state: Browsing
    private(set) var grid: Grid
    var marks: Marks { scene.charset.marks }

    /// The finished drawing.
    static func draw(_ scene: Scene, _ state: Browsing) -> Grid {
        var painter = Painter(scene: scene, state: state)
        painter.drawBar()
        if scene.view == nil { painter.drawWaiting() }
        painter.drawRule(0..<scene.size.columns)
        let isCovered = scene.columns.contains(where: \.isOverlay)
        for placed in scene.columns {
            painter.drawColumn(placed)
            if isCovered, !placed.isOverlay { painter.dim(placed.cells) }
        }
        painter.drawStatus()
        painter.drawPopup()
        return painter.grid
    }

    private init(scene: Scene, state: Browsing) {
        (self.scene, self.state) = (scene, state)
        grid = Grid(columns: scene.size.columns, rows: scene.size.rows)
    }

    // MARK: Pieces

    func glyphs(_ text: String) -> GlyphText { GlyphText(text, in: scene.charset) }

    @discardableResult
    mutating func put(
        _ text: GlyphText, row: Int, column: Int, in range: Range<Int>, style: CellStyle = CellStyle()
    ) -> Int {
        grid.put(text.glyphs, row: row, column: column, in: range, style: style)
    }

    mutating func fill(row: Int, in range: Range<Int>, text: String = " ", style: CellStyle = CellStyle()) {
        grid.fill(row: row, in: range, text: text, style: style)
    }

    mutating func restyle(row: Int, in range: Range<Int>, _ change: (inout CellStyle) -> Void) {
        grid.restyle(row: row, in: range, change)
    }

    mutating func setCaret(row: Int, column: Int) {
        grid.caret = Grid.Place(row: row, column: min(max(column, 0), max(scene.size.columns - 1, 0)))
    }

    private mutating func dim(_ cells: Range<Int>) {
        for row in (scene.rows.titles ?? 0)..<max(scene.rows.body.upperBound, scene.rows.titles ?? 0) {
            grid.restyle(row: row, in: cells) { $0 = CellStyle(.plain, .dim) }
        }
    }

    // MARK: The first row

    private mutating func drawBar() {
        guard let row = scene.rows.bar else { return }
        let all = 0..<scene.size.columns
        let buttons = scene.buttons
        for button in buttons {
            put(button.text, row: row, column: button.cells.lowerBound, in: all, style: CellStyle(.accent))
        }
        guard let title = scene.view?.catalogTitle else { return }
        let cells = scene.titleCells(among: buttons)
        let text = glyphs(title).fitted(to: cells.count - 1, in: scene.charset)
        put(text, row: row, column: cells.lowerBound, in: all, style: CellStyle(.plain, .bold))
    }

    private mutating func drawWaiting() {
        let text = glyphs(state.link == .connecting ? "Connecting…" : "Nothing to show yet")
        let row = scene.rows.body.lowerBound + scene.height / 2
        let column = max(0, (scene.size.columns - text.width) / 2)
        put(text, row: row, column: column, in: 0..<scene.size.columns, style: CellStyle(.plain, .dim))
    }

    // MARK: Columns

    private mutating func drawRule(_ cells: Range<Int>) {
        guard let row = scene.rows.rule else { return }
        fill(row: row, in: cells, text: marks.horizontal, style: CellStyle(.plain, .dim))
    }

    private mutating func drawColumn(_ placed: Scene.Placed) {
        drawTitle(placed)
        drawRule(placed.cells)
        let offset = state[placed.name].offset
        let first = scene.firstRow(of: placed)
        let cursor = isFocused(placed) ? placed.body.index(of: state[placed.name].cursor) : nil
        clearMargin(placed)
        for row in scene.rows.body {
            fill(row: row, in: placed.cells)
            let index = row - first + offset
            guard row >= first, placed.body.lines.indices.contains(index) else { continue }
            let line = placed.body.lines[index]
            draw(line, row: row, in: placed.inner)
            if let cursor, line.element == cursor {
                restyle(row: row, in: placed.inner) { style in
                    // Dim and reverse together can't be read on many terminals.
                    style = CellStyle(.accent, style.attributes.subtracting(.dim).union(.reverse))
                }
            }
        }
        drawEdge(placed)
    }

    /// What lies over others covers the gap before it, too: no halves of words are seen there.
    private mutating func clearMargin(_ placed: Scene.Placed) {
        guard placed.isOverlay, placed.cells.lowerBound <= Limits.marginCellsMax else { return }
        for row in (scene.rows.titles ?? 0)..<scene.rows.body.upperBound where row != scene.rows.rule {
            fill(row: row, in: 0..<placed.cells.lowerBound)
        }
    }

    /// The line to the right of a column.
    private mutating func drawEdge(_ placed: Scene.Placed) {
        guard placed.inner.count < placed.cells.count else { return }
        let edge = placed.inner.upperBound..<placed.cells.upperBound
        let style = placed.isOverlay ? CellStyle(.accent) : CellStyle(.plain, .dim)
        let rows = (scene.rows.titles ?? scene.rows.body.lowerBound)..<scene.rows.body.upperBound
        for row in rows {
            fill(
                row: row, in: edge, text: row == scene.rows.rule ? marks.cross : marks.vertical, style: style)
        }
    }

    func isFocused(_ placed: Scene.Placed) -> Bool { state.focus == placed.name }

    private mutating func drawTitle(_ placed: Scene.Placed) {
        guard let row = scene.rows.titles else { return }
        let cells = placed.inner
        fill(row: row, in: placed.cells)
        var line = ColumnBody.Line()
        let isAlone = scene.columns.count == 1
        func span(_ text: String, _ style: CellStyle) -> ColumnBody.Span {
            .init(text: glyphs(text), style: style)
        }
        let style = isFocused(placed) && !isAlone ? CellStyle(.accent, .bold) : CellStyle(.plain, .bold)
        line.left = [span(" ", CellStyle())]
        if scene.rows.bar == nil, isAlone, scene.view?.back != nil {
            line.left.append(span("\(marks.back) ", CellStyle(.accent)))
        }
        line.left.append(span(placed.column.title, style))
        if placed.column.status == "stale" {
            line.right.append(span(" not up to date ", CellStyle(.warning)))
        } else if let place = place(in: placed) {
            line.right.append(span(" \(place) ", CellStyle(.plain, .dim)))
        }
        draw(line, row: row, in: cells)
    }

    /// Where one is in a column that is longer than what is seen of it.
    private func place(in placed: Scene.Placed) -> String? {
        let position = state[placed.name]
        let lines = placed.body.lines.count
        guard placed.name != .detail else {
            guard lines > scene.height else { return nil }
            return "\(min(100, (position.offset + scene.height) * 100 / lines))%"
        }
        guard let page = placed.column.page, placed.column.rowCount > 0 else { return nil }
        let total = "\(page.total)\(page.isCapped ? "+" : "")"
        guard isFocused(placed), let first = page.first, let cursor = placed.body.index(of: position.cursor),
            placed.body.elements[cursor].key.kind == .row
        else { return total }
        let folders = placed.body.elements.prefix(cursor).count { $0.key.kind != .row }
        return "\(first + cursor - folders + 1)/\(total)"
    }

    // MARK: Lines

    /// Draws a line in its cells: the right part is whole, unless it needs more than half of them.
    mutating func draw(_ line: ColumnBody.Line, row: Int, in cells: Range<Int>) {
        let rightWidth = line.right.reduce(0) { $0 + $1.text.width }
        let isRightShown = rightWidth <= cells.count * 2 / 3
        let room = cells.count - (isRightShown ? rightWidth : 0)
        let leftWidth = line.left.reduce(0) { $0 + $1.text.width }
        var column = cells.lowerBound
        if line.isCentred { column += max(0, (cells.count - leftWidth) / 2) }
        var rest = room
        for span in line.left {
            let text = span.text.fitted(to: rest, in: scene.charset)
            column = put(text, row: row, column: column, in: cells, style: span.style)
            rest -= span.text.width
            if rest <= 0 { break }
        }
        if isRightShown {
            var column = cells.upperBound - rightWidth
            for span in line.right {
                column = put(span.text, row: row, column: column, in: cells, style: span.style)
            }
        }
        guard line.isSelected, let mark = cells.first else { return }
        put(glyphs(marks.selected), row: row, column: mark, in: cells, style: CellStyle(.accent, .bold))
    }
}
