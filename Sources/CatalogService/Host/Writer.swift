import SQLite
import Shared
import UV

/// Makes the changes, one after the other, and commits those of a turn together.
///
/// A client's requests behind a change of its own wait here too, and are answered after its commit.
final class Writer {
    private let store: Store
    private let loop: Loop
    private var waiting = WaitingRequests()
    private var commit: GroupCommit
    /// The change set that is being made; it may take longer than a turn.
    private var current: (request: Request, changes: ChangeSet)?
    private var purge: Purge
    /// Whether the log is being moved into the file.
    private var isMovingLog = false
    /// Whether rows may be left that are to be moved together; after a start there may be.
    private var isMoving = true
    /// When something was changed last, on the clock of the loop.
    private var changedAt: UInt64 = 0
    /// When the first change of the transaction was begun.
    private var begunAt: UInt64 = 0
    /// Why nothing could be written the last time, or nil.
    private(set) var problem: String?
    private(set) var counters = Counters()

    struct Counters {
        var changeSets = 0
        var refused = 0
        var commits = 0
    }

    /// Tells the outcome of a change.
    private let tell: (GroupCommit.Held) -> Void

    init(_ store: Store, on loop: Loop, tell: @escaping (GroupCommit.Held) -> Void) {
        (self.store, self.loop, self.tell) = (store, loop, tell)
        commit = GroupCommit(store)
        purge = Purge(store)
    }

    /// How many requests wait.
    var waitingCount: Int { waiting.count + (current == nil ? 0 : 1) }

    /// Whether something of a dropped catalog may be left.
    var isPurging: Bool { purge.isNeeded }

    /// Whether what this connection asks now has to wait behind what it has asked before.
    func mustWait(_ connection: ConnectionID) -> Bool { waiting.hasAny(of: connection) }

    func append(_ request: Request) { waiting.append(request) }

    // MARK: A turn

    /// Does a turn's share; `answer` is for what is no change.
    ///
    /// Returns in how many milliseconds something is left to do; nil if nothing is.
    func runTurn(now: UInt64, answer: (Request) -> Void) -> UInt64? {
        guard !isMovingLog else { return nil }
        if !commit.isOpen, store.database.logPages >= Limits.logPagesMax {
            moveLog()
            return nil
        }
        let end = loop.nanoseconds + Limits.changeNanosecondsPerTurn
        repeat {
            if let (request, changes) = current {
                proceed(request, changes, until: end)
            } else if let request = waiting.take() {
                start(request, now: now, until: end, answer)
            } else {
                break
            }
        } while loop.nanoseconds < end
        guard current == nil, waiting.isEmpty || loop.nanoseconds - begunAt > Limits.gatherNanosecondsMax
        else {
            return 0
        }
        // What is left of the turn is for the commit, if there is more to write for it than that in the next ones.
        guard commit.prepare(isTimeOver: { loop.nanoseconds >= end + Limits.prepareNanosecondsPerTurn })
        else {
            return 0
        }
        if !commit.isEmpty { changedAt = now }
        commitNow()
        guard waiting.isEmpty else { return 0 }
        return runPurge() ? 0 : runMover(now: now)
    }

    private func start(
        _ request: Request, now: UInt64, until end: UInt64, _ answer: (Request) -> Void
    ) {
        if request.deadline < now {
            return refuse(
                request,
                RPCError(.deadlineExceeded, "Other changes took too long: nothing was done. Try again."))
        }
        switch request.method {
        case CatalogMethods.apply.name:
            do throws(RPCError) {
                var params = try ObjectReader(request.params)
                let changes = try ChangeSet(&params, on: store)
                try params.finish()
                try beginChange()
                proceed(request, changes, until: end)
            } catch {
                refuse(request, error)
            }
        case CatalogMethods.drop.name: drop(request)
        default:
            commitNow()
            answer(request)
            waiting.answered(request)
        }
    }

