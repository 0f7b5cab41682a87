import JSON
import SQLite
import Shared
import TestSupport
import Testing

@testable import SelectionService

/// Turns of several sessions, which go into the journal.
@Suite struct FailedCommitTests {
    private static func line(_ id: Int, _ method: String, _ params: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"selection.\#(method)","params":\#(params)}"#
    }

    @Test func whenATurnOfManyCannotBeWrittenAllAreAsBefore() throws {
        let stage = try Stage()
        defer { stage.finish() }
        let client = try stage.client()
        let watcher = try stage.harness.connect("selection")
        let sessions = ["gone", "changed", "over", "new"]
        for session in sessions.dropLast() {
            // What is asked of the catalog here need not be asked later, so that all is one turn then.
            try client.event(Say.category("B"), session: session)
            try client.event(Say.category("A"), session: session)
            try client.event(Say.item("a1"), session: session)
        }
        _ = try client.event(Say.item("a2"), session: "changed")
        let before = try sessions.map { try client.state($0) }
        _ = try watcher.call("selection.subscribe")
        let database = try #require(stage.handler?.store.database)
        try database.execute(
            "CREATE TEMP TRIGGER full BEFORE INSERT ON main.journalPages BEGIN SELECT raise(ABORT, 'no room'); END"
        )
        let turn = [
            Self.line(1, "delete", #"{"session":"gone"}"#),
            Self.line(2, "send", TestClient.params(Say.category("B"), "gone")),
            Self.line(3, "delete", #"{"session":"gone"}"#),
            Self.line(4, "send", TestClient.params(Say.item("a1"), "changed")),
            Self.line(5, "send", TestClient.params(#"{"type":"historyBack"}"#, "changed")),
            Self.line(6, "copy", #"{"from":"changed","to":"over"}"#),
            Self.line(7, "copy", #"{"from":"changed","to":"new"}"#),
        ]
        for _ in 0..<2 {
            client.send("[" + turn.joined(separator: ",") + "]")
            let answers = try client.message().elements.map { $0 }
            #expect(answers.count == turn.count)
            for answer in answers { #expect(answer["error"]?["code"]?.int == -32007) }
            #expect(try sessions.map { try client.state($0) } == before)
            #expect(!watcher.hasLine)
        }
        try database.execute("DROP TRIGGER full")
        client.send("[" + turn.joined(separator: ",") + "]")
        for answer in try client.message().elements.map({ $0 }) { #expect(answer["result"] != nil) }
        // What is told has the numbers that come next, as if nothing had failed.
        let highest = before.map(\.revision).max() ?? 0
        for number in 1...7 {
            let notice = try watcher.message()["params"]
            #expect(notice?["seq"]?.int == number)
            let isGone = notice?["deleted"]?.bool ?? false
            #expect(notice?["state"]?["revision"]?.int == (isGone ? 0 : highest + number))
        }
        let after = try sessions.map { try client.state($0) }
        #expect(after[0].revision == 0 && after[1].items == ["a2"] && after[2].items == ["a2"])
        try stage.stop()
        let again = try stage.client()
        #expect(try sessions.map { try again.state($0) } == after)
    }
}
