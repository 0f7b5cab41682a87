import Shared

/// What a session needs before it is right about its catalog.
enum Settling: Equatable {
    /// Nothing: it is right, or nobody can know.
    case done
    /// It must be pruned of this.
    case losses(Losses)
    /// These things must be looked up first.
    case needs(Set<Thing>)
    /// Its catalog was dropped, and it goes with it.
    case dropped
}

/// What an event needs before it can be applied.
enum Readiness: Equatable {
    /// Everything is known.
    case ready(Facts)
    /// These things must be looked up first.
    case needs(Set<Thing>)
    /// The catalog must be described first.
    case needsColumns
    /// There is no such catalog.
    case noCatalog
    /// The catalog would have to be asked, and can't be.
    case unavailable
}

extension Knowledge {
    /// Whether a session that has seen so much is right about its catalog for certain.
    func isSettled(seen: Int, _ catalog: Catalog?) -> Bool {
        guard link == .live else { return true }
        guard let catalog, catalog.exists else { return false }
        let seen = max(seen, catalog.settled)
        return seen == catalog.latest && seen >= catalog.droppedAt
    }

    /// What is to be done so that a session is right about its catalog, of which this is known.
    mutating func settling(_ session: Session, _ catalog: Catalog?) -> Settling {
        guard link == .live, session.state.catalog != nil else { return .done }
        guard let catalog, catalog.exists else { return .dropped }
        let seen = max(session.seen, catalog.settled)
        guard seen >= catalog.droppedAt else { return .dropped }
        guard seen != catalog.latest else { return .done }
        var losses = Losses()
        var doubtful = session.things
        if (catalog.changesFrom..<catalog.latest).contains(seen) {
            let changes = catalog.changes.filter { $0.revision > seen }
            losses.gone = doubtful.filter { thing in changes.contains { $0.deleted.contains(thing) } }
            doubtful = doubtful.filter { thing in
                !losses.gone.contains(thing) && changes.contains { $0.items.contains(thing) }
            }
        }
        var missing: Set<Thing> = []
        for thing in doubtful {
            guard let known = facts.find(thing, epoch: catalog.epoch) else {
                missing.insert(thing)
                continue
            }
            if let fact = known, fact.created <= seen {
                if thing.kind == .item { losses.categories[thing.id] = fact.categories }
            } else {
                losses.gone.insert(thing)
            }
        }
        return missing.isEmpty ? .losses(losses) : .needs(missing)
    }

    /// The things whose change or loss may concern sessions that are not settled yet; nil if that may be any.
    func changedThings(of id: Identifier) -> Set<Thing>? {
        guard let catalog = catalogs[id], catalog.exists, catalog.settled >= catalog.changesFrom else {
            return nil
        }
        return catalog.changes.reduce(into: []) { $0.formUnion($1.items.union($1.deleted)) }
    }

    /// The revision that a session has seen when it is settled now.
    func latest(of catalog: Identifier?) -> Int { catalog.flatMap { catalogs[$0]?.latest } ?? 0 }

    /// Whether an event can be applied to a session that is settled, of whose catalog this is known.
    mutating func readiness(of event: NavigationEvent, for session: Session, _ catalog: Catalog?) -> Readiness
    {
        guard session.state.catalog != nil else { return .noCatalog }
        guard let catalog, catalog.exists else {
            return link == .live ? .noCatalog : .unavailable
        }
        if catalog.isColumnsDoubtful, link == .live { return .needsColumns }
        guard let columns = catalog.columns else { return link == .live ? .needsColumns : .unavailable }
        // What no catalog of that kind allows is refused without asking.
        guard (try? event.check(columns: columns)) != nil else { return .ready(Facts(columns: columns)) }
        var known = Facts(columns: columns)
        var missing: Set<Thing> = []
        // Numbers alone, so that nothing of the session and its catalog is copied for what is done with each thing.
        let (epoch, seen) = (catalog.epoch, max(session.seen, catalog.settled))
        event.needs(of: session, columns: columns) { thing in
            if let fact = fact(about: thing, epoch: epoch, seen: seen) {
                known.learn(fact, about: thing)
            } else {
                missing.insert(thing)
            }
        }
        guard !missing.isEmpty else { return .ready(known) }
        return link == .live ? .needs(missing) : .unavailable
    }

    /// What is known about a thing of a catalog of which a session has seen so much.
    private mutating func fact(about thing: Thing, epoch: Int, seen: Int) -> Fact?? {
        guard let known = facts.find(thing, epoch: epoch) else { return nil }
        guard link != .live else { return known }
        // Without the catalog only what exists is known, and only as long as the session knows of no other.
        guard let fact = known, fact.created <= seen else { return nil }
        return fact
    }
}
