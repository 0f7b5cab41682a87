// The words of navigation and layout, as they cross the wire.

/// A column of the screen.
public enum Column: String, Sendable, CaseIterable {
    /// The leading column: categories, or in a two-column catalog the items.
    case sidebar
    /// The middle column: the items of a category. Two-column catalogs have none.
    case content
    /// The trailing column: one item.
    case detail
}

/// Which columns are asked for, or shown; `automatic` is never what it resolves to.
public enum Visibility: String, Sendable, CaseIterable {
    /// As the window's width suggests.
    case automatic
    /// All columns.
    case all
    /// Content and detail; of two columns both.
    case doubleColumn
    /// The detail alone.
    case detailOnly
}

/// How the columns share the width; `automatic` is never what it resolves to.
public enum Style: String, Sendable, CaseIterable {
    /// As the window suggests: today always `balanced`.
    case automatic
    /// The leading columns stand beside the detail, which gets narrower.
    case balanced
    /// The leading columns lie over the detail, which keeps its width.
    case prominentDetail
}

/// Whether a window has room for columns side by side.
public enum SizeClass: String, Sendable, CaseIterable {
    /// One column at a time: the view is a stack.
    case compact
    /// Columns side by side.
    case regular
}

/// What a search looks through.
public enum SearchScope: String, Sendable, CaseIterable {
    /// The list that is shown.
    case category
    /// The whole catalog.
    case catalog
}

/// By what a list of items is ordered.
public enum SortKey: String, Sendable, CaseIterable {
    /// The place that the catalog gives them.
    case position
    /// The title, folded.
    case title
    /// The date, items without one last.
    case date
}

/// Why a session changed, as told to subscribers and to the layout.
public enum ChangeCause: String, Sendable, CaseIterable {
    /// A person asked for another presentation.
    case explicitRequest
    /// Anything else: other content, another selection.
    case contentChange
}

/// A query: what is typed, and where it is looked for.
public struct Query: Sendable, Hashable {
    /// What is typed; empty when nothing is searched for.
    public var text: String
    /// Where it is looked for.
    public var scope: SearchScope

    /// Makes a query.
    public init(text: String = "", scope: SearchScope = .category) {
        self.text = text
        self.scope = scope
    }

    /// Whether both are the same to the byte: as texts "é" and "e" with an accent are equal, but whoever has typed one of them
    /// is to find that one again.
    public static func == (one: Query, other: Query) -> Bool {
        one.scope == other.scope && one.text.utf8.elementsEqual(other.text.utf8)
    }
}

/// The order of a list of items.
public struct Sort: Sendable, Hashable {
    /// By what.
    public var by: SortKey
    /// Whether the last one comes first.
    public var descending: Bool

    /// Makes an order.
    public init(by: SortKey = .position, descending: Bool = false) {
        self.by = by
        self.descending = descending
    }
}
