import JSON
import SQLite
import Shared
import TestSupport
import Testing

@testable import SelectionService

// What a start makes of a journal in which bits are not what they were.

@Suite struct DamagedJournalTests {
    private func kept(_ body: (KeptSessions) throws -> Void) throws {
        let temporary = try TemporaryDirectory()
        defer { temporary.remove() }
        try body(KeptSessions(temporary.path))
    }

    // MARK: Order

    @Test(arguments: [0, 3, 8, 15, 16, 23])
    func aPageWhoseHeadIsDamagedStandsWhereItsEntriesDoAndIsTold(place: Int) throws {
        for page in 1...5 {
            try kept { kept in
                for event in [Say.category("A"), Say.item("a1"), Say.item("a2"), Say.push("b1"), Say.back] {
                    try kept.send(event)
                }
                try kept.flip(page: page, at: place, 2)
                try kept.start()
                try kept.expectAll("page \(page)")
                #expect(try kept.store.hasUnknownLosses && kept.store.damagedCount() == 1)
                try kept.send(Say.item("a3"))
                try kept.start()
                try kept.expectAll("page \(page)")
                #expect(!kept.store.hasUnknownLosses)
            }
        }
    }

    @Test func aPageThatIsMissingIsTold() throws {
        for page in 1...2 {
            try kept { kept in
                for event in [Say.category("A"), Say.item("a1"), Say.item("a2")] { try kept.send(event) }
                try kept.store.database.execute("DELETE FROM journalPages WHERE page = \(page)")
                try kept.start()
                #expect(kept.store.hasUnknownLosses)
                #expect(try kept.found()?.state.items == ["a2"])
                #expect(kept.store.revision >= 3 + Limits.revisionsSkipped)
            }
        }
    }

    @Test(arguments: ["done = done - 1", "done = done + 1", "done = 0", "revision = 0", "sum = sum + 4"])
    func whereTheCounterIsDamagedNothingIsLostAndNoOldPageIsTaken(_ damage: String) throws {
        try kept { kept in
            try kept.send(Say.category("A"))
            try kept.put(["t": Session("t", catalog: "c")])
            try kept.store.moveAll()
            // One alone: its rows, at once.
            kept.store.directChangesMax = 1
            try kept.send(Say.item("a1"))
            kept.store.directChangesMax = 0
            if damage != "done = done - 1" { try kept.send(Say.item("a2")) }
            try kept.store.database.execute("UPDATE counter SET \(damage)")
            try kept.start()
            try kept.expectAll()
            #expect(kept.store.hasUnknownLosses)
            try kept.start()
            try kept.expectAll()
            #expect(!kept.store.hasUnknownLosses)
        }
    }

    // MARK: Whose it was

    @Test func whereTheFrameOfAnEntryIsDamagedItsSessionBeginsAnew() throws {
        try kept { kept in
            try kept.send(Say.category("A"))
            try kept.send(Say.category("B"), "t")
            try kept.store.moveAll()
            try kept.send(Say.item("a1"))
            try kept.flip(page: 1, at: JournalPage.headBytes)
            try kept.start()
            #expect(try kept.found() == nil)
            #expect(try kept.found("t") == kept.sessions["t"]?.session)
            #expect(kept.store.hasLostEntries && !kept.store.hasUnknownLosses)
            #expect(try kept.store.damagedCount() == 1)
        }
    }

    @Test func whereItCanNotBeKnownWhoseAnEntryWasThatIsSaid() throws {
        try kept { kept in
            try kept.send(Say.category("A"))
            try kept.send(Say.item("a1"))
            for place in [0, 30] { try kept.flip(page: 2, at: JournalPage.headBytes + place) }
            try kept.start()
            #expect(try kept.found()?.state.items == [])
            #expect(kept.store.hasUnknownLosses && !kept.store.hasLostEntries)
        }
    }

