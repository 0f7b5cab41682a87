import JSON
import SQLite
import Shared
import UV

// What a change of a catalog does to sessions that nobody asks for just now, and what time does to idle ones:
// found through indexes, done in small steps.

/// How far that has come.
struct Sweeping {
    /// One catalog's sessions being brought up to a revision.
    struct Sweep {
        let catalog: Identifier
        let revision: Int
        /// The things whose holders are to be found, the next one last; nil means all sessions of the
        /// catalog.
        var things: [Int]?
        /// The row after which it goes on.
        var after = 0
        /// Sessions to be looked at that the indexes don't tell the truth of, because they are in the journal, and the
        /// things to look for.
        var unwritten: (sessions: [Identifier], things: Set<Int>?) = ([], nil)
    }

    var sweep: Sweep?
    /// Sweeps that came to their end in this turn; they count when the turn is on disk.
    var ended: [Sweep] = []
    /// Operations of sweeps and expiry that are not finished.
    var outstanding = 0
    /// One of them failed: all is tried again, in a while.
    var hasFailed = false
    /// Whether that while has begun.
    var isPausing = false
    /// How far the search for idle sessions has come.
    var expiry = Expiry.none
    /// Whether the last step of it has deleted some.
    var hasExpired = false

    enum Expiry: Equatable {
        case none
        case due
        /// What is in the journal comes into the tables, where idle sessions are looked for.
        case moving
        /// A step was taken; if it was full there may be more.
        case stepped(isFull: Bool)
    }

    /// Forgets the sweep under way; what it would have done is found anew.
    mutating func stop() {
        sweep = nil
        ended = []
    }
}

extension SelectionHandler {
    /// Goes on with bringing sessions up to date; a small change is done with in the turn in which it is
    /// heard of.
    func sweep() {
        let start = loop.nanoseconds
        while loop.nanoseconds - start < Limits.sweepNanosecondsMax {
            guard core.knowledge.link == .live, !sweeping.isPausing, sweeping.outstanding == 0 else { return }
            if sweeping.sweep == nil { startSweep() }
            guard sweeping.sweep != nil, sweeping.outstanding == 0 else { return }
            do throws(SQLiteError) {
                try stepSweep()
            } catch {
                log.write(.error, "storage failed") { $0.member("why", "\(error)") }
                sweeping.hasFailed = true
                return
            }
        }
        wake.start(milliseconds: 0) {}
    }

    private func startSweep() {
        let isEnding = Set(sweeping.ended.map(\.catalog))
        for id in core.knowledge.unsettled where !isEnding.contains(id) {
            guard let known = core.knowledge.catalogs[id] else { continue }
            guard storedCatalogs[id] != nil else {
                // It never had a session.
                tellSettled(id, known.latest)
                continue
            }
            var sweep = Sweeping.Sweep(catalog: id, revision: known.latest)
            sweep.things = core.knowledge.changedThings(of: id)?.map { Digest.of($0, in: id) }
            sweep.unwritten = (store.unwrittenSessions(of: id), sweep.things.map(Set.init))
            sweeping.sweep = sweep
            // Of what this very turn has changed the store does not know yet.
            for change in turn.transaction.changes where change.after?.session.state.catalog == id {
                settle(change.id)
            }
            return
        }
    }

    private func stepSweep() throws(SQLiteError) {
        guard var sweep = sweeping.sweep else { return }
        let limit = Limits.sweepSessionsMax
        guard sweep.unwritten.sessions.isEmpty else {
            let some = sweep.unwritten.sessions.suffix(limit)
            sweep.unwritten.sessions.removeLast(some.count)
            sweeping.sweep = sweep
            for id in some where store.isConcerned(id, by: sweep.unwritten.things) { settle(id) }
            return
        }
        var found: [(number: Int, id: Identifier)] = []
        if sweep.things == nil {
            found = try store.sessions(of: sweep.catalog, after: sweep.after, limit: limit)
        }
        var looked = 0
        while found.isEmpty, looked < limit, let thing = sweep.things?.last {
            found = try store.holders(of: thing, after: sweep.after, limit: limit)
            looked += 1
            if found.count < limit {
                sweep.things?.removeLast()
                sweep.after = 0
            } else if let last = found.last {
                sweep.after = last.number
            }
        }
        if sweep.things == nil, let last = found.last { sweep.after = last.number }
        let isAtEnd = found.isEmpty && sweep.things?.isEmpty ?? true
        sweeping.sweep = isAtEnd ? nil : sweep
        if isAtEnd { sweeping.ended.append(sweep) }
        for session in found { settle(session.id) }
    }

    private func settle(_ session: Identifier) {
        sweeping.outstanding += 1
        sweptSessions += 1
        start(.settle(session))
    }

    /// Takes into account whether the turn's changes are on disk.
    func finishSweeping(isKept: Bool) {
        let ended = sweeping.ended
        sweeping.ended = []
        // What could not be deleted is idle the next time as well.
        if !isKept { sweeping.expiry = .none }
        if isKept, !sweeping.hasFailed {
            for sweep in ended { tellSettled(sweep.catalog, sweep.revision) }
            if !ended.isEmpty, !core.knowledge.unsettled.isEmpty { wake.start(milliseconds: 0) {} }
            return
        }
        guard !sweeping.isPausing, sweeping.hasFailed || !ended.isEmpty || sweeping.sweep != nil else {
            return
        }
        sweeping.stop()
        sweeping.hasFailed = false
        sweeping.isPausing = true
        pause.start(milliseconds: Limits.retryMs) { [weak self] in self?.sweeping.isPausing = false }
    }

    private func tellSettled(_ id: Identifier, _ revision: Int) {
        core.knowledge.settled(id, at: revision)
        if core.knowledge.catalogs[id] == nil, storedCatalogs[id] != nil {
            storedCatalogs[id] = nil
            turn.transaction.forgottenCatalogs.insert(id)
        }
    }

    // MARK: Expiry

    /// Goes on with deleting idle sessions.
    func expire() {
        guard sweeping.expiry != .none, sweeping.outstanding == 0, !isMovingLog else { return }
        // The store must know of the step before, lest it finds the same sessions again.
        guard turn.transaction.isEmpty else { return wake.start(milliseconds: 0) {} }
        if case .stepped(isFull: true) = sweeping.expiry, sweeping.hasExpired,
            store.journal.unwritten.count >= Limits.expiredSessionsUnwrittenMax
        {
            // They are still found among the rows, and each step would look at all of them again.
            sweeping.expiry = .due
        }
        if sweeping.expiry == .due {
            store.journal.beginMoving()
            sweeping.expiry = .moving
        }
        if sweeping.expiry == .moving, store.journal.isMoving { return }
        if case .stepped(let isFull) = sweeping.expiry, !isFull || !sweeping.hasExpired {
            sweeping.expiry = .none
            return
        }
        let since = idleSinceMs
        let limit = Limits.sweepSessionsMax
        let idle = (try? store.idle(since: since, limit: limit)) ?? []
        sweeping.expiry = .stepped(isFull: idle.count == limit)
        sweeping.hasExpired = false
        for session in idle {
            sweeping.outstanding += 1
            start(.expire(session, idleSinceMs: since))
        }
        wake.start(milliseconds: 0) {}
    }
}
