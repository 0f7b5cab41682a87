import Shared

// What a session's state puts on the screen, before anything is known of the things it names.

/// A state, read for one kind of catalog.
struct Screen {
    /// Where the session is.
    let state: SessionState
    /// Whether the sidebar lists the items and there is no content column.
    let isTwoColumn: Bool

    /// Whether a search filters the list: a text without a word is none.
    var isSearching: Bool { state.query.hasText }

    /// Whether the list is what a search found in the whole catalog.
    var isCatalogWide: Bool { !isTwoColumn && state.query.isCatalogWide }

    /// Whether the content column has something to show.
    var hasContent: Bool { state.hasSomething(in: .content, columns: columns) }

    /// The column on top of a collapsed window.
    var top: Column { state.top(columns: columns) }

    /// How many columns there are.
    var columns: Int { isTwoColumn ? 2 : 3 }

    /// The columns of a collapsed window, from the root to the top.
    var stack: [Column] {
        let columns = Layout.columns(self.columns)
        return Array(columns[...(columns.firstIndex(of: top) ?? 0)])
    }

    // MARK: Back

    /// Where `back` leads.
    enum Destination: Equatable {
        case item(Identifier)
        case list(Identifier)
        case search
        case sidebar
        /// Somewhere that has no title.
        case nowhere
    }

    /// Where `back` leads; nil if it would change nothing.
    func back(isCollapsed: Bool) -> Destination? {
        guard isCollapsed else {
            return behindDetailPath(orElse: .nowhere) ?? behindContentPath
        }
        switch top {
        case .detail: return behindDetailPath(orElse: behindDetail) ?? behindDetail
        case .content: return behindContentPath ?? .sidebar
        case .sidebar: return nil
        }
    }

    /// What shows when the detail path is one shorter; nil if there is none.
    private func behindDetailPath(orElse other: Destination) -> Destination? {
        guard !state.detailPath.isEmpty else { return nil }
        return (state.detailPath.dropLast().last ?? state.onlyItem).map { .item($0) } ?? other
    }

    /// What shows when the content path is one shorter, which no search outlives; nil if there is none.
    private var behindContentPath: Destination? {
        guard !state.contentPath.isEmpty else { return nil }
        return (state.contentPath.dropLast().last ?? state.category).map { .list($0) } ?? .nowhere
    }

    /// What shows when the detail goes from a stack.
    private var behindDetail: Destination {
        guard hasContent else { return .sidebar }
        return isCatalogWide ? .search : state.listCategory.map { .list($0) } ?? .sidebar
    }
}
