import Shared
import TestSupport
import Testing

@testable import SelectionService

@Suite struct JournalTests {
    private func change(_ id: Identifier, itemBytes: Int = 0) -> [Identifier: Store.Change] {
        var session = Session(id, catalog: "c")
        if itemBytes > 0 { session.state.items = [Identifier(String(repeating: "i", count: itemBytes))] }
        return [id: Store.Change(before: nil, after: Store.Kept(session: session, updatedMs: 1))]
    }

    @Test func rowsAreWrittenWhenTheJournalHasGotLong() {
        var journal = Journal()
        let sessions = Limits.journalPagesMax / Limits.journalPagesPerSession + 1
        for index in 0..<sessions { journal.append(change(Identifier("s\(index)")), pages: 1) }
        journal.append(change("s0"), pages: Limits.journalPagesMax - sessions)
        #expect(!journal.isMoving)
        journal.append(change("s0"), pages: 1)
        #expect(journal.isMoving)
    }

    @Test func rowsOfFewSessionsAreWrittenSooner() {
        var journal = Journal()
        journal.append(change("a"), pages: Limits.journalPagesFew)
        #expect(!journal.isMoving)
        journal.append(change("a"), pages: 1)
        #expect(journal.isMoving)
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
            places.take(count)
            most = max(most, places.usedCount)
            #expect(places.usedCount == places.last - done, "seed \(seed)")
            #expect(file.count <= most && file.keys.max() ?? 0 <= most, "seed \(seed)")
            if Int.random(in: 0..<20, using: &random) == 0 {
                // As after a start.
                let pages = file.sorted { $0.value < $1.value }
                let again = JournalPlaces(pages.map { ($0.key, $0.value, $0.value > done) })
                #expect(again.last == places.last || done == places.last, "seed \(seed)")
                #expect(again.usedCount == places.usedCount, "seed \(seed)")
                #expect(again.next(0) == places.next(0), "seed \(seed)")
                if again.last == places.last { places = again }
            }
        }
    }

    @Test func rowsAreWrittenWhenTheirSessionsTakeMuch() throws {
        let weight = try #require(change("a")["a"]?.after?.weightBytes) + 16
        var journal = Journal()
        journal.append(change("a", itemBytes: Limits.unwrittenBytesMax - weight), pages: 1)
        #expect(!journal.isMoving)
        journal.append(change("b"), pages: 1)
        #expect(journal.isMoving)
    }

    @Test func aStepIsBoundedAndMoreThanComesIn() {
        var journal = Journal()
        let all = (0..<Limits.movedSessionsPerTurn + 3).map { change(Identifier("s\($0)")) }
        for change in all { journal.append(change, pages: 1) }
        #expect(journal.step(with: [:]).sessions.isEmpty)
        journal.beginMoving()
        // One that is in the journal already adds nothing to be written, a new one does.
        #expect(journal.step(with: all[0]).sessions.count == Limits.movedSessionsPerTurn)
        let first = journal.step(with: change("new"))
        #expect(first.sessions.count == Limits.movedSessionsPerTurn + 1 && first.endsWith == nil)
        journal.append(change("new"), pages: 1, with: first)
        let last = journal.step(with: [:])
        #expect(last.sessions.count == 2 && last.endsWith == all.count)
        journal.append([:], pages: 0, with: last)
        #expect(!journal.isMoving && Array(journal.unwritten.keys) == ["new"])
    }
}
