import SQLite
import Testing

private func memory(
    _ schema: String = "CREATE TABLE thing(id INTEGER PRIMARY KEY, value ANY) STRICT"
) throws -> Database {
    let database = try Database(path: ":memory:")
    try database.execute(schema)
    return database
}

private func things(_ database: Database) throws -> [String] {
    var all: [String] = []
    try database.prepare("SELECT value FROM thing ORDER BY id").rows { row in all.append(row.text(0)) }
    return all
}

@Suite struct StatementTests {
    @Test func valuesComeBackAsTheyWereBound() throws {
        let insert = try memory().prepare("SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8")
        let found = try insert.first(
            Int.min, "e\u{301}\0x", "", [UInt8]([0, 255]), [UInt8](), nil as String?, 0.5, true
        ) { row in
            #expect(row.int(0) == Int.min)
            #expect(Array(row.text(1).utf8) == Array("e\u{301}\0x".utf8))
            #expect(row.text(2).isEmpty && !row.isNull(2))
            #expect(row.bytes(3) == [0, 255])
            #expect(row.bytes(4).isEmpty && !row.isNull(4))
            #expect(row.isNull(5) && row.optionalInt(5) == nil)
            #expect(row.double(6) == 0.5)
            #expect(row.optionalInt(7) == 1)
            return true
        }
        #expect(found == true)
    }

    @Test func aStatementIsRunAgainWithOtherValues() throws {
        let database = try memory()
        let insert = try database.prepare("INSERT INTO thing(value) VALUES(?1)")
        for value in ["a", "b", "c"] { try insert.run(value) }
        #expect(try things(database) == ["a", "b", "c"])
        #expect(database.lastInsertedRow == 3)
        #expect(database.changedRows == 1)
    }

    @Test func rowsEndWhenToldTo() throws {
        let database = try memory()
        try database.execute("INSERT INTO thing VALUES(1,'a'),(2,'b'),(3,'c')")
        var seen: [Int] = []
        let select = try database.prepare("SELECT id FROM thing ORDER BY id")
        try select.rows(while: { row in
            seen.append(row.int(0))
            return seen.count < 2
        })
        #expect(seen == [1, 2])
        #expect(try select.first { $0.int(0) } == 1)
        #expect(try database.prepare("SELECT 1 WHERE 0").first { $0.int(0) } == nil)
    }

    @Test func aFailureSaysWhichConstraint() throws {
        let database = try memory(
            "CREATE TABLE thing(id INTEGER PRIMARY KEY, name TEXT UNIQUE) STRICT")
        let insert = try database.prepare("INSERT INTO thing(name) VALUES(?1)")
        try insert.run("a")
        let error = #expect(throws: SQLiteError.self) { try insert.run("a") }
        #expect(error?.primaryCode == 19)  // a constraint
        #expect(error?.code == 2067)
        #expect(error?.message == "UNIQUE constraint failed: thing.name")
        try insert.run("b")
    }

    @Test func doubleQuotesAreNoText() throws {
        let database = try memory()
        #expect(throws: SQLiteError.self) { try database.prepare(#"SELECT "nothing" FROM thing"#) }
    }
}

@Suite struct TransactionTests {
    @Test func aTransactionIsAllOrNothing() throws {
        let database = try memory()
        #expect(throws: SQLiteError.self) {
            try database.transaction { () throws(SQLiteError) in
                try database.execute("INSERT INTO thing VALUES(1,'a')")
                try database.execute("INSERT INTO thing VALUES(1,'b')")
            }
        }
        #expect(try things(database) == [])
        #expect(!database.isInTransaction)
    }

    @Test func aSavepointUndoesOnlyItsOwn() throws {
        struct Refusal: Error, Equatable {}
        let database = try memory()
        try database.begin()
        let first = try database.savepoint { () throws(SQLiteError) in
            try database.execute("INSERT INTO thing VALUES(1,'a')")
            return 7
        }
        let second: Result<Void, Refusal> = try database.savepoint { () throws(Refusal) in
            try? database.execute("INSERT INTO thing VALUES(2,'b')")
            throw Refusal()
        }
        #expect(try first.get() == 7)
        #expect(throws: Refusal()) { try second.get() }
        try database.commit()
        #expect(try things(database) == ["a"])
    }

    @Test func aFullDiskIsTold() throws {
        let database = try memory()
        try database.execute("PRAGMA max_page_count=3")
        let insert = try database.prepare("INSERT INTO thing(value) VALUES(?1)")
        let error = #expect(throws: SQLiteError.self) {
            try insert.run([UInt8](repeating: 1, count: 100_000))
        }
        #expect(error?.isDiskFull == true)
    }
}
