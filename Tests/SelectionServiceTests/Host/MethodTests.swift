import JSON
import Shared
import TestSupport
import Testing

@testable import SelectionService

@Suite struct MethodTests {
    private func stage(_ body: (Stage, TestClient) throws -> Void) throws {
        let stage = try Stage()
        defer { stage.finish() }
        try body(stage, stage.client())
    }

    @Test func anUnknownSessionIsEmptyAndIsNotMadeByLooking() throws {
        try stage { (_, client) throws in
            #expect(
                try client.call("selection.get").text
                    == #"{"state":{"session":"default","catalog":null,"revision":0,"category":null,"items":[],"paths":{"content":[],"detail":[]},"visibility":"automatic","style":"automatic","compactColumn":null,"widths":{},"query":{"text":"","scope":"category"},"sort":{"by":"position","descending":false},"expanded":[],"canGoBack":false,"canGoForward":false}}"#
            )
            #expect(try client.call("selection.list").text == #"{"sessions":[]}"#)
        }
    }

    @Test func anEventWithoutEffectDoesNotMakeASession() throws {
        try stage { (_, client) throws in
            let result = try client.call("selection.send", TestClient.params(Say.back))
            #expect(result["changed"]?.bool == false)
            #expect(result["state"]?["catalog"]?.isNull == true)
            #expect(try client.call("selection.list").text == #"{"sessions":[]}"#)
        }
    }

    @Test func aNewSessionNeedsACatalogThatIsThere() throws {
        try stage { (_, client) throws in
            let event = Say.category("A")
            let missing = try client.respond("selection.send", #"{"event":\#(event)}"#)["error"]
            #expect(missing?["code"]?.int == -32602)
            #expect(missing?["data"]?["path"]?.string == "/catalog")
            let unknown = try client.respond("selection.send", #"{"catalog":"no","event":\#(event)}"#)
            #expect(unknown["error"]?["code"]?.int == 1001)
            #expect(unknown["error"]?["data"]?["path"]?.string == "/catalog")
            try client.event(event)
            let other = try client.respond(
                "selection.send", #"{"session":"s","catalog":"no","event":\#(event)}"#)["error"]
            #expect(other?["code"]?.int == 1002)
            #expect(
                try client.call("selection.send", #"{"session":"s","event":\#(event)}"#)["changed"]?.bool
                    == false)
        }
    }

    @Test func anEventForAnotherRevisionIsAConflict() throws {
        try stage { (_, client) throws in
            let first = try client.event(Say.category("A")).revision
            let second = try client.event(Say.item("a1")).revision
            #expect(second > first)
            let params = #"{"session":"s","expectedRevision":\#(first),"event":\#(Say.item("a2"))}"#
            let error = try client.respond("selection.send", params)["error"]
            #expect(error?["code"]?.int == 1002)
            #expect(error?["data"]?["revision"]?.int == second)
            #expect(try client.state().items == ["a1"])
        }
    }

    @Test func sessionsAreListedByIdWithTheTimeOfTheirChange() throws {
        try stage { (_, client) throws in
            for session in ["b", "B", "a"] { try client.event(Say.category("A"), session: session) }
            let sessions = try #require(try client.call("selection.list")["sessions"])
            #expect(sessions.elements.map { $0["session"]?.string } == ["B", "a", "b"])
            for session in sessions.elements {
                #expect(session["catalog"]?.string == "c")
                #expect(session["updated"]?.string?.hasSuffix("Z") == true)
            }
        }
    }

    @Test func aDeletedSessionReadsAsZeroAndComesBackWithAHigherRevision() throws {
        try stage { (stage, client) throws in
            let before = try client.event(Say.category("A")).revision
            let watcher = try stage.harness.connect("selection")
            _ = try watcher.call("selection.subscribe")
            #expect(try client.call("selection.delete", #"{"session":"s"}"#).text == #"{"deleted":true}"#)
            let notice = try watcher.message()["params"]
            #expect(notice?["deleted"]?.bool == true)
            #expect(notice?["state"]?["revision"]?.int == 0)
            #expect(try client.call("selection.delete", #"{"session":"s"}"#).text == #"{"deleted":false}"#)
            #expect(try client.state() == SessionState(session: "s"))
            // The deletion took a number, too.
            #expect(try client.event(Say.category("A")).revision > before + 1)
        }
    }

    @Test func aCopyIsWhereTheOtherIsAndGoesItsOwnWay() throws {
        try stage { (_, client) throws in
            try client.event(Say.category("B"), session: "t")
            try client.event(Say.category("A"))
            let source = try client.event(Say.item("a1"))
            let result = try client.call("selection.copy", #"{"from":"s","to":"t"}"#)
            var expected = source
            expected.session = "t"
            expected.revision = source.revision + 1
            #expect(result["state"].flatMap(SessionState.init) == expected)
            try client.event(Say.historyBack, session: "t")
            #expect(try client.state() == source)
            #expect(try client.state("t").items == [])
            let unknown = try client.respond("selection.copy", #"{"from":"u","to":"t"}"#)["error"]
            #expect(unknown?["code"]?.int == 1001)
            #expect(unknown?["data"]?["path"]?.string == "/from")
        }
    }

    @Test func aCopyToItselfChangesNothing() throws {
        try stage { (_, client) throws in
            let before = try client.event(Say.category("A"))
            let result = try client.call("selection.copy", #"{"from":"s","to":"s"}"#)
            #expect(result["state"].flatMap(SessionState.init) == before)
            #expect(try client.state() == before)
        }
    }

    @Test func subscribersHearOfTheirSessionAfterTheAnswerOfWhoChangedIt() throws {
        try stage { (stage, client) throws in
            let other = try stage.harness.connect("selection")
            let own = try client.call("selection.subscribe", #"{"session":"s"}"#)["subscription"]?.string
            _ = try other.call("selection.subscribe")
            client.send(
                #"{"jsonrpc":"2.0","id":1,"method":"selection.send","params":\#(TestClient.params(Say.category("A")))}"#
            )
            let answer = try client.message()
            #expect(answer["id"]?.int == 1)
            let notice = try client.message()
            #expect(notice["method"]?.string == "selection.changed")
            #expect(
                notice["params"]?.text
                    == #"{"subscription":"\#(own ?? "")","seq":1,"state":\#(answer["result"]?["state"]?.text ?? ""),"cause":"contentChange","deleted":false}"#
            )
            try client.event(Say.category("A"), session: "t")
            #expect(try other.message()["params"]?["state"]?["session"]?.string == "s")
            #expect(try other.message()["params"]?["seq"]?.int == 2)
            _ = try client.call("selection.unsubscribe", #"{"subscription":"\#(own ?? "")"}"#)
            try client.event(Say.category("B"))
            stage.harness.settle()
            #expect(!client.hasLine)
        }
    }

    @Test(arguments: [
        (Say.category("A"), "contentChange"), (Say.historyBack, "contentChange"),
        (Say.search("x"), "contentChange"), (#"{"type":"expand","id":"A"}"#, "contentChange"),
        (#"{"type":"setWidth","column":"sidebar","width":200}"#, "contentChange"),
        (#"{"type":"setVisibility","visibility":"all"}"#, "explicitRequest"),
        (#"{"type":"setStyle","style":"balanced"}"#, "explicitRequest"),
        (#"{"type":"showColumn","column":"sidebar"}"#, "explicitRequest"),
        (#"{"type":"reset"}"#, "explicitRequest"),
    ])
    func subscribersAreToldTheCause(_ event: String, _ cause: String) throws {
        try stage { (stage, client) throws in
            try client.event(Say.category("B"))
            let watcher = try stage.harness.connect("selection")
            _ = try watcher.call("selection.subscribe", #"{"session":"s"}"#)
            try client.event(event)
            #expect(try watcher.message()["params"]?["cause"]?.string == cause)
        }
    }

    @Test func sessionsNeverInfluenceEachOther() throws {
        try stage { (_, client) throws in
            for event in [Say.category("A"), Say.item("a1"), Say.search("a")] {
                try client.event(event, session: "t")
            }
            let other = try client.state("t")
            for event in [
                Say.category("A"), Say.items("a2", "a1"), Say.push("b1"), Say.category("B"), Say.search("x"),
                Say.top("sidebar"), #"{"type":"expand","id":"A"}"#, Say.historyBack, #"{"type":"reset"}"#,
            ] {
                try client.event(event)
                #expect(try client.state("t") == other)
            }
            _ = try client.call("selection.delete", #"{"session":"s"}"#)
            #expect(try client.state("t") == other)
        }
    }

    @Test func paramsAreStrict() throws {
        try stage { (_, client) throws in
            for (method, params, path) in [
                ("selection.get", #"{"session":""}"#, "/session"), ("selection.get", #"{"x":1}"#, "/x"),
                ("selection.list", #"{"session":"s"}"#, "/session"), ("selection.delete", "{}", "/session"),
                ("selection.copy", #"{"from":"s"}"#, "/to"), ("selection.send", "{}", "/event"),
                ("selection.send", #"{"event":{"type":"back"},"expectedRevision":-1}"#, "/expectedRevision"),
                ("selection.subscribe", #"{"keepAfterEof":1}"#, "/keepAfterEof"),
                ("selection.unsubscribe", "{}", "/subscription"),
            ] {
                let error = try client.respond(method, params)["error"]
                #expect(error?["code"]?.int == -32602)
                #expect(error?["data"]?["path"]?.string == path)
            }
        }
    }
}
