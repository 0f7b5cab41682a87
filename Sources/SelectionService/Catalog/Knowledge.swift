import Shared

/// What is known of the catalog service, and what follows from it for a session.
///
/// Every session has `seen` a revision of its catalog: all that it holds existed then. Changes up to `latest`
/// that it has not seen yet are taken into account before anything else happens to it. A thing that was
/// created after what the session has seen is another thing under the id of one that is gone.
struct Knowledge {
    /// Whether the catalog service tells of its changes.
    enum Link: Equatable {
        /// The first connection is being made.
        case connecting
        /// It is connected; what has changed meanwhile is not known yet.
        case subscribing
        /// All that has changed is known.
        case live
        /// It can't be reached, or does not answer: what was known is all there is.
        case down
    }

    /// One catalog.
    struct Catalog {
        /// Whether it is there; one that was dropped is kept until its sessions are deleted.
        var exists = true
        /// 3 or 2; fixed for as long as the catalog exists.
        var columns: Int?
        /// Whether it may have been dropped and made anew unseen, with other columns.
        var isColumnsDoubtful = false
        /// What another start may believe: doubt is not kept.
        var certainColumns: Int? { isColumnsDoubtful ? nil : columns }
        /// The revision of its last change that is known.
        var latest: Int
        /// The revision up to which all of its sessions are right.
        var settled: Int
        /// Sessions that have seen less are of a catalog that was dropped, whatever has its id now.
        var droppedAt = 0
        /// The changes after `changesFrom`, unless they are too many.
        fileprivate(set) var changes: [CatalogChange] = []
        fileprivate(set) var changesFrom: Int
        /// Facts of another epoch are not known any more; no other catalog has the same one.
        fileprivate(set) var epoch: Int

        init(latest: Int, settled: Int, columns: Int? = nil, epoch: Int) {
            (self.latest, self.settled, self.columns, changesFrom) = (latest, settled, columns, latest)
            self.epoch = epoch
        }
    }

    var link = Link.connecting
    private(set) var catalogs: [Identifier: Catalog] = [:]
    /// Catalogs whose sessions may not be right.
    private(set) var unsettled: Set<Identifier> = []
    var facts = FactCache()
    private var lastEpoch = 0

    /// Starts with what was known when the process ended.
    init(_ catalogs: [(id: Identifier, columns: Int?, settled: Int)] = []) {
        for catalog in catalogs {
            self.catalogs[catalog.id] = Catalog(
                latest: catalog.settled, settled: catalog.settled, columns: catalog.columns,
                epoch: nextEpoch())
        }
    }

    // MARK: Learning

    /// The catalog service has told the revisions of all of its catalogs, and tells of changes from now on.
    mutating func subscribed(_ revisions: [Identifier: Int]) {
        link = .live
        for (id, revision) in revisions {
            if let known = catalogs[id], known.exists, known.latest == revision { continue }
            var catalog = Catalog(
                latest: revision, settled: catalogs[id]?.settled ?? revision, epoch: nextEpoch())
            // Revisions never go back unless the catalog's data were replaced: then nothing is certain.
            if catalog.settled > revision { catalog.settled = -1 }
            catalog.droppedAt = catalogs[id]?.droppedAt ?? 0
            (catalog.columns, catalog.isColumnsDoubtful) = (catalogs[id]?.columns, true)
            catalogs[id] = catalog
        }
        for (id, catalog) in catalogs {
            if revisions[id] == nil { catalogs[id]?.exists = false }
            if revisions[id] == nil || catalog.settled != catalog.latest { unsettled.insert(id) }
        }
    }

    /// A catalog has changed.
    mutating func changed(_ change: CatalogChange) {
        let id = change.catalog
        var catalog = catalogs[id] ?? newCatalog(before: change.revision)
        guard change.revision > catalog.latest else { return }
        catalog.latest = change.revision
        if change.isDropped || !catalog.exists {
            (catalog.exists, catalog.columns, catalog.droppedAt) = (!change.isDropped, nil, change.revision)
        }
        let isSweeping = change.isAll || change.isDropped || catalog.changes.count >= Limits.changesMax
        if isSweeping {
            (catalog.changes, catalog.changesFrom) = ([], change.revision)
        } else {
            catalog.changes.append(change)
        }
        // The items of a deleted category that live on elsewhere need not be in the lists.
        if isSweeping || change.deleted.contains(where: { $0.kind == .category }) {
            catalog.epoch = nextEpoch()
        } else {
            for things in [change.items, change.categories, change.deleted] {
                facts.forget(things, epoch: catalog.epoch)
            }
        }
        catalogs[id] = catalog
        unsettled.insert(id)
    }

    /// The catalog has answered about things.
    mutating func located(_ located: Located, in catalog: Identifier) {
        guard let epoch = catalogs[catalog]?.epoch else { return }
        for (thing, fact) in located.facts { facts.learn(fact, of: thing, epoch: epoch) }
    }

    /// The catalog has said how many columns it has.
    mutating func described(_ catalog: Identifier, columns: Int) {
        catalogs[catalog]?.columns = columns
        catalogs[catalog]?.isColumnsDoubtful = false
    }

    /// All sessions of a catalog are right up to a revision.
    mutating func settled(_ id: Identifier, at revision: Int) {
        guard var catalog = catalogs[id] else { return }
        if catalog.latest == revision { unsettled.remove(id) }
        guard catalog.exists || catalog.latest != revision else { return catalogs[id] = nil }
        catalog.settled = revision
        catalog.changes.removeAll { $0.revision <= revision }
        catalog.changesFrom = max(catalog.changesFrom, revision)
        catalogs[id] = catalog
    }

    /// A catalog whose first change that is known comes now.
    private mutating func newCatalog(before revision: Int) -> Catalog {
        Catalog(latest: revision - 1, settled: revision - 1, epoch: nextEpoch())
    }

    private mutating func nextEpoch() -> Int {
        lastEpoch += 1
        return lastEpoch
    }
}
