import JSON
import Shared

// What is known of a peer holds for as long as the peer tells of its changes; but one that hangs tells nothing.
// So whatever is shown without asking a peer needs a sign of life from it: it has said something just now, or it
// answers a ping, one for everything that waits.

extension GatewayCore {
    /// A ping under way.
    final class Ping {
        let deadline: UInt64
        /// The turn in which it is sent, at its end: whatever was said before any request of that turn came is said before
        /// its answer.
        let turn: Int
        /// Until when, in nanoseconds, the peer counts as alive though it has not answered; 0 if somebody needed the answer.
        fileprivate(set) var patientUntil: UInt64 = 0
        fileprivate var waiters: [PingWaiter] = []

        fileprivate init(deadline: UInt64, turn: Int) { (self.deadline, self.turn) = (deadline, turn) }
    }

    /// The requests of a turn that were answered with a kept view.
    struct Served {
        var count = 0
        /// That of the last one; nil if there was none.
        var deadline: UInt64?
    }

    /// Who waits for the answer to a ping.
    enum PingWaiter {
        /// A request whose view is kept.
        case view(Lookup)
        case job(JobID)
    }

    /// Notes that a peer has said something.
    mutating func hasHeard(_ peer: Peer, _ turn: Turn) { heardAt[peer] = turn.nanoseconds }

    /// Whether a peer has said something since then, or just before, or has not had the time to.
    ///
    /// Who waits for one peer, or for an event, asks nothing more of the other one: that may be silent meanwhile.
    func isAlive(_ peer: Peer, since then: UInt64, _ turn: Turn) -> Bool {
        let heard = heardAt[peer]
        guard heard > 0 else { return false }
        return then < heard + rush.life(at: turn.nanoseconds)
            || turn.nanoseconds < pings[peer]?.patientUntil ?? 0
    }

    /// Has a peer asked for a sign of life, if nobody waits for one already.
    ///
    /// The answer to a ping that was sent before counts, unless it has to be a new one: it was not there yet when this was
    /// needed.
    @discardableResult
    mutating func ping(_ peer: Peer, deadline: UInt64, isNew: Bool = false, _ turn: inout Turn) -> Ping {
        if let ping = pings[peer], ping.deadline <= deadline, ping.deadline + Limits.pingSlackMs >= deadline,
            !isNew || ping.turn == turns
        {
            return ping
        }
        let ping = Ping(deadline: deadline, turn: turns)
        pings[peer] = ping
        call(peer, "rpc.ping", .ping(peer, ping), deadline: deadline, &turn)
        return ping
    }

    /// Asks a peer that is alive for a sign of life that nobody needs yet.
    private mutating func pingAhead(_ peer: Peer, deadline: UInt64, _ turn: inout Turn) {
        guard pings[peer] == nil, heardAt[peer] > 0 else { return }
        ping(peer, deadline: deadline, &turn).patientUntil = turn.nanoseconds + Limits.patienceNanoseconds
    }

    /// The same at the end of a turn with views, because those who ask for views mostly ask for others, when half of the time
    /// is over for which it counts as alive.
    mutating func renewLife(_ turn: inout Turn) {
        guard let deadline = served.deadline else { return }
        rush.endTurn(views: served.count, at: turn.nanoseconds)
        let renewal = rush.life(at: turn.nanoseconds) / 2
        for peer in Peer.allCases where turn.nanoseconds >= heardAt[peer] + renewal {
            pingAhead(peer, deadline: deadline, &turn)
        }
        served = Served()
    }

    /// Has somebody wait for a sign of life.
    mutating func awaitLife(of peer: Peer, deadline: UInt64, _ waiter: PingWaiter, _ turn: inout Turn) {
        var isNew = false
        if case .view(let lookup) = waiter { isNew = lookup.doubts[peer] }
        ping(peer, deadline: deadline, isNew: isNew, &turn).waiters.append(waiter)
    }

    /// When a peer has to be there for a view with this deadline.
    ///
    /// A silent selection service is waited for until there is just time left for a view without it.
    func patience(for peer: Peer, deadline: UInt64, _ turn: Turn) -> UInt64 {
        guard peer == .selection, deadline > turn.now else { return deadline }
        return deadline - min((deadline - turn.now) / 2, Limits.viewWithoutStateMs)
    }

