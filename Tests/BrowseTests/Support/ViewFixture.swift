import Curses
import JSON
import Shared
import Testing

@testable import Browse

/// A view that a test changes where it wants.
struct ViewFixture {
    var frames = [
        ("sidebar", 10.0, 280.0, false), ("content", 290.0, 269.5, false), ("detail", 560.0, 400.0, false),
    ]
    var toggle = #"{"icon":"sidebar","event":{"type":"toggle"}}"#
    var dismiss = "null"
    var back = "null"
    var history = #"{"back":{"event":{"type":"historyBack"}},"forward":null}"#
    var sidebar = #"""
        {"status":"ready","title":"Categories","header":"Kitchen","placeholder":null,"sections":[
        {"title":null,"rows":[
        {"id":"a","title":"Breakfast","badge":null,"count":12,"depth":0,"selected":true,
        "disclosure":{"expanded":true,"event":{"type":"collapse","id":"a"}},
        "event":{"type":"select","column":"sidebar","id":"a"}},
        {"id":"b","title":"Eggs","badge":"new","count":3,"depth":1,"selected":false,"disclosure":null,
        "event":{"type":"select","column":"sidebar","id":"b"}}]},
        {"title":"Later","rows":[
        {"id":"c","title":"Dinner","badge":null,"count":0,"depth":0,"selected":false,
        "disclosure":{"expanded":false,"event":{"type":"expand","id":"c"}},
        "event":{"type":"select","column":"sidebar","id":"c"}}]}]}
        """#
    var rows = [
        ViewFixture.row("x", "Shakshuka", subtitle: "Eggs in tomato", isSelected: true),
        ViewFixture.row("y", "日本の朝ごはん", badge: "4", date: "2026-11-30T08:00:00Z"),
        ViewFixture.row("z", "Granola"),
    ]
    var folders: [String] = []
    var page = #"{"total":12,"totalCapped":false,"first":0,"before":null,"after":null,"selectedIndex":0}"#
    var searchText = ""
    var contentStatus = "ready"
    var contentPlaceholder = "null"
    var content: String?
    var detail = #"""
        {"status":"ready","id":"x","title":"Shakshuka","subtitle":"Eggs in tomato","badge":null,"date":null,
        "path":[],"selectedCount":1,"placeholder":null,"blocks":[
        {"kind":"fields","fields":[{"label":"Serves","value":"2"},{"label":"Time","value":"35 minutes"}]},
        {"kind":"text","text":"Warm the oil.\nCrack the eggs into four hollows."},
        {"kind":"image","source":"s.jpg","label":"A pan"},
        {"kind":"links","links":[{"title":"Bread","item":"b","event":{"type":"push","id":"b"}},
        {"title":"Gone","item":"g","event":null},{"title":"Salt","item":"s","event":{"type":"push","id":"s"}}]}]}
        """#

    static func row(
        _ id: String, _ title: String, subtitle: String? = nil, badge: String? = nil, date: String? = nil,
        isSelected: Bool = false
    ) -> String {
        func text(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
        return #"""
            {"id":"\#(id)","title":"\#(title)","subtitle":\#(text(subtitle)),"icon":null,"badge":\#(text(badge)),
            "date":\#(text(date)),"selected":\#(isSelected),"event":{"type":"select","column":"content","id":"\#(id)"}}
            """#
    }

    static func hint(_ status: String, _ title: String, _ hint: String) -> String {
        #"""
        {"status":"\#(status)","title":null,"rows":[],"folders":[],"path":[],"blocks":[],"page":null,
        "search":null,"sort":null,"hiddenByFilter":false,"sections":[],
        "placeholder":{"title":"\#(title)","hint":"\#(hint)","icon":"x"}}
        """#
    }

    var json: String {
        let hidden = #"{"column":"none","visible":false,"x":null,"width":null,"overlay":false}"#
        let columns =
            [hidden]
            + frames.map {
                #"{"column":"\#($0.0)","visible":true,"x":\#($0.1),"width":\#($0.2),"overlay":\#($0.3)}"#
            }
        let content =
            self.content ?? #"""
                {"status":"\#(contentStatus)","title":"Breakfast","folders":[\#(folders.joined(separator: ","))],
                "rows":[\#(rows.joined(separator: ","))],"page":\#(page),"path":[],"hiddenByFilter":false,
                "search":{"text":"\#(searchText)","scope":"category","event":{"type":"search","scope":"category"}},
                "sort":{"by":"position","descending":false,"options":[
                {"title":"Position","event":{"type":"sort","by":"position","descending":false}},
                {"title":"Title","event":{"type":"sort","by":"title","descending":false}}]},
                "placeholder":\#(contentPlaceholder)}
                """#
        return #"""
            {"schema":"triptych.view/1","catalog":{"id":"r","title":"Recipes"},
            "layout":{"columns":[\#(columns.joined(separator: ","))],"sidebarToggle":\#(toggle),"dismiss":\#(dismiss),"back":\#(back)},
            "sidebar":\#(sidebar),"content":\#(content),"detail":\#(detail),"history":\#(history)}
            """#
    }

    func tree() throws -> JSONTree { try Self.tree(json) }

    static func tree(_ text: String) throws -> JSONTree {
        JSONTree(try JSONParser(depthMax: 64).parse(Array(text.utf8)).root)
    }

    /// The core, connected and with this view in it.
    func core(_ columns: Int = 120, _ rows: Int = 24, charset: Charset = .unicode) throws -> BrowseCore {
        _ = isUTF8
        var core = BrowseCore(size: .init(columns: columns, rows: rows), cellPoints: 8, charset: charset)
        _ = core.handle(.connected)
        _ = core.handle(.subscribed(try tree()))
        return core
    }
}

/// Whether the C library knows the widths of characters: once for all tests.
let isUTF8 = Locale.adoptUTF8()

extension BrowseCore {
    /// What the terminal shows, as text.
    var screen: String { grid.lines.joined(separator: "\n") }

    @discardableResult mutating func press(_ keys: Key...) -> [Effect] { keys.flatMap { take($0) } }

    @discardableResult mutating func type(_ text: String) -> [Effect] {
        text.flatMap { take(.character($0)) }
    }
}
