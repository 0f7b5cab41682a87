import Curses
import JSON

// The lists: sidebar and content.

extension ColumnBody {
    /// What a column of the view shows.
    static func of(_ name: ViewModel.Name, _ column: Column, _ options: Options) -> ColumnBody {
        var body = ColumnBody(options)
        if name == .detail { body.appendDetail(column) } else { body.appendList(column) }
        if let placeholder = column.placeholder {
            body.showHint(title: placeholder.title, hint: placeholder.hint)
        }
        return body
    }

    private mutating func appendList(_ column: Column) {
        appendListHead(column)
        for folder in column.folders {
            appendElement(.folder, folder.id, event: folder.event, row: folder) { body in
                body.appendRow(folder, isFolder: true)
            }
        }
        if !column.folders.isEmpty, column.rowCount > 0 { appendBlank() }
        for section in column.sections {
            if !section.title.isEmpty {
                appendBlank()
                append(span(" "), span(section.title, CellStyle(.plain, [.bold, .dim])))
            }
            for row in section.rows {
                appendElement(.row, row.id, section: section.title, event: row.event, row: row) { body in
                    body.appendRow(row, isFolder: false)
                }
            }
        }
    }

    /// What a list says about itself: where it is, and what it is searched for.
    private mutating func appendListHead(_ column: Column) {
        let dim = CellStyle(.plain, .dim)
        if !column.header.isEmpty { appendHead(span(column.header, dim)) }
        if column.path.count > 1 {
            let separator = options.charset == .unicode ? " › " : " > "
            appendHead(span(column.path.joined(separator: separator), dim))
        }
        if let search = column.search, !search.text.isEmpty {
            let scope = search.isCatalogWide ? [span("everywhere ", dim)] : []
            append(Line(left: [span(" / ", dim), span(search.text, CellStyle(.accent))], right: scope))
        }
        if let option = column.sort?.options.dropFirst().first(where: \.isCurrent) {
            appendHead(span("by \(option.title)", dim))
        }
        if column.isHiddenByFilter { appendHead(span("selection is not listed", dim)) }
    }

    private mutating func appendHead(_ line: Span) { append(span(" "), line) }

    /// A row: mark, indent and title at the left, badge and count or date at the right, the subtitle below.
    private mutating func appendRow(_ row: Column.Row, isFolder: Bool) {
        let marks = options.charset.marks
        let isBold: CellStyle.Attributes = row.isSelected ? .bold : []
        let indent = String(repeating: " ", count: min(row.depth * 2, options.width / 2))
        var line = Line(isSelected: row.isSelected)
        line.left = [span(" " + indent)]
        if let isExpanded = row.isExpanded {
            line.disclosure = 1 + indent.count..<3 + indent.count
            line.left.append(
                span((isExpanded ? marks.unfolded : marks.folded) + " ", CellStyle(.plain, .dim)))
        } else if row.depth > 0 {
            line.left.append(span("  "))
        }
        line.left.append(span(row.title, CellStyle(.plain, isBold)))
        var right: [Span] = []
        if !row.badge.isEmpty { right.append(span(row.badge, CellStyle(.accent))) }
        let dim = CellStyle(.plain, .dim)
        if let count = row.count { right.append(span(String(count), dim)) }
        if isFolder { right.append(span(marks.folder, dim)) }
        let date = row.date.isEmpty ? [] : [span(String(row.date.prefix(10)), dim)]
        let hasSecond = !row.subtitle.isEmpty && !options.isDense
        // A title that would be cut for the date is worth more than the end of a subtitle.
        let spans = line.left + right + date
        let isDateBelow = hasSecond && spans.reduce(right.count + 2) { $0 + $1.text.width } > options.width
        line.right = spaced(isDateBelow ? right : right + date)
        append(line)
        guard hasSecond else { return }
        append(
            Line(
                left: [span(" " + indent), span(row.subtitle, dim)],
                right: spaced(isDateBelow ? date : []), isSelected: row.isSelected))
    }

    /// What stands at the right edge, with space around it.
    private func spaced(_ spans: [Span]) -> [Span] {
        spans.flatMap { [span(" "), $0] } + (spans.isEmpty ? [] : [span(" ")])
    }
}
