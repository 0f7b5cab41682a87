import Shared

/// What the catalog said about ids, of late: exact as long as everything that changes is forgotten.
///
/// Facts are kept in two generations. When the young one is full it becomes the old one, whose facts are
/// dropped; what is asked for is young.
struct FactCache {
    private struct Key: Hashable {
        /// That of a catalog, which no other one has.
        let epoch: Int
        let thing: Thing

        /// That of the id, which has a digest already; what else it has is in the seed, so nothing is hashed byte by byte.
        func _rawHashValue(seed: Int) -> Int {
            thing.id._rawHashValue(seed: seed ^ (epoch << 2 | Int(thing.kind.rawValue)))
        }
    }

    private var young: [Key: Fact?] = [:]
    private var old: [Key: Fact?] = [:]

    /// Facts that are kept.
    var count: Int { young.count + old.count }

    /// What is known about a thing of a catalog: a fact, that it does not exist (`.some(nil)`), or nothing.
    ///
    /// Facts of another `epoch` of the catalog are not known any more.
    mutating func find(_ thing: Thing, epoch: Int) -> Fact?? {
        let key = Key(epoch: epoch, thing: thing)
        if let fact = young[key] { return .some(fact) }
        guard let fact = old.removeValue(forKey: key) else { return nil }
        learn(fact, of: thing, epoch: epoch)
        return .some(fact)
    }

    /// Takes a fact in.
    mutating func learn(_ fact: Fact?, of thing: Thing, epoch: Int) {
        if young.count >= Limits.factsMax {
            old = young
            young = [:]
        }
        young[Key(epoch: epoch, thing: thing)] = .some(fact)
    }

    /// Forgets what has changed.
    mutating func forget(_ things: Set<Thing>, epoch: Int) {
        for thing in things {
            let key = Key(epoch: epoch, thing: thing)
            young[key] = nil
            old[key] = nil
        }
    }
}
