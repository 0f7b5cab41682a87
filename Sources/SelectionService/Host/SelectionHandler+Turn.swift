import JSON
import SQLite
import Shared
import UV

// A turn's changes are in memory at once, on disk at its end in one transaction, and told to others after
// that.

/// What a turn has done so far.
struct Turn {
    /// What goes out once the turn is on disk.
    enum Output {
        /// The answer to a change, which begins with `head`, and what others are told of it.
        case changed(RequestToken, head: StaticString, News)
        /// The answer to a deletion, and what others are told of it.
        case deleted(RequestToken, News)
        /// The answer to what could have been a change.
        case unchanged(RequestToken, [UInt8])
        /// What others are told of a change that nobody asked for.
        case told(News)
        /// A session as it was asked for.
        case state(RequestToken, Identifier, [UInt8])
        /// All sessions, as they are at the end of the turn.
        case list(RequestToken)
        /// What does not depend on sessions.
        case plain(RequestToken, [UInt8])
        case refused(RequestToken, RPCError)
    }

    var transaction: Store.Transaction
    var outputs: [Output] = []
    /// The sessions in memory that have their changes from this turn.
    var changed: [LoadedSession] = []
    /// Those of them that are not there any more.
    var deleted: [Identifier: LoadedSession] = [:]
    /// The number of the last change before this turn.
    let revisionBefore: Int

    /// The beginning of a turn; it will be about as busy as the one `before`.
    init(revision: Int, after before: Turn? = nil) {
        transaction = Store.Transaction(revision: revision)
        if let before {
            transaction.changes.reserveCapacity(before.transaction.changes.count)
            outputs.reserveCapacity(before.outputs.count)
            changed.reserveCapacity(before.changed.count)
        }
        revisionBefore = revision
    }
}

extension SelectionHandler {
    /// Writes what the turn has changed, and then lets out what it has to say.
    ///
    /// While the log is being moved nothing is written, and the turn goes on.
    func endTurn() {
        guard !isMovingLog else { return }
        if store.database.logPages >= Limits.logPagesMax { return moveLog() }
        finishTurn()
    }

