import JSON
import Shared
import Testing

@testable import Gateway

/// One state of a session, and what a collapsed and an expanded window of it say.
struct StackCase: CustomTestStringConvertible {
    var name: String
    var category: String? = nil
    var items: [String] = []
    var contentPath: [String] = []
    var detailPath: [String] = []
    var query = Query()
    var compact: Column? = nil
    /// The top column and the title of back when collapsed, the title of back when expanded; `-` is no
    /// button.
    var expected: String

    var testDescription: String { name }

    static let all: [StackCase] = [
        .init(name: "nothing", expected: "sidebar, back -, expanded -"),
        .init(name: "a category", category: "A", expected: "content, back Categories, expanded -"),
        .init(name: "an item", category: "A", items: ["a1"], expected: "detail, back Category A, expanded -"),
        .init(
            name: "several items", category: "A", items: ["a1", "a2"],
            expected: "content, back Categories, expanded -"),
        .init(
            name: "a push", category: "A", items: ["a1"], detailPath: ["b1"],
            expected: "detail, back Title a1, expanded Title a1"),
        .init(
            name: "two pushes", category: "A", items: ["a1"], detailPath: ["b1", "b2"],
            expected: "detail, back Title b1, expanded Title b1"),
        .init(
            name: "a push without an item", category: "A", detailPath: ["b1"],
            expected: "detail, back Category A, expanded nil"),
        .init(
            name: "a push with several items", category: "A", items: ["a1", "a2"], detailPath: ["b1"],
            expected: "detail, back Category A, expanded nil"),
        .init(name: "a push alone", detailPath: ["b1"], expected: "detail, back Categories, expanded nil"),
        .init(
            name: "a folder", category: "A", contentPath: ["B"],
            expected: "content, back Category A, expanded Category A"),
        .init(
            name: "a folder in a folder", category: "A", contentPath: ["B", "C"],
            expected: "content, back Category B, expanded Category B"),
        .init(
            name: "an item in a folder", category: "A", items: ["b1"], contentPath: ["B"],
            expected: "detail, back Category B, expanded Category A"),
        .init(
            name: "a search", query: Query(text: "t", scope: .catalog),
            expected: "content, back Categories, expanded -"),
        .init(
            name: "a search for nothing", query: Query(text: " ", scope: .catalog),
            expected: "sidebar, back -, expanded -"),
        .init(
            name: "an item of a search", category: "A", items: ["a1"],
            query: Query(text: "t", scope: .catalog), expected: "detail, back Search Results, expanded -"),
        .init(
            name: "an item of a filtered list", category: "A", items: ["a1"], query: Query(text: "t"),
            expected: "detail, back Category A, expanded -"),
        .init(
            name: "the sidebar was asked for", category: "A", items: ["a1"], compact: .sidebar,
            expected: "sidebar, back -, expanded -"),
        .init(
            name: "the content was asked for", category: "A", items: ["a1"], compact: .content,
            expected: "content, back Categories, expanded -"),
        .init(
            name: "a detail with nothing to show was asked for", category: "A", compact: .detail,
            expected: "content, back Categories, expanded -"),
    ]
}

@Suite struct StackTests {
    @Test(arguments: StackCase.all) func topAndBack(_ test: StackCase) throws {
        let peers = TestPeers()
        peers.at(category: test.category, items: test.items, detailPath: test.detailPath)
        peers.state.contentPath = test.contentPath.map { Identifier($0) }
        peers.state.query = test.query
        peers.state.compactColumn = test.compact
        func back(_ layout: JSONValue?) -> String {
            guard let back = layout?["back"], !back.isNull else { return "-" }
            return back["title"]?.string ?? "nil"
        }
        let collapsed = try view(peers, #"{"width":390}"#)
        let layout = collapsed["layout"]
        let expanded = try view(peers)["layout"]
        let top = try #require(layout?["top"]?.string)
        #expect("\(top), back \(back(layout)), expanded \(back(expanded))" == test.expected)
        #expect(layout?["stack"]?.strings().last == top)
        #expect(layout?["columns"]?.elements.filter { $0["visible"]?.bool == true }.count == 1)
        #expect(expanded?["stack"]?.count == 0 && expanded?["top"]?.isNull == true)
        let onTop = collapsed.members.first { $0.name == top }?.value["status"]?.string
        #expect(onTop != "noSelection")
    }

    @Test(arguments: [
        (#"{"width":599}"#, true), (#"{"width":599.7}"#, true), (#"{"width":599.75}"#, false),
        (#"{"width":599.7,"scale":1}"#, false),
        (#"{"width":599.4,"scale":1}"#, true), (#"{"width":600}"#, false), ("{}", false),
        (#"{"width":1024,"sizeClass":"compact"}"#, true), (#"{"width":320,"sizeClass":"regular"}"#, false),
    ])
    func aNarrowOrCompactWindowIsCollapsed(_ params: String, _ isCollapsed: Bool) throws {
        let layout = try view(TestPeers(), params)["layout"]
        #expect(layout?["collapsed"]?.bool == isCollapsed)
        #expect(layout?["sizeClass"]?.string == (isCollapsed ? "compact" : "regular"))
    }

    @Test func theWidthIsShownOnThePixelGrid() throws {
        #expect(try view(TestPeers(), #"{"width":954.249}"#).at("layout", "width")?.double == 954)
        #expect(try view(TestPeers(), #"{"width":954.25}"#).at("layout", "width")?.double == 954.5)
    }

    @Test func aPersonsWidthIsThePreferredOne() throws {
        let peers = TestPeers()
        peers.at(category: "A")
        peers.state.widths = [.content: 280]
        let columns = try view(peers, #"{"width":1180}"#).at("layout", "columns")
        #expect(columns?.elements.map { $0["width"]?.double } == [280, 280, 609.5])
    }
}
