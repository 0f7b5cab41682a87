import JSON

// What a view says, in types. Texts that are not there are empty, what can be sent is kept as it came.

/// An `event` of a view: it is sent back, never looked into.
typealias ViewEvent = JSONTree

/// A view of `triptych.view/1`, as much of it as a terminal shows.
struct ViewModel: Equatable {
    enum Name: String, CaseIterable {
        case sidebar, content, detail
    }

    /// Where a visible column is, in points.
    struct Frame: Equatable {
        let column: Name
        let x: Double
        let width: Double
        let isOverlay: Bool
    }

    /// The button of the sidebar.
    struct Toggle: Equatable {
        /// Whether it puts the sidebar away that lies over other columns.
        let isChevron: Bool
        let event: ViewEvent
    }

    /// The way back.
    struct Back: Equatable {
        /// The title of where it leads; nil if that has none.
        let title: String?
        let event: ViewEvent
    }

    let catalogTitle: String
    let frames: [Frame]
    let toggle: Toggle?
    let dismiss: ViewEvent?
    let back: Back?
    let historyBack: ViewEvent?
    let historyForward: ViewEvent?
    /// By column; a catalog of two columns has no content.
    let columns: [Name: Column]

    /// Reads a view; what it does not know it leaves out.
    init(_ view: JSONTree) {
        let layout = view["layout"]
        catalogTitle = view["catalog"]?["title"]?.string ?? ""
        frames = (layout?["columns"]?.elements ?? []).compactMap { frame in
            guard frame["visible"]?.bool == true, let column = frame["column"]?.string.flatMap(Name.init),
                let x = frame["x"]?.double, let width = frame["width"]?.double
            else { return nil }
            return Frame(column: column, x: x, width: width, isOverlay: frame["overlay"]?.bool == true)
        }
        toggle = layout?["sidebarToggle"].flatMap { toggle in
            toggle["event"].map { Toggle(isChevron: toggle["icon"]?.string == "chevron", event: $0) }
        }
        dismiss = layout?["dismiss"]?["event"]
        back = layout?["back"].flatMap { back in
            back["event"].map { Back(title: back["title"]?.string, event: $0) }
        }
        historyBack = view["history"]?["back"]?["event"]
        historyForward = view["history"]?["forward"]?["event"]
        var columns: [Name: Column] = [:]
        for (name, part) in [
            (Name.sidebar, view["sidebar"]), (.content, view["content"]), (.detail, view["detail"]),
        ] {
            if let part { columns[name] = Column(part) }
        }
        self.columns = columns
    }

    /// The column that lists items and can be searched, if there is one.
    var list: (name: Name, column: Column)? {
        for name in [Name.content, .sidebar] {
            if let column = columns[name], column.search != nil || column.sort != nil {
                return (name, column)
            }
        }
        return nil
    }
}
