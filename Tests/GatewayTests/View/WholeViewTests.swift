import JSON
import Shared
import Testing

@testable import Gateway

/// Whole views, byte for byte: every key, in its order.
@Suite struct WholeViewTests {
    @Test func ofAChosenItem() throws {
        let catalog = TestCatalog()
        catalog.title = "Gourmet Recipes"
        catalog.categories = [.init(id: "breakfast", title: "Breakfast", icon: "sunrise")]
        catalog.items = [
            .init(
                id: "shakshuka", title: "Shakshuka", categories: ["breakfast"], subtitle: "Eggs in tomato",
                blocks: #"[{"kind":"text","text":"..."}]"#)
        ]
        let peers = TestPeers(catalog)
        peers.at(category: "breakfast", items: ["shakshuka"])
        peers.state.canGoBack = true
        let expected = """
            {"schema":"triptych.view/1","session":"default","revision":3,
            "catalog":{"id":"c","title":"Gourmet Recipes","revision":7},
            "layout":{"width":1024,"sizeClass":"regular","collapsed":false,
            "visibility":{"requested":"automatic","resolved":"all"},
            "style":{"requested":"automatic","resolved":"balanced"},"presentation":"tiled",
            "columns":[{"column":"sidebar","visible":true,"x":10,"width":280,"overlay":false},
            {"column":"content","visible":true,"x":290,"width":269.5,"overlay":false},
            {"column":"detail","visible":true,"x":560,"width":464,"overlay":false}],
            "stack":[],"top":null,
            "sidebarToggle":{"icon":"sidebar","event":{"type":"setVisibility","visibility":"doubleColumn"}},
            "dismiss":null,"back":null},
            "sidebar":{"status":"ready","title":"Categories","header":null,
            "sections":[{"title":null,"rows":[{"id":"breakfast","title":"Breakfast","icon":"sunrise","badge":null,
            "count":1,"depth":0,"disclosure":null,"selected":true,
            "event":{"type":"select","column":"sidebar","id":"breakfast"}}]}],"placeholder":null},
            "content":{"status":"ready","title":"Breakfast","folders":[],
            "rows":[{"id":"shakshuka","title":"Shakshuka","subtitle":"Eggs in tomato","icon":null,"badge":null,
            "date":null,"selected":true,"event":{"type":"select","column":"content","id":"shakshuka"}}],
            "page":{"total":1,"totalCapped":false,"first":0,"before":null,"after":null,"selectedIndex":0},
            "search":{"text":"","scope":"category","event":{"type":"search","scope":"category"}},
            \(Self.sort),"hiddenByFilter":false,"path":[],"placeholder":null},
            "detail":{"status":"ready","id":"shakshuka","title":"Shakshuka","subtitle":"Eggs in tomato",
            "icon":null,"badge":null,"date":null,"blocks":[{"kind":"text","text":"..."}],"path":[],
            "selectedCount":1,"placeholder":null},
            "history":{"back":{"event":{"type":"historyBack"}},"forward":null}}
            """
        #expect(try view(peers).written == expected.replacing("\n", with: ""))
    }

    @Test func ofANewSessionInANarrowWindow() throws {
        let peers = TestPeers(TestCatalog())
        let expected = """
            {"schema":"triptych.view/1","session":"new","revision":0,
            "catalog":{"id":"c","title":"Test","revision":7},
            "layout":{"width":390,"sizeClass":"compact","collapsed":true,
            "visibility":{"requested":"automatic","resolved":null},
            "style":{"requested":"automatic","resolved":null},"presentation":"stack",
            "columns":[{"column":"sidebar","visible":true,"x":0,"width":390,"overlay":false},
            {"column":"content","visible":false,"x":null,"width":null,"overlay":false},
            {"column":"detail","visible":false,"x":null,"width":null,"overlay":false}],
            "stack":["sidebar"],"top":"sidebar","sidebarToggle":null,"dismiss":null,"back":null},
            "sidebar":{"status":"empty","title":"Categories","header":null,"sections":[],
            "placeholder":{"title":"Nothing Here Yet","hint":"Import a catalog to fill this list.","icon":"tray"}},
            "content":{"status":"noSelection","title":null,"folders":[],"rows":[],"page":null,
            "search":{"text":"","scope":"category","event":{"type":"search","scope":"category"}},
            \(Self.sort),"hiddenByFilter":false,"path":[],
            "placeholder":{"title":"No Category Selected","hint":"Choose a category from the list.",
            "icon":"sidebar"}},
            "detail":{"status":"noSelection","id":null,"title":null,"subtitle":null,"icon":null,"badge":null,
            "date":null,"blocks":[],"path":[],"selectedCount":0,
            "placeholder":{"title":"Nothing Selected","hint":"Choose an item from the list.","icon":"document"}},
            "history":{"back":null,"forward":null}}
            """
        #expect(
            try view(peers, #"{"session":"new","width":390}"#).written
                == expected.replacing("\n", with: ""))
    }

    @Test func ofTwoColumns() throws {
        let catalog = TestCatalog.lettered()
        (catalog.columns, catalog.title) = (2, "Notes")
        catalog.categories = [catalog.categories[1], catalog.categories[2]]
        let peers = TestPeers(catalog)
        peers.at(items: ["b3"])
        func row(_ id: String, selected: Bool) -> String {
            #"{"id":"\#(id)","title":"Title \#(id)","subtitle":null,"icon":null,"badge":null,"date":null,"#
                + #""selected":\#(selected),"event":{"type":"select","column":"sidebar","id":"\#(id)"}}"#
        }
        let expected = """
            {"status":"ready","title":"Items","header":null,
            "sections":[{"title":"Category B","rows":[\(row("b1", selected: false)),
            \(row("b2", selected: false)),\(row("b3", selected: true))]}],
            "page":{"total":3,"totalCapped":false,"first":0,"before":null,"after":null,"selectedIndex":2},
            "search":{"text":"","scope":"category","event":{"type":"search","scope":"category"}},
            \(Self.sort),"hiddenByFilter":false,"placeholder":null}
            """
        let view = try view(peers)
        #expect(view["sidebar"]?.written == expected.replacing("\n", with: ""))
        #expect(view["content"]?.isNull == true)
        #expect(view.at("layout", "columns")?.strings("column") == ["sidebar", "detail"])
        #expect(view.at("detail", "title")?.string == "Title b3")
    }

    private static let sort = """
        "sort":{"by":"position","descending":false,"options":[
        {"title":"Position","event":{"type":"sort","by":"position","descending":false}},
        {"title":"Title","event":{"type":"sort","by":"title","descending":false}},
        {"title":"Title, Z to A","event":{"type":"sort","by":"title","descending":true}},
        {"title":"Newest First","event":{"type":"sort","by":"date","descending":true}},
        {"title":"Oldest First","event":{"type":"sort","by":"date","descending":false}}]}
        """
}
