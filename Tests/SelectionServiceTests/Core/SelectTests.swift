import Shared
import Testing

@testable import SelectionService

@Suite struct SelectTests {
    @Test func theSidebarSetsTheCategory() throws {
        let window = try Window(.sample, Say.category("A"))
        window.expect { ($0.category, $0.canGoBack) = ("A", true) }
    }

    @Test func theContentSetsItems() throws {
        var window = try Window(.sample, Say.category("A"), Say.items("a2", "a1"))
        window.expect { ($0.category, $0.items, $0.canGoBack) = ("A", ["a2", "a1"], true) }
        try window.send(Say.noItem)
        window.expect { ($0.category, $0.canGoBack) = ("A", true) }
    }

    @Test func anotherCategoryClearsItemsBothPathsAndTheQuery() throws {
        var window = try Window(
            .sample, Say.category("A"), Say.push("A1", "content"), Say.item("f1"), Say.push("b1"),
            Say.search("x"))
        try window.send(Say.category("B"))
        window.expect { ($0.category, $0.canGoBack) = ("B", true) }
    }

    @Test func noCategoryClearsAllOfThatToo() throws {
        var window = try Window(.sample, Say.category("A"), Say.item("a1"), Say.push("b1"), Say.search("x"))
        try window.send(Say.noCategory)
        window.expect { $0.canGoBack = true }
    }

    @Test func otherItemsClearTheDetailPath() throws {
        var window = try Window(.sample, Say.category("A"), Say.item("a1"), Say.push("b1"))
        try window.send(Say.item("a2"))
        window.expect { ($0.category, $0.items, $0.canGoBack) = ("A", ["a2"], true) }
    }

    @Test(arguments: [Say.category("A"), Say.items("a1", "a2"), Say.items("a2", "a1", "a2")])
    func whatIsSelectedAlreadyChangesNothing(_ event: String) throws {
        var window = try Window(.sample, Say.category("A"), Say.items("a1", "a2"), Say.push("b1"))
        let before = window
        #expect(try !window.send(event))
        #expect(window == before)
    }

    @Test func theSameCategoryBringsItsListBackFromUnderASearchOfTheCatalog() throws {
        var window = try Window(
            .sample, Say.category("A"), Say.item("a1"), Say.push("b1"), Say.search("x", "catalog"))
        let places = window.session.history
        #expect(try window.send(Say.category("A")))
        window.expect {
            ($0.category, $0.items, $0.detailPath, $0.canGoBack) = ("A", ["a1"], ["b1"], true)
        }
        #expect(window.session.history == places)
    }

    @Test func theSameCategoryBringsItsListBackFromUnderFolders() throws {
        var window = try Window(
            .sample, Say.category("A"), Say.push("A1", "content"), Say.item("f1"), Say.push("b1"),
            Say.search("x", "catalog"))
        #expect(try window.send(Say.category("A")))
        window.expect { ($0.category, $0.canGoBack) = ("A", true) }
    }

    @Test func noCategoryEndsASearchOfTheCatalogThatHadNone() throws {
        var window = try Window(.sample, Say.search("x", "catalog"))
        #expect(try window.send(Say.noCategory))
        window.expect { _ in }
    }

