import Shared
import Testing

@testable import SelectionService

@Suite struct PathTests {
    @Test func theDetailHasAStackOfItems() throws {
        var window = try Window(.sample, Say.category("A"), Say.item("a1"), Say.push("b1"), Say.push("b1"))
        window.expect {
            ($0.category, $0.items, $0.detailPath, $0.canGoBack) = ("A", ["a1"], ["b1", "b1"], true)
        }
        try window.send(#"{"type":"setPath","column":"detail","path":["a2","b1","a3"]}"#)
        #expect(window.state.detailPath == ["a2", "b1", "a3"])
        try window.send(#"{"type":"pop","column":"detail"}"#)
        #expect(window.state.detailPath == ["a2", "b1"])
        try window.send(#"{"type":"popToRoot","column":"detail"}"#)
        window.expect { ($0.category, $0.items, $0.canGoBack) = ("A", ["a1"], true) }
    }

    @Test func theDetailMayHaveAPathWithoutASelectedItem() throws {
        let window = try Window(.sample, Say.push("b1"))
        window.expect { ($0.detailPath, $0.canGoBack) = (["b1"], true) }
    }

    @Test func aCountBeyondTheRootStopsThere() throws {
        var window = try Window(.sample, Say.push("b1"), Say.push("b2"))
        #expect(try window.send(#"{"type":"pop","column":"detail","count":60}"#))
        window.expect { $0.canGoBack = true }
    }

    @Test(arguments: [
        #"{"type":"pop","column":"detail"}"#, #"{"type":"pop","column":"content","count":3}"#,
        #"{"type":"popToRoot","column":"detail"}"#, #"{"type":"setPath","column":"content","path":[]}"#,
        Say.back, Say.historyForward, #"{"type":"collapse","id":"A"}"#,
    ])
    func atTheRootThereIsNothingToDo(_ event: String) throws {
        var window = try Window(.sample, Say.category("A"), Say.item("a1"))
        let before = window
        #expect(try !window.send(event))
        #expect(window == before)
    }

    @Test(arguments: [
        Say.push("A2", "content"), #"{"type":"pop","column":"content"}"#,
        #"{"type":"popToRoot","column":"content"}"#,
        #"{"type":"setPath","column":"content","path":["A2","A1"]}"#,
    ])
    func anotherFolderClearsItemsTheDetailPathAndTheQuery(_ event: String) throws {
        var window = try Window(
            .sample, Say.category("A"), Say.push("A1", "content"), Say.item("f1"), Say.push("b1"),
            Say.search("x"))
        try window.send(event)
        let path = window.state.contentPath
        #expect(path != ["A1"])
        window.expect { ($0.category, $0.contentPath, $0.canGoBack) = ("A", path, true) }
    }

    @Test func foldersLieInACategory() throws {
        var window = try Window()
        #expect(window.refusal(of: Say.push("A1", "content"))?.reason == .notPossible)
        let event = #"{"type":"setPath","column":"content","path":["A1"]}"#
        #expect(window.refusal(of: event)?.reason == .notPossible)
    }

    @Test func aPathHasAtMost64Elements() throws {
        var window = try Window()
        for _ in 0..<64 { try window.send(Say.push("b1")) }
        let before = window
        let refusal = window.refusal(of: Say.push("b1"))
        #expect(refusal?.reason == .notPossible)
        #expect(refusal?.path == "/event/id")
        #expect(window == before)
    }

    @Test func backSideBySidePopsTheDetailThenTheContent() throws {
        var window = try Window(
            .sample, Say.category("A"), Say.push("A1", "content"), Say.item("f1"), Say.push("b1"))
        try window.send(Say.back)
        window.expect {
            ($0.category, $0.contentPath, $0.items, $0.canGoBack) = ("A", ["A1"], ["f1"], true)
        }
        try window.send(Say.back)
        window.expect { ($0.category, $0.canGoBack) = ("A", true) }
        #expect(try !window.send(Say.back))
    }

    @Test func backCollapsedGoesThroughAllThatIsOnTop() throws {
        var window = try Window(
            .sample, Say.category("A"), Say.push("A1", "content"), Say.item("f1"), Say.push("b1"))
        try window.send(Say.collapsedBack)
        #expect(window.state.detailPath == [] && window.state.items == ["f1"])
        try window.send(Say.collapsedBack)
        #expect(window.state.items == [] && window.state.contentPath == ["A1"])
        try window.send(Say.collapsedBack)
        #expect(window.state.contentPath == [] && window.state.category == "A")
        try window.send(Say.collapsedBack)
        window.expect { $0.canGoBack = true }
        #expect(try !window.send(Say.collapsedBack))
    }

    @Test func backCollapsedLeavesASearchOfTheCatalog() throws {
        var window = try Window(.sample, Say.search("x", "catalog"))
        try window.send(Say.collapsedBack)
        window.expect { _ in }
    }

    @Test func backCollapsedLooksAtTheColumnThatIsAskedFor() throws {
        var window = try Window(.sample, Say.category("A"), Say.item("a1"), Say.top("sidebar"))
        #expect(try !window.send(Say.collapsedBack))
        try window.send(Say.top("content"))
        try window.send(Say.collapsedBack)
        window.expect { $0.canGoBack = true }
    }

    /// What was done, and what is then on top.
    @Test(arguments: [
        ([], Column.sidebar), ([Say.category("A")], .content),
        ([Say.category("A"), Say.item("a1")], .detail),
        ([Say.category("A"), Say.items("a1", "a2")], .content), ([Say.push("b1")], .detail),
        ([Say.search("x", "catalog")], .content), ([Say.search("-", "catalog")], .sidebar),
        ([Say.search("x")], .sidebar), ([Say.top("detail")], .sidebar),
        ([Say.category("A"), Say.top("detail")], .content),
        ([Say.category("A"), Say.item("a1"), Say.top("content")], .content),
        ([Say.category("A"), Say.item("a1"), Say.top("sidebar")], .sidebar),
    ])
    func theTopIsTheColumnAskedForElseTheLastWithSomethingToShow(
        _ events: [String], _ top: Column
    ) throws {
        var window = try Window()
        for event in events { try window.send(event) }
        #expect(window.state.top(columns: 3) == top)
    }
}
