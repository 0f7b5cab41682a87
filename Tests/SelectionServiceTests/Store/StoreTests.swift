import Glibc
import JSON
import SQLite
import Shared
import TestSupport
import Testing

@testable import SelectionService

@Suite struct StoreTests {
    /// A store in a directory of its own, which is removed afterwards.
    private func store(_ body: (Store, _ directory: String) throws -> Void) throws {
        let temporary = try TemporaryDirectory()
        defer { temporary.remove() }
        try body(Store(directory: temporary.path, directChangesMax: 0), temporary.path)
    }

    private func found(_ store: Store, _ id: Identifier) throws -> Store.Kept? {
        guard case .session(let kept) = try store.find(id) else { return nil }
        return kept
    }

    private func commit(
        _ store: Store, _ before: Store.Kept?, _ after: Session?, isReplaced: Bool = false
    ) throws -> Store.Kept? {
        var turn = Store.Transaction(revision: store.revision + 1)
        let id = after?.state.session ?? before?.session.state.session ?? "s"
        let kept = after.map { Store.Kept(session: $0, updatedMs: 1) }
        turn.changes.append(Store.Change(id, before: before, after: kept, isReplaced: isReplaced))
        try store.commit(turn, nowMs: 1)
        return kept
    }

    /// Damages what stands in some pages of the journal, wherever a text stands.
    private func damage(
        _ store: Store, _ text: String, with other: String, in pages: ClosedRange<Int> = 1...Int.max
    ) throws {
        try store.database.prepare(
            """
            UPDATE journalPages SET entries = CAST(replace(entries, ?1, ?2) AS BLOB)
            WHERE page BETWEEN ?3 AND ?4 AND entries <> CAST(replace(entries, ?1, ?2) AS BLOB)
            """
        ).run(text, other, pages.lowerBound, pages.upperBound)
        #expect(store.database.changedRows > 0)
    }

    /// The index as it stands, and as it should be for some sessions, once their rows are written.
    private func expectIndex(_ store: Store, _ sessions: [Identifier: Store.Kept], _ seed: UInt64) throws {
        try store.moveAll()
        var rows: Set<[Int]> = []
        try store.database.prepare("SELECT thing, session FROM holds").rows(each: { row in
            rows.insert([row.int(0), row.int(1)])
        })
        var numbers: [Identifier: Int] = [:]
        try store.database.prepare("SELECT session, number FROM sessions").rows(each: { row in
            numbers[Identifier(row.text(0))] = row.int(1)
        })
        #expect(Set(numbers.keys) == Set(sessions.keys), "seed \(seed)")
        var expected: Set<[Int]> = []
        for (id, kept) in sessions {
            for thing in kept.session.things {
                expected.insert([Digest.of(thing, in: "c"), numbers[id] ?? 0])
            }
        }
        #expect(rows == expected, "seed \(seed)")
    }

