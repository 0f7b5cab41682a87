import JSON
import Shared

// A view from what is known: pure. The parts of it are in the files ViewComposer+….swift, in the order of the
// view.

/// Draws one window.
struct ViewComposer {
    let input: ViewInput
    let screen: Screen
    let isCollapsed: Bool
    /// How the columns lie; nil in a collapsed window.
    let layout: Layout?

    /// Composes a view.
    static func compose(_ input: ViewInput) -> ComposedView {
        let composer = ViewComposer(input)
        return ComposedView(
            bytes: composer.bytes(), resolved: composer.layout?.resolved,
            rows: input.page?.value?.rows.count ?? 0)
    }

    private init(_ input: ViewInput) {
        self.input = input
        screen = Screen(state: input.state, isTwoColumn: input.description.value?.columns == 2)
        isCollapsed = input.window.isCollapsed
        guard !isCollapsed else {
            layout = nil
            return
        }
        layout = Layout(
            input.state, input.window, isTwoColumn: screen.isTwoColumn, input.change)
    }

    /// The strings that the catalog gives.
    var strings: JSONValue? { input.description.value?.strings }

    private func bytes() -> [UInt8] {
        var json = JSONWriter(capacity: 4_096 + 2 * (input.page?.value?.value.raw.count ?? 0))
        json.object { json in
            json.member("schema", fixed: "triptych.view/1")
            json.member("session", input.state.session.text)
            json.member("revision", input.state.revision)
            json.object("catalog") { json in
                json.member("id", input.catalog?.text)
                json.member("title", input.description.value?.title)
                json.member("revision", input.description.value?.revision ?? 0)
            }
            writeLayout(to: &json)
            writeSidebar(to: &json)
            writeContent(to: &json)
            writeDetail(to: &json)
            json.object("history") { json in
                writeButton("back", input.state.canGoBack ? "historyBack" : nil, to: &json)
                writeButton("forward", input.state.canGoForward ? "historyForward" : nil, to: &json)
            }
        }
        return json.bytes
    }

    private func writeButton(_ name: StaticString, _ event: StaticString?, to json: inout JSONWriter) {
        json.key(name)
        guard let event else { return json.null() }
        json.object { json in json.event(event) }
    }

    // MARK: Status

    /// How a column is.
    enum Status: String {
        case ready, empty, noSelection, multiple, missing, stale, unavailable
    }

    /// The status of a column whose content is shown.
    func shown(isStale: Bool) -> Status { isStale || input.knowledge != .fresh ? .stale : .ready }

    /// Writes a placeholder, or null.
    func writePlaceholder(_ placeholder: Placeholder?, to json: inout JSONWriter) {
        json.key("placeholder")
        guard let placeholder else { return json.null() }
        placeholder.write(strings, to: &json)
    }
}

extension Layout {
    /// The columns of a regular window of a session.
    init(_ state: SessionState, _ window: ViewWindow, isTwoColumn: Bool, _ change: WindowChange) {
        let request = LayoutRequest(
            width: window.width, scale: window.scale, columns: isTwoColumn ? 2 : 3,
            visibility: state.visibility, style: state.style, cause: change.cause,
            previous: change.previous,
            specs: state.widths.isEmpty ? [:] : state.widths.mapValues { ColumnSpec(preferred: $0) })
        if change.isChoice { self.init(uncovering: request) } else { self.init(request) }
    }
}
