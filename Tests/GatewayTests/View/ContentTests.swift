import JSON
import Shared
import Testing

@testable import Gateway

@Suite struct ContentTests {
    @Test func everyStatusHasItsPlaceholder() throws {
        let peers = TestPeers()
        func content() throws -> [String?] {
            let content = try view(peers)["content"]
            return [
                content?["status"]?.string, content?["title"]?.string,
                content?.at("placeholder", "title")?.string,
            ]
        }
        #expect(try content() == ["noSelection", nil, "No Category Selected"])
        peers.at(category: "A")
        #expect(try content() == ["ready", "Category A", nil])
        peers.at(category: "C")
        #expect(try content() == ["empty", "Category C", "No Items"])
        peers.at(category: "A")
        peers.state.query.text = "zzz"
        #expect(try content() == ["empty", "Category A", "No Results"])
        peers.state.query.scope = .catalog
        #expect(try content() == ["empty", "Search Results", "No Results"])
        peers.at(category: "gone")
        #expect(try content() == ["missing", nil, "No Category Selected"])
    }

    @Test func everySelectedRowIsDrawnSoUnlessTheWindowIsCollapsed() throws {
        let peers = TestPeers()
        peers.at(category: "A", items: ["a3", "a1", "elsewhere"])
        func selected(_ params: String) throws -> [String] {
            (try view(peers, params).at("content", "rows")?.elements).map { rows in
                rows.filter { $0["selected"]?.bool == true }.compactMap { $0["id"]?.string }
            } ?? []
        }
        #expect(try selected("{}") == ["a1", "a3"])
        #expect(try selected(#"{"width":390}"#) == [])
        #expect(try selected(#"{"sizeClass":"compact"}"#) == [])
        #expect(try selected(#"{"width":390,"sizeClass":"regular"}"#) == ["a1", "a3"])
    }

    @Test func aTextWithoutAWordIsNoSearch() throws {
        let peers = TestPeers()
        peers.at(category: "A")
        peers.state.query = Query(text: " -- ", scope: .catalog)
        let content = try view(peers)["content"]
        #expect(content?["title"]?.string == "Category A")
        #expect(content?["rows"]?.count == 5)
        #expect(content?.at("search", "text")?.string == " -- ")
    }

    // MARK: The window of rows

    private func long() -> TestPeers {
        let catalog = TestCatalog()
        catalog.categories = [.init(id: "A", title: "Category A")]
        catalog.items = (0..<300).map { .init(id: "r\($0)", title: "Row \($0)", categories: ["A"]) }
        return TestPeers(catalog)
    }

    @Test(arguments: [
        (["r240"], "{}", "215-264 of 300, selected 240"),
        (["r240"], #"{"limit":10}"#, "235-244 of 300, selected 240"),
        (["r240"], #"{"after":"99","limit":10}"#, "100-109 of 300, selected 240"),
        (["r240"], #"{"before":"100","limit":10}"#, "90-99 of 300, selected 240"),
        (["r240"], #"{"around":"r7","limit":10}"#, "2-11 of 300, selected 240"),
        (["r5"], #"{"around":"r7","limit":10}"#, "2-11 of 300, selected 5"),
        (["gone"], "{}", "0-49 of 300, selected nil"),
        ([], "{}", "0-49 of 300, selected nil"),
        (["r299", "r3"], #"{"limit":4}"#, "296-299 of 300, selected 299"),
    ])
    func theWindowLiesAroundTheSelectionUnlessAPlaceIsNamed(
        _ items: [String], _ params: String, _ expected: String
    ) throws {
        let peers = long()
        peers.at(category: "A", items: items)
        let content = try view(peers, params)["content"]
        let page = content?["page"]
        let first = try #require(page?["first"]?.int)
        let count = try #require(content?["rows"]?.count)
        let selected = page?["selectedIndex"]?.int.map { "\($0)" } ?? "nil"
        #expect(
            "\(first)-\(first + count - 1) of \(page?["total"]?.int ?? 0), selected \(selected)" == expected)
    }

    @Test(arguments: [
        ("row", ["r240"], "{}", false), ("row", ["r240"], #"{"after":"99","limit":10}"#, false),
        ("240", ["r241"], "{}", true), ("row", ["gone"], #"{"after":"99","limit":10}"#, true),
        ("", ["gone"], "{}", false), ("240", [], "{}", false),
    ])
    func hiddenByFilter(_ text: String, _ items: [String], _ params: String, _ isHidden: Bool) throws {
        let peers = long()
        peers.at(category: "A", items: items)
        peers.state.query.text = text
        #expect(try view(peers, params).at("content", "hiddenByFilter")?.bool == isHidden)
    }

    @Test func aViewThatWouldNotFitALineCarriesFewerRows() throws {
        let peers = long()
        for index in peers.catalog.items.indices {
            peers.catalog.items[index].subtitle = String(repeating: "s", count: 4_000)
        }
        peers.at(category: "A")
        let view = try view(peers, #"{"limit":300}"#)
        #expect(view.raw.count < Limits.outgoingLineBytesMax)
        let rows = try #require(view.at("content", "rows")?.count)
        #expect((150..<250).contains(rows), "\(rows) rows")
        #expect(view.at("content", "page", "total")?.int == 300)
        #expect(view.at("content", "page", "after")?.string == "\(rows - 1)")
    }

    // MARK: Folders

    @Test func foldersAreTheChildrenOfTheShownCategory() throws {
        let catalog = TestCatalog()
        catalog.nesting = "drillDown"
        catalog.categories = [
            .init(id: "A", title: "Outer"), .init(id: "A1", title: "Inner", parent: "A"),
            .init(id: "A2", title: "Innermost", parent: "A1"),
        ]
        let peers = TestPeers(catalog)
        peers.at(category: "A")
        let content = try view(peers)["content"]
        #expect(content?["status"]?.string == "ready")
        #expect(
            content?["folders"]?.written
                == #"[{"id":"A1","title":"Inner","icon":null,"badge":null,"count":0,"depth":0,"disclosure":null,"#
                + #""selected":false,"event":{"type":"push","column":"content","id":"A1"}}]"#)
        peers.state.contentPath = ["A1"]
        let inside = try view(peers)
        #expect(inside.at("content", "title")?.string == "Inner")
        #expect(inside.at("content", "path")?.written == #"[{"id":"A1","title":"Inner"}]"#)
        #expect(inside.at("content", "folders")?.strings("id") == ["A2"])
        #expect(
            inside.at("layout", "back")?.written == #"{"title":"Outer","event":{"type":"back"}}"#)
        peers.state.query.text = "x"
        #expect(try view(peers).at("content", "folders")?.count == 0)
        #expect(try view(peers).at("content", "status")?.string == "empty")
    }
}
