import Shared

/// Sessions that were used of late, in two generations: when the young one is full, the old one is dropped.
struct SessionCache {
    private var young: [Identifier: Store.Kept] = [:]
    private var old: [Identifier: Store.Kept] = [:]
    /// What the young generation takes, in bytes.
    private var youngBytes = 0

    /// Sessions that are kept.
    var count: Int { young.count + old.count }

    /// A session, if it is here.
    mutating func find(_ id: Identifier) -> Store.Kept? {
        if let kept = young[id] { return kept }
        guard let kept = old.removeValue(forKey: id) else { return nil }
        put(kept, as: id)
        return kept
    }

    /// Takes a session in; nil forgets it.
    mutating func put(_ kept: Store.Kept?, as id: Identifier) {
        if !old.isEmpty { old[id] = nil }
        let before = kept.map { young.updateValue($0, forKey: id) } ?? young.removeValue(forKey: id)
        youngBytes += (kept?.weightBytes ?? 0) - (before?.weightBytes ?? 0)
    }

    /// Makes room.
    ///
    /// To be called when everything is stored: what is dropped is read again when it is needed.
    mutating func makeRoom() {
        guard youngBytes > Limits.loadedBytesMax / 2 else { return }
        old = young
        young = [:]
        youngBytes = 0
    }
}
