import Shared

/// What the catalog said about ids, of late: exact as long as everything that changes is forgotten.
///
/// Facts are kept in two generations. When the young one is full it becomes the old one, whose facts are
/// dropped.
struct FactCache {
    private struct Key: Hashable {
        let catalog: Identifier
        let thing: Thing
    }

    private struct Entry {
        let fact: Fact?
        let epoch: Int
    }

    private var young: [Key: Entry] = [:]
    private var old: [Key: Entry] = [:]

    /// Facts that are kept.
    var count: Int { young.count + old.count }

    /// What is known about a thing of a catalog: a fact, that it does not exist (`.some(nil)`), or nothing.
    ///
    /// Facts of another `epoch` of the catalog are not known any more.
    func find(_ thing: Thing, in catalog: Identifier, epoch: Int) -> Fact?? {
        let key = Key(catalog: catalog, thing: thing)
        guard let entry = young[key] ?? old[key], entry.epoch == epoch else { return nil }
        return .some(entry.fact)
    }

    /// Takes a fact in.
    mutating func learn(_ fact: Fact?, of thing: Thing, in catalog: Identifier, epoch: Int) {
        if young.count >= Limits.factsMax {
            old = young
            young = [:]
        }
        young[Key(catalog: catalog, thing: thing)] = Entry(fact: fact, epoch: epoch)
    }

    /// Forgets what has changed.
    mutating func forget(_ things: Set<Thing>, in catalog: Identifier) {
        for thing in things {
            let key = Key(catalog: catalog, thing: thing)
            young[key] = nil
            old[key] = nil
        }
    }
}
