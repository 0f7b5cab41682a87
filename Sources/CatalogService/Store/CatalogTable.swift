import SQLite
import Shared

/// A catalog as it is stored.
struct CatalogRow {
    let key: Int
    let id: Identifier
    var title: String
    let columns: Int
    var nesting: String
    var strings: [UInt8]
    var revision: Int
    var categoryCount = 0
    var itemCount = 0

    /// The number of its list of all items.
    var list: Int { -key }
}

/// The catalogs, and the revisions.
struct CatalogTable {
    private let select: Query
    private let selectAll: Query
    private let insertRow: Query
    private let updateRow: Query
    private let deleteRow: Query
    private let insertDropped: Query
    private let selectDropped: Query
    private let deleteDropped: Query
    private let countUp: Query

    init(_ database: Database) throws(SQLiteError) {
        let columns = "key, id, title, columns, nesting, strings, revision, categoryCount, itemCount"
        select = try Query(database, "SELECT \(columns) FROM catalog WHERE id = ?1")
        selectAll = try Query(database, "SELECT \(columns) FROM catalog ORDER BY key")
        insertRow = try Query(
            database,
            """
            INSERT INTO catalog(id, title, columns, nesting, strings, revision) VALUES(?1, ?2, ?3, ?4, ?5, ?6)
            RETURNING key
            """)
        updateRow = try Query(
            database,
            """
            UPDATE catalog SET title = ?2, nesting = ?3, strings = ?4, revision = ?5, categoryCount = ?6,
              itemCount = ?7 WHERE key = ?1
            """)
        deleteRow = try Query(database, "DELETE FROM catalog WHERE key = ?1")
        insertDropped = try Query(database, "INSERT INTO dropped VALUES(?1)")
        selectDropped = try Query(database, "SELECT catalog FROM dropped LIMIT 1")
        deleteDropped = try Query(database, "DELETE FROM dropped WHERE catalog = ?1")
        countUp = try Query(database, "UPDATE counter SET revision = revision + 1 RETURNING revision")
    }

    private static func row(_ row: Row) -> CatalogRow {
        CatalogRow(
            key: row.int(0), id: Identifier(row.text(1)), title: row.text(2), columns: row.int(3),
            nesting: row.text(4), strings: row.bytes(5), revision: row.int(6), categoryCount: row.int(7),
            itemCount: row.int(8))
    }

    func find(_ id: Identifier) throws(RPCError) -> CatalogRow? { try select.first(id.text, read: Self.row) }

    /// All of them, in order of creation.
    func all() throws(RPCError) -> [CatalogRow] { try selectAll.all(read: Self.row) }

    func insert(_ id: Identifier, _ fields: CatalogFields, revision: Int) throws(RPCError) -> CatalogRow {
        let key = try insertRow.first(
            id.text, fields.title, fields.columns, fields.nesting.rawValue, fields.strings, revision
        ) { $0.int(0) }
        return CatalogRow(
            key: key ?? 0, id: id, title: fields.title, columns: fields.columns,
            nesting: fields.nesting.rawValue, strings: fields.strings, revision: revision)
    }

    func update(_ row: CatalogRow) throws(RPCError) {
        try updateRow.run(
            row.key, row.title, row.nesting, row.strings, row.revision, row.categoryCount, row.itemCount)
    }

    /// Makes a catalog invisible at once; what belongs to it is to be cleared up.
    func drop(_ row: CatalogRow) throws(RPCError) {
        try deleteRow.run(row.key)
        try insertDropped.run(row.key)
    }

    /// The key of a dropped catalog of which something may be left.
    func firstDropped() throws(RPCError) -> Int? { try selectDropped.first { $0.int(0) } }

    func forgetDropped(_ key: Int) throws(RPCError) { try deleteDropped.run(key) }

    func nextRevision() throws(RPCError) -> Int { try countUp.first { $0.int(0) } ?? 0 }
}
