import SQLite

extension Store {
    /// All that is asked of the database more than once, compiled once.
    struct Statements {
        let setCounter: Statement
        let find: Statement
        let row: Statement
        let list: Statement
        let ofCatalog: Statement
        let holders: Statement
        let idle: Statement
        let insert: Statement
        let update: Statement
        let updateHour: Statement
        let delete: Statement
        let places: Statement
        let putPlaces: Statement
        let deletePiece: Statement
        let deletePlaces: Statement
        let hold: Statement
        let letGo: Statement
        let catalogs: Statement
        let putCatalog: Statement
        let deleteCatalog: Statement
        let page: Statement
        let putPage: Statement
        let keep: Statement
        let keepRecord: Statement
        let keepPlaces: Statement
        let dropKept: Statement
        let damagedCount: Statement

        init(_ database: Database) throws(SQLiteError) {
            setCounter = try database.prepare("UPDATE counter SET revision = ?1, done = ?2, sum = ?3")
            find = try database.prepare(
                "SELECT number, catalog, updated, seen, record, sum FROM sessions WHERE session = ?1")
            row = try database.prepare("SELECT number FROM sessions WHERE session = ?1")
            list = try database.prepare(
                "SELECT session, catalog, revision, updated FROM sessions ORDER BY session")
            ofCatalog = try database.prepare(
                """
                SELECT number, session FROM sessions WHERE catalog = ?1 AND number > ?2
                ORDER BY number LIMIT ?3
                """)
            holders = try database.prepare(
                """
                SELECT number, sessions.session FROM holds JOIN sessions ON number = holds.session
                WHERE thing = ?1 AND holds.session > ?2 ORDER BY holds.session LIMIT ?3
                """)
            idle = try database.prepare(
                """
                SELECT session FROM sessions WHERE hour <= ?1 AND updated < ?2
                ORDER BY hour, updated
                """)
            insert = try database.prepare(
                """
                INSERT INTO sessions(session, catalog, revision, updated, seen, record, sum, hour)
                VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                """)
            update = try database.prepare(
                """
                UPDATE sessions SET revision = ?2, updated = ?3, seen = ?4, record = ?5, sum = ?6
                WHERE number = ?1
                """)
            updateHour = try database.prepare("UPDATE sessions SET hour = ?2 WHERE number = ?1")
            delete = try database.prepare("DELETE FROM sessions WHERE number = ?1")
            places = try database.prepare(
                "SELECT record, sum FROM pieces WHERE session = ?1 ORDER BY piece")
            putPlaces = try database.prepare("INSERT OR REPLACE INTO pieces VALUES(?1, ?2, ?3, ?4)")
            deletePiece = try database.prepare("DELETE FROM pieces WHERE session = ?1 AND piece = ?2")
            deletePlaces = try database.prepare("DELETE FROM pieces WHERE session = ?1")
            hold = try database.prepare("INSERT OR IGNORE INTO holds VALUES(?1, ?2)")
            letGo = try database.prepare("DELETE FROM holds WHERE thing = ?1 AND session = ?2")
            catalogs = try database.prepare("SELECT catalog, columns, settled FROM catalogs")
            putCatalog = try database.prepare("INSERT OR REPLACE INTO catalogs VALUES(?1, ?2, ?3)")
            deleteCatalog = try database.prepare("DELETE FROM catalogs WHERE catalog = ?1")
            page = try database.prepare("SELECT entries FROM journalPages WHERE page = ?1")
            putPage = try database.prepare("INSERT OR REPLACE INTO journalPages VALUES(?1, ?2)")
            keep = try database.prepare("INSERT INTO damaged VALUES(?1, ?2, ?3)")
            keepRecord = try database.prepare(
                "INSERT INTO damaged SELECT session, ?2, record FROM sessions WHERE number = ?1")
            keepPlaces = try database.prepare(
                "INSERT INTO damaged SELECT ?2, ?3, record FROM pieces WHERE session = ?1 ORDER BY piece")
            dropKept = try database.prepare("DELETE FROM damaged WHERE session = ?1")
            damagedCount = try database.prepare("SELECT count(DISTINCT session) FROM damaged")
        }
    }
}
