import Shared
import TestSupport
import Testing

@testable import SelectionService

@Suite struct JournalTests {
    private func change(_ id: Identifier, itemBytes: Int = 0) -> [Store.Change] {
        var session = Session(id, catalog: "c")
        if itemBytes > 0 { session.state.items = [Identifier(String(repeating: "i", count: itemBytes))] }
        return [Store.Change(id, before: nil, after: Store.Kept(session: session, updatedMs: 1))]
    }

    private func ones(_ count: Int) -> [Int] { [Int](repeating: 1, count: count) }

    @Test func rowsAreWrittenWhenTheJournalHasGotLong() {
        var journal = Journal()
        let sessions = Limits.journalPagesMax / Limits.journalPagesPerSession + 1
        for index in 0..<sessions { journal.append(change(Identifier("s\(index)")), pages: [1]) }
        journal.append(change("s0"), pages: ones(Limits.journalPagesMax - sessions))
        #expect(!journal.isMoving)
        journal.append(change("s0"), pages: [1])
        #expect(journal.isMoving)
    }

    @Test func rowsOfFewSessionsAreWrittenSooner() {
        var journal = Journal()
        journal.append(change("a"), pages: ones(Limits.journalPagesFew))
        #expect(!journal.isMoving)
        journal.append(change("a"), pages: [1])
        #expect(journal.isMoving)
    }

    @Test func aLongPageCountsAsAllThatItFills() {
        #expect([1, 4_032, 4_033, 400_000].map(JournalPage.size) == [1, 1, 2, 100])
        var journal = Journal()
        journal.append(change("a"), pages: [Limits.journalPagesFew + 1])
        #expect(journal.isMoving)
        journal.append([], pages: [], with: journal.step(with: [], filling: 0))
        #expect(journal.places.usedSize == 0 && journal.weightBytes == 0)
    }

    @Test func pagesAreWrittenOverInTheirOrderAsSoonAsTheyAreFree() {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        var places = JournalPlaces()
        // What the file has: the number in each page, and how far it is done with.
        var file: [Int: Int] = [:]
        var done = 0
        var most = 0
        for _ in 0..<500 {
            if Int.random(in: 0..<10, using: &random) == 0 {
                done = Int.random(in: done...places.last, using: &random)
                places.free(upTo: done)
            }
            let count = Int.random(in: 0...7, using: &random)
            for index in 0..<count {
                let page = places.next(index)
                #expect(file[page] ?? 0 <= done, "seed \(seed)")
                file[page] = places.last + index + 1
            }
            places.take(ones(count))
            most = max(most, places.usedCount)
            #expect(places.usedCount == places.last - done, "seed \(seed)")
            #expect(file.count <= most && file.keys.max() ?? 0 <= most, "seed \(seed)")
            if Int.random(in: 0..<20, using: &random) == 0 {
                // As after a start.
                let pages = file.sorted { $0.value < $1.value }
                let again = JournalPlaces(pages.map { ($0.key, $0.value, 1, $0.value > done) })
                #expect(again.last == places.last || done == places.last, "seed \(seed)")
                #expect(again.usedCount == places.usedCount, "seed \(seed)")
                #expect(again.next(0) == places.next(0), "seed \(seed)")
                if again.last == places.last { places = again }
            }
        }
    }

    @Test func rowsAreWrittenWhenTheirSessionsTakeMuch() throws {
        let weight = try #require(change("a").first?.after?.weightBytes) + 16
        var journal = Journal()
        journal.append(change("a", itemBytes: Limits.unwrittenBytesMax - weight), pages: [1])
        #expect(!journal.isMoving)
        journal.append(change("b"), pages: [1])
        #expect(journal.isMoving)
    }

    @Test func aSessionThatGrowsIsSeen() {
        var journal = Journal()
        journal.append(change("a"), pages: [1])
        journal.append(change("a", itemBytes: Limits.unwrittenBytesMax), pages: [1])
        #expect(journal.isMoving)
        let last = journal.step(with: [], filling: 0)
        journal.append(change("a"), pages: [1], with: last)
        #expect(journal.weightBytes == change("a").first?.weightBytes)
    }

    @Test func aStepIsBoundedAndMoreThanComesIn() {
        var journal = Journal()
        let all = (0..<2 * Limits.movedSessionsPerTurn).map { change(Identifier("s\($0)")) }
        for change in all { journal.append(change, pages: [1]) }
        #expect(journal.step(with: [], filling: 0).sessions.isEmpty)
        journal.beginMoving()
        #expect(journal.step(with: [], filling: 0).sessions.count == Limits.movedSessionsPerTurn)
        // One that is in the journal already adds nothing to be written but for its page, a new one does.
        let few = Limits.movedSessionsPerTurn + Limits.movedSessionsPerPage
        #expect(journal.step(with: all[0], filling: 1).sessions.count == few)
        let first = journal.step(with: change("new"), filling: 1)
        #expect(first.sessions.count == few + 1 && first.endsWith == nil)
        journal.append(change("new"), pages: [1], with: first)
        let last = journal.step(with: [], filling: 0)
        #expect(last.sessions.count == all.count - few - 1 && last.endsWith == all.count)
        journal.append([], pages: [], with: last)
        #expect(!journal.isMoving && Array(journal.unwritten.keys) == ["new"])
    }

    @Test func noMoreComesInWhileRowsAreWrittenThanTheJournalMayHave() {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        var journal = Journal()
        let turnPages = 40
        let heavyBytes = 500_000
        var (most, mostBytes, endings) = (0, 0, 0)
        while endings < 4 {
            var changes: [Identifier: Store.Change] = [:]
            for _ in 0..<200 {
                let id = Identifier("s\(Int.random(in: 0..<16_000, using: &random))")
                let isHeavy = endings % 2 == 1 && Int.random(in: 0..<200, using: &random) == 0
                changes[id] = change(id, itemBytes: isHeavy ? heavyBytes : 0).first
            }
            let turn = Array(changes.values)
            let wasMoving = journal.isMoving
            let step = journal.step(with: turn, filling: turnPages)
            journal.append(turn, pages: ones(turnPages), with: step)
            if wasMoving, step.endsWith != nil { endings += 1 }
            most = max(most, journal.places.usedSize)
            mostBytes = max(mostBytes, journal.weightBytes)
        }
        #expect(most <= 2 * (Limits.journalPagesMax + turnPages), "seed \(seed)")
        #expect(mostBytes <= 2 * Limits.unwrittenBytesMax + 8 * heavyBytes, "seed \(seed)")
        #expect(journal.weightBytes == journal.unwritten.values.reduce(0) { $0 + $1.weightBytes })
    }
}
