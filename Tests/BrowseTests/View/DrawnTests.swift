import Curses
import JSON
import TestSupport
import Testing

@testable import Browse

/// That what is drawn is what the view says, and nothing else.
@Suite struct DrawnTests {
    @Test func aColumnShowsItsWordsInOrderAndNothingElse() throws {
        let seed = SeededGenerator.newSeed()
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let view = RandomView(&generator)
            _ = isUTF8
            var core = BrowseCore(size: .init(columns: 120, rows: 60), cellPoints: 8, charset: .unicode)
            _ = core.handle(.connected)
            _ = core.handle(.subscribed(try view.tree()))
            #expect(core.scene.columns.map(\.name.rawValue) == view.fixture.frames.map(\.0))
            for placed in core.scene.columns {
                let text = try Self.text(of: placed, in: core)
                var rest = text[...]
                for word in view.words[placed.name] ?? [] {
                    guard let range = rest.firstRange(of: word) else {
                        Issue.record("\(word) is not in \(placed.name): \(text) (seed \(seed))")
                        continue
                    }
                    let between = rest[..<range.lowerBound]
                    #expect(Self.isOnlyMarks(between), "\(between) in \(placed.name) (seed \(seed))")
                    rest = rest[range.upperBound...]
                }
                #expect(Self.isOnlyMarks(rest), "\(rest) in \(placed.name) (seed \(seed))")
            }
        }
    }

    /// What stands in the cells of a column, row by row.
    private static func text(of placed: Scene.Placed, in core: BrowseCore) throws -> String {
        let first = try #require(core.scene.rows.titles)
        let grid = core.grid
        return (first..<core.scene.rows.body.upperBound).map { row in
            placed.inner.map { grid[row, $0].text }.joined()
        }.joined(separator: " ")
    }

    private static func isOnlyMarks(_ text: Substring) -> Bool {
        text.replacing("not up to date", with: "").allSatisfy { " ▌▾▸→∙─".contains($0) }
    }

    @Test func columnsTileAtEveryWidthOfACell() throws {
        for cellPoints in [1, 3, 7, 8, 9, 16] {
            for (x, middle) in stride(from: 200.0, through: 260, by: 2.5).map({ ($0, $0 + 240) }) {
                var view = ViewFixture()
                view.frames = [
                    ("sidebar", 10, x - 10, false), ("content", x, 239.5, false),
                    ("detail", middle, 300, false),
                ]
                let size = Scene.Size(columns: Int((middle + 300) / Double(cellPoints)), rows: 4)
                let scene = Scene(
                    ViewModel(try view.tree()), size: size, cellPoints: cellPoints, charset: .unicode)
                let cells = scene.columns.map(\.cells)
                #expect(cells.count == 3)
                #expect(
                    cells[0].upperBound == cells[1].lowerBound && cells[1].upperBound == cells[2].lowerBound)
                #expect(cells[2].upperBound == size.columns)
            }
        }
    }

    @Test func everySizeCanBeDrawn() throws {
        let view = try ViewFixture().tree()
        for columns in [1, 2, 3, 10, 20, 79] {
            for rows in 1...14 {
                var core = BrowseCore(
                    size: .init(columns: columns, rows: rows), cellPoints: 8, charset: .unicode)
                _ = core.grid
                _ = core.handle(.subscribed(view))
                for key: Key in [
                    .character("?"), .escape, .character("s"), .escape, .character("/"), .tab, .end,
                ] {
                    core.press(key)
                    #expect(core.grid.columns == columns && core.grid.rows == rows)
                }
            }
        }
    }

    @Test func noControlCharacterReachesACell() throws {
        _ = isUTF8
        var view = ViewFixture()
        let evil = #"a\u001b]0;x\u0007b\u0000c\u009b31m\u0085d\u007fe\u202ef\u2028g\t\r\n"#
        view.rows = [ViewFixture.row("x", evil, subtitle: evil, badge: evil, date: evil)]
        view.sidebar = view.sidebar.replacing("Breakfast", with: evil).replacing("Kitchen", with: evil)
        view.detail = view.detail.replacing("Warm", with: evil).replacing("Serves", with: evil)
            .replacing("Bread", with: evil).replacing("A pan", with: evil).replacing("Shakshuka", with: evil)
        view.toggle = "null"
        view.back = #"{"title":"\#(evil)","event":{}}"#
        view.searchText = evil
        for charset in [Charset.unicode, .ascii] {
            var core = try view.core(120, 24, charset: charset)
            _ = core.handle(.refused("\u{1B}[2J"))
            let grid = core.grid
            for row in 0..<24 {
                for cell in grid.row(row) {
                    #expect(
                        cell.text.unicodeScalars.allSatisfy {
                            $0.properties.generalCategory != .control && !(0x2028...0x202E).contains($0.value)
                        })
                    if charset == .ascii { #expect(cell.text.utf8.count == 1) }
                }
            }
        }
    }

    @Test func aSelectedRowIsSeenInEveryColumnAndTheFocusInOne() throws {
        var core = try ViewFixture().core()
        for _ in 0..<3 {
            let grid = core.grid
            let marks = (0..<24).flatMap { grid.row($0) }.filter { $0.text == "▌" }
            #expect(marks.count == 3)
            let reversed = core.scene.columns.filter { placed in
                core.scene.rows.body.contains { row in
                    grid[row, placed.inner.lowerBound].style.attributes.contains(.reverse)
                }
            }
            #expect(reversed.map(\.name) == (core.state.focus == .detail ? [] : [core.state.focus]))
            core.press(.tab)
        }
    }
}
