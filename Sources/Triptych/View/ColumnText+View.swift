import JSON

// The three columns. What is shown, and whether, was decided by who made the view; here it gets its place.

extension ColumnText {
    /// The sidebar: categories, or in a two-column catalog items by category.
    static func sidebar(_ part: JSONValue, width: Int) -> ColumnText {
        var column = ColumnText(width: width)
        column.setHeading(part)
        if let header = part.text("header"), !header.isEmpty { column.append(" " + header) }
        column.appendListHead(part)
        var shown = 0
        for section in part["sections"].map({ Array($0.elements) }) ?? [] {
            if let title = section.text("title") {
                column.appendBlank()
                column.append(" " + title)
            }
            for row in section["rows"].map({ Array($0.elements) }) ?? [] {
                let disclosure = row.part("disclosure").map { $0["expanded"]?.bool == true ? "▾ " : "▹ " }
                column.appendRow(row, depth: row["depth"]?.int ?? 0, disclosure: disclosure ?? "")
                shown += 1
            }
        }
        column.appendListFoot(part, shown: shown)
        column.showPlaceholder(part)
        return column
    }

    /// The content: folders and items of the shown list.
    static func content(_ part: JSONValue, width: Int) -> ColumnText {
        var column = ColumnText(width: width)
        column.setHeading(part)
        column.appendListHead(part)
        for folder in part["folders"].map({ Array($0.elements) }) ?? [] {
            let count = folder["count"]?.int.map { "\($0)  " } ?? ""
            column.append("  " + (folder.text("title") ?? ""), right: "\(count)›")
        }
        var shown = 0
        for row in part["rows"].map({ Array($0.elements) }) ?? [] {
            column.appendRow(row)
            shown += 1
        }
        column.appendListFoot(part, shown: shown)
        column.showPlaceholder(part)
        return column
    }

    /// The detail: one item.
    static func detail(_ part: JSONValue, width: Int) -> ColumnText {
        var column = ColumnText(width: width)
        column.setHeading(part)
        if part.text("status") == "multiple" {
            column.showHint(title: "\(part["selectedCount"]?.int ?? 0) items selected", hint: nil)
        }
        column.appendPath(part)
        if let subtitle = part.text("subtitle"), !subtitle.isEmpty { column.appendText(subtitle) }
        let facts = [part.text("badge"), part.text("date").map { String($0.prefix(10)) }].compactMap { $0 }
        if !facts.isEmpty { column.appendText(facts.joined(separator: "  ")) }
        for block in part["blocks"].map({ Array($0.elements) }) ?? [] {
            column.appendBlank()
            column.appendBlock(block)
        }
        column.showPlaceholder(part)
        return column
    }

    private mutating func appendBlock(_ block: JSONValue) {
        switch block.text("kind") {
        case "text": appendText(block.text("text") ?? "")
        case "fields": appendFields(block["fields"].map { Array($0.elements) } ?? [])
        case "image": appendText("[\(block.text("label") ?? "")] \(block.text("source") ?? "")")
        case "links":
            for link in block["links"].map({ Array($0.elements) }) ?? [] {
                // A link without an event leads nowhere.
                let mark = link.part("event") == nil ? " ∙ " : " → "
                appendText(link.text("title") ?? "", indent: 3, first: mark)
            }
        default: appendText("[\(block.text("kind") ?? "?")]")
        }
    }

    /// Adds labels and values, side by side; no label takes more than two fifths of the width.
    private mutating func appendFields(_ fields: [JSONValue]) {
        let labels = fields.map { TextWidth.printable($0.text("label") ?? "") }
        let labelCells = min(labels.map { TextWidth.of($0) }.max() ?? 0, width * 2 / 5)
        for (field, label) in zip(fields, labels) {
            let shown = TextWidth.fitted(label, to: labelCells)
            let gap = String(repeating: " ", count: labelCells - TextWidth.of(shown) + 2)
            appendText(field.text("value") ?? "", indent: labelCells + 3, first: " \(shown)\(gap)")
        }
    }
}
