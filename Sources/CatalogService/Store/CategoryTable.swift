import SQLite
import Shared

/// A category as it is stored.
struct CategoryRow {
    let key: Int
    let id: Identifier
    let place: Place
    let parent: Int?
    let itemCount: Int
    let created: Int
    /// `{"id","title","icon","badge","section"}`.
    let row: [UInt8]
}

/// The categories of all catalogs.
struct CategoryTable {
    private let select: Query
    private let selectAll: Query
    private let selectParent: Query
    private let selectKeys: Query
    private let selectId: Query
    private let selectChildren: Query
    private let insertRow: Query
    private let updateRow: Query
    private let updatePlace: Query
    private let updateCount: Query
    private let deleteRow: Query
    private let deleteAll: Query
    private let rows: NeighbourQueries

    init(_ database: Database) throws(SQLiteError) {
        let columns = "key, id, place, parent, itemCount, created, row"
        select = try Query(database, "SELECT \(columns) FROM category WHERE catalog = ?1 AND id = ?2")
        selectAll = try Query(database, "SELECT \(columns) FROM category WHERE catalog = ?1 ORDER BY place")
        selectKeys = try Query(database, "SELECT key FROM category WHERE catalog = ?1 ORDER BY key")
        selectId = try Query(database, "SELECT id FROM category WHERE key = ?1")
        selectParent = try Query(database, "SELECT parent FROM category WHERE key = ?1")
        selectChildren = try Query(
            database, "SELECT \(columns) FROM category WHERE parent = ?1 ORDER BY place")
        insertRow = try Query(
            database,
            """
            INSERT INTO category(catalog, id, place, parent, created, row) VALUES(?1, ?2, ?3, ?4, ?5, ?6)
            """)
        updateRow = try Query(
            database, "UPDATE category SET place = ?2, parent = ?3, row = ?4 WHERE key = ?1")
        updatePlace = try Query(database, "UPDATE category SET place = ?2 WHERE key = ?1")
        updateCount = try Query(database, "UPDATE category SET itemCount = itemCount + ?2 WHERE key = ?1")
        deleteRow = try Query(database, "DELETE FROM category WHERE key = ?1")
        deleteAll = try Query(database, "DELETE FROM category WHERE catalog = ?1")
        rows = try NeighbourQueries(
            database, select: "SELECT key, place FROM category WHERE catalog = ?1", key: "place")
    }

    private static func row(_ row: Row) -> CategoryRow {
        CategoryRow(
            key: row.int(0), id: Identifier(row.text(1)), place: Place(bytes: row.bytes(2)),
            parent: row.optionalInt(3), itemCount: row.int(4), created: row.int(5), row: row.bytes(6))
    }

    func find(_ id: Identifier, in catalog: Int) throws(RPCError) -> CategoryRow? {
        try select.first(catalog, id.text, read: Self.row)
    }

    /// All categories of a catalog, in position order.
    func all(of catalog: Int) throws(RPCError) -> [CategoryRow] { try selectAll.all(catalog, read: Self.row) }

    func children(of parent: Int) throws(RPCError) -> [CategoryRow] {
        try selectChildren.all(parent, read: Self.row)
    }

    /// The keys of a catalog's categories, as few runs of numbers: only another catalog's are in between.
    func keys(of catalog: Int) throws(RPCError) -> [ClosedRange<Int>] {
        var runs: [ClosedRange<Int>] = []
        for key in try selectKeys.all(catalog, read: { $0.int(0) }) {
            if let last = runs.last, last.upperBound + 1 == key {
                runs[runs.count - 1] = last.lowerBound...key
            } else {
                runs.append(key...key)
            }
        }
        return runs
    }

    func id(of key: Int) throws(RPCError) -> Identifier? {
        try selectId.first(key) { Identifier($0.text(0)) }
    }

    /// The key of the category above; nil at the root.
    func parent(of key: Int) throws(RPCError) -> Int? {
        try selectParent.first(key) { $0.optionalInt(0) } ?? nil
    }

    func insert(
        _ fields: CategoryFields, in catalog: Int, at place: Place, parent: Int?, created: Int
    ) throws(RPCError) {
        try insertRow.run(catalog, fields.id.text, place.bytes, parent, created, fields.row)
    }

    func update(_ key: Int, at place: Place, parent: Int?, row: [UInt8]) throws(RPCError) {
        try updateRow.run(key, place.bytes, parent, row)
    }

    func move(_ key: Int, to place: Place) throws(RPCError) { try updatePlace.run(key, place.bytes) }

    func countItems(of key: Int, by difference: Int) throws(RPCError) { try updateCount.run(key, difference) }

    func delete(_ key: Int) throws(RPCError) { try deleteRow.run(key) }

    func deleteAll(of catalog: Int) throws(RPCError) { try deleteAll.run(catalog) }

    /// The places of the categories of a catalog.
    func places(of catalog: Int) -> Places { Places(list: catalog, queries: rows) }
}
