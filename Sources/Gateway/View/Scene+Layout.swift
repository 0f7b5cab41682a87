import JSON
import Shared

extension Scenery {
    /// Writes how the columns lie in a window of this width; `layout` is nil in a collapsed one.
    func writeLayout(_ layout: Layout?, width: Double, to json: inout JSONWriter) {
        let state = screen.state
        json.object { json in
            json.member("width", width)
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
            Layout.write(layout?.frames ?? stackFrames(width: width), to: &json)
            json.array("stack") { json in
                for column in frame.stack { json.value(column.rawValue) }
            }
            json.member("top", frame.stack.last?.rawValue)
            writeSidebarToggle(layout, to: &json)
            json.key("dismiss")
            if let dismissed = layout?.dismissed {
                json.object { json in writeSetVisibility(dismissed, to: &json) }
            } else {
                json.null()
            }
            json.member("back", written: frame.back)
        }
    }

    /// Of a stack only the top is visible, over the whole width.
    private func stackFrames(width: Double) -> [Layout.Frame] {
        Layout.columns(screen.columns).map { column in
            let place = Layout.Place(x: 0, width: width)
            return Layout.Frame(column: column, place: column == screen.top ? place : nil)
        }
    }

    private func writeSidebarToggle(_ layout: Layout?, to json: inout JSONWriter) {
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
}
