import SQLite
import Shared

/// An item as it is stored, but its detail and its places.
struct ItemRow {
    let key: Int
    let id: Identifier
    let created: Int
    /// `{"id","title","subtitle","icon","badge","date"}`.
    let row: [UInt8]
    let keys: SortKeys
}

/// An item's place in one of its categories.
struct Membership: Equatable {
    let category: Int
    var ordinal: Int
    var place: Place
}

/// The items of all catalogs, their details and their places.
struct ItemTable {
    private let select: Query
    private let selectKey: Query
    private let selectRow: Query
    private let selectExists: Query
    private let selectSome: Query
    private let insertRow: Query
    private let updateRow: Query
    private let deleteRow: Query
    private let selectDetail: Query
    private let selectWords: Query
    private let selectMemberships: Query
    private let selectCategories: Query
    private let selectPlace: Query
    private let replaceMembership: Query
    private let deleteMembership: Query

    init(_ database: Database) throws(SQLiteError) {
        let columns = "key, id, created, row, title, date"
        select = try Query(database, "SELECT \(columns) FROM item WHERE catalog = ?1 AND id = ?2")
        selectKey = try Query(database, "SELECT \(columns), catalog FROM item WHERE key = ?1")
        selectExists = try Query(database, "SELECT 1 FROM item WHERE catalog = ?1 AND id = ?2")
        selectRow = try Query(database, "SELECT row FROM item WHERE key = ?1")
        selectSome = try Query(database, "SELECT \(columns) FROM item WHERE catalog = ?1 LIMIT ?2")
        insertRow = try Query(
            database,
            """
            INSERT INTO item(catalog, id, created, row, title, date, words, hasLinks, blocks)
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """)
        updateRow = try Query(
            database,
            """
            UPDATE item SET row = ?2, title = ?3, date = ?4, words = ?5, hasLinks = ?6, blocks = ?7
            WHERE key = ?1
            """)
        selectWords = try Query(database, "SELECT words FROM item WHERE key = ?1")
        deleteRow = try Query(database, "DELETE FROM item WHERE key = ?1")
        selectDetail = try Query(database, "SELECT blocks, hasLinks FROM item WHERE key = ?1")
        selectMemberships = try Query(
            database, "SELECT category, ordinal, place FROM membership WHERE item = ?1 ORDER BY ordinal")
        selectCategories = try Query(
            database,
            """
            SELECT category.id FROM membership JOIN category ON category.key = membership.category
            WHERE item = ?1 ORDER BY ordinal
            """)
        selectPlace = try Query(database, "SELECT place FROM membership WHERE item = ?1 AND category = ?2")
        replaceMembership = try Query(database, "INSERT OR REPLACE INTO membership VALUES(?1, ?2, ?3, ?4)")
        deleteMembership = try Query(database, "DELETE FROM membership WHERE item = ?1 AND category = ?2")
    }

    private static func row(_ row: Row) -> ItemRow {
        ItemRow(
            key: row.int(0), id: Identifier(row.text(1)), created: row.int(2), row: row.bytes(3),
            keys: SortKeys(title: row.bytes(4), date: row.bytes(5)))
    }

    // MARK: Items

    func find(_ id: Identifier, in catalog: Int) throws(RPCError) -> ItemRow? {
        try select.first(catalog, id.text, read: Self.row)
    }

    func find(_ key: Int) throws(RPCError) -> ItemRow? { try selectKey.first(key, read: Self.row) }

    func exists(_ id: Identifier, in catalog: Int) throws(RPCError) -> Bool {
        try selectExists.first(catalog, id.text) { _ in true } ?? false
    }

    /// An item of a catalog by its key; nil if it is in another one.
    func find(_ key: Int, of catalog: Int) throws(RPCError) -> ItemRow? {
        try selectKey.first(key) { $0.int(6) == catalog ? Self.row($0) : nil } ?? nil
    }

    /// The bytes of a row, as they are sent.
    func row(_ key: Int) throws(RPCError) -> [UInt8] { try selectRow.first(key) { $0.bytes(0) } ?? [] }

    /// Some items of a catalog, whichever.
    func some(of catalog: Int, count: Int) throws(RPCError) -> [ItemRow] {
        try selectSome.all(catalog, count, read: Self.row)
    }

    func insert(
        _ fields: ItemFields, in catalog: Int, keys: SortKeys, created: Int
    ) throws(RPCError) -> Int {
        try insertRow.insert(
            catalog, fields.id.text, created, fields.row, keys.title, keys.date, fields.words,
            fields.hasLinks, fields.blocks)
    }

    func update(_ key: Int, _ fields: ItemFields, keys: SortKeys) throws(RPCError) {
        try updateRow.run(
            key, fields.row, keys.title, keys.date, fields.words, fields.hasLinks, fields.blocks)
    }

    func delete(_ key: Int) throws(RPCError) { try deleteRow.run(key) }

    // MARK: Words and details

    /// The words by which an item is found, as `SearchText` writes them.
    func words(_ key: Int) throws(RPCError) -> String { try selectWords.first(key) { $0.text(0) } ?? "" }

    func detail(_ key: Int) throws(RPCError) -> (blocks: [UInt8], hasLinks: Bool) {
        try selectDetail.first(key) { (blocks: $0.bytes(0), hasLinks: $0.int(1) != 0) } ?? (
            Array("[]".utf8), false
        )
    }

    // MARK: Memberships

    func memberships(of item: Int) throws(RPCError) -> [Membership] {
        try selectMemberships.all(item) { row in
            Membership(category: row.int(0), ordinal: row.int(1), place: Place(bytes: row.bytes(2)))
        }
    }

    /// The ids of an item's categories, in the item's order.
    func categories(of item: Int) throws(RPCError) -> [String] {
        try selectCategories.all(item) { $0.text(0) }
    }

    func place(of item: Int, in category: Int) throws(RPCError) -> Place? {
        try selectPlace.first(item, category) { Place(bytes: $0.bytes(0)) }
    }

    func set(_ membership: Membership, of item: Int) throws(RPCError) {
        try replaceMembership.run(item, membership.category, membership.ordinal, membership.place.bytes)
    }

    func deleteMembership(of item: Int, in category: Int) throws(RPCError) {
        try deleteMembership.run(item, category)
    }
}