    @Test func whateverIsWrittenIsReadAgainAndFound() throws {
        try store { first, directory in
            let seed = SeededGenerator.newSeed()
            var random = SeededGenerator(seed: seed)
            let source = RandomEvents(.sample)
            var store = first
            var sessions: [Identifier: Store.Kept] = [:]
            for _ in 0..<300 {
                let id: Identifier = Bool.random(using: &random) ? "s" : "t"
                let kept = sessions[id]
                var session = kept?.session ?? Session(id, catalog: "c")
                // Several events of a turn are written at once.
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    let event = source.next(&random)
                    let facts = Catalog.sample.facts(about: event.needs(of: session, columns: 3))
                    _ = try? session.reduce(event, facts)
                    if Int.random(in: 0..<20, using: &random) == 0 {
                        session.prune(Losses(gone: [.item("a1"), .category("B")]))
                    }
                }
                session.state.revision = store.revision + 1
                session.seen += 1
                switch Int.random(in: 0..<25, using: &random) {
                case 0 where kept != nil: sessions[id] = try commit(store, kept, nil)
                case 1:
                    var empty = Session(id, catalog: "c")
                    empty.state.revision = store.revision + 1
                    sessions[id] = try commit(store, kept, empty, isReplaced: true)
                default: sessions[id] = try commit(store, kept, session, isReplaced: kept == nil)
                }
                switch Int.random(in: 0..<20, using: &random) {
                case 0: try expectIndex(store, sessions, seed)
                case 1: store.journal.beginMoving()
                // As after a crash.
                case 2: store = try Store(directory: directory, directChangesMax: 0)
                default: break
                }
                for (id, kept) in sessions {
                    let found = try found(store, id)
                    #expect(found?.session == kept.session, "seed \(seed)")
                    #expect(found?.updatedMs == kept.updatedMs, "seed \(seed)")
                }
                // What is found is what goes on, as in the service.
                for id in sessions.keys { sessions[id] = try found(store, id) }
            }
            try expectIndex(store, sessions, seed)
        }
    }

    /// Two texts that are the same to a person need not be the same bytes: one that was told has to be there again.
    @Test func thePlaceThatWasLeftIsThereAgainToTheByte() throws {
        try store { store, directory in
            var window = try Window(.sample, Say.category("A"), Say.search("\u{E9}"), Say.top("sidebar"))
            window.session.state.revision = 1
            let kept = try commit(store, nil, window.session, isReplaced: true)
            // Both in one turn.
            try window.send(Say.search("e\u{301}"))
            try window.send(Say.item("a1"))
            window.session.state.revision = 2
            _ = try commit(store, kept, window.session)
            let again = try Store(directory: directory, directChangesMax: 0)
            let text = try found(again, "s")?.session.history.back.last?.place.query.text
            #expect(text.map { Array($0.utf8) } == Array("e\u{301}".utf8))
        }
    }

    @Test func aCrashWhileRowsAreBeingWrittenLosesNothing() throws {
        try store { store, directory in
            let ids = (0..<5 * Limits.movedSessionsPerTurn).map { Identifier("s\($0)") }
            var sessions: [Identifier: Store.Kept] = [:]
            func send(_ item: String, _ id: Identifier) throws {
                var session = sessions[id]?.session ?? Session(id, catalog: "c")
                session.state.revision = store.revision + 1
                let event = NavigationEvent.open(
                    category: nil, item: Identifier(item), path: [], query: Query())
                _ = try session.reduce(
                    event, Catalog.sample.facts(about: event.needs(of: session, columns: 3)))
                sessions[id] = try commit(store, sessions[id], session, isReplaced: sessions[id] == nil)
            }
            for id in ids { try send("a1", id) }
            try store.moveAll()
            for id in ids { try send("a2", id) }
            store.journal.beginMoving()
            // One whose rows are written with this very commit, and one whose rows are not.
            var turn = Store.Transaction(revision: store.revision + 2)
            for id in [ids[0], ids[ids.count - 1]] {
                let (kept, session) = try #require(sessions[id].map { ($0, $0.session) })
                var next = session
                next.state.revision = store.revision + turn.changes.count + 1
                sessions[id] = Store.Kept(session: next, updatedMs: 2)
                turn.changes.append(Store.Change(id, before: kept, after: sessions[id]))
            }
            try store.commit(turn, nowMs: 1)
            // What happens now to those whose rows are written is ahead of what comes.
            try send("b1", ids[1])
            sessions[ids[2]] = try commit(store, sessions[ids[2]], nil)
            #expect(store.journal.isMoving)
            // A start writes nothing, and loses nothing, however often there is one.
            for _ in 0..<2 {
                let again = try Store(directory: directory, directChangesMax: 0)
                #expect(again.journal.unwritten.count == ids.count)
                for id in ids { #expect(try found(again, id)?.session == sessions[id]?.session) }
                #expect(again.database.changedRows == 0)
            }
            let again = try Store(directory: directory, directChangesMax: 0)
            sessions[ids[3]] = try commit(again, sessions[ids[3]], nil)
            let last = try Store(directory: directory, directChangesMax: 0)
            for id in ids { #expect(try found(last, id)?.session == sessions[id]?.session) }
            try expectIndex(last, sessions, 0)
            #expect(last.journal.places.usedCount == 0)
            #expect(try Store(directory: directory, directChangesMax: 0).journal.unwritten.isEmpty)
        }
    }

    @Test func whatWasKeptOfADamagedSessionGoesWithTheSessionAlone() throws {
        try store { store, directory in
            try store.database.execute("INSERT INTO damaged VALUES('s', 1, x'00')")
            let kept = try commit(store, nil, Window(.sample, Say.category("A")).session, isReplaced: true)
            try store.moveAll()
            #expect(try store.damagedCount() == 1)
            let again = try Store(directory: directory, directChangesMax: 0)
            _ = try commit(again, found(again, "s"), kept?.session)
            #expect(try again.damagedCount() == 1)
            // It is deleted before its rows are written again.
            _ = try commit(again, found(again, "s"), nil)
            #expect(try again.damagedCount() == 0)
        }
    }

    @Test func aSessionOfAnotherCatalogIsAnotherOneAlsoIfTheTurnIsLostThatMadeIt() throws {
        try store { store, directory in
            let kept = try commit(store, nil, Window(.sample, Say.category("A")).session, isReplaced: true)
            try store.moveAll()
            _ = try commit(store, kept, nil)
            var other = try Window(.sample, Say.category("B")).session
            other.state.catalog = "c2"
            other.state.revision = store.revision + 1
            let made = try commit(store, nil, other, isReplaced: true)
            other.state.revision = store.revision + 1
            _ = try commit(store, made, other)
            try damage(store, "\"deleted\"", with: "\"Deleted\"", in: 1...1)
            for _ in 0..<2 {
                let again = try Store(directory: directory, directChangesMax: 0)
                #expect(try found(again, "s")?.session.state == other.state)
            }
        }
    }

    @Test func theListIsOfTheJournalAndTheTables() throws {
        try store { store, _ in
            func write(_ id: Identifier, revision: Int) throws -> Store.Kept? {
                var session = Session(id, catalog: "c")
                session.state.revision = revision
                return try commit(store, nil, session, isReplaced: true)
            }
            for (index, id) in (["b", "d", "f"] as [Identifier]).enumerated() {
                _ = try write(id, revision: index)
            }
            try store.moveAll()
            _ = try commit(store, found(store, "b"), nil)
            for id in ["a", "d", "e", "g"] as [Identifier] { _ = try write(id, revision: 9) }
            var list: [String] = []
            try store.list { id, _, revision, _ in
                list.append("\(id)\(revision)")
                return true
            }
            #expect(list == ["a9", "d9", "e9", "f2", "g9"])
            for most in 1...4 {
                var some: [String] = []
                try store.list { id, _, _, _ in
                    some.append(id)
                    return some.count < most
                }
                #expect(some.count == most)
            }
        }
    }

    @Test(arguments: [true, false])
    func aSessionWhoseLastEntryCanNotBeReadBeginsAnewAndNoOtherDoes(hasRows: Bool) throws {
        try store { store, directory in
            var other = Session("other", catalog: "c")
            other.state.revision = 1
            let kept = try commit(store, nil, Window(.sample, Say.category("A")).session, isReplaced: true)
            if hasRows { try store.moveAll() }
            _ = try commit(store, nil, other, isReplaced: true)
            _ = try commit(store, kept, Window(.sample, Say.category("B")).session)
            try damage(store, "\"B\"", with: "\"C\"")
            if !hasRows { try damage(store, "\"A\"", with: "\"C\"", in: 1...1) }
            let again = try Store(directory: directory, directChangesMax: 0)
            #expect(again.hasLostEntries)
            #expect(try again.damagedCount() >= 1)
            #expect(try found(again, "s") == nil)
            #expect(try found(again, "other")?.session == other)
            #expect(try !Store(directory: directory, directChangesMax: 0).hasLostEntries)
        }
    }

    @Test func ofAFewSessionsTheRowsAreWrittenAtOnceUnlessOthersAreStillToBeWritten() throws {
        try store { store, directory in
            store.directChangesMax = 1
            func commit(_ ids: [Identifier]) throws {
                var turn = Store.Transaction(revision: 1)
                for id in ids {
                    let kept = Store.Kept(session: Session(id, catalog: "c"), updatedMs: 1)
                    turn.changes.append(Store.Change(id, before: nil, after: kept, isReplaced: true))
                }
                try store.commit(turn, nowMs: 1)
            }
            try commit(["a"])
            #expect(store.journal.unwritten.isEmpty)
            try commit(["b", "c"])
            try commit(["d"])
            #expect(Set(store.journal.unwritten.keys) == ["b", "c", "d"])
            let again = try Store(directory: directory, directChangesMax: 0)
            for id in ["a", "b", "c", "d"] as [Identifier] { #expect(try found(again, id) != nil) }
        }
    }

    @Test func anEntryThatCanNotBeReadIsMadeGoodByALaterOne() throws {
        try store { store, directory in
            let kept = try commit(store, nil, Window(.sample, Say.category("A")).session, isReplaced: true)
            let last = try commit(store, kept, Window(.sample, Say.category("B")).session)
            try damage(store, "\"A\"", with: "\"B\"", in: 1...1)
            let again = try Store(directory: directory, directChangesMax: 0)
            #expect(try again.hasLostEntries && again.damagedCount() == 1)
            #expect(try found(again, "s")?.session.state == last?.session.state)
        }
    }

    @Test func whatAnEventWritesDoesNotGrowWithTheHistory() throws {
        try store { store, _ in
            try store.database.execute(
                """
                CREATE TEMP TABLE written(what TEXT);
                CREATE TEMP TRIGGER p AFTER INSERT ON main.pieces BEGIN INSERT INTO written VALUES('piece'); END;
                CREATE TEMP TRIGGER s AFTER UPDATE ON main.sessions BEGIN INSERT INTO written VALUES('row'); END;
                CREATE TEMP TRIGGER h AFTER INSERT ON main.holds BEGIN INSERT INTO written VALUES('hold'); END;
                CREATE TEMP TRIGGER d AFTER DELETE ON main.holds BEGIN INSERT INTO written VALUES('drop'); END;
                """)
            var window = try Window(.sample, Say.category("A"))
            var kept = try commit(store, nil, window.session)
            try store.moveAll()
            for step in 0..<150 {
                try store.database.execute("DELETE FROM written")
                try window.send(Say.item("a\(step % 3 + 1)"))
                kept = try commit(store, kept, window.session)
                let page = try store.database.prepare(
                    "SELECT entries FROM journalPages"
                ).first { $0.bytes(0) }
                let sizes = JournalPage.read(page ?? [], parser: store.parser).map { found in
                    if case .entry("s", let bytes) = found { bytes.count } else { Int.max }
                }
                #expect(sizes.count == 1 && sizes[0] < 250, "step \(step)")
                try store.moveAll()
                var written: [String] = []
                try store.database.prepare("SELECT what FROM written ORDER BY what").rows(each: { row in
                    written.append(row.text(0))
                })
                // The piece with the place that was left, from the bound on that of the oldest one, too; and an item that
                // no place had; what the oldest held is held by others.
                #expect(
                    written.filter { $0 != "piece" } == (step < 3 ? ["hold"] : []) + ["row"], "step \(step)")
                #expect((1...(step < 98 ? 1 : 2)).contains(written.count { $0 == "piece" }), "step \(step)")
                let longest = try store.database.prepare("SELECT max(length(record)) FROM pieces").first {
                    $0.int(0)
                }
                #expect(longest ?? .max < 1_500, "step \(step)")
            }
            // A search amends the current place: only the row.
            try store.database.execute("DELETE FROM written")
            try window.send(Say.search("x"))
            _ = try commit(store, kept, window.session)
            try store.moveAll()
            let count = try store.database.prepare("SELECT count(*) FROM written").first { $0.int(0) }
            #expect(count == 1)
        }
    }

    @Test(arguments: [
        "UPDATE sessions SET record = substr(record, 1, 20)",
        "UPDATE sessions SET record = replace(record, 'a1', 'a2')",
        "UPDATE sessions SET record = replace(record, '\"version\":1', '\"version\":2')",
        "UPDATE sessions SET sum = 5", "UPDATE pieces SET record = x'00' WHERE piece = 0",
    ])
    func aDamagedRecordIsFoundOut(_ damage: String) throws {
        try store { store, _ in
            _ = try commit(store, nil, Window(.sample, Say.category("A"), Say.item("a1")).session)
            try store.moveAll()
            try store.database.execute(damage)
            guard case .damaged(let number, "c") = try store.find("s") else {
                Issue.record("it was taken for a session")
                return
            }
            #expect(number == 1)
        }
    }

    @Test func aFileOfTheFirstSchemaIsBroughtUpToDate() throws {
        let temporary = try TemporaryDirectory()
        defer { temporary.remove() }
        let database = try Database(path: "\(temporary.path)/selection.sqlite")
        try database.migrate(Array(Store.schema.prefix(1)))
        try database.execute(
            """
            INSERT INTO sessions VALUES(1, 's', 'c', 1, 7200001, 0, x'', 0);
            INSERT INTO holds VALUES(5, 1, 0), (5, 1, 2), (6, 1, -1);
            """)
        let store = try Store(directory: temporary.path, directChangesMax: 0)
        #expect(try store.holders(of: 5, after: 0, limit: 9).map(\.id) == ["s"])
        #expect(try store.holders(of: 6, after: 0, limit: 9).map(\.id) == ["s"])
        #expect(try store.idle(since: 7_200_002, limit: 9) == ["s"])
        #expect(try store.idle(since: 7_200_001, limit: 9) == [])
        #expect(try store.database.prepare("SELECT hour FROM sessions").first { $0.int(0) } == 2)
    }

    @Test func aSessionOfTheSecondSchemaIsFound() throws {
        let temporary = try TemporaryDirectory()
        defer { temporary.remove() }
        var window = try Window(.sample, Say.category("A"))
        for index in 0..<30 { try window.send(Say.item("a\(index % 3 + 1)")) }
        for _ in 0..<5 { try window.send(Say.historyBack) }
        let session = window.session
        let history = session.history
        do {
            let database = try Database(path: "\(temporary.path)/selection.sqlite")
            try database.migrate(Array(Store.schema.prefix(2)))
            try Former.insert(session, into: database)
            let put = try database.prepare("INSERT INTO places VALUES(7, ?1, ?2, ?3)")
            for entry in history.others {
                var json = JSONWriter()
                entry.place.write(to: &json)
                try put.run(entry.position, json.bytes, Digest.of(json.bytes))
            }
        }
        let store = try Store(directory: temporary.path, directChangesMax: 0)
        #expect(try found(store, "s")?.session == session)
        try store.database.execute("UPDATE pieces SET record = x'00' WHERE piece = 1")
        guard case .damaged(7, "c") = try store.find("s") else {
            Issue.record("it was taken for a session")
            return
        }
    }

    @Test func whatTheThirdSchemaHasInItsJournalIsTakenUp() throws {
        let temporary = try TemporaryDirectory()
        defer { temporary.remove() }
        let session = try Window(.sample, Say.category("A"), Say.item("a1")).session
        do {
            let database = try Database(path: "\(temporary.path)/selection.sqlite")
            try database.migrate(Array(Store.schema.prefix(3)))
            try database.execute("UPDATE counter SET revision = 7")
            let put = try database.prepare("INSERT INTO journal VALUES(?1, ?2, ?3, ?4)")
            let entry = Former.entry(session)
            try put.run(5, "s", entry, Digest.ofWords(entry))
            try put.run(6, "t", Array("{}".utf8), 1)
        }
        for start in 0..<2 {
            let store = try Store(directory: temporary.path, directChangesMax: 0)
            #expect(try found(store, "s")?.session == session)
            #expect(try found(store, "t") == nil)
            #expect(store.revision == 7)
            #expect(store.hasLostEntries == (start == 0))
            #expect(try store.damagedCount() == 1)
            #expect(store.journal.unwritten.isEmpty)
        }
    }

    @Test func statesOfTheFourthSchemaAreTakenUpAsTheyAreTold() throws {
        let temporary = try TemporaryDirectory()
        defer { temporary.remove() }
        var window = try Window(.sample, Say.category("A"), Say.item("a1"), Say.search("x"), Say.item("a2"))
        try window.send(#"{"type":"setVisibility","visibility":"all"}"#)
        try window.send(Say.historyBack)
        let session = window.session
        var other = try Window(.sample, Say.category("B")).session
        other.state.session = "t"
        do {
            let database = try Database(path: "\(temporary.path)/selection.sqlite")
            try database.migrate(Array(Store.schema.prefix(4)))
            try Former.insert(session, into: database)
            let places = History.Entry.bytes(session.history.others)
            try database.prepare("INSERT INTO pieces VALUES(7, 0, ?1, ?2)").run(
                places, Digest.ofWords(places))
            var page = JournalPage(number: 1, revision: 3)
            unsafe Array("\"t\"".utf8).withUnsafeBytes { name in
                unsafe Former.entry(other).withUnsafeBytes { unsafe page.add(name, $0) }
            }
            try database.prepare("INSERT INTO journalPages VALUES(1, ?1)").run(page.bytes)
        }
        for _ in 0..<2 {
            let store = try Store(directory: temporary.path, directChangesMax: 0)
            #expect(try found(store, "s")?.session == session)
            #expect(try found(store, "t")?.session == other)
            #expect(!store.hasLostEntries && !store.hasUnknownLosses)
            #expect(try store.database.schemaVersion() == 5)
            try store.moveAll()
        }
    }

    /// The pages are written over as soon as they are not needed, and the number of the last change is in them alone.
    @Test func theJournalTakesNoMorePagesThanItNeedsAtOnce() throws {
        try store { first, directory in
            var store = first
            var session = try Window(.sample, Say.category("A")).session
            func count() throws -> Int? {
                try store.database.prepare("SELECT count(*) FROM journalPages").first { $0.int(0) }
            }
            var kept: Store.Kept?
            for round in 1...6 {
                for _ in 0..<5 {
                    session.state.revision += 1
                    let next = Store.Kept(session: session, updatedMs: 1)
                    var turn = Store.Transaction(revision: session.state.revision)
                    turn.changes = [Store.Change("s", before: kept, after: next, isReplaced: kept == nil)]
                    try store.commit(turn, nowMs: 1)
                    kept = next
                }
                #expect(try count() == 5)
                #expect(store.journal.places.usedCount == 5)
                store = try Store(directory: directory, directChangesMax: 0)
                #expect(store.revision == 5 * round)
                kept = try found(store, "s")
                #expect(kept?.session == session)
                if round % 2 == 0 {
                    try store.moveAll()
                } else {
                    store.journal.beginMoving()
                    try store.commit(Store.Transaction(revision: 5 * round), nowMs: 1)
                }
                #expect(store.journal.places.usedCount == 0)
                #expect(store.revision == 5 * round)
            }
        }
    }

    @Test func aTurnOfManySessionsFillsItsPagesAndALongEntryHasOneForItself() throws {
        try store { store, directory in
            var turn = Store.Transaction(revision: 1)
            for index in 0..<100 {
                var session = Session(Identifier("s\(index)"), catalog: "c")
                if index == 50 {
                    session.state.items = (0..<1_000).map { Identifier("item-\($0)") }
                }
                let kept = Store.Kept(session: session, updatedMs: 1)
                turn.changes.append(
                    Store.Change(session.state.session, before: nil, after: kept, isReplaced: true))
            }
            try store.commit(turn, nowMs: 1)
            // An entry has some 150 bytes.
            #expect((3...8).contains(store.journal.places.usedCount))
            // A thousand ids of eleven bytes, with quotes and a comma.
            #expect(store.journal.places.usedSize >= store.journal.places.usedCount + 2)
            let again = try Store(directory: directory, directChangesMax: 0)
            #expect(again.journal.places == store.journal.places)
            #expect(again.journal.weightBytes == store.journal.weightBytes)
            for change in turn.changes {
                #expect(try found(again, change.id)?.session == change.after?.session)
            }
        }
    }

    @Test func aNewerFileIsRefusedWithASentence() throws {
        try store { store, directory in
            try store.database.execute("PRAGMA user_version = 99")
            #expect {
                _ = try Store(directory: directory, directChangesMax: 0)
            } throws: { error in
                let failure = error as? StartFailure
                return failure?.status == .data && failure?.message.contains("version 99") ?? false
            }
        }
    }

    @Test func revisionsAndCatalogsAreKept() throws {
        try store { store, directory in
            var turn = Store.Transaction(revision: 7)
            turn.catalogs = ["c": (3, 5), "d": (nil, 6)]
            _ = try store.commit(turn, nowMs: 1)
            turn = Store.Transaction(revision: 8)
            turn.forgottenCatalogs = ["d"]
            _ = try store.commit(turn, nowMs: 1)
            let again = try Store(directory: directory, directChangesMax: 0)
            #expect(again.revision == 8)
            #expect(try again.catalogs().map(\.id) == ["c"])
            #expect(try again.catalogs().first?.columns == 3)
        }
    }
}