    @Test(arguments: [
        (Say.category("no"), "/event/id"), (Say.item("no"), "/event/id"),
        (Say.items("a1", "no"), "/event/ids/1"), (Say.push("no"), "/event/id"),
        (Say.push("no", "content"), "/event/id"), (#"{"type":"open","category":"no"}"#, "/event/category"),
        (#"{"type":"open","item":"no"}"#, "/event/item"),
        (#"{"type":"open","path":["a1","no"]}"#, "/event/path/1"),
        (#"{"type":"setPath","column":"detail","path":["no"]}"#, "/event/path/0"),
        (#"{"type":"expand","id":"no"}"#, "/event/id"), (#"{"type":"collapse","id":"no"}"#, "/event/id"),
    ])
    func anUnknownIdIsNotFound(_ event: String, _ path: String) throws {
        var window = try Window(.sample, Say.category("A"), Say.item("a1"))
        let before = window
        let refusal = window.refusal(of: event)
        #expect(refusal?.reason == .notFound)
        #expect(refusal?.path == path)
        #expect(window == before)
    }

    @Test(arguments: [Say.item("b1"), Say.items("a1", "b1"), Say.items("b1", "a1")])
    func anItemOfAnotherListIsNotPossible(_ event: String) throws {
        var window = try Window(.sample, Say.category("A"))
        #expect(window.refusal(of: event)?.reason == .notPossible)
        window.expect { ($0.category, $0.canGoBack) = ("A", true) }
    }

    @Test func theListOfAFolderIsTheOneShown() throws {
        var window = try Window(.sample, Say.category("A"), Say.push("A1", "content"))
        #expect(window.refusal(of: Say.item("a1"))?.reason == .notPossible)
        #expect(try window.send(Say.item("f1")))
        #expect(window.state.items == ["f1"])
    }

    @Test func withoutAListNoItemCanBeSelected() throws {
        var window = try Window()
        #expect(window.refusal(of: Say.item("a1"))?.reason == .notPossible)
    }

    @Test func aSearchOfTheCatalogSelectsAnyItemAndItsCategoryFollows() throws {
        var window = try Window(
            .sample, Say.category("A"), Say.push("A1", "content"), Say.search("x", "catalog"))
        try window.send(Say.item("both"))
        window.expect {
            ($0.category, $0.items, $0.canGoBack) = ("A", ["both"], true)
            $0.query = Query(text: "x", scope: .catalog)
        }
        try window.send(Say.item("b1"))
        #expect(window.state.category == "B")
        try window.send(Say.items("both", "b2"))  // the list of B holds it
        #expect(window.state.category == "B")
        #expect(window.refusal(of: Say.items("both", "a1"))?.reason == .notPossible)
        #expect(window.refusal(of: Say.items("a1", "b1"))?.reason == .notPossible)
    }

    @Test(arguments: ["", "  ", "-- !"]) func aTextWithoutAWordSearchesNothing(_ text: String) throws {
        var window = try Window(.sample, Say.category("A"), Say.search(text, "catalog"))
        #expect(window.refusal(of: Say.item("b1"))?.reason == .notPossible)
    }

    @Test func inTwoColumnsTheSidebarSelectsItems() throws {
        var catalog = Catalog.sample
        catalog.columns = 2
        var window = try Window(catalog, Say.category("a1"), Say.push("b1"))
        window.expect { ($0.items, $0.detailPath, $0.canGoBack) = (["a1"], ["b1"], true) }
        try window.send(#"{"type":"select","column":"sidebar","ids":["a2","b1"]}"#)
        window.expect { ($0.items, $0.canGoBack) = (["a2", "b1"], true) }
        try window.send(Say.noCategory)
        window.expect { $0.canGoBack = true }
        #expect(window.refusal(of: Say.category("A"))?.reason == .notFound)
    }

    @Test(arguments: [
        Say.item("a1"), Say.push("A", "content"), #"{"type":"popToRoot","column":"content"}"#,
        #"{"type":"pop","column":"content"}"#, #"{"type":"setPath","column":"content","path":[]}"#,
        #"{"type":"showColumn","column":"content"}"#,
        #"{"type":"setWidth","column":"content","width":200}"#, #"{"type":"open","category":"A"}"#,
    ])
    func twoColumnsHaveNoContentColumn(_ event: String) throws {
        var catalog = Catalog.sample
        catalog.columns = 2
        var window = try Window(catalog)
        #expect(window.refusal(of: event)?.reason == .notPossible)
    }

    @Test(arguments: [
        (#"{"type":"select","column":"detail","id":"a1"}"#, "/event/column"),
        (#"{"type":"select","column":"sidebar","ids":["A","B"]}"#, "/event/ids"),
        (Say.push("A", "sidebar"), "/event/column"),
        (#"{"type":"pop","column":"sidebar"}"#, "/event/column"),
        (#"{"type":"popToRoot","column":"sidebar"}"#, "/event/column"),
        (#"{"type":"setPath","column":"sidebar","path":[]}"#, "/event/column"),
    ])
    func aColumnThatDoesNotTakeItIsNotPossible(_ event: String, _ path: String) throws {
        var window = try Window()
        let refusal = window.refusal(of: event)
        #expect(refusal?.reason == .notPossible)
        #expect(refusal?.path == path)
    }
}
