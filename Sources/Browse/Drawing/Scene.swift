import Curses
import JSON
import Shared

/// Where everything of a view is on a terminal of some size; what is focused and scrolled comes in when it is drawn.
struct Scene {
    /// The size of the terminal, in cells.
    struct Size: Equatable {
        var columns: Int
        var rows: Int
    }

    /// A visible column.
    struct Placed {
        let name: ViewModel.Name
        /// All of its cells.
        let cells: Range<Int>
        /// Its cells without the line to its right.
        let inner: Range<Int>
        let isOverlay: Bool
        let column: Column
        let body: ColumnBody
    }

    /// Which rows are for what; a low terminal has only what is needed most.
    struct Rows: Equatable {
        /// Buttons, and the title of the catalog.
        var bar: Int?
        /// The titles of the columns.
        var titles: Int?
        var rule: Int?
        var body: Range<Int>
        /// Help, prompts, and what is wrong.
        var status: Int?

        init(_ rows: Int) {
            switch rows {
            case 10...:
                (bar, titles, rule, body, status) = (0, 1, 2, 3..<rows - 1, rows - 1)
            case 6...:
                (bar, titles, body, status) = (0, 1, 2..<rows - 1, rows - 1)
            case 3...:
                (titles, body, status) = (0, 1..<rows - 1, rows - 1)
            default: body = 0..<max(rows, 0)
            }
        }
    }

    let size: Size
    let rows: Rows
    let charset: Charset
    let view: ViewModel?
    /// From left to right, then those that lie above others.
    let columns: [Placed]

    /// Places a view; `cellPoints` is the width of a cell.
    init(_ view: ViewModel?, size: Size, cellPoints: Int, charset: Charset) {
        (self.view, self.size, self.charset) = (view, size, charset)
        rows = Rows(size.rows)
        guard let view else {
            columns = []
            return
        }
        let isDense = rows.body.count < Limits.subtitleRowsMin
        var placed: [Placed] = []
        for frame in view.frames {
            guard let column = view.columns[frame.column],
                let cells = Self.cells(of: frame, among: view.frames, cellPoints, columns: size.columns)
            else { continue }
            let hasLine = cells.upperBound < size.columns && cells.count > 1
            let inner = cells.lowerBound..<cells.upperBound - (hasLine ? 1 : 0)
            let options = ColumnBody.Options(width: inner.count, charset: charset, isDense: isDense)
            placed.append(
                Placed(
                    name: frame.column, cells: cells, inner: inner, isOverlay: frame.isOverlay,
                    column: column,
                    body: .of(frame.column, column, options)))
        }
        columns = placed.filter { !$0.isOverlay } + placed.filter(\.isOverlay)
    }

    /// The cells of a column.
    ///
    /// Columns that touch in points touch in cells: each edge is rounded once.
    private static func cells(
        of frame: ViewModel.Frame, among frames: [ViewModel.Frame], _ cellPoints: Int, columns: Int
    ) -> Range<Int>? {
        let points = Double(cellPoints)
        func cell(_ edge: Double) -> Int {
            Int(min(max((edge / points).rounded(), 0), Double(columns)))
        }
        var end = frame.x + frame.width
        // Between content and detail there is a line of one pixel, which is the first column's here.
        let next = frames.first { $0.isOverlay == frame.isOverlay && $0.x > frame.x && $0.x - end <= 1 }
        if let next { end = max(end, next.x) }
        let range = cell(frame.x)..<max(cell(end), cell(frame.x))
        return range.isEmpty ? nil : range
    }

    // MARK: Finding

    /// A visible column.
    subscript(name: ViewModel.Name) -> Placed? { columns.first { $0.name == name } }

    /// Lines of a column that are seen at once.
    var height: Int { rows.body.count }

    /// How far a column can be scrolled.
    func offsetMax(_ name: ViewModel.Name) -> Int {
        max(0, (self[name]?.body.lines.count ?? 0) - height)
    }

    /// The names of the visible columns from left to right.
    var order: [ViewModel.Name] {
        columns.sorted {
            ($0.cells.lowerBound, $0.isOverlay ? 0 : 1) < ($1.cells.lowerBound, $1.isOverlay ? 0 : 1)
        }
        .map(\.name)
    }

    /// The first row of a column's lines: a hint stands in the middle.
    func firstRow(of placed: Placed) -> Int {
        guard placed.body.isHint else { return rows.body.lowerBound }
        return rows.body.lowerBound + max(0, (height - placed.body.lines.count) / 2)
    }
}
