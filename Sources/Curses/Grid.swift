/// One cell of a terminal.
public struct Cell: Sendable, Equatable {
    /// A character with its marks; empty in the second half of a wide one.
    public var text: String
    /// How it looks.
    public var style: CellStyle

    /// Makes a cell.
    public init(_ text: String = " ", _ style: CellStyle = CellStyle()) {
        (self.text, self.style) = (text, style)
    }
}

/// A piece of text that takes one or two cells: what the terminal moves its cursor by.
public struct Glyph: Sendable, Equatable {
    /// A character with the marks that stand on it.
    public var text: String
    /// 1 or 2.
    public var width: Int
    /// Whether it must stay with the glyph before it, because a person sees both as one.
    public var isJoined: Bool

    /// Makes a glyph.
    public init(_ text: String, width: Int, isJoined: Bool = false) {
        (self.text, self.width, self.isJoined) = (text, width, isJoined)
    }
}

/// A screen full of cells, as it shall be shown.
public struct Grid: Sendable, Equatable {
    /// A place; both count from 0.
    public struct Place: Sendable, Equatable {
        /// Counted from the top.
        public var row: Int
        /// Counted from the left.
        public var column: Int

        /// Makes a place.
        public init(row: Int, column: Int) { (self.row, self.column) = (row, column) }
    }

    /// Cells of a row.
    public let columns: Int
    /// Rows of the screen.
    public let rows: Int
    /// Where a person types, if anywhere.
    public var caret: Place?
    private var cells: [Cell]

    /// Makes an empty screen.
    public init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (max(columns, 0), max(rows, 0))
        cells = Array(repeating: Cell(), count: self.columns * self.rows)
    }

    /// A cell of the screen.
    public subscript(row: Int, column: Int) -> Cell { cells[row * columns + column] }

    /// The cells of a row.
    public func row(_ row: Int) -> ArraySlice<Cell> { cells[row * columns..<(row + 1) * columns] }

    /// The text of all rows, without spaces at their ends.
    public var lines: [String] {
        (0..<rows).map { row in
            var line = self.row(row).map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Puts glyphs in a row from a column on, and gives where they end.
    ///
    /// What would leave `range` is left out.
    @discardableResult
    public mutating func put(
        _ glyphs: some Sequence<Glyph>, row: Int, column: Int, in range: Range<Int>, style: CellStyle
    ) -> Int {
        let range = range.clamped(to: 0..<columns)
        var column = column
        guard (0..<rows).contains(row) else { return column }
        for glyph in glyphs {
            guard column + glyph.width <= range.upperBound else { break }
            if column >= range.lowerBound { set(glyph, row: row, column: column, style: style) }
            column += glyph.width
        }
        return column
    }

    /// Makes a part of a row empty, in a style.
    public mutating func fill(
        row: Int, in range: Range<Int>, text: String = " ", style: CellStyle = CellStyle()
    ) {
        put(
            repeatElement(Glyph(text, width: 1), count: range.count), row: row, column: range.lowerBound,
            in: range,
            style: style)
    }

    /// Changes how a part of a row looks.
    public mutating func restyle(row: Int, in range: Range<Int>, _ change: (inout CellStyle) -> Void) {
        guard (0..<rows).contains(row) else { return }
        for column in range.clamped(to: 0..<columns) { change(&cells[row * columns + column].style) }
    }

    private mutating func set(_ glyph: Glyph, row: Int, column: Int, style: CellStyle) {
        let at = row * columns + column
        // What is left of a wide character when one half is covered is a space.
        if cells[at].text.isEmpty, column > 0 { cells[at - 1].text = " " }
        cells[at] = Cell(glyph.text, style)
        if glyph.width == 2 { cells[at + 1] = Cell("", style) }
        let next = column + glyph.width
        // The half that was behind the covered one.
        if next < columns, cells[row * columns + next].text.isEmpty { cells[row * columns + next].text = " " }
    }
}
