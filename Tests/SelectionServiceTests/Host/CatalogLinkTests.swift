import JSON
import Shared
import TestSupport
import Testing

@testable import SelectionService

@Suite struct CatalogLinkTests {
    @Test func whatIsKnownNeedsNoHop() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        try client.event(Say.category("A"))
        try client.event(Say.item("a1"))
        #expect(stage.catalog.calls == ["catalog.subscribe", "catalog.describe", "locate A", "locate a1"])
        stage.catalog.forgetCalls()
        try client.event(Say.historyBack)
        try client.event(Say.item("a1"))
        try client.event(Say.category("A"), session: "t")
        #expect(stage.catalog.calls == [])
        // What has changed is asked for again.
        stage.catalog.change(put: ["a1": ["A"]])
        try stage.waitUntilSettled()
        stage.catalog.forgetCalls()
        try client.event(Say.item("a1"), session: "t")
        #expect(stage.catalog.calls == [])  // known again, because a session holds it
        stage.catalog.change(put: ["a2": ["A"]])
        try client.event(Say.item("a2"), session: "t")
        #expect(stage.catalog.calls == ["locate a2"])
    }

    @Test func whatSeveralWantInATurnIsAskedForOnce() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        try client.event(Say.category("A"))
        stage.catalog.forgetCalls()
        for (id, item) in ["a1", "a2", "a1"].enumerated() {
            let params = TestClient.params(
                #"{"type":"open","item":"\#(item)"}"#, "session-\(id)")
            client.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"selection.send","params":\#(params)}"#)
        }
        for _ in 0..<3 { #expect(try client.message()["result"]?["changed"]?.bool == true) }
        #expect(stage.catalog.calls == ["locate a1 a2"])
    }

    @Test func withoutTheCatalogOnlyUnknownIdsAreRefused() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        try client.event(Say.category("A"))
        try client.event(Say.item("a1"))
        #expect(try client.refusal(Say.item("nobody")) == "not_found")
        let before = try client.event(Say.push("b1"))
        stage.catalog.stop()
        try stage.harness.until("the catalog is gone") { stage.handler?.core.knowledge.link == .down }
        #expect(try client.refusal(Say.item("a2")) == "upstream_unavailable")
        #expect(try client.refusal(Say.item("nobody")) == "upstream_unavailable")
        #expect(try client.state() == before)
        #expect(try client.event(#"{"type":"setVisibility","visibility":"all"}"#).visibility == .all)
        #expect(try client.event(Say.back).detailPath == [])
        #expect(try client.event(Say.push("b1")).detailPath == ["b1"])  // known to exist
        #expect(try client.event(Say.category("A"), session: "t").category == "A")
        #expect(try client.refusal(#"{"type":"select","column":"detail","id":"x"}"#) == "not_possible")
        #expect(try client.call("rpc.health")["status"]?.string == "degraded")
        try stage.catalog.start()
        try stage.waitForCatalog()
        #expect(try client.event(Say.item("a2")).items == ["a2"])
        #expect(try client.call("rpc.health")["status"]?.string == "ok")
    }

    @Test func startedWithoutTheCatalogSessionsWorkAsFarAsTheyAreKnown() throws {
        let stage = try Stage()
        defer { stage.finish() }
        try stage.client().event(Say.category("A"))
        try stage.stop()
        stage.catalog.stop()
        try stage.serve()
        let client = try stage.harness.connect("selection")
        #expect(try client.state().category == "A")
        #expect(try client.event(#"{"type":"showColumn","column":"content"}"#).category == "A")
        #expect(try client.event(Say.noCategory).category == nil)
        #expect(try client.refusal(Say.category("B"), session: "t") == "upstream_unavailable")
        let visibility = #"{"type":"setVisibility","visibility":"all"}"#
        #expect(try client.event(visibility, session: "t").visibility == .all)
    }

    @Test func aSilentCatalogCountsAsGone() throws {
        let stage = try Stage()
        defer { stage.finish() }
        stage.catalog.isSilent = true
        try stage.serve()
        let client = try stage.harness.connect("selection")
        #expect(try client.state() == SessionState(session: "s"))  // after a second
        #expect(stage.handler?.core.knowledge.link == .down)
        stage.catalog.isSilent = false
        try stage.waitForCatalog()
        #expect(try client.event(Say.category("A")).category == "A")
    }

    @Test func aCallerDoesNotWaitLongerThanItWants() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        try client.event(Say.category("A"))
        stage.catalog.isSlow = true
        // Somebody who waits longer came before.
        let patient = try stage.harness.connect("selection")
        let other = TestClient.params(Say.category("B"), "t")
        patient.send(#"{"jsonrpc":"2.0","id":1,"method":"selection.send","params":\#(other)}"#)
        try stage.harness.until("the catalog is asked") { stage.catalog.calls.last == "locate B" }
        let params = #"{"session":"s","event":\#(Say.item("a1")),"_meta":{"deadlineMs":30}}"#
        let error = try client.respond("selection.send", params)["error"]
        #expect(error?["code"]?.int == -32002)
        #expect(!patient.hasLine)
        stage.catalog.release()
        #expect(try patient.message()["result"]?["changed"]?.bool == true)
        #expect(try client.state().items == [])
        #expect(try client.event(Say.item("a1")).items == ["a1"])
    }

    @Test func operationsOnASessionKeepTheirOrderAndOthersDoNotWait() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        let other = try stage.harness.connect("selection")
        try client.event(Say.category("A"))
        try client.event(Say.category("B"), session: "t")
        stage.catalog.isSlow = true
        func send(_ id: Int, _ method: String, _ params: String, _ client: TestClient) {
            client.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#)
        }
        send(1, "selection.send", TestClient.params(Say.item("a1")), client)
        send(2, "selection.get", #"{"session":"s"}"#, client)
        send(3, "selection.list", "{}", client)
        try stage.harness.until("the catalog is asked") { stage.catalog.calls.last == "locate a1" }
        // Another connection waits on that session as well, but not on another one.
        send(4, "selection.get", #"{"session":"s"}"#, other)
        send(5, "selection.send", TestClient.params(Say.noItem, "t"), other)
        send(6, "selection.list", "{}", other)
        #expect(try other.message()["id"]?.int == 5)
        #expect(try other.message()["id"]?.int == 6)
        stage.harness.settle()
        #expect(!client.hasLine && !other.hasLine)
        stage.catalog.release()
        let answers = try [client.message(), client.message(), client.message()]
        #expect(answers.map { $0["id"]?.int } == [1, 2, 3])
        let state = answers[0]["result"]?["state"]?.text
        #expect(state?.contains(#""items":["a1"]"#) == true)
        #expect(answers[1]["result"]?["state"]?.text == state)
        #expect(try other.message()["result"]?["state"]?.text == state)
    }

    @Test func anAnswerOlderThanAKnownChangeIsAskedForAgain() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        try client.event(Say.category("A"))
        stage.catalog.isSlow = true
        client.send(
            #"{"jsonrpc":"2.0","id":1,"method":"selection.send","params":\#(TestClient.params(Say.item("a1")))}"#
        )
        try stage.harness.until("the catalog is asked") { stage.catalog.calls.last == "locate a1" }
        stage.catalog.change(deleteItems: ["a1"])  // the answer that waits says that a1 exists
        stage.catalog.release()
        #expect(try client.message()["error"]?["code"]?.int == 1001)
        #expect(stage.catalog.calls.suffix(2) == ["locate a1", "locate a1"])
    }
}
