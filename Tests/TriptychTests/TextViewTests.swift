import JSON
import Testing

@testable import Triptych

/// A view of recipes in a window of some width, with the parts that a test wants to differ.
struct ViewFixture {
    var columns: [(name: String, x: Double, width: Double, overlay: Bool)] = []
    var toggle = #"{"icon":"sidebar","event":{}}"#
    var dismiss = "null"
    var back = "null"
    var history = #"{"back":{"event":{}},"forward":null}"#
    var sidebar = #"""
        {"status":"ready","title":"Categories","header":null,"placeholder":null,"sections":[{"title":null,
        "rows":[
        {"id":"a","title":"Breakfast","badge":null,"count":12,"depth":0,"disclosure":{"expanded":true},
        "selected":true},
        {"id":"b","title":"Eggs","badge":"new","count":3,"depth":1,"disclosure":null,"selected":false}]},
        {"title":"Later","rows":[
        {"id":"c","title":"Dinner","badge":null,"count":0,"depth":0,"disclosure":{"expanded":false},
        "selected":false}]}]}
        """#
    var content = #"""
        {"status":"ready","title":"Breakfast","folders":[],"path":[],"hiddenByFilter":false,
        "placeholder":null,
        "rows":[{"id":"x","title":"Shakshuka","subtitle":"Eggs in tomato","badge":null,"date":null,
        "selected":true},
        {"id":"y","title":"日本の朝ごはん","subtitle":null,"badge":"4","date":"2026-11-30T08:00:00Z",
        "selected":false}],
        "page":{"total":12,"totalCapped":false,"first":0,"before":null,"after":"c","selectedIndex":0},
        "search":{"text":"","scope":"category"},"sort":{"by":"position","descending":false,"options":[]}}
        """#
    var detail = #"""
        {"status":"ready","title":"Shakshuka","subtitle":"Eggs in tomato","badge":null,"date":null,"path":[],
        "selectedCount":1,"placeholder":null,"blocks":[
        {"kind":"fields","fields":[{"label":"Serves","value":"2"},{"label":"Time",
        "value":"35 minutes in all"}]},
        {"kind":"text","text":"Warm the oil.\nCrack the eggs into four hollows."},
        {"kind":"image","source":"s.jpg","label":"A pan"},
        {"kind":"links","links":[{"title":"Bread","item":"b","event":{}},{"title":"Gone","item":"g",
        "event":null}]}]}
        """#

    func lines(_ width: Int) throws -> [String] {
        let frames = columns.map {
            #"{"column":"\#($0.name)","visible":true,"x":\#($0.x),"width":\#($0.width),"#
                + #""overlay":\#($0.overlay)}"#
        }
        let view = try json(
            #"""
            {"schema":"triptych.view/1","catalog":{"id":"r","title":"Recipes"},
            "layout":{"columns":[{"column":"none","visible":false,"x":null,"width":null,"overlay":false},
            \#(frames.joined(separator: ","))],
            "sidebarToggle":\#(toggle),"dismiss":\#(dismiss),"back":\#(back)},
            "sidebar":\#(sidebar),"content":\#(content),"detail":\#(detail),"history":\#(history)}
            """#)
        return TextView(view, columns: width).lines
    }

    static func hint(_ status: String, _ title: String, _ hint: String) -> String {
        #"""
        {"status":"\#(status)","title":null,"rows":[],"folders":[],"path":[],"blocks":[],"page":null,
        "search":null,        "sort":null,"hiddenByFilter":false,"placeholder":{"title":"\#(title)","hint":"\#(hint)","icon":"x"}}
        """#
    }
}

@Suite struct TextViewTests {
    @Test func threeColumnsStandBesideEachOther() throws {
        var view = ViewFixture()
        view.columns = [
            ("sidebar", 0, 192, false), ("content", 192, 216, false), ("detail", 408, 232, false),
        ]
        #expect(
            try view.lines(80) == [
                " [≡] Recipes                                                                  ←",
                "───────────────────────┬──────────────────────────┬─────────────────────────────",
                " Categories            │ Breakfast                │ Shakshuka",
                "───────────────────────┼──────────────────────────┼─────────────────────────────",
                "▸ ▾ Breakfast       12 │▸ Shakshuka               │ Eggs in tomato",
                "    Eggs        new  3 │    Eggs in tomato        │",
                "                       │  日本の朝… 4  2026-11-30 │ Serves  2",
                " Later                 │                          │ Time    35 minutes in all",
                "  ▹ Dinner           0 │ 1–2 of 12                │",
                "                       │                          │ Warm the oil.",
                "                       │                          │ Crack the eggs into four",
                "                       │                          │ hollows.",
                "                       │                          │",
                "                       │                          │ [A pan] s.jpg",
                "                       │                          │",
                "                       │                          │ → Bread",
                "                       │                          │ ∙ Gone",
            ])
    }

    @Test func aStackHasOneColumnAndAWayBack() throws {
        var view = ViewFixture()
        view.columns = [("content", 0, 320, false)]
        (view.toggle, view.back) = ("null", #"{"title":"Categories","event":{}}"#)
        view.history = #"{"back":null,"forward":{"event":{}}}"#
        #expect(
            try view.lines(40) == [
                " Recipes                              →",
                " ‹ Categories",
                "────────────────────────────────────────",
                " Breakfast",
                "────────────────────────────────────────",
                "▸ Shakshuka",
                "    Eggs in tomato",
                "  日本の朝ごはん          4  2026-11-30",
                "",
                " 1–2 of 12",
            ])
    }

    @Test func hintsStandInTheMiddleOfTheirColumn() throws {
        var view = ViewFixture()
        view.columns = [("content", 0, 160, false), ("detail", 160, 160, false)]
        view.content = ViewFixture.hint("empty", "No Recipes", "This category is empty.")
        view.detail = ViewFixture.hint("noSelection", "No Recipe", "Choose one.")
        view.history = #"{"back":null,"forward":null}"#
        #expect(
            try view.lines(40) == [
                " [≡] Recipes",
                "───────────────────┬────────────────────",
                "                   │",
                "───────────────────┼────────────────────",
                "                   │",
                "                   │",
                "    No Recipes     │     No Recipe",
                " This category is  │    Choose one.",
                "      empty.       │",
                "                   │",
                "                   │",
            ])
    }

    @Test func anOverlayLiesOverTheDetail() throws {
        var view = ViewFixture()
        view.columns = [("sidebar", 0, 160, true), ("content", 0, 120, false), ("detail", 120, 200, false)]
        (view.toggle, view.dismiss) = (#"{"icon":"chevron","event":{}}"#, #"{"event":{}}"#)
        let lines = try view.lines(40)
        #expect(lines[0].hasPrefix(" [‹] [×] Recipes"))
        #expect(lines[1] == "───────────────────┬────────────────────")
        #expect(lines[2] == " Categories        │shuka")
        #expect(lines[3] == "───────────────────┼────────────────────")
        #expect(lines[4] == "▸ ▾ Breakfast   12 │ in tomato")
        #expect(lines[7] == " Later             │    35 minutes in")
    }

    @Test func aListSaysWhatItIsFilteredAndSortedBy() throws {
        var view = ViewFixture()
        view.columns = [("content", 0, 320, false)]
        view.content = #"""
            {"status":"stale","title":"All Recipes","path":[{"id":"a","title":"A"},{"id":"b","title":"B"}],
            "hiddenByFilter":true,"placeholder":null,
            "folders":[{"id":"f","title":"Folder","event":{}}],"rows":[],"page":null,
            "search":{"text":"egg","scope":"catalog"},"sort":{"by":"title","descending":true,"options":[]}}
            """#
        #expect(
            try view.lines(40)[2...8] == [
                " All Recipes (not up to date)",
                "────────────────────────────────────────",
                " A › B",
                " Search: egg                 everywhere",
                " By title, descending",
                " The selection is not in this list.",
                "  Folder                              ›",
            ])
    }

    @Test func twoColumnsListItemsByCategory() throws {
        var view = ViewFixture()
        view.columns = [("sidebar", 0, 160, false), ("detail", 160, 160, false)]
        view.content = "null"
        view.sidebar = #"""
            {"status":"ready","title":"Notes","header":"Mine","placeholder":null,"hiddenByFilter":false,
            "page":{"total":1,"totalCapped":false,"first":0,"before":null,"after":null,"selectedIndex":null},
            "search":{"text":"","scope":"category"},"sort":{"by":"position","descending":false,"options":[]},
            "sections":[{"title":"Journal","rows":[
            {"id":"s","title":"First Snow","subtitle":"At night","badge":null,"date":null,
            "selected":false}]}]}
            """#
        view.detail =
            #"{"status":"multiple","title":null,"path":[],"blocks":[],"selectedCount":3,"placeholder":null}"#
        let lines = try view.lines(40)
        #expect(
            lines[2...] == [
                " Notes             │",
                "───────────────────┼────────────────────",
                " Mine              │",
                "                   │",
                " Journal           │",
                "  First Snow       │  3 items selected",
                "    At night       │",
                "                   │",
                "                   │",
            ])
    }

    @Test(arguments: [20, 33, 64, 97, 200])
    func noLineIsWiderThanTheTerminal(width: Int) throws {
        var view = ViewFixture()
        let third = Double(width * 8) / 3
        view.columns = [
            ("sidebar", 0, third, false), ("content", third, third, false),
            ("detail", 2 * third, third, false),
        ]
        for line in try view.lines(width) { #expect(TextWidth.of(line) <= width, "\(line)") }
    }
}

@Suite struct TextWidthTests {
    @Test(arguments: [
        ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("ｆｕ", 4), ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
        ("🍳", 2),
        ("👨‍👩‍👧", 2), ("👍🏽", 2), ("🇩🇪", 2), ("❤️", 2), ("a\u{200B}b", 2), ("", 0),
    ])
    func charactersHaveTheWidthThatATerminalGivesThem(text: String, cells: Int) {
        #expect(TextWidth.of(text) == cells)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
        ("abc", 0, ""),
    ])
    func whatDoesNotFitEndsWithAnEllipsis(text: String, cells: Int, fitted: String) {
        #expect(TextWidth.fitted(text, to: cells) == fitted)
    }

    @Test(arguments: [
        ("one two three", 7, ["one two", "three"]), ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("a\n\nb", 5, ["a", "", "b"]), ("", 5, [""]), ("日本語日本語", 5, ["日本", "語日", "本語"]),
        ("x \u{1B}[31m y", 20, ["x [31m y"]),
    ])
    func textIsBrokenBetweenWords(text: String, cells: Int, lines: [String]) {
        #expect(TextWidth.wrapped(text, to: cells) == lines)
    }

    @Test func controlsNeverReachTheTerminal() {
        #expect(TextWidth.printable("a\u{1B}[2J\r\nb\u{9B}\u{7}") == "a [2J b  ")
    }
}

@Suite struct CanvasTests {
    @Test func coveringHalfOfAWideCharacterLeavesASpace() {
        var canvas = Canvas(width: 6, height: 1)
        canvas.put("日本語", at: 0, row: 0)
        canvas.put("x", at: 1, row: 0)
        canvas.put("y", at: 2, row: 0)
        #expect(canvas.lines == [" xy 語"])
    }

    @Test func nothingIsPutBeyondTheEdges() {
        var canvas = Canvas(width: 3, height: 1)
        canvas.put("ab日", at: 0, row: 0)
        canvas.put("z", at: 0, row: 1)
        canvas.put("z", at: 3, row: 0)
        #expect(canvas.lines == ["ab"])
    }
}