    /// A session's id is anybody's text: it was found as a frame of another session's, where its own was damaged.
    @Test func anIdWithAFrameInItHarmsNobody() throws {
        try kept { kept in
            try kept.send(Say.category("A"), "v")
            var evil: [UInt8] = []
            for tries in 0..<200_000 where evil.isEmpty {
                // Blanks are tried until both digests are text.
                let blanks = (0..<17).map { UInt8(tries >> $0 & 1 == 0 ? 0x20 : 0x09) }
                let (name, entry) = (Array("\"v\"".utf8), Array(#"{"deleted":"v"}"#.utf8) + blanks)
                var page = JournalPage(number: 1, revision: 1)
                unsafe name.withUnsafeBytes { name in
                    unsafe entry.withUnsafeBytes { unsafe page.add(name, $0) }
                }
                let frame = page.bytes[JournalPage.headBytes..<page.count]
                if frame.allSatisfy({ $0 < 0x80 }) { evil = Array(frame) }
            }
            #expect(!evil.isEmpty && evil.count <= Limits.idBytesMax)
            let id = Identifier(String(decoding: evil, as: UTF8.self))
            try kept.put([id: Session(id, catalog: "c")])
            try kept.flip(page: 2, at: JournalPage.headBytes)
            try kept.start()
            #expect(try kept.found("v") == kept.sessions["v"]?.session)
            #expect(try kept.found(id) == nil)
        }
    }

    // MARK: What comes after

    @Test func whatFollowsALostEntryIsNotAddedToWhatWasThereBefore() throws {
        try kept { kept in
            try kept.send(Say.category("A"))
            for step in 0..<19 { try kept.send(Say.item("a\(step % 3 + 1)")) }
            try kept.send(#"{"type":"reset"}"#)
            try kept.send(Say.category("B"))
            try kept.flip(page: 21, at: JournalPage.headBytes + 40)
            try kept.start()
            let (found, right) = (try #require(try kept.found()), try #require(kept.sessions["s"]?.session))
            // The place that was left is the one that the lost entry tells of.
            var state = right.state
            state.canGoBack = false
            let history = History(
                position: right.history.position, nextPosition: right.history.nextPosition, entries: [])
            #expect(found == Session(kept: state, history: history, seen: right.seen))
            #expect(kept.store.hasLostEntries)
        }
    }

    @Test func aStateTellsOfNoPlacesThatAreLost() throws {
        try kept { kept in
            try kept.send(Say.category("A"))
            try kept.send(Say.item("a1"))
            try kept.send(#"{"type":"setVisibility","visibility":"all"}"#)
            for page in 1...2 { try kept.flip(page: page, at: JournalPage.headBytes + 40) }
            try kept.start()
            var expected = kept.sessions["s"]?.session.state
            expected?.canGoBack = false
            #expect(try kept.found()?.state == expected)
            #expect(try kept.found()?.history.others == [])
        }
    }

    @Test func damagedRowsUnderASoundEntryAreTold() throws {
        try kept { kept in
            for event in [Say.category("A"), Say.item("a1"), Say.item("a2")] { try kept.send(event) }
            try kept.store.moveAll()
            try kept.send(Say.item("a3"))
            try kept.send(#"{"type":"setVisibility","visibility":"all"}"#)
            try kept.store.database.execute("UPDATE pieces SET record = x'00'")
            try kept.start()
            let session = try #require(try kept.found())
            #expect(session.state.items == ["a3"])
            #expect(session.state.canGoBack == !session.history.back.isEmpty)
            #expect(try kept.store.hasLostEntries && kept.store.damagedCount() == 1)
        }
    }

    @Test func damageAnywhereHarmsOnlyWhomItHitsAndIsTold() throws {
        let base = SeededGenerator.newSeed()
        let ids = (0..<12).map { Identifier("session-\($0)") }
        for seed in (0..<150).map({ base &+ $0 }) {
            try kept { kept in
                var random = SeededGenerator(seed: seed)
                try fill(kept, ids, &random)
                let pages = kept.store.journal.places.usedCount
                guard pages > 0 else { return }
                // A page in use: the others are free already.
                var rows: [Int] = []
                try kept.store.database.prepare("SELECT page FROM journalPages").rows(each: {
                    rows.append($0.int(0))
                })
                let done =
                    try kept.store.database.prepare("SELECT done FROM counter").first { $0.int(0) } ?? 0
                rows = try rows.filter { try JournalPage.Head(kept.bytes($0))?.number ?? 0 > done }
                let page = try #require(rows.randomElement(using: &random))
                let bytes = try kept.bytes(page)
                var damaged = bytes
                let entries = JournalPage.read(bytes, parser: kept.store.parser).compactMap { found in
                    if case .entry(let id, let bytes) = found {
                        (id, 23 + id.text.utf8.count + 2 + bytes.count)
                    } else {
                        nil
                    }
                }
                let end = entries.reduce(JournalPage.headBytes) { $0 + $1.1 }
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    damaged[Int.random(in: 0..<end, using: &random)] ^=
                        1 << UInt8.random(in: 0...7, using: &random)
                }
                guard damaged != bytes else { return }
                var hit: Set<Identifier> = []
                var start = JournalPage.headBytes
                for (id, count) in entries {
                    if damaged[start..<start + count] != bytes[start..<start + count] { hit.insert(id) }
                    start += count
                }
                try kept.write(page, damaged)
                for round in 0..<2 {
                    try kept.start()
                    if round == 0 {
                        #expect(kept.store.hasLostEntries || kept.store.hasUnknownLosses, "seed \(seed)")
                        #expect(try kept.store.damagedCount() > 0, "seed \(seed)")
                    }
                    for id in ids {
                        let (found, right) = (try kept.found(id), kept.sessions[id]?.session)
                        if !hit.contains(id) { #expect(found == right, "seed \(seed): \(id)") }
                        guard let found else { continue }
                        #expect(found.state.canGoBack == !found.history.back.isEmpty, "seed \(seed)")
                        #expect(found.state.canGoForward == !found.history.forward.isEmpty, "seed \(seed)")
                    }
                }
            }
        }
    }

    /// Does something or other to sessions, and writes some of their rows.
    private func fill(_ kept: KeptSessions, _ ids: [Identifier], _ random: inout SeededGenerator) throws {
        let source = RandomEvents(.sample)
        for _ in 0..<Int.random(in: 5...40, using: &random) {
            var turn: [Identifier: Session?] = [:]
            for id in ids where Int.random(in: 0..<3, using: &random) == 0 {
                let before = kept.sessions[id]
                if before != nil, Int.random(in: 0..<15, using: &random) == 0 {
                    turn[id] = .some(nil)
                    continue
                }
                var session = before?.session ?? Session(id, catalog: "c")
                for _ in 0..<3 {
                    let event = source.next(&random)
                    let facts = Catalog.sample.facts(about: event.needs(of: session, columns: 3))
                    session = (try? session.reduced(by: event, facts)) ?? session
                }
                turn[id] = session
            }
            try kept.put(turn)
            if Int.random(in: 0..<12, using: &random) == 0 { try kept.store.moveAll() }
            if Int.random(in: 0..<12, using: &random) == 0 { kept.store.journal.beginMoving() }
        }
    }
}
