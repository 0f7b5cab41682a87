// What each column has to show: one rule for who goes back in a session and for who draws it.

extension SessionState {
    /// The category whose list the content column shows unless a search of the whole catalog covers it.
    public var listCategory: Identifier? { contentPath.last ?? category }

    /// The item that the detail shows: the last one pushed, else the selected one if it is the only one.
    public var shownItem: Identifier? { detailPath.last ?? onlyItem }

    /// The selected item if it is the only one.
    public var onlyItem: Identifier? { items.count == 1 ? items[0] : nil }

    /// Whether a column has something to show, in a catalog of 3 or 2 columns.
    public func hasSomething(in column: Column, columns: Int) -> Bool {
        switch column {
        case .sidebar: true
        case .content: columns == 3 && (category != nil || query.isCatalogWide)
        case .detail: shownItem != nil
        }
    }

    /// The column on top of a collapsed window.
    ///
    /// The one that was asked for, if it has something to show, else the last one that has.
    public func top(columns: Int) -> Column {
        if let asked = compactColumn, hasSomething(in: asked, columns: columns) { return asked }
        return Column.allCases.last { hasSomething(in: $0, columns: columns) } ?? .sidebar
    }
}
