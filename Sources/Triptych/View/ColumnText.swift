import JSON

/// What one column of a view shows, as lines of text.
struct ColumnText: Equatable {
    /// One line.
    struct Line: Equatable {
        /// What stands at the left edge.
        var left = ""
        /// What stands at the right edge; the left is cut for it.
        var right = ""
        /// Whether it stands in the middle instead.
        var isCentred = false
    }

    /// What stands above the column.
    var heading = ""
    /// What stands in it.
    var lines: [Line] = []
    /// Whether there is nothing but a hint, which stands in the middle.
    var isHint = false
    /// Cells of a line.
    let width: Int

    init(width: Int) { self.width = width }

    // MARK: Lines

    mutating func append(_ left: String, right: String = "") {
        lines.append(Line(left: TextWidth.printable(left), right: TextWidth.printable(right)))
    }

    mutating func appendBlank() { if !lines.isEmpty { lines.append(Line()) } }

    /// Adds text, wrapped, behind `indent` spaces; `first` stands in the place of those of the first line.
    mutating func appendText(_ text: String, indent: Int = 1, first: String? = nil) {
        for (index, line) in TextWidth.wrapped(text, to: width - indent - 1).enumerated() {
            let start = index == 0 ? first : nil
            append((start ?? String(repeating: " ", count: indent)) + line)
        }
    }

    mutating func appendCentred(_ text: String) {
        for line in TextWidth.wrapped(text, to: width - 2) { lines.append(Line(left: line, isCentred: true)) }
    }

    /// Shows what stands for a column's content.
    mutating func showHint(title: String?, hint: String?) {
        isHint = lines.isEmpty
        appendBlank()
        for text in [title, hint].compactMap({ $0 }) { appendCentred(text) }
    }

    /// Sets the heading, and says in it when what is shown may be out of date.
    mutating func setHeading(_ part: JSONValue) {
        heading = TextWidth.printable(part.text("title") ?? "")
        if part.text("status") == "stale" {
            heading += heading.isEmpty ? "(not up to date)" : " (not up to date)"
        }
    }

    /// Shows the placeholder, if there is one.
    mutating func showPlaceholder(_ part: JSONValue) {
        guard let placeholder = part.part("placeholder") else { return }
        showHint(title: placeholder.text("title"), hint: placeholder.text("hint"))
    }

    // MARK: Rows

    /// Adds a row of a list: mark, indent and title at the left, badge and count or date at the right.
    mutating func appendRow(_ row: JSONValue, depth: Int = 0, disclosure: String = "") {
        let mark = row["selected"]?.bool == true ? "▸ " : "  "
        let indent = String(repeating: "  ", count: depth)
        let count = row["count"]?.int.map(String.init)
        let date = row.text("date").map { String($0.prefix(10)) }
        let right = [row.text("badge"), count, date].compactMap { $0 }.joined(separator: "  ")
        append(mark + indent + disclosure + (row.text("title") ?? ""), right: right)
        guard let subtitle = row.text("subtitle"), !subtitle.isEmpty else { return }
        append("    " + indent + subtitle)
    }

    /// Adds what a list says about itself: where it is, what is searched for, how it is sorted.
    mutating func appendListHead(_ list: JSONValue) {
        appendPath(list)
        if let search = list.part("search"), let text = search.text("text"), !text.isEmpty {
            append(" Search: \(text)", right: search.text("scope") == "catalog" ? "everywhere" : "")
        }
        if let sort = list.part("sort"), let by = sort.text("by"), by != "position" {
            append(" By \(by)\(sort["descending"]?.bool == true ? ", descending" : "")")
        }
        if list["hiddenByFilter"]?.bool == true { append(" The selection is not in this list.") }
    }

    /// Adds the titles of a path; that of a single step is the heading already.
    mutating func appendPath(_ part: JSONValue) {
        guard let path = part["path"], path.count > 1 else { return }
        appendText(path.elements.map { $0.text("title") ?? "" }.joined(separator: " › "))
    }

    /// Adds which part of a list is shown, if it isn't all of it.
    mutating func appendListFoot(_ list: JSONValue, shown: Int) {
        guard let page = list.part("page"), shown > 0 else { return }
        let total = page["total"]?.int
        guard page.part("before") != nil || page.part("after") != nil else { return }
        let ofTotal = total.map { " of \($0)\(page["totalCapped"]?.bool == true ? " or more" : "")" } ?? ""
        let range = page["first"]?.int.map { "\($0 + 1)–\($0 + shown)" } ?? "\(shown)"
        appendBlank()
        append(" " + range + ofTotal)
    }
}

extension JSONValue {
    /// A member that is a text.
    func text(_ name: StaticString) -> String? { self[name]?.string }

    /// A member that is there and not null.
    func part(_ name: StaticString) -> JSONValue? {
        guard let value = self[name], !value.isNull else { return nil }
        return value
    }
}
