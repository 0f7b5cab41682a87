import JSON
import Shared

/// A window as its front end describes it: how wide it is, and which rows of the list it shows.
struct ViewWindow: Hashable {
    /// Which rows are shown.
    enum Rows: Hashable {
        /// Those around the first selected item, else the head of the list.
        case selection
        /// Those after a cursor.
        case after(String)
        /// Those before a cursor.
        case before(String)
        /// Those around an item.
        case around(Identifier)
    }

    /// What of a window decides what it shows, and not only how that lies.
    struct Look: Hashable {
        let limit: Int
        let rows: Rows
        let isCollapsed: Bool
    }

    /// What a window that is resized says anew; nil stays as it is.
    struct Resize {
        let width: Double?
        let scale: Double?
        let sizeClass: SizeClass?
    }

    /// The width, in points.
    var width = 1_024.0
    /// Pixels of a point.
    var scale = 2.0
    /// What the front end says of its room; nil lets the width decide.
    var sizeClass: SizeClass?
    /// Rows at most.
    var limit = Limits.rowsDefault
    /// Which rows.
    var rows = Rows.selection

    /// The widths that a window may have, in points.
    static let widths = 1.0...100_000.0
    /// The scales that a window may have.
    static let scales = 1.0...4.0
    /// Narrower windows are collapsed unless they say that they are regular, in points.
    static let regularWidthMin = 600.0

    /// The width on the pixel grid.
    var gridWidth: Double { Layout.onGrid(width, scale: scale) }

    /// Whether one column is shown at a time.
    var isCollapsed: Bool {
        sizeClass.map { $0 == .compact } ?? (gridWidth < Self.regularWidthMin)
    }

    /// How it looks at what it shows.
    var look: Look { Look(limit: limit, rows: rows, isCollapsed: isCollapsed) }

    /// A window of the default size.
    init() {}

    /// Takes the params of a window, which are part of the params of a view.
    ///
    /// - Throws: `invalid_params`.
    init(_ reader: inout ObjectReader) throws(RPCError) {
        self = resized(try Resize(&reader))
        limit = try Self.limit(&reader) ?? limit
        rows = try Rows(&reader)
    }

    /// The same window with another size.
    func resized(_ resize: Resize) -> ViewWindow {
        var window = self
        window.width = resize.width ?? width
        window.scale = resize.scale ?? scale
        window.sizeClass = resize.sizeClass ?? sizeClass
        return window
    }

    /// Takes the number of rows.
    ///
    /// - Throws: `invalid_params`.
    static func limit(_ reader: inout ObjectReader) throws(RPCError) -> Int? {
        try reader.int("limit", in: 1...Limits.rowsMax)
    }
}

extension ViewWindow.Resize {
    /// Takes the params of a size.
    ///
    /// - Throws: `invalid_params`.
    init(_ reader: inout ObjectReader) throws(RPCError) {
        width = try reader.double("width", in: ViewWindow.widths)
        // No rule depends on the height; it is taken so that a front end can send its window's size as it is.
        _ = try reader.double("height", in: ViewWindow.widths)
        scale = try reader.double("scale", in: ViewWindow.scales)
        sizeClass = try reader.word("sizeClass")
    }
}

extension ViewWindow.Rows {
    /// Takes the params of a place in the list, of which there may be one.
    ///
    /// - Throws: `invalid_params`.
    init(_ reader: inout ObjectReader) throws(RPCError) {
        let after = try reader.string("after")
        let before = try reader.string("before")
        let around = try reader.optionalIdentifier("around")
        if after != nil, before != nil {
            throw reader.wrong("before", "can't stand beside /after: name one place in the list")
        }
        if after ?? before != nil, around != nil {
            throw reader.wrong("around", "can't stand beside a cursor: name one place in the list")
        }
        self =
            after.map { .after($0) } ?? before.map { .before($0) } ?? around.map { .around($0) } ?? .selection
    }
}
