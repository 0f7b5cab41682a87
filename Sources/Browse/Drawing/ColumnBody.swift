import Curses
import JSON
import Shared

/// What stands in one column below its title, as lines of a known width: all of it, whatever part of it is seen.
///
/// It knows neither what is focused nor how far it is scrolled, so that it is made once for a view and a width.
struct ColumnBody {
    /// A piece of text in one style.
    struct Span: Equatable {
        var text: GlyphText
        var style: CellStyle
    }

    /// One line.
    struct Line: Equatable {
        var left: [Span] = []
        /// What stands at the right edge.
        var right: [Span] = []
        /// The mark at the left edge of what is selected.
        var isSelected = false
        /// Whether it stands in the middle.
        var isCentred = false
        /// The index of the element that the line belongs to.
        var element: Int?
        /// The cells of a disclosure triangle.
        var disclosure: Range<Int>?
    }

    /// What tells elements apart, also when the view has changed.
    struct Key: Hashable {
        enum Kind { case folder, row, link }
        let kind: Kind
        let id: Identifier
        /// The section that it stands in: an item can be in several.
        let section: Identifier
    }

    /// Something that a person can go to.
    struct Element {
        let key: Key
        /// Its lines.
        var lines: Range<Int>
        let event: ViewEvent?
        let disclosure: ViewEvent?
        let isExpanded: Bool?
        let isSelected: Bool
    }

    /// How it is drawn.
    struct Options: Equatable {
        /// Cells of a line.
        var width: Int
        var charset: Charset
        /// Whether there is no room for second lines of rows.
        var isDense: Bool
    }

    let options: Options
    private(set) var lines: [Line] = []
    private(set) var elements: [Element] = []
    /// Whether there is nothing but a hint, which stands in the middle.
    private(set) var isHint = false

    init(_ options: Options) { self.options = options }

    // MARK: Lines

    /// Cells for text: there is one free at either side.
    var textWidth: Int { max(options.width - 2, 1) }

    func span(_ text: String, _ style: CellStyle = CellStyle()) -> Span {
        Span(text: GlyphText(text, in: options.charset), style: style)
    }

    mutating func append(_ line: Line) { lines.append(line) }

    mutating func append(_ spans: Span...) { lines.append(Line(left: spans)) }

    /// Adds a free line between two things.
    mutating func appendBlank() { if let last = lines.last, last != Line() { lines.append(Line()) } }

    /// Adds text in lines.
    mutating func appendText(_ text: String, _ style: CellStyle = CellStyle(), isCentred: Bool = false) {
        for line in GlyphText.wrapped(text, to: textWidth, in: options.charset) {
            lines.append(Line(left: [Span(text: line, style: style)], isCentred: isCentred))
        }
    }

    // MARK: Elements

    /// Begins an element; the lines that `body` adds are its.
    mutating func appendElement(
        _ kind: Key.Kind, _ id: Identifier, section: String = "", event: ViewEvent?, row: Column.Row? = nil,
        _ body: (inout ColumnBody) -> Void
    ) {
        let start = lines.count
        body(&self)
        for index in start..<lines.count { lines[index].element = elements.count }
        elements.append(
            Element(
                key: Key(kind: kind, id: id, section: Identifier(section)), lines: start..<lines.count,
                event: event, disclosure: row?.disclosure, isExpanded: row?.isExpanded,
                isSelected: row?.isSelected == true))
    }

    /// The index of an element.
    func index(of key: Key?) -> Int? { key.flatMap { key in elements.firstIndex { $0.key == key } } }

    /// The index of the first selected element.
    var selectedIndex: Int? { elements.firstIndex(where: \.isSelected) }

    // MARK: Hints

    /// Shows what stands for a column's content.
    mutating func showHint(title: String, hint: String) {
        isHint = lines.isEmpty
        if !isHint { lines.append(Line()) }
        if !title.isEmpty { appendText(title, CellStyle(.plain, .bold), isCentred: true) }
        if !hint.isEmpty { appendText(hint, CellStyle(.plain, .dim), isCentred: true) }
    }
}
