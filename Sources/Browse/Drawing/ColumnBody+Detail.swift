import Curses
import JSON
import Shared

// The detail: one item with its blocks.

extension ColumnBody {
    mutating func appendDetail(_ column: Column) {
        let dim = CellStyle(.plain, .dim)
        if column.status == "multiple" {
            return showHint(title: "\(column.selectedCount) items selected", hint: "")
        }
        if column.path.count > 1 {
            let separator = options.charset == .unicode ? " › " : " > "
            appendIndented(column.path.joined(separator: separator), dim)
        }
        if !column.subtitle.isEmpty { appendIndented(column.subtitle, dim) }
        if !column.badge.isEmpty || !column.date.isEmpty {
            append(
                span(" "), span(column.badge, CellStyle(.accent)),
                span(column.badge.isEmpty || column.date.isEmpty ? "" : "  "),
                span(String(column.date.prefix(10)), dim))
        }
        for block in column.blocks {
            appendBlank()
            appendBlock(block)
        }
    }

    private mutating func appendBlock(_ block: Column.Block) {
        let marks = options.charset.marks
        switch block {
        case .text(let text): appendIndented(text)
        case .fields(let fields): appendFields(fields)
        case .image(let label, let source):
            let text = label.isEmpty ? source : label
            appendHanging(span(" \(marks.image) ", CellStyle(.accent)), text, CellStyle(.plain, .dim))
        case .links(let links):
            for link in links {
                guard let event = link.event else {
                    appendHanging(span(" \(marks.deadLink) "), link.title, CellStyle(.plain, .dim))
                    continue
                }
                appendElement(.link, link.item, event: event) { body in
                    body.appendHanging(
                        body.span(" \(marks.link) ", CellStyle(.accent)), link.title,
                        CellStyle(.accent, .underline))
                }
            }
        case .other(let kind): appendIndented("[\(kind)]", CellStyle(.plain, .dim))
        }
    }

    private mutating func appendIndented(_ text: String, _ style: CellStyle = CellStyle()) {
        appendHanging(span(" "), text, style)
    }

    /// Adds text in lines behind something that stands before the first one.
    private mutating func appendHanging(_ first: Span, _ text: String, _ style: CellStyle) {
        let indent = first.text.width
        let room = options.width - indent - 1
        for (index, line) in GlyphText.wrapped(text, to: room, in: options.charset).enumerated() {
            append(
                index == 0 ? first : span(String(repeating: " ", count: indent)),
                Span(text: line, style: style))
        }
    }

    /// Adds labels and values side by side, or below each other where there is no room for that.
    private mutating func appendFields(_ fields: [Column.Block.Field]) {
        let charset = options.charset
        let labels = fields.map { GlyphText($0.label, in: charset) }
        let most = options.width * Limits.labelPart.of / Limits.labelPart.in
        let cells = min(labels.map(\.width).max() ?? 0, most)
        let dim = CellStyle(.plain, .dim)
        for (field, label) in zip(fields, labels) {
            guard options.width >= Limits.fieldColumnsMin else {
                appendIndented(field.label, dim)
                appendHanging(span("  "), field.value, CellStyle())
                continue
            }
            var first = label.fitted(to: cells, in: charset)
            let gap = cells - first.width + 2
            first.glyphs.insert(Glyph(" ", width: 1), at: 0)
            first.glyphs += Array(repeating: Glyph(" ", width: 1), count: gap)
            appendHanging(Span(text: first, style: dim), field.value, CellStyle())
        }
    }
}
