import Shared
import Testing

@testable import SelectionService

@Suite struct PresentationTests {
    @Test(arguments: [
        #"{"type":"setVisibility","visibility":"automatic"}"#, #"{"type":"setStyle","style":"automatic"}"#,
        #"{"type":"showColumn","column":"detail"}"#,
    ])
    func aRequestIsAcceptedEvenWhenTheValueIsTheSame(_ event: String) throws {
        var window = try Window()
        #expect(try window.send(event))
        window.expect { _ in }
    }

    /// The column, visibility and style before, and the visibility that showing it asks for.
    @Test(arguments: [
        (Column.sidebar, Visibility.detailOnly, Style.automatic, Visibility.all),
        (.sidebar, .automatic, .prominentDetail, .all), (.content, .detailOnly, .automatic, .doubleColumn),
        (.content, .all, .automatic, .all), (.content, .automatic, .automatic, .automatic),
        (.detail, .all, .automatic, .all), (.detail, .all, .prominentDetail, .detailOnly),
    ])
    func showColumnAsksForWhatMakesItVisible(
        _ column: Column, _ visibility: Visibility, _ style: Style, _ asked: Visibility
    ) throws {
        var window = try Window()
        window.session.state.visibility = visibility
        window.session.state.style = style
        try window.send(#"{"type":"showColumn","column":"\#(column.rawValue)"}"#)
        window.expect { ($0.visibility, $0.style) = (asked, style) }
    }

    @Test func showColumnCollapsedSetsTheCompactColumn() throws {
        let window = try Window(.sample, Say.category("A"), Say.top("sidebar"))
        window.expect { ($0.category, $0.compactColumn, $0.canGoBack) = ("A", .sidebar, true) }
    }

    @Test(arguments: [
        Say.category("A"), Say.category("B"), Say.item("a1"), Say.item("a2"), Say.push("b1"),
        #"{"type":"setPath","column":"detail","path":["a3"]}"#, #"{"type":"pop","column":"detail"}"#,
        Say.back, Say.historyBack, Say.search("b"), Say.search("x"),
        #"{"type":"open","category":"A","item":"a1","path":["b1"],"query":{"text":"x"}}"#,
    ])
    func whateverChoosesTakesTheCompactColumnBack(_ event: String) throws {
        var window = try Window(
            .sample, Say.category("A"), Say.item("a1"), Say.push("b1"), Say.search("x"), Say.top("sidebar"))
        #expect(try window.send(event))
        #expect(window.state.compactColumn == nil)
    }

    @Test(arguments: [
        Say.search(""), #"{"type":"sort","by":"date","descending":false}"#,
        #"{"type":"setWidth","column":"detail","width":10000}"#, #"{"type":"expand","id":"A"}"#,
        #"{"type":"setVisibility","visibility":"all"}"#,
    ])
    func whateverDoesNotChooseLeavesTheCompactColumn(_ event: String) throws {
        var window = try Window(.sample, Say.search("x"), Say.top("sidebar"))
        #expect(try window.send(event))
        #expect(window.state.compactColumn == .sidebar)
    }

    @Test func widthsAreGivenAndTakenBack() throws {
        var window = try Window()
        #expect(try window.send(#"{"type":"setWidth","column":"content","width":249.5}"#))
        #expect(try !window.send(#"{"type":"setWidth","column":"content","width":249.5}"#))
        window.expect { $0.widths = [.content: 249.5] }
        #expect(try window.send(#"{"type":"setWidth","column":"content","width":null}"#))
        window.expect { _ in }
    }

    @Test func unfoldedCategoriesAreKeptInTheOrderOfTheirIds() throws {
        var window = try Window()
        for id in ["B", "A2", "A"] { try window.send(#"{"type":"expand","id":"\#(id)"}"#) }
        window.expect { $0.expanded = ["A", "A2", "B"] }
        #expect(try !window.send(#"{"type":"expand","id":"A"}"#))
        try window.send(#"{"type":"collapse","id":"A2"}"#)
        window.expect { $0.expanded = ["A", "B"] }
    }

    @Test func atMost1000CategoriesAreUnfolded() throws {
        let ids = (0...1_000).map { "c\($0)" }
        var window = try Window(Catalog(categories: Set(ids.map { Identifier($0) })))
        for id in ids.dropLast() { try window.send(#"{"type":"expand","id":"\#(id)"}"#) }
        let before = window
        let refusal = window.refusal(of: #"{"type":"expand","id":"c1000"}"#)
        #expect(refusal?.reason == .notPossible)
        #expect(refusal?.path == "/event/id")
        #expect(window == before && window.state.expanded.count == 1_000)
    }

    @Test func aSearchInOtherBytesIsAnotherOneAlsoIfItIsEqualAsAText() throws {
        var window = try Window(.sample, Say.category("A"), Say.search("\u{E9}"))
        #expect(try !window.send(Say.search("\u{E9}")))
        #expect(try window.send(Say.search("e\u{301}")))
        #expect(Array(window.state.query.text.utf8) == [0x65, 0xCC, 0x81])
    }

    @Test func aSearchFiltersWhatIsListedNeverWhatIsSelected() throws {
        var window = try Window(.sample, Say.category("A"), Say.item("a1"), Say.push("b1"))
        try window.send(Say.search("nothing"))
        window.expect {
            ($0.category, $0.items, $0.detailPath, $0.canGoBack) = ("A", ["a1"], ["b1"], true)
            $0.query = Query(text: "nothing")
        }
    }
}
