import Shared
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
        journal.append(change("a"), bytes: Limits.journalBytesMax)
        #expect(!journal.isMoving)
        journal.append(change("a"), bytes: 1)
        #expect(journal.isMoving)
    }

    @Test func rowsAreWrittenWhenTheirSessionsTakeMuch() throws {
        let weight = try #require(change("a")["a"]?.after?.weightBytes) + 16
        var journal = Journal()
        journal.append(change("a", itemBytes: Limits.unwrittenBytesMax - weight), bytes: 1)
        #expect(!journal.isMoving)
        journal.append(change("b"), bytes: 1)
        #expect(journal.isMoving)
    }

    @Test func aStepIsBoundedAndMoreThanComesIn() {
        var journal = Journal()
        let all = (0..<Limits.movedSessionsPerTurn + 3).map { change(Identifier("s\($0)")) }
        for change in all { journal.append(change, bytes: 1) }
        #expect(journal.step(with: [:]).sessions.isEmpty)
        journal.beginMoving()
        // One that is in the journal already adds nothing to be written, a new one does.
        #expect(journal.step(with: all[0]).sessions.count == Limits.movedSessionsPerTurn)
        let first = journal.step(with: change("new"))
        #expect(first.sessions.count == Limits.movedSessionsPerTurn + 1 && first.endsWith == nil)
        journal.moved(first)
        journal.append(change("new"), bytes: 1)
        let last = journal.step(with: [:])
        #expect(last.sessions.count == 2 && last.endsWith == all.count)
        journal.moved(last)
        #expect(!journal.isMoving && Array(journal.unwritten.keys) == ["new"])
    }
}
