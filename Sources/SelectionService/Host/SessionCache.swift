import Shared

/// A session in memory: where what it is now is found, and changed, without looking it up again.
final class LoadedSession {
    let id: Identifier
    /// The session as it stands now; nil if there is none.
    fileprivate(set) var kept: Store.Kept?
    /// What the turn under way has done to it, if anything.
    var change: Store.Change?

    init(_ id: Identifier, _ kept: Store.Kept?) { (self.id, self.kept) = (id, kept) }
}

/// Sessions that were used of late, in two generations: when the young one is full, the old one is dropped.
struct SessionCache {
    /// Sessions that are there, each under its id.
    private var young: [Identifier: LoadedSession] = [:]
    private var old: [Identifier: LoadedSession] = [:]
    /// What the young generation takes, in bytes.
    private var youngBytes = 0

    /// Sessions that are kept.
    var count: Int { young.count + old.count }

    /// A session, if it is here; it is young then.
    mutating func find(_ id: Identifier) -> LoadedSession? {
        if let session = young[id] { return session }
        guard let session = old.removeValue(forKey: id) else { return nil }
        add(session)
        return session
    }

    /// Takes a session in that was not here.
    mutating func add(_ session: LoadedSession) {
        guard let kept = session.kept else { return }
        young[session.id] = session
        youngBytes += kept.weightBytes
    }

    /// A session that is young, or not here because there is none, has become another one; nil if it is not there any more.
    mutating func change(_ session: LoadedSession, to kept: Store.Kept?) {
        guard let before = session.kept else {
            session.kept = kept
            return add(session)
        }
        session.kept = kept
        youngBytes += (kept?.weightBytes ?? 0) - before.weightBytes
        if kept == nil { young[session.id] = nil }
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
