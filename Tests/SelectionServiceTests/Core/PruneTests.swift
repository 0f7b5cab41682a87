import Shared
import Testing

@testable import SelectionService

@Suite struct PruneTests {
    private func items(_ ids: Identifier...) -> Losses { Losses(gone: Set(ids.map(Thing.item))) }
    private func categories(_ ids: Identifier...) -> Losses { Losses(gone: Set(ids.map(Thing.category))) }

    @Test func aDeletedItemLeavesTheSelectionAndItsCategoryStays() throws {
        var window = try Window(.sample, Say.category("A"), Say.item("a1"))
        window.session.prune(items("a1"))
        window.expect { ($0.category, $0.canGoBack) = ("A", true) }
        try window.send(Say.historyBack)
        window.expect { $0.canGoForward = true }
    }

    @Test func theLastSelectedItemTakesTheDetailPathWithIt() throws {
        var window = try Window(.sample, Say.category("A"), Say.item("a1"), Say.push("b1"))
        window.session.prune(items("a1"))
        window.expect { ($0.category, $0.canGoBack) = ("A", true) }
    }

    @Test func oneOfSeveralLeavesTheDetailPath() throws {
        var window = try Window(.sample, Say.category("A"), Say.items("a1", "a2"), Say.push("b1"))
        window.session.prune(items("a1"))
        window.expect {
            ($0.category, $0.items, $0.detailPath, $0.canGoBack) = ("A", ["a2"], ["b1"], true)
        }
    }

    @Test func aDeletedPathElementGoesWithWhatFollowsIt() throws {
        var window = try Window(
            .sample, Say.category("A"), Say.item("a1"),
            #"{"type":"setPath","column":"detail","path":["a2","b1","a3","b1"]}"#)
        window.session.prune(items("b1"))
        window.expect {
            ($0.category, $0.items, $0.detailPath, $0.canGoBack) = ("A", ["a1"], ["a2"], true)
        }
    }

    @Test func aPathWithoutASelectedItemIsOnlyCut() throws {
        var window = try Window(.sample, Say.push("b1"), Say.push("b2"))
        window.session.prune(items("b2"))
        window.expect { ($0.detailPath, $0.canGoBack) = (["b1"], true) }
    }

    @Test func aDeletedCategoryIsLeftAsIfNoneHadBeenChosen() throws {
        var window = try Window(
            .sample, #"{"type":"expand","id":"A"}"#, Say.category("A"), Say.item("a1"), Say.push("b1"),
            Say.search("x", "catalog"), Say.top("sidebar"))
        window.session.prune(categories("A"))
        window.expect { $0.compactColumn = .sidebar }
    }

    @Test func aDeletedFolderCutsTheContentPath() throws {
        var window = try Window(
            .sample, Say.category("A"), Say.push("A1", "content"), Say.push("A2", "content"),
            Say.item("f2"), Say.push("b1"), Say.search("x"))
        window.session.prune(categories("A2"))
        window.expect { ($0.category, $0.contentPath, $0.canGoBack) = ("A", ["A1"], true) }
    }

    @Test func anItemThatLeftTheShownCategoryIsDeselected() throws {
        var window = try Window(.sample, Say.category("A"), Say.item("both"), Say.push("b1"))
        window.session.prune(Losses(categories: ["both": ["B"]]))
        window.expect { ($0.category, $0.canGoBack) = ("A", true) }
    }

    @Test func anItemThatWentToOneMoreCategoryStays() throws {
        var window = try Window(.sample, Say.category("A"), Say.item("a1"), Say.push("b1"))
        let before = window
        window.session.prune(Losses(categories: ["a1": ["B", "A"], "b1": ["A"], "a2": ["B"]]))
        #expect(window == before)
    }

    @Test func placesThatNoLongerHoldAreForgotten() throws {
        var window = try Window(
            .sample, Say.category("A"), Say.item("a1"), Say.item("a2"), Say.item("both"), Say.push("b1"),
            Say.category("B"))
        window.session.prune(
            Losses(gone: [.item("a1"), .item("b1")], categories: ["both": ["B"], "a2": ["A"]]))
        window.expect { ($0.category, $0.canGoBack) = ("B", true) }
        try window.send(Say.historyBack)
        #expect(window.state.items == ["a2"])
        try window.send(Say.historyBack)
        #expect(window.state.category == "A" && window.state.items == [])
    }

    @Test func placesThatBecomeEqualNeighboursAreOne() throws {
        var window = try Window(
            .sample, Say.category("A"), Say.item("a1"), Say.item("a2"), Say.item("a1"), Say.item("a2"),
            Say.item("a1"), Say.historyBack, Say.historyBack)
        window.session.prune(items("a2"))
        #expect(window.session.history.back.map(\.place.items) == [[], []])
        #expect(window.state.items == ["a1"])
        #expect(!window.state.canGoForward)
    }

    @Test func whenOnlyHistoryLosesTheStateStays() throws {
        var window = try Window(
            .sample, Say.category("A"), Say.item("a1"), Say.item("a2"), Say.category("B"))
        let state = window.state
        window.session.prune(items("a1"))
        #expect(window.state == state)
        #expect(window.session.history.back.count == 3)
    }

    @Test func inTwoColumnsCategoriesDoNotMatter() throws {
        var catalog = Catalog.sample
        catalog.columns = 2
        var window = try Window(catalog, Say.category("a1"), Say.push("b1"))
        let before = window
        window.session.prune(Losses(gone: [.category("A")], categories: ["a1": ["B"]]))
        #expect(window == before)
    }
}
