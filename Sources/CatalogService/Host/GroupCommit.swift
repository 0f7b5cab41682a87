import SQLite
import Shared

/// The transaction that all changes of a turn share.
///
/// Each change is a savepoint in it. Answers and events wait until it is on the disk.
struct GroupCommit {
    /// A change that was made, or refused, and waits to be told.
    struct Held {
        let request: Request
        let outcome: Result<Outcome, RPCError>
    }

    /// What a change answers, and what is told of it: to whoever subscribes by the time it is on the disk.
    struct Outcome {
        let result: [UInt8]
        let catalog: Identifier
        let event: [UInt8]?
    }

    private let store: Store
    private var database: Database { store.database }
    private var held: [Held] = []
    /// A transaction was begun; SQLite may have ended it by itself since.
    private(set) var isOpen = false
    /// How many rows of lists are to be moved together, so that this keeps pace with new ones.
    private var rowsToMove = 0

    init(_ store: Store) { self.store = store }

    /// Whether something waits for the commit.
    var isEmpty: Bool { held.isEmpty }

    /// Begins a change, and the transaction with the first one.
    mutating func beginChange() throws(RPCError) {
        do throws(SQLiteError) { if !isOpen { try database.begin() } } catch { throw RPCError(error) }
        if !isOpen {
            isOpen = true
            try store.runs.begin()
        }
        store.milestones.beginChange()
        store.words.beginChange()
        do throws(SQLiteError) { try database.beginSavepoint() } catch { throw RPCError(error) }
    }

    /// Ends a change: keeps it if it succeeded, else undoes it alone.
    ///
    /// - Throws: The failure of the whole transaction, which is to be abandoned.
    mutating func endChange(_ request: Request, _ outcome: Result<Outcome, RPCError>) throws(RPCError) {
        held.append(Held(request: request, outcome: outcome))
        do throws(SQLiteError) {
            switch outcome {
            case .success: try database.releaseSavepoint()
            case .failure:
                store.milestones.undoChange()
                store.words.undoChange()
                try database.undoSavepoint()
            }
        } catch {
            throw RPCError(error)
        }
    }

    /// Holds the answer to a change that was not begun.
    mutating func refuse(_ request: Request, _ error: RPCError) {
        held.append(Held(request: request, outcome: .failure(error)))
    }

    /// Does what can be done before the commit, so that less is left for it: gives the index of words what it has not got
    /// yet, counts rows in, and moves rows of lists together.
    ///
    /// Returns whether all is done; so it is if it fails, which the commit will find.
    mutating func prepare(isTimeOver: () -> Bool) -> Bool {
        guard isOpen, database.isInTransaction else { return true }
        do throws(RPCError) {
            if store.words.isWaiting {
                guard try store.words.give(isTimeOver: isTimeOver) else { return false }
                do throws(SQLiteError) {
                    // At a savepoint the index writes what it has gathered.
                    try database.beginSavepoint()
                    try database.releaseSavepoint()
                } catch {
                    throw RPCError(error)
                }
                if isTimeOver() { return false }
            }
            try store.milestones.write()
            if isTimeOver() { return false }
            try store.milestones.divide(in: store.entries, isTimeOver: isTimeOver)
            rowsToMove += try store.runs.end() * Limits.movedRowsPerNewRow
            while rowsToMove > 0 {
                let count = min(rowsToMove, Limits.movedRowsPerLook)
                let isMore = try store.mover.move(rows: count, openRun: store.runs.open, isIdle: false)
                rowsToMove = isMore ? rowsToMove - count : 0
                if isTimeOver() { return rowsToMove == 0 }
            }
            return true
        } catch {
            return true
        }
    }

    /// Puts all of it on the disk.
    ///
    /// Returns what is to be told now. If that fails nothing of it has happened, and so it is told.
    mutating func commit() -> (told: [Held], failure: RPCError?) {
        guard isOpen else { return (take(), nil) }
        do throws(RPCError) {
            // What is written when SQLite has ended the transaction by itself would not be undone.
            guard database.isInTransaction else {
                throw RPCError(.storage, "The changes were undone because of an earlier failure: try again.")
            }
            try store.words.give { false }
            try store.milestones.write()
            rowsToMove += try store.runs.end() * Limits.movedRowsPerNewRow
            do throws(SQLiteError) { try database.commit() } catch { throw RPCError(error) }
            store.milestones.end()
            store.words.end()
            isOpen = false
            return (take(), nil)
        } catch {
            return (abandon(error), error)
        }
    }

    /// Undoes all of it.
    ///
    /// Returns what is to be told now: that all of it has failed.
    mutating func abandon(_ failure: RPCError) -> [Held] {
        database.rollback()
        store.milestones.end()
        store.words.end()
        isOpen = false
        return take().map { Held(request: $0.request, outcome: .failure(failure)) }
    }

    private mutating func take() -> [Held] {
        defer { held = [] }
        return held
    }
}
