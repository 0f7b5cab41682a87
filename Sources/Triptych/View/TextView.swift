import JSON
import Shared

/// Draws a view as lines of text: a view in, lines out.
///
/// Like every front end it decides nothing: which columns are seen, how wide they are and what they say is in
/// the view. Only points are rounded to characters.
struct TextView {
    private let view: JSONValue
    private let columns: Int

    /// Takes a view that was asked for at `columns * Limits.pointsPerTextColumn` points.
    init(_ view: JSONValue, columns: Int) { (self.view, self.columns) = (view, columns) }

    /// Lines that the columns have at least, so that a hint stands in some space.
    private static let bodyLinesMin = 7

    private struct Placed {
        let cells: Range<Int>
        let isOverlay: Bool
        let text: ColumnText
        var hasNeighbour: Bool
    }

    /// What to print.
    var lines: [String] {
        let placed = placedColumns
        let head = headLines
        let body = max(Self.bodyLinesMin, placed.map(\.text.lines.count).max() ?? 0)
        let rules = (top: head.count, heading: head.count + 1, bottom: head.count + 2)
        var canvas = Canvas(width: columns, height: rules.bottom + 1 + body)
        for (row, line) in head.enumerated() { put(line, in: 0..<columns, row: row, on: &canvas) }
        let rule = String(repeating: "─", count: columns)
        for row in [rules.top, rules.bottom] { canvas.put(rule, at: 0, row: row) }
        for column in placed {
            draw(
                column, heading: rules.heading, body: rules.bottom + 1..<rules.bottom + 1 + body, on: &canvas)
        }
        return canvas.lines
    }

    // MARK: Head

    private var headLines: [ColumnText.Line] {
        let layout = view["layout"]
        var left = " "
        if let toggle = layout?.part("sidebarToggle") {
            left += toggle.text("icon") == "chevron" ? "[‹] " : "[≡] "
        }
        if layout?.part("dismiss") != nil { left += "[×] " }
        left += view["catalog"]?.text("title") ?? ""
        let history = view["history"]
        let right = [history?.part("back").map { _ in "←" }, history?.part("forward").map { _ in "→" }]
        var lines = [
            ColumnText.Line(
                left: TextWidth.printable(left), right: right.compactMap { $0 }.joined(separator: " "))
        ]
        if let back = layout?.part("back") {
            lines.append(.init(left: " ‹ " + TextWidth.printable(back.text("title") ?? "Back")))
        }
        return lines
    }

    // MARK: Columns

    /// The visible columns, those beside each other first, overlays behind them because they lie on top.
    private var placedColumns: [Placed] {
        var placed: [Placed] = []
        for frame in view["layout"]?["columns"].map({ Array($0.elements) }) ?? [] {
            guard frame["visible"]?.bool == true, let x = frame["x"]?.double,
                let width = frame["width"]?.double,
                let name = frame.text("column").flatMap(Column.init)
            else { continue }
            let start = min(max(cell(x), 0), columns)
            let end = min(max(cell(x + width), start), columns)
            guard start < end else { continue }
            let hasNeighbour = end < columns
            let inner = end - start - (hasNeighbour ? 1 : 0)
            placed.append(
                Placed(
                    cells: start..<end, isOverlay: frame["overlay"]?.bool == true,
                    text: text(of: name, width: inner),
                    hasNeighbour: hasNeighbour))
        }
        return placed.filter { !$0.isOverlay } + placed.filter(\.isOverlay)
    }

    private func cell(_ points: Double) -> Int {
        Int((points / Double(Limits.pointsPerTextColumn)).rounded())
    }

    private func text(of column: Column, width: Int) -> ColumnText {
        guard let part = view.part(Self.member(of: column)) else { return ColumnText(width: width) }
        return switch column {
        case .sidebar: .sidebar(part, width: width)
        case .content: .content(part, width: width)
        case .detail: .detail(part, width: width)
        }
    }

    private static func member(of column: Column) -> StaticString {
        switch column {
        case .sidebar: "sidebar"
        case .content: "content"
        case .detail: "detail"
        }
    }

    private func draw(_ column: Placed, heading: Int, body: Range<Int>, on canvas: inout Canvas) {
        let inner = column.cells.lowerBound..<column.cells.lowerBound + column.text.width
        put(.init(left: " " + column.text.heading), in: inner, row: heading, on: &canvas)
        let lines = column.text.lines
        let first = column.text.isHint ? body.lowerBound + (body.count - lines.count) / 2 : body.lowerBound
        for row in body {
            let index = row - first
            let line = lines.indices.contains(index) ? lines[index] : .init()
            put(line, in: inner, row: row, on: &canvas)
        }
        let rule = String(repeating: "─", count: column.cells.count)
        canvas.put(rule, at: column.cells.lowerBound, row: heading - 1)
        canvas.put(rule, at: column.cells.lowerBound, row: heading + 1)
        guard column.hasNeighbour else { return }
        let edge = column.cells.upperBound - 1
        canvas.put("┬", at: edge, row: heading - 1)
        canvas.put("│", at: edge, row: heading)
        canvas.put("┼", at: edge, row: heading + 1)
        for row in body { canvas.put("│", at: edge, row: row) }
    }

    /// Puts a line in its place, over whatever was there.
    private func put(_ line: ColumnText.Line, in cells: Range<Int>, row: Int, on canvas: inout Canvas) {
        canvas.put(String(repeating: " ", count: cells.count), at: cells.lowerBound, row: row)
        let right = TextWidth.fitted(line.right, to: max(0, cells.count / 2))
        let rightCells = right.isEmpty ? 0 : TextWidth.of(right) + 2
        let left = TextWidth.fitted(line.left, to: cells.count - rightCells)
        let indent = line.isCentred ? (cells.count - TextWidth.of(left)) / 2 : 0
        canvas.put(left, at: cells.lowerBound + max(0, indent), row: row)
        if !right.isEmpty { canvas.put(right, at: cells.upperBound - rightCells + 1, row: row) }
    }
}
