import Shared

// Which columns a regular window shows, after measurements of a real split view: docs/layout.md.

/// What the columns do: how many leading ones are shown, and whether they lie beside or over the detail.
enum DisplayMode: Equatable {
    case detailOnly
    case oneBeside
    case twoBeside
    case oneOver
    case twoOver

    /// The mode that a visibility and a style ask for; nil is left to the width.
    init?(asked visibility: Visibility, _ style: Style, columns: Int) {
        let isOver = style == .prominentDetail
        switch (visibility, columns) {
        case (.automatic, _): return nil
        case (.detailOnly, _): self = .detailOnly
        case (.doubleColumn, _), (.all, 2): self = isOver ? .oneOver : .oneBeside
        case (.all, _): self = isOver ? .twoOver : .twoBeside
        }
    }

    /// The mode of a window as it was resolved before.
    init(_ resolved: Layout.Resolved, columns: Int) {
        let isOver = resolved.presentation == .overlay
        switch resolved.visibility {
        case .detailOnly: self = .detailOnly
        case .doubleColumn: self = isOver ? .oneOver : .oneBeside
        case .all, .automatic:
            if columns == 2 {
                self = isOver ? .oneOver : .oneBeside
            } else {
                self = isOver ? .twoOver : .twoBeside
            }
        }
    }

    /// Whether leading columns lie over others.
    var isOver: Bool { self == .oneOver || self == .twoOver }

    /// How this mode is told in a layout.
    func resolved(columns: Int) -> Layout.Resolved {
        let visibility: Visibility =
            switch self {
            case .detailOnly: .detailOnly
            case .oneBeside, .oneOver: columns == 2 ? .all : .doubleColumn
            case .twoBeside, .twoOver: .all
            }
        return Layout.Resolved(visibility: visibility, presentation: isOver ? .overlay : .tiled)
    }
}

extension Layout {
    /// Resolves a request.
    init(_ request: LayoutRequest) {
        let metrics = ColumnMetrics(request)
        self.init(request, metrics, mode: Self.mode(request, metrics))
    }

    /// Resolves a request so that nothing lies over the detail or the content: as after `dismiss`, without
    /// another request being stored.
    init(uncovering request: LayoutRequest) {
        let layout = Layout(request)
        guard let dismissed = layout.dismissed else {
            self = layout
            return
        }
        var uncovered = request
        uncovered.visibility = dismissed
        uncovered.cause = .explicitRequest
        self.init(uncovered)
    }

    private init(_ request: LayoutRequest, _ metrics: ColumnMetrics, mode: DisplayMode) {
        let style: Style = request.style == .prominentDetail ? .prominentDetail : .balanced
        self.init(
            width: metrics.width, resolved: mode.resolved(columns: request.columns), style: style,
            frames: metrics.frames(mode, isAskedOver: style == .prominentDetail))
    }

    private static func mode(_ request: LayoutRequest, _ metrics: ColumnMetrics) -> DisplayMode {
        let previous = request.previous.map { DisplayMode($0, columns: request.columns) }
        // New content in the same window asks for nothing: the mode stays, whatever the width.
        if request.cause == .contentChange, let previous { return previous }
        let beside: DisplayMode = metrics.fitsTwo ? .oneBeside : .detailOnly
        guard let asked = DisplayMode(asked: request.visibility, request.style, columns: request.columns)
        else {
            return metrics.fitsThree ? .twoBeside : beside
        }
        switch asked {
        case .detailOnly: return .detailOnly
        case .oneBeside: return beside
        case .twoBeside:
            if metrics.fitsThree { return .twoBeside }
            // Asked for where it does not fit, the sidebar floats over the two columns that do.
            return request.cause == .explicitRequest && metrics.fitsTwo ? .twoOver : beside
        case .oneOver, .twoOver:
            // Overlays come by request only, and do not look at the width.
            switch (request.cause, previous) {
            case (.explicitRequest, _): return asked
            case (.resize, .detailOnly?): return .detailOnly
            case (.resize, let previous?): return previous.isOver ? previous : asked
            default: return .detailOnly
            }
        }
    }
}
