import Glibc
import JSON
import SQLite
import TestSupport
import Testing

@testable import CatalogService
@testable import Shared

@Suite struct StorageTests {
    let serving: Serving

    init() throws {
        serving = try Serving()
        try serving.apply([made, category("A"), put("x", "A")].joined(separator: ","))
    }

    @Test func allIsThereAfterARestart() throws {
        defer { serving.finish() }
        let questions = [
            ("catalog.list", "{}"), ("catalog.categories", #"{"catalog":"k"}"#),
            ("catalog.items", #"{"catalog":"k"}"#),
            ("catalog.item", #"{"catalog":"k","id":"x"}"#),
            ("catalog.items", #"{"catalog":"k","query":"x"}"#),
        ]
        let before = try questions.map { try serving.client.call($0.0, $0.1).text }
        let client = try serving.restart()
        #expect(try questions.map { try client.call($0.0, $0.1).text } == before)
        #expect(
            try client.call("catalog.apply", #"{"catalog":"k","changes":[\#(made)]}"#)["revision"]?.int == 2)
    }

    @Test func aFullDiskUndoesTheChangeAndTheServiceGoesOn() throws {
        defer { serving.finish() }
        let database = try #require(serving.handler).store.database
        let pages = try #require(database.prepare("PRAGMA page_count").first { $0.int(0) })
        try database.execute("PRAGMA max_page_count=\(pages + 4)")
        let text = String(repeating: "x", count: 200_000)
        let big = put("big", "A", more: #","blocks":[{"kind":"text","text":"\#(text)"}]"#)
        let answer = try serving.client.respond("catalog.apply", #"{"catalog":"k","changes":[\#(big)]}"#)
        #expect(answer["error"]?["code"]?.int == -32007)
        #expect(answer["error"]?["data"]?["retryable"]?.bool == true)
        #expect(try serving.walk("") == ["x"])
        try database.execute("PRAGMA max_page_count=1000000")
        #expect(try serving.client.call("rpc.health")["status"]?.string == "ok")
        #expect(try serving.apply(big) == 2)
        #expect(try serving.walk("") == ["big", "x"])
    }

    @Test func theLogIsMovedIntoTheFileAndBeginsAnew() throws {
        defer { serving.finish() }
        let other = try serving.harness.connect("catalog")
        let text = String(repeating: "x", count: 200_000)
        for number in 0..<60 {
            // Some while the log is moved, some when it was.
            serving.client.send(
                #"{"jsonrpc":"2.0","id":1,"method":"catalog.apply","params":{"catalog":"k","changes":["#
                    + put("i\(number)", "A", more: #","blocks":[{"kind":"text","text":"\#(text)"}]"#) + "]}}")
            #expect(try other.call("catalog.list")["catalogs"]?.count == 1)
            #expect(try serving.client.message()["result"]?["revision"]?.int == number + 2)
        }
        var status = stat()
        #expect(unsafe stat(serving.file + "-wal", &status) == 0)
        #expect(status.st_size < Limits.logPagesMax * 2 * 4_096)
        #expect(unsafe stat(serving.file, &status) == 0)
        #expect(status.st_size > Limits.logPagesMax * 4_096)
        #expect(try serving.walk("").count == 61)
    }

    @Test func whenTheCommitFailsAllOfItsChangesDo() throws {
        defer { serving.finish() }
        let store = try #require(serving.handler).store
        var commit = GroupCommit(store)
        let request = Request(
            token: RequestToken(1), connection: ConnectionID(1), method: "catalog.apply", params: nil,
            deadline: 0)
        for _ in 0..<2 {
            try commit.beginChange()
            _ = try store.catalogs.nextRevision()
            try commit.endChange(request, .success(GroupCommit.Outcome(result: [], catalog: "c", event: nil)))
        }
        commit.refuse(request, RPCError(.conflict, "refused"))
        store.database.rollback()  // as SQLite itself does when the disk fails
        let (told, failure) = commit.commit()
        #expect(failure?.reason == .storage)
        #expect(told.count == 3)
        for held in told {
            guard case .failure(let error) = held.outcome else {
                Issue.record("a change that was lost was told to be done")
                continue
            }
            #expect(error.reason == .storage)
        }
        #expect(commit.isEmpty)
        #expect(try serving.apply(put("y", "A")) == 2)
    }

    /// SQLite can't know that a number is wrong: the service finds out when it needs it.
    @Test(arguments: [
        "INSERT INTO milestone VALUES(99, 1, x'FFFFFF', '', 5000)",
        "UPDATE milestone SET rows = 5000",
        "INSERT INTO milestone VALUES(99, 7, x'FFFFFF', '', 5000)",
    ]) func aWrongCountInTheFileIsAFailureAndNoEnd(_ damage: String) throws {
        defer { serving.finish() }
        let store = try #require(serving.handler).store
        try store.database.execute(damage)
        let failure = #expect(throws: RPCError.self) {
            while try store.moveWhenIdle(rows: 100) {}
        }
        #expect(failure?.reason == .storage)
        // Stretches are divided in the pauses: who changes and reads something is served.
        try serving.apply(put("y", "A"))
        #expect(try serving.walk("") == ["x", "y"])
    }

    @Test func anUnknownItemInAListIsAFailureOfTheChange() throws {
        defer { serving.finish() }
        let store = try #require(serving.handler).store
        try store.database.execute("UPDATE entry SET item = 999 WHERE list > 0")
        #expect(try serving.refusal(of: #"{"op":"deleteCategory","id":"A"}"#) == "-32007")
        try serving.apply(category("B"))
    }

    @Test func aFileThatCannotBeUsedIsToldInOneLine() throws {
        defer { serving.finish() }
        let other = "\(serving.harness.directory)/other.sqlite"
        defer { for suffix in ["", "-wal", "-shm"] { _ = unsafe unlink(other + suffix) } }
        try Database(path: other).execute("PRAGMA user_version=99")
        let newer = #expect(throws: StartFailure.self) { try Store.open(other) }
        #expect(newer?.status == .data && newer?.message.contains("newer") == true)
        guard let file = unsafe fopen(other, "w") else {
            Issue.record("can't write \(other)")
            return
        }
        _ = unsafe fputs(String(repeating: "no database ", count: 100), file)
        _ = unsafe fclose(file)
        let damaged = #expect(throws: StartFailure.self) { try Store.open(other) }
        #expect(damaged?.status == .data && damaged?.message.contains("damaged") == true)
        #expect(damaged?.message.contains("\n") == false)
        let missing = #expect(throws: StartFailure.self) { try Store.open("/nowhere/catalog.sqlite") }
        #expect(missing?.status == .io)
    }
}
