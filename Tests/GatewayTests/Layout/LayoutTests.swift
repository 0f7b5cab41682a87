import Shared
import Testing
import TestSupport

@testable import Gateway

/// A request with the defaults of a window of three columns.
private func request(
    _ width: Double, _ visibility: Visibility = .automatic, _ style: Style = .automatic,
    _ cause: LayoutCause = .initialAppearance, previous: Layout.Resolved? = nil, columns: Int = 3,
    scale: Double = 2, specs: [Column: ColumnSpec] = [:]
) -> LayoutRequest {
    LayoutRequest(
        width: width, scale: scale, columns: columns, visibility: visibility, style: style, cause: cause,
        previous: previous, specs: specs)
}

/// A layout in short: `content 0+320 over`, one word for each visible column.
private func short(_ layout: Layout) -> String {
    layout.frames.compactMap { frame in
        frame.place.map { "\(frame.column) \($0.x)+\($0.width)\(frame.isOverlay ? " over" : "")" }
    }.joined(separator: ", ")
}

@Suite struct LayoutTests {
    static let rows: [(LayoutRequest, String)] = [
        (request(600), "content 0.0+240.0, detail 240.5+359.5"),
        (request(954), "content 0.0+320.0, detail 320.5+633.5"),
        (request(954.25), "sidebar 10.0+240.0, content 250.0+240.0, detail 490.5+464.0"),
        (request(463.9, scale: 1), "content 0.0+240.0, detail 241.0+223.0"),
        (request(463), "detail 0.0+463.0"),
        (request(463, .all, .balanced, .explicitRequest), "detail 0.0+463.0"),
        (request(1_024, .automatic, .prominentDetail, .explicitRequest), short(Layout(request(1_024)))),
        (
            request(600, .all, .prominentDetail, .explicitRequest),
            "sidebar 10.0+269.5 over, content 279.5+320.0 over, detail 0.0+600.0"
        ),
        (
            request(400, .all, .prominentDetail, .explicitRequest),
            "sidebar 10.0+240.0 over, content 250.0+150.0 over, detail 0.0+400.0"
        ),
        (
            request(820, .all, .balanced, .explicitRequest),
            "sidebar 10.0+280.0 over, content 0.0+320.0, detail 320.5+499.5"
        ),
        (request(820, columns: 2), "sidebar 10.0+320.0, detail 330.0+490.0"),
        (request(820, .doubleColumn, columns: 2), "sidebar 10.0+320.0, detail 330.0+490.0"),
        (
            request(820, .all, .prominentDetail, .explicitRequest, columns: 2),
            "sidebar 10.0+320.0 over, detail 0.0+820.0"
        ),
        (request(820, .all, .prominentDetail, columns: 2), "detail 0.0+820.0"),
        (
            request(820, specs: [.content: ColumnSpec(min: 5_000)]),
            "content 0.0+820.0, detail 820.0+0.0"
        ),
    ]

    @Test(arguments: rows.indices) func frames(_ index: Int) {
        let (request, expected) = Self.rows[index]
        #expect(short(Layout(request)) == expected)
    }

    @Test func withoutAPreviousLayoutEveryCauseButARequestIsAFirstAppearance() {
        for visibility in Visibility.allCases {
            for style in Style.allCases {
                for width in [390.0, 820, 1_180] {
                    let first = Layout(request(width, visibility, style))
                    for cause in [LayoutCause.resize, .contentChange] {
                        #expect(Layout(request(width, visibility, style, cause)) == first)
                    }
                }
            }
        }
    }

