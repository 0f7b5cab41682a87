import Shared

// The navigation stacks of content and detail, and going back through them.

extension Session {
    /// The navigation stack of a column.
    func path(of column: Column) -> [Identifier] {
        switch column {
        case .sidebar: []
        case .content: state.contentPath
        case .detail: state.detailPath
        }
    }

    /// Replaces a column's navigation stack by a part of itself, or by one that was checked.
    ///
    /// Another list of items clears what belongs to the old one.
    mutating func setPath(_ path: [Identifier], of column: Column) {
        guard path != self.path(of: column) else { return }
        if column == .content {
            place = Place(category: state.category, contentPath: path)
        } else {
            state.detailPath = path
        }
    }

    /// Replaces a column's navigation stack.
    ///
    /// - Throws: `not_found` for an unknown id, `not_possible` for folders without a category.
    mutating func setPath(_ path: [Identifier], of column: Column, _ facts: Facts) throws(RPCError) {
        let kind: Thing.Kind = column == .content ? .category : .item
        for (index, id) in path.enumerated() {
            try facts.require(Thing(kind: kind, id: id), heldBy: self, "/event/path/\(index)")
        }
        if !path.isEmpty { try checkRoot(of: column) }
        setPath(path, of: column)
    }

    /// Puts one more on a column's navigation stack.
    ///
    /// - Throws: `not_found` for an unknown id, `not_possible` for one too many, or a folder without a
    ///   category.
    mutating func push(_ id: Identifier, in column: Column, _ facts: Facts) throws(RPCError) {
        let kind: Thing.Kind = column == .content ? .category : .item
        try facts.require(Thing(kind: kind, id: id), heldBy: self, "/event/id")
        try checkRoot(of: column)
        guard path(of: column).count < Limits.pathElementsMax else {
            throw .notPossible("/event/id", "A path may have at most \(Limits.pathElementsMax) elements.")
        }
        setPath(path(of: column) + [id], of: column)
    }

    /// Folders lie in a category; a detail may stand alone.
    private func checkRoot(of column: Column) throws(RPCError) {
        guard column == .detail || state.category != nil else {
            throw .notPossible("/event/column", "No category is selected whose folders could be opened.")
        }
    }

    /// Goes back by structure.
    ///
    /// Side by side that is the stack of the detail, then of the content. Collapsed, the column on top loses
    /// the last of its stack, else what put it there.
    mutating func goBack(isCollapsed: Bool, columns: Int) {
        guard isCollapsed else {
            let column: Column = state.detailPath.isEmpty ? .content : .detail
            return setPath(path(of: column).dropLast(), of: column)
        }
        let top = state.top(columns: columns)
        guard path(of: top).isEmpty else { return setPath(path(of: top).dropLast(), of: top) }
        switch top {
        case .detail: state.items = []
        case .content:
            leaveCategory()
            state.compactColumn = nil
        case .sidebar: break
        }
    }
}
