import Shared

/// What a window asked for.
struct ViewWindow {
    var width = 1024.0
    var scale = 2.0
    var sizeClass: String?
    var limit: Int?

    /// The window as params of a request.
    var params: [Identifier: Tree] {
        var params: [Identifier: Tree] = ["width": .number(width), "scale": .number(scale)]
        if let sizeClass { params["sizeClass"] = .string(sizeClass) }
        if let limit { params["limit"] = .number(Double(limit)) }
        return params
    }
}

/// Compares a view with the session and the catalog that it is of.
struct ViewCheck {
    let view: Tree
    let session: ModelSession
    let catalog: ModelCatalog
    let window: ViewWindow
    /// Whether the rows must be those around the selection; else any window of the list will do.
    var isAround = true

    var place: ModelSession.Place { session.place }
    var isTwoColumn: Bool { catalog.columns == 2 }
    var width: Double { (window.width * window.scale + 0.5).rounded(.down) / window.scale }
    var isCollapsed: Bool { window.sizeClass.map { $0 == "compact" } ?? (width < 600) }

    /// Checks everything.
    func check() throws(Violation) {
        try keys("view", view, "schema session revision catalog layout sidebar content detail history")
        try same("session", .text(session.id), view["session"])
        try same("revision", .number(Double(session.revision)), view["revision"])
        try same("catalog's id", .text(catalog.id), view["catalog"]["id"])
        try same("catalog's title", .string(catalog.title), view["catalog"]["title"])
        try same(
            "history",
            .object([
                "back": session.earlier.isEmpty ? .null : button("historyBack"),
                "forward": session.later.isEmpty ? .null : button("historyForward"),
            ]), view["history"])
        try checkLayout()
        try same("title", .string(ModelCatalog.sidebarTitle), view["sidebar"]["title"])
        if isTwoColumn {
            try same("content", .null, view["content"])
            try checkItemSidebar()
        } else {
            try checkCategorySidebar()
            try checkContent()
        }
        try checkDetail()
    }

    func keys(_ what: String, _ value: Tree, _ names: String) throws(Violation) {
        let wanted = Set(names.split(separator: " ").map { Identifier(String($0)) })
        let difference = wanted.symmetricDifference(value.members.keys)
        try holds("keys of \(what): \(difference.sorted())", difference.isEmpty)
    }

    private func button(_ type: String) -> Tree { .object(["event": .object(["type": .string(type)])]) }

    func placeholder(_ column: Tree, isThere: Bool) throws(Violation) {
        let placeholder = column["placeholder"]
        guard isThere else { return try same("placeholder", .null, placeholder) }
        try keys("placeholder", placeholder, "title hint icon")
        for name in ["title", "hint"] {
            try holds("placeholder's \(name)", placeholder[name].string?.isEmpty == false)
        }
    }

    // MARK: Layout

    private func checkLayout() throws(Violation) {
        let layout = view["layout"]
        try keys(
            "layout", layout,
            "width sizeClass collapsed visibility style presentation columns stack top sidebarToggle dismiss back"
        )
        try same("width", .number(width), layout["width"])
        try same("collapsed", .bool(isCollapsed), layout["collapsed"])
        try same("sizeClass", .string(isCollapsed ? "compact" : "regular"), layout["sizeClass"])
        try same("visibility", .string(session.visibility), layout["visibility"]["requested"])
        try same("style", .string(session.style), layout["style"]["requested"])
        let names = isTwoColumn ? ["sidebar", "detail"] : ["sidebar", "content", "detail"]
        try same(
            "columns", .array(names.map { .string($0) }),
            .array(layout["columns"].elements.map { $0["column"] }))
        if isCollapsed { try checkStack(layout, names) } else { try checkColumns(layout, names) }
        try checkBack(layout["back"])
    }

    private func checkStack(_ layout: Tree, _ names: [String]) throws(Violation) {
        let top = session.top(columns: catalog.columns)
        let stack = names.prefix(through: names.firstIndex(of: top) ?? 0)
        try same("top", .string(top), layout["top"])
        try same("stack", .array(stack.map { .string($0) }), layout["stack"])
        for name in ["sidebarToggle", "dismiss"] { try same(name, .null, layout[name]) }
        try same("presentation", .string("stack"), layout["presentation"])
        for name in ["visibility", "style"] { try same(name, .null, layout[name]["resolved"]) }
        for column in layout["columns"].elements {
            let isTop = column["column"].string == top
            try same(
                "column in a stack",
                .object([
                    "column": column["column"], "visible": .bool(isTop), "overlay": .bool(false),
                    "x": isTop ? .number(0) : .null, "width": isTop ? .number(width) : .null,
                ]), column)
        }
        try holds("no selection is never on top", view[top]["status"].string != "noSelection")
    }

