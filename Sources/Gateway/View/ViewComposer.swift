import JSON
import Shared

// A view from what is known: pure. The parts of it are in the files ViewComposer+….swift, in the order of the
// view.

/// Draws what a session shows.
struct ViewComposer {
    let input: ViewInput
    let screen: Screen
    let isCollapsed: Bool

    /// Composes the view of the window that the input is for.
    static func compose(_ input: ViewInput) -> ComposedView {
        scene(of: input).view(in: input.window, input.change)
    }

    /// Composes all of a view that does not depend on how large its window is.
    static func scene(of input: ViewInput) -> Scene { ViewComposer(input).scene() }

    private init(_ input: ViewInput) {
        self.input = input
        screen = Screen(state: input.state, isTwoColumn: input.description.value?.columns == 2)
        isCollapsed = input.window.isCollapsed
    }

    /// The strings that the catalog gives.
    var strings: JSONValue? { input.description.value?.strings }

    private func scene() -> Scene {
        var json = JSONWriter(capacity: 4_096 + 2 * (input.page?.value?.value.raw.count ?? 0))
        var layoutAt = 0
        json.object { json in
            json.member("schema", fixed: "triptych.view/1")
            json.member("session", input.state.session.text)
            json.member("revision", input.state.revision)
            json.object("catalog") { json in
                json.member("id", input.catalog?.text)
                json.member("title", input.description.value?.title)
                json.member("revision", input.description.value?.revision ?? 0)
            }
            json.key("layout")
            layoutAt = json.count
            json.value(written: [UInt8]())
            writeSidebar(to: &json)
            writeContent(to: &json)
            writeDetail(to: &json)
            json.object("history") { json in
                writeButton("back", input.state.canGoBack ? "historyBack" : nil, to: &json)
                writeButton("forward", input.state.canGoForward ? "historyForward" : nil, to: &json)
            }
        }
        let bytes = json.bytes
        return Scene(
            screen: screen, isCollapsed: isCollapsed, catalog: input.catalog,
            catalogRevision: input.description.value?.revision ?? 0, rows: input.page?.value?.rows.count ?? 0,
            head: Array(bytes[..<layoutAt]), back: back, tail: Array(bytes[layoutAt...]))
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
