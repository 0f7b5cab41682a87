import JSON
import Shared

// The first half of a view: where its session is, after the event if there is one.

extension GatewayCore {
    /// Begins a request: what is wanted of a window is prepared first.
    mutating func begin(_ id: JobID, _ turn: inout Turn) {
        guard let job = jobs[id] else { return }
        if case .window(let window, let wish?) = job.kind {
            beginWish(wish, of: window, id, &turn)
        } else {
            askState(id, &turn)
        }
    }

    /// Sends the event, or asks for the state if it isn't known.
    mutating func askState(_ id: JobID, _ turn: inout Turn) {
        guard let job = jobs[id] else { return }
        let session = job.request.session
        job.stateFloorAsked = stateFloor(of: id, job)
        // What the view's catalog is can be asked at the same time, if its catalog has not changed since.
        let last = knowledge.lastCatalog(of: session)
        if let likely = last ?? job.catalog, job.answers.isEmpty, job.pending == 0, !job.isWithoutCatalog {
            if !knowledge.hasCurrentAnswer(.describe(likely)) || job.distrusts.catalog {
                ask(.describe(likely), id, &turn)
            } else if !isAlive(.catalog, since: job.since, turn) {
                ping(.catalog, deadline: job.deadline, &turn)
            }
        }
        if let send = job.eventToSend {
            if job.catalog == nil, last == nil { hold(id) }
            call(
                .selection, "selection.send", .session(id), deadline: job.deadline,
                params: params(of: send, job), &turn)
        } else if job.token == nil, let window = job.window.flatMap({ windows[$0] }), window.isStateCurrent {
            take(window.state, .fresh, id, &turn)
        } else if let failure = job.selectionFailure {
            takeSession(.failure(failure), id, &turn)
        } else {
            let deadline =
                job.isSend ? job.deadline : patience(for: .selection, deadline: job.deadline, turn)
            if let state = knownState(for: id, job) {
                guard isAlive(.selection, since: job.since, turn) else {
                    return awaitLife(of: .selection, deadline: deadline, .job(id), &turn)
                }
                return take(state, .fresh, id, &turn)
            }
            call(.selection, "selection.get", .session(id), deadline: deadline, &turn) { json in
                json.member("session", session.text)
            }
        }
    }

    /// What the selection service is asked to apply; of a line that came before that is known, unless its session had to be
    /// given a catalog.
    private func params(of send: ViewRequest.Send, _ job: ViewJob) -> [UInt8] {
        let known = job.catalog == job.request.catalog ? job.known : nil
        if let params = known?.params { return params }
        var json = JSONWriter()
        json.object { json in
            json.member("session", job.request.session.text)
            json.member("event", send.event)
            if let catalog = job.catalog { json.member("catalog", catalog.text) }
            if let expected = send.expectedRevision { json.member("expectedRevision", expected) }
        }
        let params = json.bytes
        known?.params = params
        return params
    }

    /// The state of a job's session, if that need not be asked for.
    private mutating func knownState(for id: JobID, _ job: ViewJob) -> SessionState? {
        guard !job.distrusts.selection, let state = knowledge.currentState(job.request.session),
            state.revision >= stateFloor(of: id, job)
        else { return nil }
        // An event that was sent before on the same connection must be seen.
        if isEventUnderWay(job.request.session, job.lane) { return nil }
        return state
    }

    /// Takes what the selection service says of a session.
    mutating func take(_ answer: SessionAnswer, _ id: JobID, _ turn: inout Turn) {
        guard let job = jobs[id] else { return }
        learn(answer.state, answer.whereabouts)
        let cause = job.eventToSend?.cause ?? .contentChange
        if job.isSend { job.changed = answer.changed ?? job.changed }
        take(answer.state, .fresh, in: answer.whereabouts, cause: cause, id, &turn)
    }

    /// Takes the state, or why there is none.
    mutating func takeSession(_ result: Result<JSONValue, RPCError>, _ id: JobID, _ turn: inout Turn) {
        guard let job = jobs[id] else { return }
        let isSend = job.eventToSend != nil
        do throws(RPCError) {
            guard let answer = read(try result.get(), job) else {
                throw RPCError(.internal, "The selection service answered something that is no state.")
            }
            take(answer, id, &turn)
        } catch {
            if isSend, error.reason == .invalidParams, error.path == "/catalog", job.catalog == nil {
                return askDefaultCatalog(id, &turn)
            }
            guard !job.isSend, error.isOutage else { return refuse(id, error, &turn) }
            job.selectionFailure = error
            let session = job.request.session
            if let last = knowledge.lastState(session) {
                take(last, .stale, id, &turn)
            } else {
                take(SessionState(session: session), .unknown, id, &turn)
            }
        }
    }

    /// Goes on with the state.
    mutating func take(
        _ state: SessionState, _ knowledge: ViewInput.StateKnowledge, in whereabouts: Whereabouts? = nil,
        cause: LayoutCause = .contentChange, _ id: JobID, _ turn: inout Turn
    ) {
        guard let job = jobs[id] else { return }
        (job.state, job.whereabouts) = (state, whereabouts)
        job.knowledge = knowledge
        if let window = job.window {
            guard prepare(id, for: window, state, cause, &turn) else { return }
        } else {
            release(id, job.lane, &turn)
        }
        goOn(id, &turn)
    }

    // MARK: The catalog of a new session

    /// A new session belongs to the catalog that a view of it shows: the first one.
    private mutating func askDefaultCatalog(_ id: JobID, _ turn: inout Turn) {
        guard let job = jobs[id] else { return }
        hold(id)
        call(.catalog, "catalog.list", .defaultCatalog(id), deadline: job.deadline, &turn)
    }

    /// Sends the event again, with the catalog.
    mutating func takeDefaultCatalog(
        _ result: Result<JSONValue, RPCError>, _ id: JobID, _ turn: inout Turn
    ) {
        guard jobs[id] != nil else { return }
        do throws(RPCError) {
            guard let list = CatalogList(try result.get()) else {
                throw RPCError(.internal, "The catalog service answered something that is no list.")
            }
            guard let first = list.first else {
                throw RPCError(
                    .notFound, "There is no catalog yet: import one, then try again.", path: "/catalog")
            }
            jobs[id]?.catalog = first
            askState(id, &turn)
        } catch {
            refuse(id, error, &turn)
        }
    }
}
