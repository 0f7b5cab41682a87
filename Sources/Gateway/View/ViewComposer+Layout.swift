import JSON
import Shared

extension ViewComposer {
    func writeLayout(to json: inout JSONWriter) {
        let state = input.state
        json.object("layout") { json in
            json.member("width", input.window.gridWidth)
            json.member("sizeClass", (isCollapsed ? SizeClass.compact : .regular).rawValue)
            json.member("collapsed", isCollapsed)
            json.object("visibility") { json in
                json.member("requested", state.visibility.rawValue)
                json.member("resolved", layout?.resolved.visibility.rawValue)
            }
            json.object("style") { json in
                json.member("requested", state.style.rawValue)
                json.member("resolved", layout?.style.rawValue)
            }
            json.member("presentation", (layout?.resolved.presentation ?? .stack).rawValue)
            Layout.write(layout?.frames ?? stackFrames, to: &json)
            json.array("stack") { json in
                if isCollapsed { for column in screen.stack { json.value(column.rawValue) } }
            }
            json.member("top", isCollapsed ? screen.top.rawValue : nil)
            writeSidebarToggle(to: &json)
            json.key("dismiss")
            if let dismissed = layout?.dismissed {
                json.object { json in writeSetVisibility(dismissed, to: &json) }
            } else {
                json.null()
            }
            writeBack(to: &json)
        }
    }

    /// Of a stack only the top is visible, over the whole width.
    private var stackFrames: [Layout.Frame] {
        Layout.columns(screen.columns).map { column in
            let place = Layout.Place(x: 0, width: input.window.gridWidth)
            return Layout.Frame(column: column, place: column == screen.top ? place : nil)
        }
    }

    private func writeSidebarToggle(to json: inout JSONWriter) {
        json.key("sidebarToggle")
        guard let layout else { return json.null() }
        json.object { json in
            json.member("icon", layout.resolved.presentation == .overlay ? "chevron" : "sidebar")
            writeSetVisibility(layout.toggled, to: &json)
        }
    }

    private func writeSetVisibility(_ visibility: Visibility, to json: inout JSONWriter) {
        json.object("event") { json in
            json.member("type", fixed: "setVisibility")
            json.member("visibility", visibility.rawValue)
        }
    }

    private func writeBack(to json: inout JSONWriter) {
        json.key("back")
        guard let destination = screen.back(isCollapsed: isCollapsed) else { return json.null() }
        json.object { json in
            json.key("title")
            writeTitle(of: destination, to: &json)
            json.object("event") { json in
                json.member("type", fixed: "back")
                if isCollapsed { json.member("collapsed", true) }
            }
        }
    }

    private func writeTitle(of destination: Screen.Destination, to json: inout JSONWriter) {
        switch destination {
        case .item(let id): json.value(input.items[id]?.value?.value["title"])
        case .list(let id): json.value(categoryTitle(id))
        case .search: CatalogString.searchTitle.write(strings, isTwoColumn: false, to: &json)
        case .sidebar:
            CatalogString.sidebarTitle.write(strings, isTwoColumn: screen.isTwoColumn, to: &json)
        case .nowhere: json.null()
        }
    }

    /// The title of a category; nil if it isn't known.
    func categoryTitle(_ id: Identifier) -> JSONValue? { input.categories.value?[id]?.value["title"] }
}
