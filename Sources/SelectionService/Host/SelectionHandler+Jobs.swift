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
            let kept = try current(id)
            turn.outputs.append(.state(token, id, result(of: id, kept)))
        case .send(let token, let send): try perform(send, token)
        case .list(let token): turn.outputs.append(.list(token))
        case .delete(let token, let id):
            let notices = try stored(id).map { delete(id, $0) }
            let answer = notices == nil ? #"{"deleted":false}"# : #"{"deleted":true}"#
            turn.outputs.append(.changed(token, Array(answer.utf8), notices ?? []))
        case .copy(let token, let from, let to): try copy(token, from, to)
        case .settle(let id): _ = try current(id)
        case .expire(let id, let idleSinceMs):
            guard let kept = try stored(id), kept.updatedMs < idleSinceMs else { return }
            turn.outputs.append(.told(delete(id, kept)))
            sweeping.hasExpired = true
        }
    }

    // MARK: The session

    private func stored(_ id: Identifier) throws(Halt) -> Store.Kept? {
        do throws(RPCError) { return try read(id) } catch { throw .refused(error) }
    }

    /// The session, right about its catalog; nil if there is none.
    private func current(_ id: Identifier) throws(Halt) -> Store.Kept? {
        guard let kept = try stored(id) else { return nil }
        return try settled(id, kept, known(of: kept))
    }

    /// What is known of the catalog of a session.
    private func known(of kept: Store.Kept) -> Knowledge.Catalog? {
        kept.session.state.catalog.flatMap { core.knowledge.catalogs[$0] }
    }

    /// The session, right about its catalog, of which this is known; nil if there is none any more.
    private func settled(
        _ id: Identifier, _ before: Store.Kept, _ known: Knowledge.Catalog?
    ) throws(Halt) -> Store.Kept? {
        if core.knowledge.isSettled(seen: before.session.seen, known) { return before }
        var kept = before
        let catalog = kept.session.state.catalog
        switch core.knowledge.settling(kept.session, known) {
        case .done: break
        case .needs(let things):
            guard let catalog else { break }
            throw .needs(catalog: catalog, things)
        case .dropped:
            turn.outputs.append(.told(delete(id, kept)))
            return nil
        case .losses(let losses):
            var session = kept.session
            session.prune(losses)
            let isChanged = session != kept.session
            session.seen = core.knowledge.latest(of: catalog)
            if isChanged {
                let isPublic = session.state != kept.session.state
                let text: StateText
                (kept, text) = change(id, from: kept, to: session, isPublic: isPublic)
                if isPublic {
                    turn.outputs.append(
                        .told(subscribers.notices(of: id, state: text.state, cause: .contentChange)))
                }
            } else {
                kept = Store.Kept(session: session, number: kept.number, updatedMs: kept.updatedMs)
                sessions.put(kept, as: id)
                // What this turn has changed is written, and learns the number of its row, as it is now.
                if turn.transaction.changes[id]?.after != nil { turn.transaction.changes[id]?.after = kept }
            }
        }
        return kept
    }

    // MARK: Changes

    private func perform(_ send: Send, _ token: RequestToken) throws(Halt) {
        let (id, event) = (send.session, send.event)
        var kept = try stored(id)
        // Looked up once for all that has to be known of it.
        var known: Knowledge.Catalog?
        if let before = kept {
            known = self.known(of: before)
            kept = try settled(id, before, known)
        }
        if kept == nil {
            guard let catalog = send.catalog else {
                throw .refused(
                    .invalidParams(
                        "/catalog", "There is no session \"\(id)\" yet: name its catalog in /catalog."))
            }
            known = core.knowledge.catalogs[catalog]
        }
        // As an object, so that it is handed on without being copied.
        let before = kept ?? Store.Kept(session: Session(id, catalog: send.catalog ?? ""), updatedMs: 0)
        try check(before, send.catalog, send.expectedRevision)
        let facts = try facts(for: event, before, known)
        let reduced: Session?
        do throws(RPCError) { reduced = try before.session.reduced(by: event, facts) } catch {
            throw .refused(error)
        }
        guard var session = reduced else {
            let state = kept?.session.state ?? SessionState(session: id)
            let text = StateText(state, after: #"{"changed":false,"state":"#)
            return turn.outputs.append(.changed(token, text.result, []))
        }
        if core.knowledge.link == .live || kept == nil { session.seen = known?.latest ?? 0 }
        let text = change(id, from: kept, to: session, head: #"{"changed":true,"state":"#).text
        let notices = subscribers.notices(of: id, state: text.state, cause: event.cause)
        turn.outputs.append(.changed(token, text.result, notices))
    }

    private func check(
        _ kept: Store.Kept, _ catalog: Identifier?, _ expectedRevision: Int?
    ) throws(Halt) {
        let revision = kept.session.state.revision
        if let catalog, let own = kept.session.state.catalog, catalog != own {
            throw .refused(
                RPCError(
                    .conflict, "The session belongs to the catalog \"\(own)\", not to \"\(catalog)\".",
                    path: "/catalog", revision: revision))
        }
        if let expectedRevision, expectedRevision != revision {
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
        guard let source = try current(from) else {
            throw .refused(.notFound("session", from, path: "/from"))
        }
        guard from != to else {
            return turn.outputs.append(.changed(token, result(of: from, source), []))
        }
        let before = try stored(to)
        var session = source.session
        session.state.session = to
        let text = change(to, from: before, to: session, isReplaced: true).text
        let notices = subscribers.notices(of: to, state: text.state, cause: .explicitRequest)
        turn.outputs.append(.changed(token, text.result, notices))
    }

    /// What is answered to who asks for a session.
    func result(of id: Identifier, _ kept: Store.Kept?) -> [UInt8] {
        StateText(kept?.session.state ?? SessionState(session: id)).result
    }
}
