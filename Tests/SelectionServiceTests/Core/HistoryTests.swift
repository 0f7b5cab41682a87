import Shared
import TestSupport
import Testing

@testable import SelectionService

@Suite struct HistoryTests {
    @Test func historyGoesOverWholePlacesInBothDirections() throws {
        var window = try Window()
        var states = [window.state]
        for event in [
            Say.category("A"), Say.item("a1"), Say.push("b1"), Say.push("A1", "content"), Say.category("B"),
        ] {
            try window.send(event)
            states.append(window.state)
        }
        func place(_ state: SessionState) -> Place {
            Session(kept: state, history: History(), seen: 0).place
        }
        for state in states.dropLast().reversed() {
            try window.send(Say.historyBack)
            #expect(window.session.place == place(state))
            #expect(window.state.canGoForward)
        }
        #expect(!window.state.canGoBack)
        #expect(try !window.send(Say.historyBack))
        for state in states.dropFirst() {
            try window.send(Say.historyForward)
            #expect(window.session.place == place(state))
            #expect(window.state.canGoBack)
        }
        #expect(!window.state.canGoForward)
        #expect(try !window.send(Say.historyForward))
    }

    @Test func aNewPlaceDropsTheForwardOnes() throws {
        var window = try Window(.sample, Say.category("A"), Say.item("a1"), Say.historyBack)
        #expect(window.state.canGoForward)
        try window.send(Say.item("a2"))
        window.expect { ($0.category, $0.items, $0.canGoBack) = ("A", ["a2"], true) }
    }

