/// A sheet of character cells that text is put on, later text over earlier.
struct Canvas {
    /// Cells a line.
    let width: Int
    /// What each cell shows; empty is the second half of a wide character.
    private var rows: [[String]]

    /// Makes an empty sheet.
    init(width: Int, height: Int) {
        self.width = width
        rows = Array(repeating: Array(repeating: " ", count: width), count: height)
    }

    /// Puts a text on one line, cut at the right edge.
    mutating func put(_ text: String, at column: Int, row: Int) {
        guard rows.indices.contains(row) else { return }
        var at = column
        for character in text {
            let cells = TextWidth.of(character)
            guard cells > 0 else { continue }
            guard at >= 0, at + cells <= width else { return }
            // What is left of a wide character when one half is covered is a space.
            if rows[row][at].isEmpty, at > 0 { rows[row][at - 1] = " " }
            rows[row][at] = String(character)
            if cells == 2 { rows[row][at + 1] = "" }
            at += cells
            if at < width, rows[row][at].isEmpty { rows[row][at] = " " }
        }
    }

    /// The lines, without spaces at their ends and without empty ones at the end.
    var lines: [String] {
        var lines = rows.map { row in
            var line = row.joined()
            while line.last == " " { line.removeLast() }
            return line
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
