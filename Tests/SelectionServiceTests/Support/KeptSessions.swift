import SQLite
import Shared
import Testing

@testable import SelectionService

/// A store with what was done to its sessions, the last thing of each.
final class KeptSessions {
    let directory: String
    var store: Store
    var revision = 0
    var sessions: [Identifier: Store.Kept] = [:]

    init(_ directory: String) throws {
        self.directory = directory
        store = try KeptSessions.open(directory)
    }

    static func open(_ directory: String) throws -> Store {
        try Store(directory: directory, directChangesMax: 0)
    }

    /// Puts sessions into one turn; nil deletes one.
    func put(_ turn: [Identifier: Session?]) throws {
        var transaction = Store.Transaction(revision: revision)
        for (id, session) in turn.sorted(by: { $0.key < $1.key }) {
            revision += 1
            var session = session
            session?.state.session = id
            session?.state.revision = revision
            let before = sessions[id]
            let after = session.map { Store.Kept(session: $0, updatedMs: 1) }
            transaction.changes.append(
                Store.Change(id, before: before, after: after, isReplaced: before == nil))
            sessions[id] = after
        }
        transaction.revision = revision
        try store.commit(transaction, nowMs: 1)
    }

    /// Has an event done to a session, in a turn of its own.
    func send(_ event: String, _ id: Identifier = "s") throws {
        var window = try Window(.sample)
        if let session = sessions[id]?.session { window.session = session }
        try window.send(event)
        try put([id: window.session])
    }

    /// Changes bits of a page.
    func flip(page: Int, at place: Int, _ bits: UInt8 = 1) throws {
        var bytes = try bytes(page)
        bytes[place] ^= bits
        try write(page, bytes)
    }

    func bytes(_ page: Int) throws -> [UInt8] {
        try #require(
            try store.database.prepare("SELECT entries FROM journalPages WHERE page = ?1").first(page) {
                $0.bytes(0)
            })
    }

    func write(_ page: Int, _ bytes: [UInt8]) throws {
        try store.database.prepare("UPDATE journalPages SET entries = ?2 WHERE page = ?1").run(
            page, bytes)
    }

    func found(_ id: Identifier = "s", in other: Store? = nil) throws -> Session? {
        guard case .session(let kept) = try (other ?? store).find(id) else { return nil }
        return kept.session
    }

    /// Starts again, as after a crash.
    func start() throws {
        store = try KeptSessions.open(directory)
        // No revision comes again.
        #expect(store.revision >= revision)
        revision = store.revision
    }

    func expectAll(_ comment: Comment? = nil) throws {
        for (id, kept) in sessions { #expect(try found(id) == kept.session, comment) }
    }
}