    @Test func searchAndSortAmendTheCurrentPlace() throws {
        var window = try Window(.sample, Say.category("A"), Say.item("a1"), Say.historyBack)
        try window.send(#"{"type":"sort","by":"title","descending":true}"#)
        try window.send(Say.search("x"))
        #expect(window.state.canGoForward)
        try window.send(Say.category("B"))
        try window.send(Say.historyBack)
        window.expect {
            ($0.category, $0.query, $0.canGoBack, $0.canGoForward) = ("A", Query(text: "x"), true, true)
            $0.sort = Sort(by: .title, descending: true)
        }
    }

    @Test func presentationIsNoPartOfHistory() throws {
        var window = try Window(.sample, Say.category("A"))
        let history = window.session.history
        try window.send(#"{"type":"setVisibility","visibility":"detailOnly"}"#)
        try window.send(#"{"type":"setStyle","style":"balanced"}"#)
        try window.send(#"{"type":"setWidth","column":"sidebar","width":300}"#)
        try window.send(#"{"type":"showColumn","column":"sidebar"}"#)
        try window.send(#"{"type":"expand","id":"A"}"#)
        #expect(window.session.history == history)
        try window.send(Say.historyBack)
        window.expect {
            ($0.visibility, $0.style, $0.canGoForward) = (.all, .balanced, true)
            ($0.widths, $0.expanded) = ([.sidebar: 300], ["A"])
        }
    }

    @Test func equalNeighboursAreOne() throws {
        // An open that differs only by its query is a place; amended to equal the one before, it is that one.
        var window = try Window(
            .sample, #"{"type":"open","category":"A","query":{"text":"x"}}"#,
            #"{"type":"open","category":"A","query":{"text":"y"}}"#, Say.search("x"))
        window.expect { ($0.category, $0.query, $0.canGoBack) = ("A", Query(text: "x"), true) }
        try window.send(Say.historyBack)
        window.expect { $0.canGoForward = true }
    }

    @Test func openIsOneStep() throws {
        var window = try Window(.sample, Say.category("A"), Say.item("a1"), Say.search("x"))
        try window.send(
            #"{"type":"open","category":"B","item":"b1","path":["a1","b1"],"query":{"text":"y","scope":"catalog"}}"#
        )
        window.expect {
            ($0.category, $0.items, $0.detailPath, $0.canGoBack) = ("B", ["b1"], ["a1", "b1"], true)
            $0.query = Query(text: "y", scope: .catalog)
        }
        try window.send(Say.historyBack)
        #expect(window.state.items == ["a1"] && window.state.query.text == "x")
    }

    @Test func openClearsWhatItLeavesOut() throws {
        var window = try Window(.sample, Say.category("A"), Say.item("a1"), Say.push("b1"), Say.search("x"))
        try window.send(#"{"type":"open","item":"both"}"#)
        window.expect { ($0.category, $0.items, $0.canGoBack) = ("A", ["both"], true) }
        try window.send(#"{"type":"open"}"#)
        window.expect { $0.canGoBack = true }
        #expect(try !window.send(#"{"type":"open"}"#))
    }

    @Test func openRefusesAnItemOfAnotherCategory() throws {
        var window = try Window()
        let refusal = window.refusal(of: #"{"type":"open","category":"A","item":"b1"}"#)
        #expect(refusal?.reason == .notPossible)
        #expect(refusal?.path == "/event/item")
    }

    @Test func resetReturnsToTheEmptyStateWithItsHistory() throws {
        var window = try Window(
            .sample, Say.category("A"), Say.search("x"), #"{"type":"setStyle","style":"balanced"}"#)
        #expect(try window.send(#"{"type":"reset"}"#))
        window.expect { _ in }
        #expect(try !window.send(#"{"type":"reset"}"#))
        #expect(try !window.send(Say.historyBack))
    }

    @Test func resetForgetsHistoryAlsoWhenNothingElseIsLeft() throws {
        var window = try Window(.sample, Say.category("A"), Say.noCategory)
        #expect(try window.send(#"{"type":"reset"}"#))
        window.expect { _ in }
    }

    @Test func atMost100PlacesAreKept() throws {
        var window = try Window(.sample, Say.category("A"))
        for step in 0..<150 { try window.send(Say.item("a\(step % 3 + 1)")) }
        var steps = 0
        while try window.send(Say.historyBack) { steps += 1 }
        #expect(steps == 99)
    }

    @Test func placesTakeAtMost256KiB() throws {
        let ids = (0..<1_000).map { index in "\(1_000 + index)" + String(repeating: "x", count: 100) }
        var catalog = Catalog(categories: ["A"])
        for id in ids { catalog.items[Identifier(id)] = ["A"] }
        var window = try Window(catalog, Say.category("A"))
        for count in 990...1_000 {
            let list = ids.prefix(count).joined(separator: #"",""#)
            try window.send(#"{"type":"select","column":"content","ids":["\#(list)"]}"#)
        }
        let bytes = window.session.history.back.reduce(window.session.place.weightBytes) {
            $0 + $1.weightBytes
        }
        #expect(bytes <= 262_144)
        #expect(window.session.history.back.count == 1)
        #expect(window.state.items.count == 1_000)
    }

    /// Copies share their pieces, and each goes its own way.
    @Test func copiesOfEntriesAreIndependentOfEachOther() {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        var copies: [(entries: History.Entries, expected: [History.Entry])] = [(History.Entries(), [])]
        for step in 0..<3_000 {
            let index = Int.random(in: copies.indices, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...4:
                let entry = History.Entry(position: step, place: Place())
                copies[index].entries.append(entry)
                copies[index].expected.append(entry)
            case 5...6:
                let last = copies[index].entries.popLast()
                #expect(last === copies[index].expected.popLast(), "seed \(seed)")
            case 7 where !copies[index].expected.isEmpty:
                let first = copies[index].entries.removeFirst()
                #expect(first === copies[index].expected.removeFirst(), "seed \(seed)")
            default: copies.append(copies[index])
            }
            if copies.count > 6 { copies.remove(at: Int.random(in: copies.indices, using: &random)) }
            for (entries, expected) in copies {
                #expect(entries.count == expected.count && entries.last === expected.last, "seed \(seed)")
                let isSame = entries.elementsEqual(expected) { $0 === $1 }
                #expect(isSame, "seed \(seed)")
                #expect((entries == copies[0].entries) == (expected == copies[0].expected), "seed \(seed)")
            }
        }
    }
}
