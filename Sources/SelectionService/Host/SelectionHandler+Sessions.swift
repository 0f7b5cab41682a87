import JSON
import SQLite
import Shared

// Sessions in memory: what the turn under way has done to them is there at once.

extension SelectionHandler {
    /// Looks a session up, which need not be there.
    ///
    /// - Throws: `storage`.
    func load(_ id: Identifier) throws(RPCError) -> LoadedSession {
        if let loaded = sessions.find(id) ?? turn.deleted[id] { return loaded }
        let found: Store.Found
        do throws(SQLiteError) { found = try store.find(id) } catch { throw Self.storage(error, "read") }
        switch found {
        case .nothing: return LoadedSession(id, nil)
        case .session(let kept):
            let loaded = LoadedSession(id, kept)
            sessions.add(loaded)
            return loaded
        case .damaged(let number, let catalog):
            log.write(.error, "damaged record") { $0.member("session", id.text) }
            damaged.insert(id)
            var session = Session(id, catalog: catalog)
            session.seen = core.knowledge.latest(of: catalog)
            let loaded = LoadedSession(id, nil)
            note(Store.Change(id, before: nil, damaged: number), of: loaded)
            change(loaded, to: session)
            return loaded
        }
    }

    /// Puts a session in the place of what is there; unless only its history has changed it gets a new
    /// revision.
    ///
    /// Gives what is told of it.
    @discardableResult
    func change(
        _ loaded: LoadedSession, to session: consuming Session, _ cause: ChangeCause = .contentChange,
        isPublic: Bool = true, isReplaced: Bool = false
    ) -> News {
        var updatedMs = loaded.kept?.updatedMs ?? 0
        if isPublic {
            turn.transaction.revision += 1
            session.state.revision = turn.transaction.revision
            updatedMs = wallMs()
        }
        let after = Store.Kept(session: session, updatedMs: updatedMs)
        // A session has its catalog as long as it is there, and no catalog goes before the end of a turn.
        if loaded.change == nil || loaded.kept == nil || isReplaced { keepCatalog(of: after) }
        let text = StateText(after.session.state, cause: cause, with: &json)
        record(loaded, after, text.state, isReplaced: isReplaced)
        return News(text: text, subscribers: subscribers.of(loaded.id))
    }

    /// Deletes a session that is there; gives what is told of it.
    func delete(_ loaded: LoadedSession) -> News {
        let id = loaded.id
        turn.transaction.revision += 1
        record(loaded, nil, nil)
        turn.deleted[id] = loaded
        damaged.remove(id)
        let text = StateText(SessionState(session: id), isDeleted: true, with: &json)
        return News(text: text, subscribers: subscribers.of(id))
    }

    private func record(
        _ loaded: LoadedSession, _ after: Store.Kept?, _ told: ArraySlice<UInt8>?, isReplaced: Bool = false
    ) {
        let before = loaded.kept
        let change = loaded.change ?? note(Store.Change(loaded.id, before: before), of: loaded)
        change.become(after, told: told, isReplaced: isReplaced || before == nil)
        sessions.change(loaded, to: after)
    }

    /// Has the turn know of the first thing that it does to a session.
    @discardableResult
    private func note(_ change: Store.Change, of loaded: LoadedSession) -> Store.Change {
        loaded.change = change
        turn.transaction.changes.append(change)
        turn.changed.append(loaded)
        return change
    }

    /// Has the store know of the catalog of a session, from its first session on.
    private func keepCatalog(of kept: Store.Kept) {
        guard let id = kept.session.state.catalog, storedCatalogs[id] == nil else { return }
        let known = core.knowledge.catalogs[id]
        let catalog = (columns: known?.certainColumns, settled: known?.settled ?? 0)
        storedCatalogs[id] = catalog
        turn.transaction.catalogs[id] = catalog
        turn.transaction.forgottenCatalogs.remove(id)
    }
}
