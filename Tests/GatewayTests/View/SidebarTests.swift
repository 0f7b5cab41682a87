import JSON
import Shared
import Testing

@testable import Gateway

@Suite struct SidebarTests {
    /// The rows of every section, as `title: id/depth id/depth`.
    private func outline(_ view: JSONValue) throws -> [String] {
        let sections = try #require(view.at("sidebar", "sections"))
        return sections.elements.map { section in
            let rows = (section["rows"]?.elements).map { rows in
                rows.map { "\($0["id"]?.string ?? "")/\($0["depth"]?.int ?? 0)" }
            }
            return "\(section["title"]?.string ?? "-"): \((rows ?? []).joined(separator: " "))"
        }
    }

    private func tree() -> TestCatalog {
        let catalog = TestCatalog()
        catalog.categories = [
            .init(id: "A", title: "A", section: "One"), .init(id: "C", title: "C", section: "Two"),
            .init(id: "N", title: "N"), .init(id: "A1", title: "A1", section: "Two", parent: "A"),
            .init(id: "B", title: "B", section: "One"), .init(id: "A2", title: "A2", parent: "A"),
            .init(id: "A11", title: "A11", parent: "A1"),
        ]
        return catalog
    }

    @Test(arguments: [
        ([], ["One: A/0 B/0", "Two: C/0", "-: N/0"]),
        (["A"], ["One: A/0 A1/1 A2/1 B/0", "Two: C/0", "-: N/0"]),
        (["A1"], ["One: A/0 B/0", "Two: C/0", "-: N/0"]),
        (["A", "A1", "gone"], ["One: A/0 A1/1 A11/2 A2/1 B/0", "Two: C/0", "-: N/0"]),
    ])
    func sectionsStandInOrderOfFirstAppearanceAndChildrenFollowTheirParent(
        _ expanded: [String], _ expected: [String]
    ) throws {
        let peers = TestPeers(tree())
        peers.at()
        peers.state.expanded = expanded.map { Identifier($0) }
        #expect(try outline(view(peers)) == expected)
    }

    @Test func aRowWithChildrenHasADisclosureThatUnfoldsAndFolds() throws {
        let peers = TestPeers(tree())
        peers.at()
        func disclosures() throws -> [String] {
            let sections = try #require(try view(peers).at("sidebar", "sections"))
            return sections.elements.flatMap { section in
                (section["rows"]?.elements).map { Array($0) } ?? []
            }.map { $0["disclosure"]?.written ?? "" }
        }
        #expect(
            try disclosures() == [
                #"{"expanded":false,"event":{"type":"expand","id":"A"}}"#, "null", "null", "null",
            ])
        peers.state.expanded = ["A"]
        #expect(try disclosures().first == #"{"expanded":true,"event":{"type":"collapse","id":"A"}}"#)
    }

    @Test func aDrillDownCatalogShowsItsRootsOnly() throws {
        let catalog = tree()
        catalog.nesting = "drillDown"
        let peers = TestPeers(catalog)
        peers.at(category: "A")
        peers.state.expanded = ["A"]
        #expect(try outline(view(peers)) == ["One: A/0 B/0", "Two: C/0", "-: N/0"])
    }

    @Test func theCatalogsStringsAreUsedAndWhatTheyLeaveOutIsTheDefault() throws {
        let catalog = TestCatalog()
        catalog.strings = #"{"sidebarTitle":"Rooms","sidebarHeader":"Hello","emptyCatalog":{"title":"Bare"}}"#
        let sidebar = try view(TestPeers(catalog))["sidebar"]
        #expect(sidebar?["title"]?.string == "Rooms")
        #expect(sidebar?["header"]?.string == "Hello")
        #expect(
            sidebar?["placeholder"]?.written
                == #"{"title":"Bare","hint":"Import a catalog to fill this list.","icon":"tray"}"#)
    }

    @Test func withoutAnyCatalogTheSidebarIsEmpty() throws {
        let peers = TestPeers()
        var driver = CoreDriver()
        try driver.ask("view.get")
        try driver.answerNext(peers)
        let call = driver.calls.removeFirst()
        #expect(call.call.method == "catalog.list")
        try driver.take(.answered(call.id, .success(try parse(#"{"catalogs":[]}"#))))
        let view = try driver.view(1)
        #expect(view["catalog"]?.written == #"{"id":null,"title":null,"revision":0}"#)
        #expect(view.at("sidebar", "status")?.string == "empty")
        #expect(view.at("content", "status")?.string == "noSelection")
    }
}

@Suite struct TwoColumnTests {
    private func notes() -> TestCatalog {
        let catalog = TestCatalog.lettered()
        catalog.columns = 2
        catalog.items.append(.init(id: "ab", title: "Both", categories: ["A", "B"]))
        return catalog
    }

    private func sections(_ view: JSONValue) -> [String] {
        (view.at("sidebar", "sections")?.elements).map { sections in
            sections.map { "\($0["title"]?.string ?? "-"): \($0["rows"]?.strings("id") ?? [])" }
        } ?? []
    }

    @Test func emptyCategoriesAreLeftOutAndAnItemIsInEachOfItsSections() throws {
        let peers = TestPeers(notes())
        peers.at(items: ["ab"])
        let view = try view(peers)
        #expect(
            sections(view) == [
                #"Category A: ["a1", "a2", "a3", "a4", "a5", "ab"]"#,
                #"Category B: ["b1", "b2", "b3", "ab"]"#,
            ])
        #expect(view.at("sidebar", "page", "selectedIndex")?.int == 5)
        let keys = view.at("sidebar", "sections")?.elements.first { _ in true }?["rows"]?.elements
            .first { _ in true }?.members.map(\.name)
        #expect(keys == ["id", "title", "subtitle", "icon", "badge", "date", "selected", "event"])
    }

    @Test func categoriesWhoseIdsOnlyLookAlikeHaveASectionEach() throws {
        let catalog = notes()
        let ids = ["\u{E9}", "e\u{301}"]
        catalog.categories = [.init(id: ids[0], title: "Composed"), .init(id: ids[1], title: "Decomposed")]
        catalog.items = [.init(id: "x", title: "X", categories: ids)]
        let peers = TestPeers(catalog)
        peers.at()
        #expect(sections(try view(peers)) == [#"Composed: ["x"]"#, #"Decomposed: ["x"]"#])
    }

    @Test func aWindowOfRowsShowsTheSectionsItReaches() throws {
        let peers = TestPeers(notes())
        let view = try view(peers, #"{"after":"4","limit":3}"#)
        #expect(sections(view) == [#"Category A: ["ab"]"#, #"Category B: ["b1", "b2"]"#])
    }

    @Test func aSearchThatFindsNothingSaysSo() throws {
        let peers = TestPeers(notes())
        peers.at(items: ["b1"])
        peers.state.query.text = "zzz"
        let sidebar = try view(peers)["sidebar"]
        #expect(sidebar?["status"]?.string == "empty")
        #expect(sidebar?.at("placeholder", "title")?.string == "No Results")
        #expect(sidebar?["hiddenByFilter"]?.bool == true)
    }

    @Test func collapsedTheStackHasTwoColumnsAndBackLeadsToTheSidebar() throws {
        let peers = TestPeers(notes())
        peers.at(items: ["b1"])
        let layout = try view(peers, #"{"width":390}"#)["layout"]
        #expect(layout?["stack"]?.strings() == ["sidebar", "detail"])
        #expect(
            layout?["back"]?.written == #"{"title":"Items","event":{"type":"back","collapsed":true}}"#)
    }
}