    @Test func newContentKeepsAFloatingSidebarAndAResizeTilesIt() {
        let floating = Layout(request(820, .all, .balanced, .explicitRequest))
        #expect(
            Layout(request(820, .all, .balanced, .contentChange, previous: floating.resolved)) == floating)
        let wide = Layout(request(1_180, .all, .balanced, .resize, previous: floating.resolved))
        #expect(wide == Layout(request(1_180, .all)))
        let narrow = Layout(request(820, .all, .balanced, .resize, previous: wide.resolved))
        #expect(short(narrow) == "content 0.0+320.0, detail 320.5+499.5")
    }

    @Test func anOverlaySurvivesAResizeButNotACollapse() {
        let over = Layout(request(820, .all, .prominentDetail, .explicitRequest))
        let resized = Layout(request(1_180, .all, .prominentDetail, .resize, previous: over.resolved))
        #expect(resized.resolved == over.resolved)
        let expanded = Layout(request(1_180, .all, .prominentDetail, .resize, previous: nil))
        #expect(expanded.resolved == Layout.Resolved(visibility: .detailOnly, presentation: .tiled))
    }

    @Test func uncoveringIsAsAfterDismissWithTheRequestUnchanged() {
        let floating = request(
            820, .all, .balanced, .contentChange, previous: .init(visibility: .all, presentation: .overlay))
        #expect(short(Layout(uncovering: floating)) == "content 0.0+320.0, detail 320.5+499.5")
        var over = floating
        over.style = .prominentDetail
        #expect(short(Layout(uncovering: over)) == "detail 0.0+820.0")
        let tiled = request(1_180, .all)
        #expect(Layout(uncovering: tiled) == Layout(tiled))
    }

    @Test func buttons() {
        func buttons(_ request: LayoutRequest) -> [Visibility?] {
            let layout = Layout(request)
            return [layout.toggled, layout.dismissed]
        }
        #expect(buttons(request(1_024)) == [.doubleColumn, nil])
        #expect(buttons(request(1_024, .doubleColumn)) == [.all, nil])
        #expect(buttons(request(1_024, .detailOnly)) == [.doubleColumn, nil])
        let explicit = LayoutCause.explicitRequest
        #expect(buttons(request(820, .all, .balanced, explicit)) == [.doubleColumn, .doubleColumn])
        #expect(buttons(request(820, .all, .prominentDetail, explicit)) == [.detailOnly, .detailOnly])
        #expect(buttons(request(820, .doubleColumn, .prominentDetail, explicit)) == [.all, .detailOnly])
        #expect(buttons(request(820, columns: 2)) == [.detailOnly, nil])
        #expect(buttons(request(820, .detailOnly, columns: 2)) == [.all, nil])
        #expect(
            buttons(request(820, .all, .prominentDetail, explicit, columns: 2)) == [.detailOnly, .detailOnly])
    }

    @Test func noColumnIsNegativeOrEndsBeyondTheWindow() {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            let request = LayoutRequest.random(using: &random)
            let layout = Layout(request)
            #expect(layout.resolved.visibility != .automatic && layout.style != .automatic)
            #expect(layout.frames.map(\.column) == Layout.columns(request.columns))
            #expect(layout.frames.last?.place != nil, "the detail is always there")
            for place in layout.frames.compactMap(\.place) {
                #expect(
                    place.x >= 0 && place.width >= 0 && place.x + place.width <= layout.width,
                    "seed \(seed): \(request)")
            }
            // What is shown as it was, with nothing changed, stays so.
            var again = request
            (again.cause, again.previous) = (.contentChange, layout.resolved)
            #expect(Layout(again) == layout, "seed \(seed): \(request)")
        }
    }
}

extension LayoutRequest {
    fileprivate static func random(using random: inout SeededGenerator) -> LayoutRequest {
        func length(_ random: inout SeededGenerator) -> Double? {
            Bool.random(using: &random) ? nil : Double.random(in: 0...2_000, using: &random)
        }
        func spec(_ random: inout SeededGenerator) -> ColumnSpec {
            ColumnSpec(
                min: length(&random), preferred: length(&random),
                fraction: length(&random).map { $0 / 2_000 }, max: length(&random))
        }
        let columns = Int.random(in: 2...3, using: &random)
        let previous: Layout.Resolved? =
            Bool.random(using: &random)
            ? nil
            : DisplayMode.all.randomElement(using: &random)?.resolved(columns: columns)
        return LayoutRequest(
            width: Double.random(in: 1...2_000, using: &random),
            scale: [1, 1.25, 2, 3].randomElement(using: &random) ?? 1, columns: columns,
            visibility: Visibility.allCases.randomElement(using: &random) ?? .all,
            style: Style.allCases.randomElement(using: &random) ?? .balanced,
            cause: LayoutCause.allCases.randomElement(using: &random) ?? .resize, previous: previous,
            specs: [.sidebar: spec(&random), .content: spec(&random), .detail: spec(&random)])
    }
}

extension DisplayMode {
    fileprivate static let all: [DisplayMode] = [.detailOnly, .oneBeside, .twoBeside, .oneOver, .twoOver]
}
