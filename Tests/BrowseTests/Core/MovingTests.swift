import Curses
import JSON
import Shared
import Testing

@testable import Browse

/// Moving about, which sends nothing.
@Suite struct MovingTests {
    /// A list of so many rows whose window begins at an index.
    private func list(_ ids: Range<Int>, total: Int, selected: Int? = nil) -> ViewFixture {
        var view = ViewFixture()
        view.rows = ids.map { ViewFixture.row("i\($0)", "Item \($0)", isSelected: $0 == selected) }
        let before = ids.lowerBound > 0 ? "\"b\(ids.lowerBound)\"" : "null"
        let after = ids.upperBound < total ? "\"a\(ids.upperBound)\"" : "null"
        view.page =
            #"{"total":\#(total),"totalCapped":false,"first":\#(ids.lowerBound),"before":\#(before),"after":\#(after)}"#
        return view
    }

    private func core(_ view: ViewFixture, rows: Int = 14) throws -> BrowseCore {
        var core = try view.core(120, rows)
        core.press(.tab)
        return core
    }

    /// The id of the row that keys act on.
    private func cursor(_ core: BrowseCore) -> String? { core.state[core.state.focus].cursor?.id.text }

    /// The row of the screen that it is on.
    private func screenRow(_ core: BrowseCore) -> Int? {
        guard let placed = core.scene[core.state.focus], let element = core.element(in: placed.name) else {
            return nil
        }
        return element.lines.lowerBound - core.state[placed.name].offset
    }

    @Test func keysMoveFromRowToRow() throws {
        var core = try core(list(0..<30, total: 30))
        #expect(core.state.focus == .content)
        #expect(cursor(core) == "i0")
        #expect(core.press(.down, .character("j"), .up, .down, .character("k"), .down) == [])
        #expect(cursor(core) == "i2")
        #expect(core.press(.pageDown) == [])
        #expect(cursor(core) == "i11")
        #expect(core.press(.control("d"), .control("u"), .pageUp) == [])
        #expect(cursor(core) == "i2")
        #expect(core.press(.character("G")) == [])
        #expect(cursor(core) == "i29")
        #expect(core.press(.down) == [])
        #expect(core.press(.home) == [])
        #expect(cursor(core) == "i0")
        #expect(core.press(.up) == [])
    }

    /// The gateway takes its time; who holds a key down loses nothing of it, and goes on by a screen at most.
    @Test func keysAtTheEndOfTheRowsWaitForThem() throws {
        var core = try core(list(0..<100, total: 300))
        core.press(.character("G"))
        #expect(cursor(core) == "i99")
        #expect(core.press(.down) == [])
        #expect(core.press(.down, .down, .down) == [])
        _ = core.handle(.changed(try list(40..<160, total: 300).tree()))
        #expect(cursor(core) == "i103")
        // Turning round takes it back.
        core.press(.character("G"))
        core.press(.down, .down, .up)
        _ = core.handle(.changed(try list(100..<220, total: 300).tree()))
        #expect(cursor(core) == "i158")
        core.press(.character("G"))
        for _ in 0..<50 { core.press(.down) }
        _ = core.handle(.changed(try list(160..<280, total: 300).tree()))
        #expect(cursor(core) == "i229")
        // What is done meanwhile is done where one is.
        core.press(.character("G"))
        core.press(.down, .enter)
        _ = core.handle(.changed(try list(180..<300, total: 300).tree()))
        #expect(cursor(core) == "i279")
    }

    @Test func theRowThatKeysActOnIsSeen() throws {
        var core = try core(list(0..<30, total: 30))
        for key in Array(repeating: Key.down, count: 29) + Array(repeating: Key.up, count: 29) {
            core.press(key)
            let row = try #require(screenRow(core))
            #expect((0..<core.scene.height).contains(row))
            #expect(core.screen.contains("Item \(cursor(core)?.dropFirst() ?? "") "))
        }
    }

    @Test func tabGoesFromColumnToColumnAndAround() throws {
        var core = try ViewFixture().core()
        var seen: [ViewModel.Name] = []
        for _ in 0..<4 {
            seen.append(core.state.focus)
            core.press(.tab)
        }
        #expect(seen == [.sidebar, .content, .detail, .sidebar])
        core.press(.backTab)
        core.press(.backTab)
        #expect(core.state.focus == .detail)
        core.press(.character("l"))
        #expect(core.state.focus == .detail)
        core.press(.character("h"), .character("h"), .tab, .left)
        #expect(core.state.focus == .sidebar)
    }

    @Test func nearTheEndOtherRowsAreAskedForAroundWhereOneIs() throws {
        var core = try core(list(0..<100, total: 1_000_000), rows: 14)
        var effects: [BrowseCore.Effect] = []
        while effects.isEmpty { effects = core.press(.down) }
        let id = try #require(cursor(core))
        #expect(effects == [.scroll(.around(Identifier(id)))])
        // Nothing more is asked for before the answer.
        #expect(core.press(.down) == [])
        let (here, row) = (cursor(core), screenRow(core))
        #expect(core.handle(.changed(try list(50..<150, total: 1_000_000).tree())) == [])
        #expect(cursor(core) == here)
        #expect(screenRow(core) == row)
        #expect(core.press(.down) == [])
    }

