import SQLite
import Shared

/// Clears up what belonged to dropped catalogs, some items at a time.
struct Purge {
    private let store: Store
    /// Whether something may be left.
    ///
    /// After a start there may be.
    private(set) var isNeeded = true

    init(_ store: Store) { self.store = store }

    mutating func wasDropped() { isNeeded = true }

    /// Goes on until nothing is left or `isTimeOver` says so.
    ///
    /// Not to be called inside a transaction.
    mutating func run(isTimeOver: () -> Bool) throws(RPCError) {
        guard let catalog = try store.catalogs.firstDropped() else {
            isNeeded = false
            return
        }
        do throws(SQLiteError) { try store.database.begin() } catch { throw RPCError(error) }
        defer {
            store.words.end()
            store.milestones.end()
        }
        do throws(RPCError) {
            repeat {
                let items = try store.items.some(of: catalog, count: 8)
                for item in items { try store.delete(item, of: catalog) }
                if items.isEmpty {
                    try store.categories.deleteAll(of: catalog)
                    try store.catalogs.forgetDropped(catalog)
                    break
                }
            } while !isTimeOver()
            try store.words.give { false }
            try store.milestones.write()
            do throws(SQLiteError) { try store.database.commit() } catch { throw RPCError(error) }
        } catch {
            store.database.rollback()
            isNeeded = false  // the next start tries again
            throw error
        }
    }
}