    private func checkColumns(_ layout: Tree, _ names: [String]) throws(Violation) {
        try same("top", .null, layout["top"])
        try same("stack", .array([]), layout["stack"])
        let visibility = layout["visibility"]["resolved"].string ?? ""
        let isOverlay = layout["presentation"].string == "overlay"
        try holds("presentation", isOverlay || layout["presentation"].string == "tiled")
        let visible: [String]
        switch visibility {
        case "all": visible = names
        case "doubleColumn": visible = Array(names.suffix(2))
        case "detailOnly": visible = ["detail"]
        default: throw Violation("resolved visibility \(visibility)")
        }
        try holds(
            "resolved style", ["balanced", "prominentDetail"].contains(layout["style"]["resolved"].string))
        for column in layout["columns"].elements {
            try keys("column", column, "column visible x width overlay")
            let isVisible = visible.contains(column["column"].string ?? "")
            try same("visible", .bool(isVisible), column["visible"])
            guard isVisible else {
                try same("hidden frame", .array([.null, .null]), .array([column["x"], column["width"]]))
                continue
            }
            guard let x = column["x"].double, let columnWidth = column["width"].double else {
                throw Violation("a visible column without a frame")
            }
            try holds(
                "column within the width: \(column.json)",
                x >= 0 && columnWidth >= 0 && x + columnWidth <= width + 1e-6)
            try holds("overlay only over: \(layout.json)", column["overlay"].bool == false || isOverlay)
        }
        let isProminent = layout["style"]["resolved"].string == "prominentDetail"
        let toggled: String
        switch (visibility, isTwoColumn) {
        case ("detailOnly", true): toggled = "all"
        case ("detailOnly", false): toggled = "doubleColumn"
        case ("doubleColumn", false): toggled = "all"
        case (_, true): toggled = "detailOnly"
        default: toggled = isOverlay && isProminent ? "detailOnly" : "doubleColumn"
        }
        try same(
            "sidebarToggle",
            .object([
                "icon": .string(isOverlay ? "chevron" : "sidebar"), "event": setVisibility(toggled),
            ]), layout["sidebarToggle"])
        let dismissed = isProminent ? "detailOnly" : "doubleColumn"
        try same(
            "dismiss", isOverlay ? .object(["event": setVisibility(dismissed)]) : .null, layout["dismiss"])
    }

    private func setVisibility(_ visibility: String) -> Tree {
        .object(["type": .string("setVisibility"), "visibility": .string(visibility)])
    }

    private func checkBack(_ back: Tree) throws(Violation) {
        var event: [Identifier: Tree] = ["type": .string("back")]
        if isCollapsed { event["collapsed"] = .bool(true) }
        var behind = session
        guard behind.apply(.object(event), catalog) == .changed else { return try same("back", .null, back) }
        var column = behind.top(columns: catalog.columns)
        if !isCollapsed { column = place.detail.isEmpty ? "content" : "detail" }
        let title: Tree
        switch column {
        case "detail": title = Self.shownItem(behind.place).map { itemTitle($0) } ?? .null
        case "content": title = listTitle(behind.place)
        default: title = .string(ModelCatalog.sidebarTitle)
        }
        try same("back", .object(["title": title, "event": .object(event)]), back)
    }

    // MARK: Titles

    static func shownItem(_ place: ModelSession.Place) -> Identifier? {
        place.detail.last ?? (place.items.count == 1 ? place.items[0] : nil)
    }

    func itemTitle(_ id: Identifier) -> Tree { catalog.items[id].map { .string($0.title) } ?? .null }

    func listTitle(_ place: ModelSession.Place) -> Tree {
        if place.isCatalogWide { return .string(ModelCatalog.searchTitle) }
        return place.shown.flatMap { catalog.categories[$0] }.map { .string($0.title) } ?? .null
    }
}
