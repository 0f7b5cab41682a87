import Shared

/// A change set on its way into the store, in steps: it may be longer than a turn.
///
/// All of it happens inside a savepoint; whoever runs it undoes that if a step throws.
final class ChangeSet {
    let store: Store
    let catalogId: Identifier
    let changes: [Change]
    let expectedRevision: Int?
    /// What was done.
    var log = ChangeLog()
    /// The number of this change set, as soon as it has one.
    private(set) var revision = 0
    var catalog: CatalogRow?
    /// What the last changes have asked for, as long as only items are put.
    var recent = Recent()
    /// By how much the numbers of items have changed, by category.
    private var itemCounts: [Int: Int] = [:]
    private var next = 0
    private var work: [Work] = []

    /// What items that are put one after the other ask for again and again.
    struct Recent {
        var categories: [Identifier: CategoryRow] = [:]
        /// A place behind all items of a category.
        var lastPlaces: [Int: Place] = [:]
    }

    /// What a change leaves to be done before the next one.
    enum Work {
        /// Takes the items out of a category; those that are in no other one are deleted.
        case empty(CategoryRow)
        /// Deletes an empty category.
        case delete(CategoryRow)
    }

    init(_ params: inout ObjectReader, on store: Store) throws(RPCError) {
        self.store = store
        catalogId = try params.identifier("catalog")
        changes = try ChangeReader.changes(&params)
        expectedRevision = try params.int("expectedRevision", in: 0...Int.max)
    }

    /// Goes on until all is done or `isTimeOver` says so.
    ///
    /// Returns whether all is done.
    ///
    /// - Throws: The refusal of the whole set.
    func run(isTimeOver: () -> Bool) throws(RPCError) -> Bool {
        if revision == 0 {
            try begin()
            if changes.isEmpty { return true }
        }
        while next < changes.count || !work.isEmpty {
            if let work = work.last { try finish(work) } else { try start(changes[next], "/changes/\(next)") }
            if isTimeOver() { return false }
        }
        for (category, difference) in itemCounts {
            try store.categories.countItems(of: category, by: difference)
        }
        if let catalog { try store.catalogs.update(catalog) }
        return true
    }

    private func begin() throws(RPCError) {
        catalog = try store.catalogs.find(catalogId)
        if catalog == nil {
            guard case .putCatalog? = changes.first else {
                throw .notFound("catalog", catalogId, path: "/catalog")
            }
        }
        let current = catalog?.revision ?? 0
        if let expectedRevision, expectedRevision != current {
            throw RPCError(
                .conflict, "The catalog \"\(catalogId)\" has changed: its revision is \(current).",
                path: "/expectedRevision", revision: current)
        }
        revision = changes.isEmpty ? current : try store.catalogs.nextRevision()
        catalog?.revision = revision
    }

    private func start(_ change: Change, _ path: String) throws(RPCError) {
        next += 1
        if case .putItem(_, at: nil) = change {} else { recent = Recent() }
        if case .putCatalog(let fields) = change { return try put(fields, path) }
        guard let catalog else { preconditionFailure("a change set begins with its catalog") }
        switch change {
        case .putCatalog: break
        case .putCategory(let fields, let anchor): try put(fields, at: anchor, in: catalog, path)
        case .moveCategory(let id, let anchor): try moveCategory(id, to: anchor, in: catalog, path)
        case .deleteCategory(let id): try deleteCategory(id, in: catalog, path)
        case .putItem(let fields, let anchor): try put(fields, at: anchor, in: catalog, path)
        case .moveItem(let id, let from, let to, let anchor):
            try moveItem(id, from: from, to: to, at: anchor, in: catalog, path)
        case .deleteItem(let id):
            try delete(store.item(id, in: catalog, path: "\(path)/id"), of: catalog)
        }
    }

    private func put(_ fields: CatalogFields, _ path: String) throws(RPCError) {
        guard var row = catalog else {
            catalog = try store.catalogs.insert(catalogId, fields, revision: revision)
            return
        }
        guard row.columns == fields.columns else {
            throw RPCError(
                .notPossible,
                "The catalog has \(row.columns) columns, which are fixed: drop it to change them.",
                path: "\(path)/columns")
        }
        (row.title, row.nesting, row.strings) = (fields.title, fields.nesting.rawValue, fields.strings)
        catalog = row
    }

    /// The event that tells of it; nil if nothing was to be done.
    var event: [UInt8]? {
        changes.isEmpty ? nil : log.event(catalog: catalogId, revision: revision)
    }

    func countItems(of category: Int, by difference: Int) { itemCounts[category, default: 0] += difference }

    // MARK: Work in steps

    func add(_ work: [Work]) { self.work += work.reversed() }

    private func finish(_ current: Work) throws(RPCError) {
        guard let catalog else { preconditionFailure("a change set begins with its catalog") }
        switch current {
        case .empty(let category):
            guard let entry = try store.entries.places(of: category.key).first() else {
                work.removeLast()
                return
            }
            try take(entry.key, outOf: category, of: catalog)
        case .delete(let category):
            try store.categories.delete(category.key)
            itemCounts[category.key] = nil
            self.catalog?.categoryCount -= 1
            log.deleted(category: category.id)
            work.removeLast()
        }
    }
}