    /// Goes on with everyone who has waited for a sign of life.
    mutating func takePing(
        failure: RPCError? = nil, of peer: Peer, _ ping: Ping, _ turn: inout Turn
    ) {
        if pings[peer] === ping { pings[peer] = nil }
        for waiter in ping.waiters {
            switch (waiter, failure) {
            case (.view(let lookup), nil):
                lookup.doubts[peer] = false
                resume(lookup, &turn)
            case (.view(let lookup), let error?): begin(lookup, failure: (peer, error), &turn)
            case (.job(let id), nil):
                if peer == .selection {
                    askState(id, &turn)
                } else {
                    jobs[id]?.pending -= 1
                    goOn(id, &turn)
                }
            case (.job(let id), let error?):
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

    /// Answers `view.get` with a view that is kept, now or after a sign of life; tells whether it can.
    mutating func answer(
        _ request: Request, with slot: ViewCache.Slot, _ turn: inout Turn
    ) -> Bool {
        // An event that was sent before on the same connection must be seen.
        if let lane = lanes[request.connection] {
            guard lane.holder == nil else { return false }
            if isEventUnderWay(slot.session, lane) {
                follow(request, slot, &turn)
                return true
            }
        }
        return serve(request, with: slot, since: turn.nanoseconds, doubts: behind, &turn)
            || join(request, slot, since: turn.nanoseconds, doubts: behind)
    }

    /// The same for a request that came then, whatever other requests are under way.
    mutating func serve(
        _ request: Request, with slot: ViewCache.Slot, since then: UInt64, doubts: PerPeer<Bool>,
        _ turn: inout Turn
    ) -> Bool {
        guard let (result, scene) = views.view(in: slot) else { return false }
        let isMissing = (
            catalog: doubts.catalog || !isAlive(.catalog, since: then, turn),
            selection: doubts.selection || !isAlive(.selection, since: then, turn)
        )
        if isMissing.catalog || isMissing.selection {
            // Both are asked at once; whoever is waited for first, the other is looked at after that.
            let last: Peer = isMissing.selection ? .selection : .catalog
            if isMissing.catalog, isMissing.selection {
                ping(.catalog, deadline: request.deadline, isNew: doubts.catalog, &turn)
            }
            let deadline = patience(for: last, deadline: request.deadline, turn)
            let lookup = Lookup(request, slot, since: then, doubts: doubts)
            awaitLife(of: last, deadline: deadline, .view(lookup), &turn)
            return true
        }
        served.count += 1
        served.deadline = request.deadline
        counters.keptViews += 1
        if let lane = lanes[request.connection] {
            raiseFloors(
                of: lane, session: slot.session, revision: scene.revision, catalog: scene.scenery.catalog,
                catalogRevision: scene.scenery.catalogRevision, by: nil)
        }
        turn.effects.append(.answer(request.token, result))
        return true
    }

    /// The result that a job is about to compose, if another one has composed it meanwhile.
    mutating func keptView(for job: ViewJob) -> Reply? {
        guard case .reply = job.kind, !job.isSend, job.knowledge == .fresh, !job.isWithoutCatalog,
            views.isOpen, let slot = views.slot(of: job), let (result, scene) = views.view(in: slot),
            scene.revision == job.state?.revision
        else { return nil }
        return result
    }

    /// Keeps a scene that was composed of nothing but what holds until somebody tells otherwise.
    mutating func keep(_ scene: Scene, of job: ViewJob) {
        guard views.isOpen, job.knowledge == .fresh, !job.isWithoutCatalog,
            let state = job.state, let catalog = job.shownCatalog,
            knowledge.isCurrent(state.session, state.revision),
            let revision = knowledge.currentAnswer(.describe(catalog))?.revision
        else { return }
        for answer in job.answers.values {
            guard case .fresh(let answer) = answer, answer.revision.map({ $0 == revision }) ?? true else {
                return
            }
        }
        if let slot = views.slot(of: job) { views.keep(scene, in: slot) }
        if let whereabouts = job.whereabouts, state.catalog != nil, job.limit == job.request.window.limit {
            places.keep(scene.scenery, in: whereabouts, job.request.window.look)
        }
    }
}