    /// Moves the log into the file, elsewhere, because that waits for the disk several times.
    ///
    /// Nothing is written meanwhile: only then does the log begin anew.
    private func moveLog() {
        isMovingLog = true
        store.database.beginCheckpoint()
        unsafe Work.run(Database.checkpoint, store.database.path, on: loop) { [weak self] code in
            guard let self else { return }
            isMovingLog = false
            if let failure = store.database.checkpointFailure(code) { problem = RPCError(failure).message }
        }
    }

    private func beginChange() throws(RPCError) {
        if !commit.isOpen { begunAt = loop.nanoseconds }
        try commit.beginChange()
    }

    private func refuse(_ request: Request, _ error: RPCError) {
        if error.reason == .storage { problem = error.message }
        commit.refuse(request, error)
    }

    private func proceed(_ request: Request, _ changes: ChangeSet, until end: UInt64) {
        do throws(RPCError) {
            let isDone = try changes.run { loop.nanoseconds >= end }
            current = isDone ? nil : (request, changes)
            guard isDone else { return }
            let event = changes.event
            finish(request, .success(outcome(changes.revision, of: changes.catalogId, event)))
        } catch {
            current = nil
            finish(request, .failure(error))
        }
    }

    private func drop(_ request: Request) {
        do throws(RPCError) {
            var params = try ObjectReader(request.params)
            let id = try params.identifier("catalog")
            try params.finish()
            try beginChange()
            finish(
                request,
                Result { () throws(RPCError) in
                    let catalog = try store.catalog(id)
                    let revision = try store.catalogs.nextRevision()
                    try store.catalogs.drop(catalog)
                    purge.wasDropped()
                    return outcome(revision, of: id, ChangeLog.dropped(catalog: id, revision: revision))
                })
        } catch {
            refuse(request, error)
        }
    }

    private func outcome(_ revision: Int, of catalog: Identifier, _ event: [UInt8]?) -> GroupCommit.Outcome {
        GroupCommit.Outcome(
            result: Array(#"{"revision":\#(revision)}"#.utf8), catalog: catalog, event: event)
    }

    private func finish(_ request: Request, _ outcome: Result<GroupCommit.Outcome, RPCError>) {
        switch outcome {
        case .success:
            counters.changeSets += 1
            isMoving = true
        case .failure: counters.refused += 1
        }
        do throws(RPCError) {
            try commit.endChange(request, outcome)
        } catch {
            problem = error.message
            tell(commit.abandon(error))
        }
    }

    private func commitNow() {
        guard !commit.isEmpty else { return }
        let isWritten = commit.isOpen
        let (told, failure) = commit.commit()
        if isWritten {
            counters.commits += 1
            problem = failure?.message
        }
        tell(told)
    }

    private func tell(_ all: [GroupCommit.Held]) {
        for held in all {
            tell(held)
            waiting.answered(held.request)
        }
    }

    private func runPurge() -> Bool {
        guard purge.isNeeded else { return false }
        let end = loop.nanoseconds + Limits.purgeNanosecondsPerTurn
        do throws(RPCError) {
            try purge.run { loop.nanoseconds >= end }
        } catch {
            problem = error.message
        }
        return purge.isNeeded
    }

    /// Moves the rows of lists together when there is nothing else to write.
    private func runMover(now: UInt64) -> UInt64? {
        guard isMoving, problem == nil else { return nil }
        let idle = now - min(now, changedAt)
        guard idle >= Limits.idleMs else { return Limits.idleMs - idle }
        do throws(RPCError) {
            isMoving = try store.moveWhenIdle(rows: Limits.movedRowsPerIdleTurn)
        } catch {
            (isMoving, problem) = (false, error.message)
        }
        return isMoving ? Limits.idlePauseMs : nil
    }

    // MARK: Health

    /// Tries whether writing is possible again, if it was not.
    func lookAgain() {
        guard problem != nil, !store.database.isInTransaction else { return }
        do throws(RPCError) {
            try store.tryWriting()
            problem = nil
        } catch {
            problem = error.message
        }
    }
}
