import JSON
import Shared

// What is known of a peer holds for as long as the peer tells of its changes; but one that hangs tells nothing.
// So whatever is shown without asking a peer needs a sign of life from it: it has said something just now, or it
// answers a ping, one for everything that waits.

extension GatewayCore {
    /// A ping under way.
    struct Ping {
        let call: CallID
        let deadline: UInt64
    }

    /// Who waits for the answer to a ping.
    enum PingWaiter {
        /// A request whose view is kept, and the peers that have shown life since it came.
        case view(Request, alive: PerPeer<Bool>)
        case job(JobID)
    }

    /// Notes that a peer has said something.
    mutating func hasHeard(_ peer: Peer, _ turn: Turn) { heardAt[peer] = turn.nanoseconds }

    /// Whether a peer has just said something.
    func isAlive(_ peer: Peer, _ turn: Turn) -> Bool {
        heardAt[peer] > 0 && turn.nanoseconds < heardAt[peer] + Limits.lifeNanoseconds
    }

    /// Whether a peer has said something since a job was begun, or just before.
    func isAlive(_ peer: Peer, for job: ViewJob, _ turn: Turn) -> Bool {
        job.alive[peer] || isAlive(peer, turn)
    }

    /// Has a peer asked for a sign of life, if nobody waits for one already.
    ///
    /// The answer to a ping that was sent before counts: it was not there yet when this was needed.
    @discardableResult
    mutating func ping(_ peer: Peer, deadline: UInt64, _ turn: inout Turn) -> CallID {
        if let ping = pings[peer], ping.deadline <= deadline, ping.deadline + Limits.pingSlackMs >= deadline {
            return ping.call
        }
        let call = call(peer, "rpc.ping", .ping(peer), deadline: deadline, &turn)
        pings[peer] = Ping(call: call, deadline: deadline)
        return call
    }

    /// Has somebody wait for a sign of life.
    mutating func awaitLife(of peer: Peer, deadline: UInt64, _ waiter: PingWaiter, _ turn: inout Turn) {
        pingWaiters[ping(peer, deadline: deadline, &turn), default: []].append(waiter)
    }

    /// When a peer has to be there for a view with this deadline.
    ///
    /// A silent selection service gets half of the time, so that half is left for a view without it.
    func patience(for peer: Peer, deadline: UInt64, _ turn: Turn) -> UInt64 {
        guard peer == .selection, deadline > turn.now else { return deadline }
        return turn.now + (deadline - turn.now) / 2
    }

    /// Goes on with everyone who has waited for a sign of life.
    mutating func takePing(
        _ result: Result<JSONValue, RPCError>, of peer: Peer, _ call: CallID, _ turn: inout Turn
    ) {
        if pings[peer]?.call == call { pings[peer] = nil }
        for waiter in pingWaiters.removeValue(forKey: call) ?? [] {
            switch (waiter, result) {
            case (.view(let request, var alive), .success):
                alive[peer] = true
                if !answerKept(request, alive: alive, &turn) { begin(request, alive: alive, &turn) }
            case (.view(let request, let alive), .failure(let error)):
                begin(request, alive: alive, failure: (peer, error), &turn)
            case (.job(let id), .success):
                jobs[id]?.alive[peer] = true
                if peer == .selection {
                    askState(id, &turn)
                } else {
                    jobs[id]?.pending -= 1
                    goOn(id, &turn)
                }
            case (.job(let id), .failure(let error)):
                if peer == .selection {
                    takeSession(.failure(error), id, &turn)
                } else {
                    jobs[id]?.pending -= 1
                    takeSilence(error, id, &turn)
                    goOn(id, &turn)
                }
            }
        }
    }

    // MARK: Kept views

    /// Answers `view.get` with a view that is kept, now or after a sign of life; tells whether there is one.
    mutating func answerKept(_ request: Request, alive: PerPeer<Bool> = PerPeer(false), _ turn: inout Turn) -> Bool {
        guard let view = views.view(params: request.params) else { return false }
        return answer(request, with: view, alive: alive, &turn)
    }

    /// Answers a request with a view that holds.
    mutating func answer(
        _ request: Request, with view: ViewCache.View, alive: PerPeer<Bool>, _ turn: inout Turn
    ) -> Bool {
        if let lane = lanes[request.connection] {
            // An event that was sent before on the same connection must be seen.
            guard lane.holder == nil, !isEventUnderWay(view.session, lane) else { return false }
        }
        var silent: Peer?
        for peer in Peer.allCases where !alive[peer] && !isAlive(peer, turn) {
            let deadline = patience(for: peer, deadline: request.deadline, turn)
            if silent == nil { silent = peer }
            ping(peer, deadline: deadline, &turn)
        }
        if let silent {
            let deadline = patience(for: silent, deadline: request.deadline, turn)
            awaitLife(of: silent, deadline: deadline, .view(request, alive: alive), &turn)
            return true
        }
        counters.keptViews += 1
        raiseFloors(
            of: request.connection, session: view.session, revision: view.revision, catalog: view.catalog,
            catalogRevision: view.catalogRevision)
        turn.effects.append(.answer(request.token, view.result))
        return true
    }

    /// Whether an event for a session is under way, of which nobody knows yet what it changes.
    func isEventUnderWay(_ session: Identifier, _ lane: Lane) -> Bool {
        guard lane.events > 0 else { return false }
        return lane.queues[session]?.contains { jobs[$0]?.eventToSend != nil } ?? false
    }

    /// Keeps a view that was composed of nothing but what holds until somebody tells otherwise.
    mutating func keepView(_ result: [UInt8], of job: ViewJob) {
        guard views.isOpen, job.change == WindowChange(), job.knowledge == .fresh, job.catalogFailure == nil,
            let state = job.state, let catalog = job.shownCatalog,
            knowledge.currentState(state.session)?.revision == state.revision,
            let revision = knowledge.currentAnswer(.describe(catalog))?.revision
        else { return }
        for answer in job.answers.values {
            guard case .fresh(let answer) = answer, answer.revision.map({ $0 == revision }) ?? true else {
                return
            }
        }
        views.keep(
            ViewCache.View(
                result: result, session: state.session, revision: state.revision, catalog: catalog,
                catalogRevision: revision),
            for: job.request.key)
    }
}
