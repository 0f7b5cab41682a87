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
            turn.outputs.append(.state(token, id, result(kept?.session.state ?? SessionState(session: id))))
        case .send(let token, let id, let event, let catalog, let expectedRevision):
            try send(token, id, event, catalog, expectedRevision)
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
        guard var kept = try stored(id) else { return nil }
        let catalog = kept.session.state.catalog
        switch core.knowledge.settling(kept.session) {
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
                let state: [UInt8]
                (kept, state) = change(id, from: kept, to: session, isPublic: isPublic)
                if isPublic {
                    turn.outputs.append(
                        .told(subscribers.notices(of: id, state: state, cause: .contentChange)))
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

    private func send(
        _ token: RequestToken, _ id: Identifier, _ event: NavigationEvent, _ catalog: Identifier?,
        _ expectedRevision: Int?
    ) throws(Halt) {
        let kept = try current(id)
        var session: Session
        if let kept {
            session = kept.session
        } else {
            guard let catalog else {
                throw .refused(
                    .invalidParams(
                        "/catalog", "There is no session \"\(id)\" yet: name its catalog in /catalog."))
            }
            session = Session(id, catalog: catalog)
        }
        try check(session, catalog, expectedRevision)
        let facts = try facts(for: event, session)
        do throws(RPCError) {
            guard try session.reduce(event, facts) else {
                let state = kept?.session.state ?? SessionState(session: id)
                return turn.outputs.append(.changed(token, result(state, isChanged: false), []))
            }
        } catch {
            throw .refused(error)
        }
        if core.knowledge.link == .live || kept == nil {
            session.seen = core.knowledge.latest(of: session.state.catalog)
        }
        let state = change(id, from: kept, to: session).state
        turn.outputs.append(
            .changed(
                token, result(state, isChanged: true),
                subscribers.notices(of: id, state: state, cause: event.cause)))
    }

    private func check(
        _ session: Session, _ catalog: Identifier?, _ expectedRevision: Int?
    ) throws(Halt) {
        let state = session.state
        if let catalog, let own = state.catalog, catalog != own {
            throw .refused(
                RPCError(
                    .conflict, "The session belongs to the catalog \"\(own)\", not to \"\(catalog)\".",
                    path: "/catalog", revision: state.revision))
        }
        if let expectedRevision, expectedRevision != state.revision {
            throw .refused(
                RPCError(
                    .conflict, "The session is at revision \(state.revision): look at it, then try again.",
                    path: "/expectedRevision", revision: state.revision))
        }
    }

    private func facts(for event: NavigationEvent, _ session: Session) throws(Halt) -> Facts {
        guard let catalog = session.state.catalog else { preconditionFailure("a session without a catalog") }
        switch core.knowledge.readiness(of: event, for: session) {
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
            return turn.outputs.append(.changed(token, result(source.session.state), []))
        }
        let before = try stored(to)
        var session = source.session
        session.state.session = to
        let state = change(to, from: before, to: session, isReplaced: true).state
        turn.outputs.append(
            .changed(
                token, result(state),
                subscribers.notices(of: to, state: state, cause: .explicitRequest)))
    }

    // MARK: Answers

    func text(_ state: SessionState) -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        state.write(to: &json)
        return json.bytes
    }

    /// The result of a read, or of a copy.
    func result(_ state: SessionState) -> [UInt8] { result(text(state)) }

    private func result(_ state: [UInt8]) -> [UInt8] { state.between(#"{"state":"#, "}") }

    private func result(_ state: SessionState, isChanged: Bool) -> [UInt8] {
        result(text(state), isChanged: isChanged)
    }

    private func result(_ state: [UInt8], isChanged: Bool) -> [UInt8] {
        state.between(
            isChanged ? #"{"changed":true,"state":"# : #"{"changed":false,"state":"#, "}")
    }
}

extension [UInt8] {
    /// A text that was written between two fixed ones.
    func between(_ head: StaticString, _ tail: StaticString) -> [UInt8] {
        let (start, end) = (head.utf8CodeUnitCount, tail.utf8CodeUnitCount)
        return unsafe [UInt8](unsafeUninitializedCapacity: start + count + end) { bytes, filled in
            guard let place = bytes.baseAddress else { return }
            unsafe place.update(from: head.utf8Start, count: start)
            unsafe withUnsafeBufferPointer { middle in
                if let from = middle.baseAddress { unsafe (place + start).update(from: from, count: count) }
            }
            unsafe (place + start + count).update(from: tail.utf8Start, count: end)
            filled = start + count + end
        }
    }
}
