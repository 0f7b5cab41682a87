import JSON
import Shared

// What each job does, once nothing is in its way.

extension SelectionHandler {
    /// Why a job did not come to its end.
    private enum Halt: Error {
        case refused(RPCError)
        /// Things must be looked up first.
        case needs(catalog: Identifier, Set<Thing>)
        /// The catalog must be described first.
        case needsColumns(catalog: Identifier)
    }

    /// Does a job that nothing is in the way of; tells whether it is done, or refused, and has not to wait for the catalog.
    func attempt(_ job: Job) -> Bool {
        do throws(Halt) {
            try perform(job)
            if job.token == nil { sweeping.outstanding -= 1 }
        } catch {
            guard case .refused(let error) = error else { return false }
            refuse(job, error)
        }
        return true
    }

    /// Does what an operation is about, or tells the core what is missing.
    func run(_ id: SelectionCore.Operation.ID) {
        guard let job = job(of: id) else { return tell(.finished(id)) }
        do throws(Halt) {
            try perform(job)
        } catch {
            switch error {
            case .needs(let catalog, let things): return tell(.blocked(id, catalog: catalog, things))
            case .needsColumns(let catalog): return tell(.blockedByColumns(id, catalog: catalog))
            case .refused(let error):
                forgetJob(of: id)
                refuse(job, error)
                return tell(.finished(id))
            }
        }
        forgetJob(of: id)
        if job.token == nil { sweeping.outstanding -= 1 }
        tell(.finished(id))
    }

    /// Answers that a job can't be done.
    func refuse(_ job: Job, _ error: RPCError) {
        if let token = job.token {
            turn.outputs.append(.refused(token, error))
        } else {
            sweeping.outstanding -= 1
            sweeping.hasFailed = true
            log.write(.warning, "a session was not brought up to date") { $0.member("why", error.message) }
        }
    }

    private func perform(_ job: Job) throws(Halt) {
        switch job {
        case .get(let token, let id):
            let kept = try current(id).kept
            turn.outputs.append(.state(token, id, result(of: id, kept)))
        case .send(let token, let send): try perform(send, token)
        case .list(let token): turn.outputs.append(.list(token))
        case .delete(let token, let id):
            let loaded = try stored(id)
            turn.outputs.append(
                loaded.kept == nil
                    ? .unchanged(token, Self.deleted(false)) : .deleted(token, delete(loaded)))
        case .copy(let token, let from, let to): try copy(token, from, to)
        case .settle(let id): _ = try current(id)
        case .expire(let id, let idleSinceMs):
            let loaded = try stored(id)
            guard let kept = loaded.kept, kept.updatedMs < idleSinceMs else { return }
            turn.outputs.append(.told(delete(loaded)))
            sweeping.hasExpired = true
        }
    }

    // MARK: The session

    /// The session, which need not be there.
    private func stored(_ id: Identifier) throws(Halt) -> LoadedSession {
        do throws(RPCError) { return try load(id) } catch { throw .refused(error) }
    }

    /// The session, right about its catalog.
    private func current(_ id: Identifier) throws(Halt) -> LoadedSession {
        let loaded = try stored(id)
        if let kept = loaded.kept { try settle(loaded, kept, known(of: kept)) }
        return loaded
    }

    /// What is known of the catalog of a session.
    private func known(of kept: Store.Kept) -> Knowledge.Catalog? {
        kept.session.state.catalog.flatMap { core.knowledge.catalogs[$0] }
    }

    /// Makes a session that is there right about its catalog, of which this is known; it may be gone with it.
    private func settle(
        _ loaded: LoadedSession, _ kept: Store.Kept, _ known: Knowledge.Catalog?
    ) throws(Halt) {
        if core.knowledge.isSettled(seen: kept.session.seen, known) { return }
        let catalog = kept.session.state.catalog
        switch core.knowledge.settling(kept.session, known) {
        case .done: break
        case .needs(let things):
            guard let catalog else { break }
            throw .needs(catalog: catalog, things)
        case .dropped: turn.outputs.append(.told(delete(loaded)))
        case .losses(let losses):
            var session = kept.session
            session.prune(losses)
            let isChanged = session != kept.session
            session.seen = core.knowledge.latest(of: catalog)
            guard isChanged else {
                let seen = Store.Kept(session: session, number: kept.number, updatedMs: kept.updatedMs)
                sessions.change(loaded, to: seen)
                // What this turn has changed is written, and learns the number of its row, as it is now.
                loaded.change?.after = seen
                return
            }
            let isPublic = session.state != kept.session.state
            let news = change(loaded, to: session, isPublic: isPublic)
            if isPublic { turn.outputs.append(.told(news)) }
        }
    }

