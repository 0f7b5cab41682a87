import JSON
import Shared
import TestSupport
import Testing

@testable import SelectionService

@Suite struct CatalogChangeTests {
    /// A session at `a1` of `A` that came over `a2`, with a watcher of all sessions.
    private func stage(_ body: (Stage, TestClient, TestClient) throws -> Void) throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        try client.event(Say.category("A"))
        try client.event(Say.item("a2"))
        try client.event(Say.item("a1"))
        let watcher = try stage.harness.connect("selection")
        _ = try watcher.call("selection.subscribe")
        try body(stage, client, watcher)
    }

    private func state(_ notice: JSONValue) throws -> SessionState {
        try #require(notice["params"]?["state"].flatMap(SessionState.init))
    }

    @Test func aChangeGivesEachSessionThatLosesSomethingOneRevisionAndOneEvent() throws {
        try stage { (stage, client, watcher) throws in
            let before = try client.event(Say.push("b1"))
            try client.event(Say.category("B"), session: "t")
            for _ in 0..<2 { _ = try watcher.message() }
            stage.catalog.change(deleteItems: ["a1", "b1"], put: ["a3": ["A"]])
            let notice = try watcher.message()
            #expect(notice["params"]?["cause"]?.string == "contentChange")
            let after = try state(notice)
            #expect(after.items == [] && after.detailPath == [] && after.category == "A")
            #expect(after.revision > before.revision)
            #expect(try client.state() == after)
            try stage.waitUntilSettled()
            stage.harness.settle()
            #expect(!watcher.hasLine)
        }
    }

    @Test func aChangeIsKnownToWhoeverAsksAfterIt() throws {
        try stage { (stage, client, watcher) throws in
            stage.catalog.change(deleteItems: ["a1"])
            #expect(try client.state().items == [])
            #expect(try state(watcher.message()).items == [])
        }
    }

    @Test func anItemThatWasMovedAwayIsLookedUpFirst() throws {
        try stage { (stage, client, watcher) throws in
            stage.catalog.forgetCalls()
            stage.catalog.change(deleteItems: ["a2"], put: ["a1": ["B"], "b1": ["B"]])
            let after = try state(watcher.message())
            #expect(after.items == [] && after.category == "A")
            #expect(stage.catalog.calls == ["locate a1"])
            try stage.waitUntilSettled()
            stage.harness.settle()
            #expect(!watcher.hasLine)
            #expect(try client.event(Say.historyBack).category == nil)  // a2 is no place any more
        }
    }

    @Test func whenOnlyHistoryLosesNobodyIsTold() throws {
        try stage { (stage, client, watcher) throws in
            let before = try client.state()
            stage.catalog.change(deleteItems: ["a2"])
            try stage.waitUntilSettled()
            stage.harness.settle()
            #expect(!watcher.hasLine)
            #expect(try client.state() == before)
            #expect(try client.event(Say.historyBack).items == [])
        }
    }

    @Test func whatIsDeletedAndPutInOneSetIsAnotherThing() throws {
        try stage { (stage, client, watcher) throws in
            stage.catalog.change(deleteItems: ["a1"], put: ["a1": ["A"]])
            #expect(try state(watcher.message()).items == [])
            #expect(try client.event(Say.item("a1")).items == ["a1"])
            stage.catalog.change(put: ["a1": ["A"]])
            try stage.waitUntilSettled()
            #expect(try client.state().items == ["a1"])
        }
    }

    @Test func aChangeTooLargeToTellHasEverythingLookedUp() throws {
        try stage { (stage, client, watcher) throws in
            stage.catalog.change(deleteItems: ["a1"], isAll: true)
            #expect(try state(watcher.message()).items == [])
            stage.catalog.forgetCalls()
            #expect(try client.event(Say.item("a3")).items == ["a3"])
            #expect(stage.catalog.calls == ["locate a3"])
        }
    }

    @Test func sessionsOfADroppedCatalogAreDeleted() throws {
        try stage { (stage, client, watcher) throws in
            let before = try client.state()
            stage.catalog.drop()
            let notice = try watcher.message()
            #expect(notice["params"]?["deleted"]?.bool == true)
            #expect(try state(notice) == SessionState(session: "s"))
            #expect(try client.state() == SessionState(session: "s"))
            #expect(try client.refusal(Say.category("A")) == "not_found")
            stage.catalog.create()
            let after = try client.event(Say.category("A"))
            #expect(after.revision > before.revision)
            #expect(!after.canGoForward)
            try stage.waitUntilSettled()
            #expect(try client.state() == after)
        }
    }

    @Test(arguments: [true, false])
    func whatHappenedUnseenIsMadeGoodBeforeTheFirstAnswer(_ isRestart: Bool) throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        for (session, item) in [("kept", "a1"), ("gone", "a2"), ("anew", "a3"), ("moved", "b1")] {
            let list = item == "b1" ? "B" : "A"
            try client.event(Say.category(list), session: session)
            try client.event(Say.item(item), session: session)
        }
        let kept = try client.state("kept")
        if isRestart { try stage.stop() }
        stage.catalog.stop()
        if !isRestart {
            try stage.harness.until("the catalog is gone") { stage.handler?.core.knowledge.link == .down }
        }
        stage.catalog.change(deleteItems: ["a2", "a3"])
        stage.catalog.change(put: ["a3": ["A"], "b1": ["A"]])
        try stage.catalog.start()
        if isRestart { try stage.serve() }
        let late = try stage.harness.connect("selection")
        if !isRestart { try stage.waitForCatalog() }
        #expect(try late.state("gone").items == [])
        #expect(try late.state("anew").items == [])
        #expect(try late.state("moved").items == [])
        #expect(try late.state("moved").category == "B")
        #expect(try late.state("kept") == kept)
        try stage.waitUntilSettled()
        #expect(try late.state("kept") == kept)
    }

    @Test func nothingIsLookedUpWhenNothingHasHappenedUnseen() throws {
        try stage { (stage, client, _) throws in
            stage.catalog.mock?.disconnect()
            try stage.harness.until("lost") { stage.handler?.core.knowledge.link == .down }
            try stage.waitForCatalog()
            stage.catalog.forgetCalls()
            #expect(try client.state().items == ["a1"])
            #expect(try client.event(Say.item("a2")).items == ["a2"])
            #expect(stage.catalog.calls == [])
        }
    }

    @Test func aCatalogThatIsGoneWhenItComesBackTakesItsSessionsAlong() throws {
        try stage { (stage, client, _) throws in
            stage.catalog.stop()
            try stage.harness.until("lost") { stage.handler?.core.knowledge.link == .down }
            stage.catalog.drop()
            try stage.catalog.start()
            try stage.waitForCatalog()
            #expect(try client.state() == SessionState(session: "s"))
            try stage.waitUntilSettled()
            #expect(try client.call("selection.list").text == #"{"sessions":[]}"#)
            #expect(stage.handler?.storedCatalogs.isEmpty == true)
            stage.catalog.create()
            try client.event(Say.category("A"))
            #expect(try client.state().category == "A")
        }
    }

    @Test func acrossTwoRestartsNobodyBelievesTheColumnsOfACatalogThatWasMadeAnew() throws {
        let stage = try Stage()
        defer { stage.finish() }
        try stage.client().event(Say.category("A"))
        try stage.stop()
        stage.catalog.drop()
        stage.catalog.columns = 2
        stage.catalog.create()
        // It sees that something is new, and stops before anybody has asked what.
        _ = try stage.client()
        try stage.waitUntilSettled()
        try stage.stop()
        let client = try stage.client()
        #expect(try client.event(#"{"type":"select","column":"sidebar","id":"a1"}"#).items == ["a1"])
    }

    @Test(arguments: [true, false])
    func onlyHoldersOfWhatHasChangedAreLookedAt(_ isInTables: Bool) throws {
        try stage { (stage, client, _) throws in
            for index in 0..<200 { try client.event(Say.category("B"), session: "b\(index)") }
            if isInTables { try stage.handler?.store.moveAll() }
            let settled = stage.handler?.sweptSessions ?? 0
            stage.catalog.change(deleteItems: ["a2"])
            try stage.waitUntilSettled()
            #expect(stage.handler?.sweptSessions == settled + 1)
        }
    }

    @Test(arguments: [true, false])
    func manyHoldersAreDoneInSteps(_ isInTables: Bool) throws {
        try stage { (stage, client, _) throws in
            for index in 0..<300 {
                let open = #"{"type":"open","item":"a1"}"#
                try client.event(open, session: "b\(index)")
            }
            if isInTables { try stage.handler?.store.moveAll() }
            // Of these the tables tell one thing, and the journal another.
            for index in 0..<9 { try client.event(Say.category("B"), session: "b\(index)") }
            stage.catalog.change(deleteItems: ["a1"])
            try stage.waitUntilSettled()
            for index in 0..<300 { #expect(try client.state("b\(index)").items == []) }
        }
    }
}
