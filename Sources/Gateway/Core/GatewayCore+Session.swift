import JSON
import Shared

// The first half of a view: where its session is, after the event if there is one.

extension GatewayCore {
    /// Asks for the state, or sends the event.
    mutating func begin(_ id: JobID, _ now: UInt64, _ effects: inout [Effect]) {
        guard let job = jobs[id] else { return }
        guard job.changed == nil, let send = job.request.send else {
            return callGet(id, now, &effects)
        }
        if job.catalog == nil, states.peek(job.request.session)?.catalog == nil { hold(id) }
        call(.selection, "selection.send", for: id, .session, deadline: job.deadline, &effects) { json in
            json.member("session", job.request.session.text)
            json.member("event", send.event)
            if let catalog = job.catalog { json.member("catalog", catalog.text) }
            if let expected = send.expectedRevision { json.member("expectedRevision", expected) }
        }
    }

    private mutating func callGet(_ id: JobID, _ now: UInt64, _ effects: inout [Effect]) {
        guard let job = jobs[id] else { return }
        // A silent selection service gets half of the time, so that the other half is left for a view without it.
        let patience = job.deadline > now ? (job.deadline - now) / 2 : 0
        let deadline = job.request.send == nil ? now + patience : job.deadline
        call(.selection, "selection.get", for: id, .session, deadline: deadline, &effects) { json in
            json.member("session", job.request.session.text)
        }
    }

    /// Takes the state, or why there is none.
    mutating func takeSession(
        _ result: Result<JSONValue, RPCError>, _ id: JobID, _ now: UInt64, _ effects: inout [Effect]
    ) {
        guard let job = jobs[id] else { return }
        let isSend = job.request.send != nil && job.changed == nil
        do throws(RPCError) {
            let answer = try result.get()
            guard let state = answer["state"].flatMap({ SessionState($0) }),
                !isSend || answer["changed"]?.bool != nil
            else {
                throw RPCError(.internal, "The selection service answered something that is no state.")
            }
            states.keep(state, for: state.session)
            jobs[id]?.state = state
            jobs[id]?.knowledge = .fresh
            if isSend { jobs[id]?.changed = answer["changed"]?.bool }
        } catch {
            if isSend, error.reason == .invalidParams, error.path == "/catalog", job.catalog == nil {
                return askDefaultCatalog(id, &effects)
            }
            guard job.request.send == nil, error.isOutage else {
                refuse(id, error, &effects)
                return release(id, job.connection, now, &effects)
            }
            let last = states[job.request.session]
            jobs[id]?.state = last ?? SessionState(session: job.request.session)
            jobs[id]?.knowledge = last == nil ? .unknown : .stale
            jobs[id]?.selectionFailure = error
        }
        release(id, job.connection, now, &effects)
        goOn(id, now, &effects)
    }

    // MARK: The catalog of a new session

    /// A new session belongs to the catalog that a view of it shows: the first one.
    private mutating func askDefaultCatalog(_ id: JobID, _ effects: inout [Effect]) {
        guard let job = jobs[id] else { return }
        hold(id)
        call(.catalog, "catalog.list", for: id, .defaultCatalog, deadline: job.deadline, &effects) { _ in }
    }

    /// Sends the event again, with the catalog.
    mutating func takeDefaultCatalog(
        _ result: Result<JSONValue, RPCError>, _ id: JobID, _ now: UInt64, _ effects: inout [Effect]
    ) {
        guard let connection = jobs[id]?.connection else { return }
        do throws(RPCError) {
            guard let list = CatalogList(try result.get()) else {
                throw RPCError(.internal, "The catalog service answered something that is no list.")
            }
            guard let first = list.first else {
                throw RPCError(
                    .notFound, "There is no catalog yet: import one, then try again.", path: "/catalog")
            }
            jobs[id]?.catalog = first
            begin(id, now, &effects)
        } catch {
            refuse(id, error, &effects)
            release(id, connection, now, &effects)
        }
    }
}
