import JSON
import Shared

// What the columns of a regular window are asked to do, and what they do.

/// How columns lie in a window.
enum Presentation: String, CaseIterable {
    /// Side by side.
    case tiled
    /// Leading columns lie over what is behind them.
    case overlay
    /// One column at a time, in a collapsed window.
    case stack
}

/// Why a layout is resolved.
enum LayoutCause: String, CaseIterable {
    /// The window shows for the first time.
    case initialAppearance
    /// A person asked for another presentation.
    case explicitRequest
    /// The window has another width.
    case resize
    /// Something else has changed: the request and the width are as before.
    case contentChange
}

/// What is wished of a column's width, in points; nil leaves it to the defaults.
struct ColumnSpec: Equatable {
    /// The least width.
    var min: Double?
    /// The width that a person gave it.
    var preferred: Double?
    /// The share of the window's width, if there is no `preferred`.
    var fraction: Double?
    /// The greatest width; it beats all others.
    var max: Double?
}

/// Everything that a layout depends on.
struct LayoutRequest: Equatable {
    /// The window's width, as it was said.
    var width: Double
    /// Pixels of a point.
    var scale: Double
    /// 2 (no content column) or 3.
    var columns: Int
    /// The columns asked for.
    var visibility: Visibility
    /// The style asked for.
    var style: Style
    /// Why this is resolved.
    var cause: LayoutCause
    /// What the same window showed before; nil for a new window or one that was collapsed.
    var previous: Layout.Resolved?
    /// What is wished of the widths.
    var specs: [Column: ColumnSpec] = [:]
}

/// Where the columns of a regular window are.
struct Layout: Equatable {
    /// The part of a layout that the next one of the same window depends on.
    struct Resolved: Equatable {
        /// The columns that are shown; never `automatic`.
        var visibility: Visibility
        /// How they lie.
        var presentation: Presentation
    }

    /// One column.
    struct Frame: Equatable {
        /// Which one.
        var column: Column
        /// Where its free part is; nil while it is hidden.
        var place: Place?
        /// Whether it lies over what is behind it.
        var isOverlay = false
    }

    /// A horizontal range, in points.
    struct Place: Equatable {
        /// The left edge.
        var x: Double
        /// How wide it is.
        var width: Double
    }

    /// The window's width on the pixel grid.
    var width: Double
    /// What is shown, and how.
    var resolved: Resolved
    /// How the columns share the width; never `automatic`.
    var style: Style
    /// Every column, from the leading one to the detail.
    var frames: [Frame]
}

extension Layout {
    /// A width on the pixel grid, half a pixel rounded up.
    static func onGrid(_ length: Double, scale: Double) -> Double {
        (length * scale + 0.5).rounded(.down) / scale
    }

    /// The columns of a catalog, from the leading one on.
    static func columns(_ count: Int) -> [Column] {
        count == 2 ? [.sidebar, .detail] : [.sidebar, .content, .detail]
    }

    /// The visibility that takes an overlay away.
    var dismissed: Visibility? {
        guard resolved.presentation == .overlay else { return nil }
        return style == .prominentDetail ? .detailOnly : .doubleColumn
    }

    /// The visibility that the sidebar button asks for.
    var toggled: Visibility {
        let isTwoColumn = frames.count == 2
        switch resolved.visibility {
        case .detailOnly: return isTwoColumn ? .all : .doubleColumn
        case .doubleColumn: return .all
        case .all, .automatic:
            let hidesAll = resolved.presentation == .overlay && style == .prominentDetail
            return isTwoColumn || hidesAll ? .detailOnly : .doubleColumn
        }
    }

    /// Writes the list of columns.
    static func write(_ frames: [Frame], to json: inout JSONWriter) {
        json.array("columns") { json in
            for frame in frames {
                json.object { json in
                    json.member("column", frame.column.rawValue)
                    json.member("visible", frame.place != nil)
                    json.member("x", frame.place?.x)
                    json.member("width", frame.place?.width)
                    json.member("overlay", frame.isOverlay)
                }
            }
        }
    }
}
