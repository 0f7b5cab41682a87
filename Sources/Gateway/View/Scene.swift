import JSON
import Shared

// A view is mostly the same however large its window is: only how the columns lie differs. So all the rest is composed
// once, and laid out for each window.

/// What a session shows, whichever it is, but for how its columns lie, in windows that look at it in one way.
///
/// Sessions in the same place share it.
final class Scenery {
    let screen: Screen
    let isCollapsed: Bool
    let catalog: Identifier?
    let catalogRevision: Int
    /// Rows of the list in it.
    let rows: Int
    /// The view's JSON between the session's revision and the layout.
    let opening: [UInt8]
    /// What layouts of it depend on.
    let frame: Frame
    /// The view's JSON behind the layout, with the brace that ends a result with it.
    let tail: [UInt8]

    /// What the layout of a view depends on, beside its window.
    struct Frame: Equatable {
        let columns: Int
        let visibility: Visibility
        let style: Style
        let widths: [Column: Double]
        /// The columns of a collapsed window.
        let stack: [Column]
        /// The button that leads back, or null.
        let back: [UInt8]
    }

    /// Its bytes, some more than those that a view has of it.
    var bytes: Int { opening.count + frame.back.count + tail.count }

    init(
        screen: Screen, isCollapsed: Bool, catalog: Identifier?, catalogRevision: Int, rows: Int,
        opening: [UInt8], back: [UInt8], tail: [UInt8]
    ) {
        (self.screen, self.isCollapsed, self.rows) = (screen, isCollapsed, rows)
        (self.catalog, self.catalogRevision) = (catalog, catalogRevision)
        (self.opening, self.tail) = (opening, tail)
        let state = screen.state
        frame = Frame(
            columns: screen.columns, visibility: state.visibility, style: state.style, widths: state.widths,
            stack: isCollapsed ? screen.stack : [], back: back)
    }
}

/// All that a session shows but for how its columns lie, in windows that are all collapsed or all regular.
final class Scene {
    let scenery: Scenery
    let session: Identifier
    /// The session's revision.
    let revision: Int

    /// Its bytes, all of which it shares with others.
    var bytes: Int { scenery.bytes }

    /// The scene of a session at a revision.
    init(_ scenery: Scenery, session: Identifier, revision: Int) {
        (self.scenery, self.session, self.revision) = (scenery, session, revision)
    }

    /// Writes the view's JSON up to the layout.
    fileprivate func writeHead(to json: inout JSONWriter) {
        json.verbatim("{")
        json.member("schema", fixed: "triptych.view/1")
        json.member("session", session.text)
        json.member("revision", revision)
        json.more(written: scenery.opening[...])
    }

    /// Bytes of that, at most: each of a session's id may have to be written as six.
    fileprivate var headBytesMax: Int { 96 + 6 * session.text.utf8.count + scenery.opening.count }

    /// The view of one window; whether it is collapsed must be as in the scene.
    func view(in window: ViewWindow, _ change: WindowChange = WindowChange()) -> ComposedView {
        let screen = scenery.screen
        let layout =
            scenery.isCollapsed
            ? nil : Layout(screen.state, window, isTwoColumn: screen.isTwoColumn, change)
        var json = JSONWriter(capacity: 2_048)
        scenery.writeLayout(layout, width: window.gridWidth, to: &json)
        return ComposedView(scene: self, layout: json.bytes, resolved: layout?.resolved)
    }
}

/// A view as it is sent.
struct ComposedView {
    let scene: Scene
    /// The JSON of its layout.
    let layout: [UInt8]
    /// What the window shows; nil if it is collapsed.
    let resolved: Layout.Resolved?

    /// How many bytes it has, at most.
    var count: Int { scene.headBytesMax + layout.count + scene.scenery.tail.count }

    /// The bytes that a view may have to be sent in one line.
    static let bytesMax = Limits.outgoingLineBytesMax - Limits.viewEnvelopeBytes

    /// Whether it can be sent in one line.
    var fitsLine: Bool { count <= Self.bytesMax }

    /// The view's JSON object.
    var bytes: [UInt8] {
        var json = JSONWriter(capacity: count)
        scene.writeHead(to: &json)
        json.more(written: layout[...])
        json.more(written: scene.scenery.tail.dropLast())
        return json.bytes
    }

    /// The result of `view.get`, or of `view.send`; what all views of the scene share is passed on, not copied.
    func result(changed: Bool? = nil) -> Reply {
        Reply(opening: opening(changed: changed), rest: scene.scenery.tail)
    }

    /// What of the result stands before that.
    func opening(changed: Bool? = nil) -> [UInt8] {
        var json = JSONWriter(capacity: scene.headBytesMax + layout.count + 32)
        json.verbatim("{")
        if let changed { json.member("changed", changed) }
        json.key("view")
        scene.writeHead(to: &json)
        json.more(written: layout[...])
        return json.bytes
    }
}

/// The result of a request: a JSON object in two pieces.
struct Reply {
    let opening: [UInt8]
    var rest: [UInt8] = []
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