    private func finishTurn() {
        let ended = turn
        turn = Turn(revision: ended.transaction.revision, after: ended)
        for loaded in ended.changed { loaded.change = nil }
        var isKept = true
        #if CANARY_ANSWERS_BEFORE_COMMIT
            put(ended.outputs, isKept: true)
        #endif
        if !ended.transaction.isEmpty || store.journal.isMoving { isKept = commit(ended) }
        if !isKept { turn = Turn(revision: ended.revisionBefore) }
        finishSweeping(isKept: isKept)
        put(ended.outputs, isKept: isKept)
        if isKept { sessions.makeRoom() }
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
            if let failure = store.database.checkpointFailure(code) {
                log.write(.error, "storage failed") { $0.member("why", "\(failure)") }
            }
        }
    }

    /// Puts a turn on the disk, or undoes it; what the turn under way has to say stays as it is.
    private func commit(_ ended: Turn) -> Bool {
        commits += 1
        var transaction = ended.transaction
        for (id, stored) in storedCatalogs where transaction.catalogs[id] == nil {
            guard let known = core.knowledge.catalogs[id] else { continue }
            let now = (columns: known.certainColumns, settled: known.settled)
            if now != stored { transaction.catalogs[id] = now }
        }
        do throws(SQLiteError) {
            if ended.transaction.isEmpty, !store.journal.isMoving { try store.database.tryWriting() }
            try store.commit(transaction, nowMs: wallMs())
            for (id, catalog) in transaction.catalogs { storedCatalogs[id] = catalog }
            if storageProblem != nil { log.write(.info, "storage works again") }
            storageProblem = nil
            goOnMoving()
            return true
        } catch {
            log.write(.error, "storage failed") { $0.member("why", "\(error)") }
            storageProblem = "the last change could not be written: \(error)"
            store.journal.stopMoving()
            tryStorageAgain()
            for change in transaction.changes {
                #if !CANARY_FAILED_COMMIT_STAYS_IN_MEMORY
                    restore(change.id, change.before)
                #endif
                if change.damaged != nil { damaged.remove(change.id) }
            }
            for id in ended.transaction.catalogs.keys { storedCatalogs[id] = nil }
            return false
        }
    }

    /// Has a session be again what it was before the turn.
    private func restore(_ id: Identifier, _ before: Store.Kept?) {
        if let loaded = sessions.find(id) {
            sessions.change(loaded, to: before)
        } else {
            sessions.add(LoadedSession(id, before))
        }
    }

    /// Has the rows of sessions written that are in the journal: step by step, and some time after they changed.
    private func goOnMoving() {
        if store.journal.isMoving { return wake.start(milliseconds: 0) {} }
        guard !store.journal.unwritten.isEmpty, !isJournalResting else { return }
        isJournalResting = true
        journalRest.start(milliseconds: Limits.journalRestMs) { [weak self] in
            self?.isJournalResting = false
            self?.store.journal.beginMoving()
        }
    }

    /// Finds out whether there is room again, so that health need not wait for the next change.
    private func tryStorageAgain() {
        storageRetry.start(milliseconds: Limits.retryMs) { [weak self] in
            guard let self, self.storageProblem != nil, self.turn.transaction.isEmpty else { return }
            _ = self.commit(Turn(revision: self.turn.transaction.revision))
        }
    }

    private func put(_ outputs: [Turn.Output], isKept: Bool) {
        // One piece of memory each serves all answers, and all events.
        var result: [UInt8] = []
        var notices: [Notice] = []
        for output in outputs { put(output, isKept: isKept, &result, &notices) }
    }

    private func put(
        _ output: Turn.Output, isKept: Bool, _ result: inout [UInt8], _ notices: inout [Notice]
    ) {
        switch output {
        case .changed(let token, let head, let news):
            guard isKept else { return server.fail(token, notWritten) }
            news.text.write(after: head, to: &result)
            news.write(to: &notices)
            server.answer(token, result: result, events: notices)
        case .deleted(let token, let news):
            guard isKept else { return server.fail(token, notWritten) }
            news.write(to: &notices)
            server.answer(token, result: Self.deleted(true), events: notices)
        case .unchanged(let token, let result):
            guard isKept else { return server.fail(token, notWritten) }
            server.answer(token, result: result)
        case .told(let news):
            guard isKept else { return }
            news.write(to: &notices)
            for notice in notices { server.event(notice.subscription, notice.method, notice.params) }
        case .state(let token, let id, let result):
            guard isKept else { return answerAgain(token, id) }
            server.answer(token, result: result)
        case .list(let token): list(token)
        case .plain(let token, let result): server.answer(token, result: result)
        case .refused(let token, let error): server.fail(token, error)
        }
    }

    /// The answer to who has asked for a deletion.
    static func deleted(_ wasThere: Bool) -> [UInt8] {
        Array((wasThere ? #"{"deleted":true}"# : #"{"deleted":false}"#).utf8)
    }

    /// Answers what was read in a turn whose changes are undone.
    private func answerAgain(_ token: RequestToken, _ id: Identifier) {
        do throws(RPCError) {
            server.answer(token, result: result(of: id, try load(id).kept))
        } catch {
            server.fail(token, error)
        }
    }

    private func list(_ token: RequestToken) {
        var json = JSONWriter(capacity: 4_096)
        do throws(SQLiteError) {
            try json.object { (json) throws(SQLiteError) in
                try json.array("sessions") { (json) throws(SQLiteError) in
                    try store.list { id, catalog, revision, updatedMs in
                        json.object { json in
                            json.member("session", id)
                            json.member("catalog", catalog)
                            json.member("revision", revision)
                            json.member(
                                "updated",
                                Clock.text(seconds: updatedMs / 1_000, milliseconds: updatedMs % 1_000))
                        }
                        // What is longer than a line is refused as too large; the rest need not be read for
                        // that.
                        return json.count <= Limits.outgoingLineBytesMax
                    }
                }
            }
            server.answer(token, result: json.bytes)
        } catch {
            server.fail(token, Self.storage(error, "read"))
        }
    }

    // MARK: Failures

    private var notWritten: RPCError {
        RPCError(.storage, "The change was not made: \(storageProblem ?? "it could not be written").")
    }

    static func storage(_ error: SQLiteError, _ what: String) -> RPCError {
        RPCError(.storage, "The sessions can't be \(what): \(error).")
    }

    // MARK: Catalogs in the store

    /// Writes what is known of catalogs, so that the next start need not look everything up.
    func saveCatalogs() {
        finishTurn()
        _ = commit(Turn(revision: turn.transaction.revision))
        // What can't be written now is in the journal.
        try? store.moveAll()
    }
}
