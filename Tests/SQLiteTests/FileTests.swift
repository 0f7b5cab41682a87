import Glibc
import SQLite
import TestSupport
import Testing

extension TemporaryDirectory {
    fileprivate var file: String { "\(path)/x.sqlite" }
}

private let steps = ["CREATE TABLE a(x)", "CREATE TABLE b(x); INSERT INTO b VALUES(1)"]

@Suite struct FileTests {
    @Test func whatWasCommittedIsThereAfterReopening() throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        do {
            let database = try Database(path: directory.file)
            try database.execute("CREATE TABLE a(x); INSERT INTO a VALUES(5)")
            #expect(try database.prepare("PRAGMA journal_mode").first { $0.text(0) } == "wal")
            #expect(try database.prepare("PRAGMA synchronous").first { $0.int(0) } == 2)
        }
        #expect(try Database(path: directory.file).prepare("SELECT x FROM a").first { $0.int(0) } == 5)
    }

    @Test func aFileThatIsNoDatabaseIsTold() throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        guard let file = unsafe fopen(directory.file, "w") else {
            Issue.record("can't write \(directory.file)")
            return
        }
        _ = unsafe fputs(String(repeating: "no database at all ", count: 60), file)
        _ = unsafe fclose(file)
        let error = #expect(throws: SQLiteError.self) { try Database(path: directory.file) }
        #expect(error?.isCorrupt == true)
    }

    @Test func aMissingDirectoryIsTold() {
        let error = #expect(throws: SQLiteError.self) { try Database(path: "/nowhere/x.sqlite") }
        #expect(error?.operation == "open /nowhere/x.sqlite")
    }

    @Test func onlyMissingStepsAreDone() throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        try Database(path: directory.file).migrate([steps[0]])
        let database = try Database(path: directory.file)
        try database.migrate(steps)
        try database.migrate(steps)
        #expect(try database.schemaVersion() == 2)
        #expect(try database.prepare("SELECT count(*) FROM b").first { $0.int(0) } == 1)
    }

    @Test func aFailedStepChangesNothing() throws {
        let database = try Database(path: ":memory:")
        #expect(throws: MigrationFailure.self) {
            try database.migrate([steps[0], "CREATE TABLE b(x); CREATE TABLE a(x)"])
        }
        #expect(try database.schemaVersion() == 1)
        try database.migrate(steps)
        #expect(try database.schemaVersion() == 2)
    }

    @Test func aNewerFileIsLeftAlone() throws {
        let database = try Database(path: ":memory:")
        try database.migrate(steps)
        #expect(throws: MigrationFailure.newer(found: 2, known: 1)) { try database.migrate([steps[0]]) }
    }

    @Test func tryingToWriteReachesTheDiskAndChangesNothing() throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let database = try Database(path: directory.file)
        try database.migrate(steps)
        database.stopCheckpointing()
        database.beginCheckpoint()
        #expect(database.checkpointFailure(unsafe Database.checkpoint(database.path)) == nil)
        try database.tryWriting()
        #expect(database.logPages == 1)
        #expect(try database.schemaVersion() == 2)
    }

    @Test func aCheckpointThatFailsIsTold() throws {
        let database = try Database(path: ":memory:")
        let code = unsafe Database.checkpoint("/nowhere/file")
        #expect(database.checkpointFailure(code)?.operation == "checkpoint :memory:")
    }

    @Test func anotherWriterIsTold() throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let one = try Database(path: directory.file)
        let two = try Database(path: directory.file, busyMilliseconds: 0)
        try one.begin()
        let error = #expect(throws: SQLiteError.self) { try two.begin() }
        #expect(error?.isBusy == true)
        one.rollback()
        try two.begin()
        two.rollback()
    }
}
