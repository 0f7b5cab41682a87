import SQLite
import Shared

/// The tables, on one connection to the file.
final class Store {
    let database: Database
    let catalogs: CatalogTable
    let categories: CategoryTable
    let items: ItemTable
    let entries: EntryTable
    let words: WordTable
    let runs: RunTable
    let mover: RunMover
    let milestones: MilestoneTable

    private init(_ database: Database) throws(SQLiteError) {
        self.database = database
        milestones = try MilestoneTable(database)
        runs = try RunTable(database)
        mover = try RunMover(database)
        catalogs = try CatalogTable(database)
        categories = try CategoryTable(database)
        items = try ItemTable(database)
        entries = try EntryTable(database, runs, milestones)
        words = try WordTable(database)
    }

    /// Opens the file, makes it if it is missing, and brings it up to date.
    ///
    /// - Throws: `StartFailure`.
    static func open(_ path: String) throws(StartFailure) -> Store {
        do throws(MigrationFailure) {
            return try migrated(path)
        } catch {
            switch error {
            case .newer:
                throw StartFailure(.data, "\(path) is of a newer version: \(error). Install that version.")
            case .failed(let error) where error.isCorrupt:
                throw StartFailure(
                    .data, "\(path) is damaged (\(error.message)): restore a copy, or move it away.")
            case .failed(let error) where error.isBusy:
                throw StartFailure(.unavailable, "\(path) is in use by another process: stop that first.")
            case .failed(let error):
                throw StartFailure(.io, "\(path): \(error.message). Check the directory and the disk.")
            }
        }
    }

    private static func migrated(_ path: String) throws(MigrationFailure) -> Store {
        let database: Database
        do throws(SQLiteError) {
            database = try Database(path: path)
            // Each of the two connections has as many.
            try database.execute("PRAGMA cache_size=-\(Limits.cacheKiB)")
            database.stopCheckpointing()
        } catch {
            throw .failed(error)
        }
        try database.migrate(Schema.steps)
        do throws(SQLiteError) { return try Store(database) } catch { throw .failed(error) }
    }

    /// Reads one state of the file, whoever else writes; also, one lock is then enough for all of it.
    func reading<Value>(_ body: () throws(RPCError) -> Value) throws(RPCError) -> Value {
        do throws(SQLiteError) { try database.beginReading() } catch { throw RPCError(error) }
        defer { database.rollback() }
        return try body()
    }

    /// Moves some rows of lists together; nobody has asked for it, and so nobody need wait for the disk.
    ///
    /// Returns whether something may be left to do.
    func moveWhenIdle(rows: Int) throws(RPCError) -> Bool {
        do throws(SQLiteError) {
            try database.setWaitsForDisk(false)
            try database.begin()
        } catch {
            throw RPCError(error)
        }
        do throws(RPCError) {
            try runs.begin()
            let isDivided = try milestones.divide(in: entries) { true }
            let isMore = try mover.move(rows: rows, openRun: runs.open, isIdle: true) || !isDivided
            do throws(SQLiteError) {
                try database.commit()
                try database.setWaitsForDisk(true)
            } catch {
                throw RPCError(error)
            }
            return isMore
        } catch {
            database.rollback()
            do throws(SQLiteError) { try database.setWaitsForDisk(true) } catch { throw RPCError(error) }
            throw error
        }
    }

    /// Writes something that changes nothing.
    func tryWriting() throws(RPCError) {
        do throws(SQLiteError) { try database.tryWriting() } catch { throw RPCError(error) }
    }

    // MARK: What has to be there

    /// A catalog that must exist.
    func catalog(_ id: Identifier) throws(RPCError) -> CatalogRow {
        guard let row = try catalogs.find(id) else { throw .notFound("catalog", id, path: "/catalog") }
        return row
    }

    func category(
        _ id: Identifier, in catalog: CatalogRow, path: @autoclosure () -> String
    ) throws(RPCError) -> CategoryRow {
        guard let row = try categories.find(id, in: catalog.key) else {
            throw .notFound("category", id, path: path())
        }
        return row
    }

    func item(
        _ id: Identifier, in catalog: CatalogRow, path: @autoclosure () -> String
    ) throws(RPCError) -> ItemRow {
        guard let row = try items.find(id, in: catalog.key) else { throw .notFound("item", id, path: path()) }
        return row
    }

    // MARK: Items with all that belongs to them

    /// Puts an item into a list.
    func list(_ item: ItemRow, in list: Int, at place: Place?) throws(RPCError) {
        for (order, key) in item.keys.keys(at: place) {
            try entries.insert(list, order, key, item.id, item: item.key)
        }
    }

    /// Takes an item out of a list.
    func unlist(_ item: ItemRow, from list: Int, at place: Place?) throws(RPCError) {
        for (order, key) in item.keys.keys(at: place) { try entries.delete(list, order, key, item.id) }
    }

    /// Puts an item into a category.
    func add(_ item: ItemRow, to membership: Membership, words: String) throws(RPCError) {
        try items.set(membership, of: item.key)
        try list(item, in: membership.category, at: membership.place)
        try self.words.insert(item.key, in: membership.category, words)
    }

    /// Takes an item out of a category.
    func remove(_ item: ItemRow, from membership: Membership) throws(RPCError) {
        try unlist(item, from: membership.category, at: membership.place)
        try items.deleteMembership(of: item.key, in: membership.category)
        try words.delete(item.key, from: membership.category, items.words(item.key))
    }

    /// Deletes an item from everywhere.
    ///
    /// Returns the categories that it was in.
    @discardableResult
    func delete(_ item: ItemRow, of catalog: Int) throws(RPCError) -> [Membership] {
        let memberships = try items.memberships(of: item.key)
        for membership in memberships { try remove(item, from: membership) }
        try unlist(item, from: -catalog, at: nil)
        try items.delete(item.key)
        return memberships
    }
}
