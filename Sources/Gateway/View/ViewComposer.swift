import JSON
import Shared

// A view from what is known: pure. The parts of it are in the files ViewComposer+….swift, in the order of the
// view.

/// Draws what a session shows.
struct ViewComposer {
    let input: ViewInput
    let screen: Screen
    let isCollapsed: Bool

    /// Composes all of a view that does not depend on how large its window is.
    static func scene(of input: ViewInput) -> Scene {
        Scene(ViewComposer(input).scenery(), session: input.state.session, revision: input.state.revision)
    }

    private init(_ input: ViewInput) {
        self.input = input
        screen = Screen(state: input.state, isTwoColumn: input.description.value?.columns == 2)
        isCollapsed = input.window.isCollapsed
    }

    /// The strings that the catalog gives.
    var strings: JSONValue? { input.description.value?.strings }

    private func scenery() -> Scenery {
        Scenery(
            screen: screen, isCollapsed: isCollapsed, catalog: input.catalog,
            catalogRevision: input.description.value?.revision ?? 0, rows: input.page?.value?.rows.count ?? 0,
            opening: opening, back: back, tail: tail)
    }

    /// The members between the session's revision and the layout.
    private var opening: [UInt8] {
        var json = JSONWriter()
        json.verbatim(",")
        json.object("catalog") { json in
            json.member("id", input.catalog?.text)
            json.member("title", input.description.value?.title)
            json.member("revision", input.description.value?.revision ?? 0)
        }
        json.key("layout")
        return json.bytes
    }

    /// The members behind the layout, with the end of the view and of the result that it is in.
    private var tail: [UInt8] {
        var json = JSONWriter(capacity: 4_096 + 2 * (input.page?.value?.value.raw.count ?? 0))
        json.verbatim(",")
        writeSidebar(to: &json)
        writeContent(to: &json)
        writeDetail(to: &json)
        json.object("history") { json in
            writeButton("back", input.state.canGoBack ? "historyBack" : nil, to: &json)
            writeButton("forward", input.state.canGoForward ? "historyForward" : nil, to: &json)
        }
        json.verbatim("}}")
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
