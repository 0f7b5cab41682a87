import JSON
import SQLite
import Shared
import TestSupport
import Testing

@testable import SelectionService
@testable import UV

@Suite struct DurabilityTests {
    @Test func aRestartGivesTheSameSessions() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        for event in [Say.category("A"), Say.item("a1"), Say.push("b1"), Say.historyBack, Say.search("x")] {
            try client.event(event)
        }
        try client.event(Say.category("B"), session: "t")
        let states = try [client.state(), client.state("t")]
        let list = try client.call("selection.list").text
        try stage.stop()
        let again = try stage.client()
        #expect(try [again.state(), again.state("t")] == states)
        #expect(try again.call("selection.list").text == list)
        #expect(try again.event(Say.historyForward).detailPath == ["b1"])
        #expect(try again.event(Say.category("B")).revision == (states.map(\.revision).max() ?? 0) + 2)
    }

    @Test func aTurnIsOneTransactionThatWritesEachSessionOnce() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        try client.event(Say.category("A"))
        try client.event(Say.items("a1", "a2", "a3"))
        stage.handler?.store.directChangesMax = 0
        try stage.handler?.store.database.execute(
            """
            CREATE TEMP TABLE written(what TEXT);
            CREATE TEMP TRIGGER s AFTER UPDATE ON main.sessions BEGIN INSERT INTO written VALUES('row'); END;
            CREATE TEMP TRIGGER t AFTER INSERT ON main.journalPages BEGIN INSERT INTO written VALUES('page'); END;
            CREATE TEMP TRIGGER c AFTER UPDATE ON main.counter BEGIN INSERT INTO written VALUES('commit'); END;
            """)
        let lines = (1...3).map { index in
            let params = TestClient.params(Say.item("a\(index)"))
            return #"{"jsonrpc":"2.0","id":\#(index),"method":"selection.send","params":\#(params)}"#
        }
        client.send("[" + lines.joined(separator: ",") + "]")
        let answers = try client.message().elements.compactMap { $0["result"]?["state"]?["revision"]?.int }
        #expect(answers == [3, 4, 5])
        func written() throws -> String? {
            try stage.handler?.store.database.prepare(
                "SELECT group_concat(what) FROM (SELECT what FROM written ORDER BY what)"
            ).first { $0.text(0) }
        }
        #expect(try written() == "page")
        try stage.handler?.store.moveAll()
        #expect(try written() == "commit,page,row")
    }

    @Test func afterAWhileTheTablesTellAll() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        let handler = try #require(stage.handler)
        func count(_ table: String) throws -> Int? {
            try handler.store.database.prepare("SELECT count(*) FROM \(table)").first { $0.int(0) }
        }
        handler.store.directChangesMax = 0
        let state = try client.event(Say.category("A"))
        #expect(try count("sessions") == 0 && handler.store.journal.places.usedCount == 1)
        handler.journalRest.fire()
        try stage.harness.until("the rows are written") { handler.store.journal.unwritten.isEmpty }
        #expect(try count("sessions") == 1 && handler.store.journal.places.usedCount == 0)
        #expect(try client.state() == state)
    }

    @Test func theLogIsMovedIntoTheFileAndBeginsAnew() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        let handler = try #require(stage.handler)
        try client.event(Say.category("A"))
        var count = 0
        while handler.store.database.logPages < Limits.logPagesMax {
            try client.event(Say.item("a\(count % 3 + 1)"))
            count += 1
            try #require(count < 2 * Limits.logPagesMax)
        }
        // The first event after that is written when the log has been moved.
        let state = try client.event(Say.category("B"))
        #expect(!handler.isMovingLog)
        #expect(handler.store.database.logPages < 50)
        try stage.stop()
        #expect(try stage.client().state() == state)
    }

    @Test func whenACommitFailsNothingHasHappened() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        let watcher = try stage.harness.connect("selection")
        try client.event(Say.category("A"))
        let before = try client.event(Say.item("a1"))
        let list = try client.call("selection.list").text
        _ = try watcher.call("selection.subscribe")
        let database = try #require(stage.handler?.store.database)
        try database.execute(
            "CREATE TEMP TRIGGER full BEFORE UPDATE ON main.counter BEGIN SELECT raise(ABORT, 'no room'); END"
        )
        let open = #"{"type":"open","item":"b1"}"#
        #expect(try client.refusal(open, session: "new") == "storage")
        // A read of the same turn tells what is true.
        client.send(
            #"[{"jsonrpc":"2.0","id":1,"method":"selection.send","params":\#(TestClient.params(Say.noItem))},{"jsonrpc":"2.0","id":2,"method":"selection.get","params":{"session":"s"}},{"jsonrpc":"2.0","id":3,"method":"selection.list"}]"#
        )
        let answers = try client.message().elements.map { $0 }
        #expect(answers[0]["error"]?["code"]?.int == -32007)
        #expect(answers[1]["result"]?["state"].flatMap(SessionState.init) == before)
        #expect(answers[2]["result"]?.text == list)
        #expect(try client.call("selection.delete", #"{"session":"none"}"#)["deleted"]?.bool == false)
        #expect(try client.respond("selection.delete", #"{"session":"s"}"#)["error"]?["code"]?.int == -32007)
        #expect(try client.state() == before)
        #expect(try client.state("new") == SessionState(session: "new"))
        #expect(try client.call("rpc.health")["status"]?.string == "degraded")
        stage.harness.settle()
        #expect(!watcher.hasLine)
        // A change of the catalog is made good as soon as there is room.
        stage.catalog.change(deleteItems: ["a1"])
        stage.harness.settle()
        #expect(!watcher.hasLine)
        try database.execute("DROP TRIGGER full")
        let notice = try watcher.message()["params"]?["state"].flatMap(SessionState.init)
        #expect(notice?.items == [] && notice?.revision == before.revision + 1)
        #expect(try client.state() == notice)
        #expect(try client.call("rpc.health")["status"]?.string == "ok")
    }

    @Test func healthReturnsByItselfWhenThereIsRoomAgain() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        let database = try #require(stage.handler?.store.database)
        try database.execute(
            "CREATE TEMP TRIGGER full BEFORE UPDATE ON main.counter BEGIN SELECT raise(ABORT, 'no room'); END"
        )
        #expect(try client.refusal(Say.category("A")) == "storage")
        #expect(try client.call("rpc.health")["status"]?.string == "degraded")
        try database.execute("DROP TRIGGER full")
        try stage.harness.until("healthy again") { stage.handler?.storageProblem == nil }
        #expect(try client.state().revision == 0)
        #expect(try client.event(Say.category("A")).revision == 1)
    }

    /// Found by simulation: the refusal was forgotten, and the client waited for ever.
    @Test func whatATurnHasToSayIsSaidThoughTheStoreIsTriedInVainMeanwhile() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        try client.event(Say.category("A"))
        let handler = try #require(stage.handler)
        try handler.store.database.execute(
            "CREATE TEMP TRIGGER full BEFORE UPDATE ON main.counter BEGIN SELECT raise(ABORT, 'no room'); END"
        )
        #expect(try client.refusal(Say.category("B")) == "storage")
        stage.catalog.isSlow = true
        client.send(
            #"{"jsonrpc":"2.0","id":"late","method":"selection.send","params":\#(TestClient.params(Say.item("a1")))}"#
        )
        try stage.harness.until("the catalog is asked") { handler.core.pendingCount == 1 }
        // Both in one turn: the time of the request is over, and the store is tried again.
        handler.tell(.timePassed(.max))
        handler.storageRetry.fire()
        let answer = try client.message()
        #expect(answer["id"]?.string == "late")
        #expect(answer["error"]?["data"]?["reason"]?.string == "deadline_exceeded")
    }

    @Test func aDamagedSessionOpensAtItsDefaultsAndItsBytesAreKept() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        for session in ["s", "t"] {
            try client.event(Say.category("A"), session: session)
            try client.event(Say.item("a1"), session: session)
        }
        let other = try client.state("t")
        try stage.handler?.store.moveAll()
        try stage.handler?.store.database.execute(
            "UPDATE sessions SET record = CAST('{\"version\":2,\"of\":\"tomorrow\"}' AS BLOB) WHERE session = 's'"
        )
        try stage.stop()
        let again = try stage.client()
        let state = try again.state()
        var expected = SessionState(session: "s", catalog: "c")
        expected.revision = other.revision + 1
        #expect(state == expected)
        #expect(try again.state("t") == other)
        let health = try again.call("rpc.health")
        #expect(health["status"]?.string == "degraded")
        #expect(health["checks"]?["records"]?.string?.contains("could not be read: 1;") == true)
        let kept = try stage.handler?.store.database.prepare(
            "SELECT group_concat(record, ' ') FROM damaged WHERE session = 's'"
        ).first { $0.text(0) }
        #expect(kept?.contains("tomorrow") == true)
        #expect(kept?.contains(#""place":{}"#) == true)  // its places, too
        #expect(try again.event(Say.category("B")).category == "B")
        _ = try again.call("selection.delete", #"{"session":"s"}"#)
        #expect(try again.call("rpc.health")["status"]?.string == "ok")
    }

    @Test func idleSessionsExpireInSteps() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        for index in 0..<150 { try client.event(Say.category("A"), session: "old\(index)") }
        try client.event(Say.category("A"), session: "new")
        try stage.handler?.store.moveAll()
        try stage.handler?.store.database.execute(
            "UPDATE sessions SET updated = updated - 3 * 86400000, hour = hour - 72 WHERE session LIKE 'old%'"
        )
        try stage.stop()
        let again = try stage.client(expireDays: 2)
        try stage.harness.until("the old ones are gone") {
            (try? again.call("selection.list")["sessions"]?.count) == 1
        }
        #expect(try again.state("new").category == "A")
        #expect(try again.state("old1").revision == 0)
    }

    @Test func aClockThatJumpsMakesNoSessionIdle() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client(expireDays: 2)
        stage.aheadMs = -3 * 86_400_000
        try client.event(Say.category("A"), session: "old")
        stage.aheadMs = 0
        try client.event(Say.category("A"), session: "kept")
        stage.aheadMs = 50 * 365 * 86_400_000
        stage.handler?.lookForIdle()
        // What is idle all the same goes.
        try stage.harness.until("the old one is gone") {
            (try? client.call("selection.list")["sessions"]?.count) == 1
        }
        #expect(try client.state("kept").category == "A")
        // It is set right again, and goes on.
        stage.aheadMs = 0
        stage.handler?.lookForIdle()
        stage.aheadMs = 3 * 86_400_000
        stage.handler?.lookForIdle()
        stage.harness.settle(turns: 50)
        #expect(try client.state("kept").category == "A")
    }

    @Test func aClockJumpsOnlyIfItIsFarAhead() {
        var clock = IdleClock()
        #expect(clock.look(wallMs: 1_000, steadyMs: 0) == nil)
        #expect(clock.look(wallMs: 1_000 + 7_200_000, steadyMs: 7_200_000) == nil)
        #expect(clock.look(wallMs: 1_000 + 7_200_000 + Limits.clockJumpMs, steadyMs: 7_200_000) == nil)
        let before = 1_000 + 7_200_000 + Limits.clockJumpMs
        let ahead = Limits.clockJumpMs + 1
        #expect(clock.look(wallMs: before + ahead, steadyMs: 7_200_000) == ahead)
        #expect(clock.look(wallMs: 0, steadyMs: 7_200_000) == nil)
        #expect(clock.jumpedMs == ahead)
    }
}