    @Test func atTheBeginningOfAWindowTheRowsBeforeAreAskedFor() throws {
        var core = try core(list(50..<150, total: 1_000_000, selected: 60))
        #expect(cursor(core) == "i60")
        #expect(core.press(.up) == [.scroll(.around("i59"))])
        let row = screenRow(core)
        _ = core.handle(.scrolled(isChanged: true))
        _ = core.handle(.changed(try list(10..<110, total: 1_000_000, selected: 60).tree()))
        #expect(cursor(core) == "i59")
        #expect(screenRow(core) == row)
    }

    @Test func atTheVeryEndTheNextWindowIsAskedForByItsCursor() throws {
        var core = try core(list(0..<100, total: 1_000))
        _ = core.press(.end)
        _ = core.handle(.scrolled(isChanged: false))
        #expect(core.press(.end) == [.scroll(.after("a100"))])
        _ = core.handle(.scrolled(isChanged: true))
        _ = core.handle(.changed(try list(100..<200, total: 1_000).tree()))
        #expect(cursor(core) == "i199")
        _ = core.press(.home)
        _ = core.handle(.scrolled(isChanged: false))
        #expect(core.press(.up) == [.scroll(.before("b100"))])
        _ = core.handle(.changed(try list(0..<100, total: 1_000).tree()))
        #expect(cursor(core) == "i99")
    }

    @Test func rowsThatComeAndGoDoNotMoveTheRowThatOneIsOn() throws {
        var core = try core(list(10..<60, total: 1_000))
        core.press(.character("j"), .character("j"), .character("j"))
        _ = core.handle(.scrolled(isChanged: false))
        let (here, row) = (cursor(core), screenRow(core))
        _ = core.handle(.changed(try list(5..<55, total: 1_000).tree()))
        #expect(cursor(core) == here)
        #expect(screenRow(core) == row)
    }

    @Test func whenARowGoesTheNextOneTakesItsPlace() throws {
        var view = list(0..<10, total: 10)
        var core = try core(view)
        core.press(.down, .down)
        view.rows.remove(at: 2)
        _ = core.handle(.changed(try view.tree()))
        #expect(cursor(core) == "i3")
        #expect(screenRow(core) == 2)
        view.rows.removeSubrange(2...)
        _ = core.handle(.changed(try view.tree()))
        #expect(cursor(core) == "i1")
    }

    @Test func whatIsNewlyChosenIsGoneTo() throws {
        var core = try core(list(0..<30, total: 30))
        _ = core.handle(.changed(try list(0..<30, total: 30, selected: 20).tree()))
        #expect(cursor(core) == "i20")
        core.press(.up)
        _ = core.handle(.changed(try list(0..<30, total: 30, selected: 20).tree()))
        #expect(cursor(core) == "i19")
    }

    @Test func theDetailMovesFromLinkToLinkAndScrolls() throws {
        var core = try ViewFixture().core(120, 30)
        core.press(.tab, .tab)
        #expect(cursor(core) == nil)
        core.press(.down)
        #expect(cursor(core) == "b")
        core.press(.down)
        #expect(cursor(core) == "s")
        core.press(.up)
        #expect(cursor(core) == "b")
        // In a low terminal the link must come into sight first.
        core = try ViewFixture().core(120, 8)
        core.press(.tab, .tab, .down)
        #expect(cursor(core) == nil)
        #expect(core.state[.detail].offset == 1)
        for _ in 0..<20 { core.press(.down) }
        #expect(cursor(core) == "s")
        core.press(.home)
        #expect(core.state[.detail].offset == 0)
        #expect(cursor(core) == nil)
    }

    @Test func anotherItemIsSeenFromItsBeginning() throws {
        var view = ViewFixture()
        var core = try view.core(120, 8)
        core.press(.tab, .tab, .pageDown)
        #expect(core.state[.detail].offset > 0)
        view.detail = view.detail.replacing("\"id\":\"x\"", with: "\"id\":\"y\"")
        _ = core.handle(.changed(try view.tree()))
        #expect(core.state[.detail].offset == 0)
    }

    @Test func whatComesToLieOverOthersIsGoneToAndLeft() throws {
        var view = ViewFixture()
        view.frames = [("content", 0, 250, false), ("detail", 250.5, 389.5, false)]
        var core = try view.core(80, 24)
        #expect(core.state.focus == .content)
        view.frames.append(("sidebar", 10, 200, true))
        _ = core.handle(.changed(try view.tree()))
        #expect(core.state.focus == .sidebar)
        view.frames.removeLast()
        _ = core.handle(.changed(try view.tree()))
        #expect(core.state.focus == .content)
    }
}
