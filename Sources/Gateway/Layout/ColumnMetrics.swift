import Shared

// How wide the columns are, after measurements of a real split view: docs/layout.md.

/// The widths that a request allows, and the frames that follow from them.
struct ColumnMetrics {
    /// The window's width on the pixel grid.
    let width: Double
    /// The gap between neighbouring tiled columns: one pixel.
    private let separator: Double
    /// The gap before a floating sidebar.
    private let inset = 10.0
    private let columns: Int
    private let sidebar: Range
    private let content: Range
    private let detailMin: Double

    /// What is known of one column's width.
    private struct Range {
        let min: Double
        let max: Double
        /// What it is wished to be, before its bounds.
        let ideal: Double
        /// What it gets if there is room enough: the minimum beats the ideal, the maximum beats both.
        var wanted: Double { Swift.min(Swift.max(ideal, min), max) }
    }

    /// Takes the widths of a request together with the defaults.
    init(_ request: LayoutRequest) {
        let width = Layout.onGrid(request.width, scale: request.scale)
        func range(_ column: Column, min: Double, ideal: Double) -> Range {
            let spec = request.specs[column] ?? ColumnSpec()
            let share = spec.fraction.map { Layout.onGrid($0 * width, scale: request.scale) }
            return Range(
                min: spec.min ?? min, max: spec.max ?? .infinity, ideal: spec.preferred ?? share ?? ideal)
        }
        (self.width, columns, separator) = (width, request.columns, 1 / request.scale)
        sidebar =
            request.columns == 2
            ? range(.sidebar, min: 0, ideal: 320) : range(.sidebar, min: 240, ideal: 280)
        content = range(.content, min: 240, ideal: 320)
        detailMin = request.specs[.detail]?.min ?? 464
    }

    /// Whether all three columns have room side by side, at their least widths.
    var fitsThree: Bool {
        columns == 3 && width >= sidebar.min + content.min + inset + separator + detailMin
    }

    /// Whether a column has room beside the detail.
    var fitsTwo: Bool { width >= detailMin }

    /// The frames of all columns.
    ///
    /// `isAskedOver` tells apart the two ways in which two columns lie over others: both over the detail, or,
    /// where they were asked for beside it, the sidebar over a content column that stands beside the detail.
    func frames(_ mode: DisplayMode, isAskedOver: Bool) -> [Layout.Frame] {
        columns == 2 ? framesOfTwo(mode) : framesOfThree(mode, isAskedOver: isAskedOver)
    }

    private func framesOfTwo(_ mode: DisplayMode) -> [Layout.Frame] {
        guard mode != .detailOnly else { return [hidden(.sidebar), whole] }
        let room = width - inset - detailMin
        let ideal = room > 0 ? min(sidebar.ideal, room) : sidebar.ideal
        let side = min(max(ideal, sidebar.min), sidebar.max)
        if mode == .oneOver { return [frame(.sidebar, inset, side, over: true), whole] }
        return [frame(.sidebar, inset, side), frame(.detail, inset + side, width - inset - side)]
    }

    private func framesOfThree(_ mode: DisplayMode, isAskedOver: Bool) -> [Layout.Frame] {
        switch mode {
        case .detailOnly: return [hidden(.sidebar), hidden(.content), whole]
        case .oneBeside: return [hidden(.sidebar)] + contentBesideDetail
        case .twoBeside: return threeBeside
        case .oneOver: return [hidden(.sidebar), frame(.content, 0, content.wanted, over: true), whole]
        case .twoOver where !isAskedOver:
            return [frame(.sidebar, inset, sidebar.wanted, over: true)] + contentBesideDetail
        case .twoOver:
            // Here the sidebar gives way first.
            let room = width - separator - inset - content.wanted
            let side = max(min(sidebar.wanted, room), sidebar.min)
            return [
                frame(.sidebar, inset, side, over: true),
                frame(.content, inset + side, content.wanted, over: true), whole,
            ]
        }
    }

    private var threeBeside: [Layout.Frame] {
        // Room above the minima goes to the sidebar first, then to the content, then all of it to the detail.
        let room = width - inset - separator
        let side = max(sidebar.min, min(sidebar.wanted, room - detailMin - content.min))
        let middle = max(content.min, min(content.wanted, room - detailMin - side))
        return [
            frame(.sidebar, inset, side), frame(.content, inset + side, middle),
            frame(.detail, inset + side + middle + separator, room - side - middle),
        ]
    }

    private var contentBesideDetail: [Layout.Frame] {
        let room = width - separator - detailMin
        let middle = min(max(min(content.ideal, room), content.min), content.max)
        return [
            frame(.content, 0, middle), frame(.detail, middle + separator, width - separator - middle),
        ]
    }

    private var whole: Layout.Frame { frame(.detail, 0, width) }

    private func hidden(_ column: Column) -> Layout.Frame { Layout.Frame(column: column, place: nil) }

    /// A column that is cut at the window's edges.
    private func frame(
        _ column: Column, _ x: Double, _ length: Double, over: Bool = false
    ) -> Layout.Frame {
        let start = min(max(x, 0), width)
        var place = Layout.Place(x: start, width: min(max(length, 0), width - start))
        // Thirds of a point are no binary fractions: the sum may be rounded up, past the edge.
        while place.x + place.width > width { place.width = place.width.nextDown }
        return Layout.Frame(column: column, place: place, isOverlay: over)
    }
}
