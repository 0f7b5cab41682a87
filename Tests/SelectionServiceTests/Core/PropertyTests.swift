import Shared
import TestSupport
import Testing

@testable import SelectionService

/// What holds whatever is done; a failure prints the seed, and `SEED=n` runs it again.
@Suite struct PropertyTests {
    private func catalog(_ columns: Int) -> Catalog {
        var catalog = Catalog.sample
        catalog.columns = columns
        return catalog
    }

    /// Runs random events, and calls `check` after each with what was before it.
    private func run(
        _ columns: Int, rounds: Int = 60, events: Int = 60,
        check: (
            _ before: Session, _ event: NavigationEvent, _ isChanged: Bool?, _ after: inout Session,
            _ catalog: inout Catalog, _ random: inout SeededGenerator, _ seed: UInt64
        ) throws -> Void
    ) throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<rounds {
            var catalog = catalog(columns)
            let source = RandomEvents(catalog)
            var session = Session("s", catalog: "c")
            for _ in 0..<events {
                let before = session
                let event = source.next(&random)
                let facts = catalog.facts(about: event.needs(of: session, columns: columns))
                let isChanged = try? session.reduce(event, facts)
                try check(before, event, isChanged, &session, &catalog, &random, seed)
            }
        }
    }

    @Test(arguments: [3, 2]) func nothingChangesUnlessItIsSaidSo(_ columns: Int) throws {
        try run(columns) { before, event, isChanged, after, _, _, seed in
            if isChanged == true {
                #expect(after != before || event.isPresentationRequest, "\(event), seed \(seed)")
            } else {
                #expect(after == before, "\(event), seed \(seed)")
            }
        }
    }

    @Test(arguments: [3, 2]) func theFlagsSayWhetherHistoryWouldChangeSomething(_ columns: Int) throws {
        try run(columns) { _, event, _, after, catalog, _, seed in
            let facts = Facts(columns: catalog.columns)
            var (back, forward) = (after, after)
            #expect(try back.reduce(.historyBack, facts) == after.state.canGoBack, "\(event), seed \(seed)")
            #expect(
                try forward.reduce(.historyForward, facts) == after.state.canGoForward,
                "\(event), seed \(seed)")
            if after.state.canGoBack {
                #expect(back.place != after.place, "seed \(seed)")
                _ = try back.reduce(.historyForward, facts)
                #expect(back.place == after.place, "seed \(seed)")
            }
        }
    }

    /// What a state may be at all.
    private func isSound(_ session: Session, _ catalog: Catalog) -> Bool {
        let state = session.state
        let isInList = session.place.shown.map { shown in
            state.items.allSatisfy { catalog.items[$0]?.contains(shown) ?? false }
        }
        let places =
            session.history.back.map(\.place) + [session.place]
            + session.history.forward.reversed().map(\.place)
        return Set(state.items).count == state.items.count && state.expanded == Set(state.expanded).sorted()
            && (catalog.columns == 2 || isInList ?? state.items.isEmpty)
            && (state.contentPath.isEmpty || state.category != nil)
            && (catalog.columns == 3 || state.category == nil && state.compactColumn != .content)
            && zip(places, places.dropFirst()).allSatisfy { $0 != $1 } && places.count <= 100
            && state.canGoBack == !session.history.back.isEmpty
            && state.canGoForward == !session.history.forward.isEmpty
    }

    @Test(arguments: [3, 2]) func whateverHappensTheSessionIsSound(_ columns: Int) throws {
        try run(columns) { _, event, _, after, catalog, _, seed in
            #expect(isSound(after, catalog), "\(event), \(after), seed \(seed)")
        }
    }

    @Test(arguments: [3, 2]) func pruningLeavesNothingThatIsGoneAndNothingElseChanges(_ columns: Int) throws {
        try run(columns) { _, _, _, after, catalog, random, seed in
            guard Int.random(in: 0..<8, using: &random) == 0 else { return }
            let losses = lose(&catalog, &random)
            let before = after
            after.prune(losses)
            #expect(after.things.isDisjoint(with: losses.gone), "seed \(seed)")
            #expect(isSound(after, catalog), "\(losses), \(before), \(after), seed \(seed)")
            var again = after
            again.prune(losses)
            #expect(again == after, "seed \(seed)")
            let isTouched =
                !before.things.isDisjoint(with: losses.gone)
                || losses.categories.keys.contains { before.things.contains(.item($0)) }
            if !isTouched { #expect(after == before, "seed \(seed)") }
            var presentation = before.state
            (presentation.category, presentation.items) = (after.state.category, after.state.items)
            (presentation.contentPath, presentation.detailPath) = (
                after.state.contentPath, after.state.detailPath
            )
            (presentation.query, presentation.expanded) = (after.state.query, after.state.expanded)
            (presentation.canGoBack, presentation.canGoForward) = (
                after.state.canGoBack, after.state.canGoForward
            )
            #expect(presentation == after.state, "seed \(seed)")
        }
    }

    /// Deletes a thing or moves an item, and tells what sessions lose by it.
    private func lose(_ catalog: inout Catalog, _ random: inout SeededGenerator) -> Losses {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            guard let id = catalog.categories.sorted().randomElement(using: &random) else { return Losses() }
            var losses = Losses(gone: [.category(id)])
            catalog.categories.remove(id)
            for (item, lists) in catalog.items where lists.contains(id) {
                catalog.items[item] = lists.filter { $0 != id }
                losses.categories[item] = catalog.items[item]
                if lists == [id] {
                    catalog.items[item] = nil
                    losses.gone.insert(.item(item))
                    losses.categories[item] = nil
                }
            }
            return losses
        case 1:
            guard let id = catalog.items.keys.sorted().randomElement(using: &random) else { return Losses() }
            catalog.items[id] = nil
            return Losses(gone: [.item(id)])
        default:
            guard let id = catalog.items.keys.sorted().randomElement(using: &random),
                let list = catalog.categories.sorted().randomElement(using: &random)
            else { return Losses() }
            catalog.items[id] = [list]
            return Losses(categories: [id: [list]])
        }
    }

    @Test func theSameEventsGiveTheSameSession() throws {
        let seed = SeededGenerator.newSeed()
        func replay() -> Session {
            var random = SeededGenerator(seed: seed)
            let source = RandomEvents(.sample)
            var session = Session("s", catalog: "c")
            for _ in 0..<500 {
                let event = source.next(&random)
                let facts = Catalog.sample.facts(about: event.needs(of: session, columns: 3))
                _ = try? session.reduce(event, facts)
            }
            return session
        }
        #expect(replay() == replay(), "seed \(seed)")
    }

    @Test func collapsingAndExpandingLosesNothing() throws {
        try run(3) { _, _, _, after, _, _, seed in
            // A window that collapses or expands sends no event: only the column on top differs.
            let place = after.place
            _ = after.state.top(columns: 3)
            #expect(after.place == place, "seed \(seed)")
            // Going back collapsed always comes to an end, at the sidebar.
            var walker = after
            var steps = 0
            while try walker.reduce(.back(collapsed: true), Facts(columns: 3)) { steps += 1 }
            #expect(walker.state.top(columns: 3) == .sidebar && steps < 200, "seed \(seed)")
        }
    }
}