    // MARK: Changes

    private func perform(_ send: Send, _ token: RequestToken) throws(Halt) {
        let loaded = try stored(send.session)
        // Looked up once for all that has to be known of it.
        var known = (loaded.kept?.session.state.catalog ?? send.catalog).flatMap {
            core.knowledge.catalogs[$0]
        }
        if let kept = loaded.kept { try settle(loaded, kept, known) }
        let before: Store.Kept
        if let kept = loaded.kept {
            before = kept
        } else {
            guard let catalog = send.catalog else {
                throw .refused(
                    .invalidParams(
                        "/catalog",
                        "There is no session \"\(send.session)\" yet: name its catalog in /catalog."))
            }
            // A session that has gone just now was perhaps of another catalog.
            known = core.knowledge.catalogs[catalog]
            // As an object, so that it is handed on without being copied.
            before = Store.Kept(session: Session(send.session, catalog: catalog), updatedMs: 0)
        }
        try check(before, send)
        let facts = try facts(for: send.event, before, known)
        guard var session = try reduced(before, by: send.event, facts) else {
            let state = loaded.kept?.session.state ?? SessionState(session: send.session)
            let result = StateText.result(of: state, after: #"{"changed":false,"state":"#, with: &json)
            return turn.outputs.append(.unchanged(token, result))
        }
        if core.knowledge.link == .live || loaded.kept == nil { session.seen = known?.latest ?? 0 }
        let news = change(loaded, to: consume session, send.event.cause)
        turn.outputs.append(.changed(token, head: #"{"changed":true,"state":"#, news))
    }

    private func reduced(
        _ kept: Store.Kept, by event: NavigationEvent, _ facts: Facts
    ) throws(Halt) -> Session? {
        do throws(RPCError) { return try kept.session.reduced(by: event, facts) } catch {
            throw .refused(error)
        }
    }

    private func check(_ kept: Store.Kept, _ send: Send) throws(Halt) {
        let revision = kept.session.state.revision
        if let catalog = send.catalog, let own = kept.session.state.catalog, catalog != own {
            throw .refused(
                RPCError(
                    .conflict, "The session belongs to the catalog \"\(own)\", not to \"\(catalog)\".",
                    path: "/catalog", revision: revision))
        }
        if let expected = send.expectedRevision, expected != revision {
            throw .refused(
                RPCError(
                    .conflict, "The session is at revision \(revision): look at it, then try again.",
                    path: "/expectedRevision", revision: revision))
        }
    }

    private func facts(
        for event: NavigationEvent, _ kept: Store.Kept, _ known: Knowledge.Catalog?
    ) throws(Halt) -> Facts {
        guard let catalog = kept.session.state.catalog else {
            preconditionFailure("a session without a catalog")
        }
        switch core.knowledge.readiness(of: event, for: kept.session, known) {
        case .ready(let facts): return facts
        case .needs(let things): throw .needs(catalog: catalog, things)
        case .needsColumns: throw .needsColumns(catalog: catalog)
        case .noCatalog: throw .refused(.notFound("catalog", catalog, path: "/catalog"))
        case .unavailable:
            throw .refused(
                RPCError(
                    .upstreamUnavailable,
                    "The catalog service can't be reached, and the event names what is not known to exist."))
        }
    }

    private func copy(_ token: RequestToken, _ from: Identifier, _ to: Identifier) throws(Halt) {
        guard let source = try current(from).kept else {
            throw .refused(.notFound("session", from, path: "/from"))
        }
        guard from != to else {
            return turn.outputs.append(.unchanged(token, result(of: from, source)))
        }
        let target = try stored(to)
        var session = source.session
        session.state.session = to
        let news = change(target, to: session, .explicitRequest, isReplaced: true)
        turn.outputs.append(.changed(token, head: #"{"state":"#, news))
    }

    /// What is answered to who asks for a session.
    func result(of id: Identifier, _ kept: Store.Kept?) -> [UInt8] {
        StateText.result(of: kept?.session.state ?? SessionState(session: id), with: &json)
    }
}
