import Shared

// A view that is asked for behind an event, on the same connection, is mostly the very view that the event leads
// to. So it waits for that one, and costs its session's owner nothing.

extension GatewayCore {
    /// A request whose view is looked up, as long as it has to wait; lists of these grow and are walked, so it is a reference.
    final class Lookup {
        let request: Request
        let slot: ViewCache.Slot
        /// When it came, in nanoseconds: a peer that has said something since is alive.
        let since: UInt64
        /// Peers that had perhaps said more by then than could be read: what is known of them may be older than that.
        var doubts: PerPeer<Bool>

        init(_ request: Request, _ slot: ViewCache.Slot, since: UInt64, doubts: PerPeer<Bool>) {
            (self.request, self.slot, self.since, self.doubts) = (request, slot, since, doubts)
        }
    }

    /// A request that waits until the events before it are done.
    struct Follower {
        let lookup: Lookup
        /// The last job that was begun before it.
        let last: JobID
        /// When it has waited for long enough.
        let until: UInt64
    }

    /// Whether an event for a session is under way that was sent before; what it changes nobody knows yet.
    func isEventUnderWay(_ session: Identifier, _ lane: Lane, upTo last: JobID = .last) -> Bool {
        guard lane.events > 0 else { return false }
        return lane.queues[session]?.contains { $0 <= last && jobs[$0]?.eventToSend != nil } ?? false
    }

    /// Has a request wait for the events before it.
    mutating func follow(_ request: Request, _ slot: ViewCache.Slot, _ turn: inout Turn) {
        let until = patience(for: .selection, deadline: request.deadline, turn)
        let lookup = Lookup(request, slot, since: turn.nanoseconds, doubts: behind)
        lanes[request.connection]?.followers[slot.session, default: []].append(
            Follower(lookup: lookup, last: JobID(lastNumber), until: until))
        turn.effects.append(.wake(at: until))
    }

    /// Goes on with what has waited for an event of a session.
    mutating func releaseFollowers(of session: Identifier, _ lane: Lane, _ turn: inout Turn) {
        guard !lane.followers.isEmpty, let followers = lane.followers.removeValue(forKey: session) else {
            return
        }
        var waiting: [Follower] = []
        for follower in followers {
            if isEventUnderWay(session, lane, upTo: follower.last) {
                waiting.append(follower)
            } else {
                resume(follower.lookup, &turn)
            }
        }
        guard !waiting.isEmpty else { return }
        lane.followers[session, default: []].insert(contentsOf: waiting, at: 0)
    }

    // MARK: Behind another view

    /// Has a request wait for a job that composes its view already; tells whether there is one.
    mutating func join(
        _ request: Request, _ slot: ViewCache.Slot, since then: UInt64, doubts: PerPeer<Bool>
    ) -> Bool {
        guard let composer = slot.composer, let job = jobs[composer], job.deadline <= request.deadline else {
            return false
        }
        job.followers.append(Lookup(request, slot, since: then, doubts: doubts))
        return true
    }

    /// Goes on with those who have waited for a job: it has left its view to them, if that holds.
    mutating func releaseFollowers(of job: ViewJob, _ turn: inout Turn) {
        for lookup in job.followers { resume(lookup, &turn) }
    }

    /// Answers a request that has waited, or begins it.
    mutating func resume(_ lookup: Lookup, _ turn: inout Turn) {
        let (request, slot, since, doubts) = (lookup.request, lookup.slot, lookup.since, lookup.doubts)
        guard !serve(request, with: slot, since: since, doubts: doubts, &turn),
            !join(request, slot, since: since, doubts: doubts)
        else {
            return
        }
        begin(lookup, composing: slot, &turn)
    }

    // MARK: Too late

    /// Goes on with what has waited for an event for too long: its view is the last known one.
    mutating func releaseLateFollowers(_ turn: inout Turn) {
        for (connection, lane) in lanes where !lane.followers.isEmpty {
            for (session, followers) in lane.followers {
                let waiting = followers.filter { $0.until > turn.now }
                lanes[connection]?.followers[session] = waiting.isEmpty ? nil : waiting
                if let next = waiting.map(\.until).min() { turn.effects.append(.wake(at: next)) }
                for follower in followers where follower.until <= turn.now {
                    begin(follower.lookup, failure: (.selection, Self.eventIsLate), &turn)
                }
            }
        }
    }

    private static let eventIsLate = RPCError(
        .deadlineExceeded, "The selection service did not answer an earlier event in time.")

    // MARK: Beginning

    /// Begins a view that nobody else composes.
    mutating func begin(_ job: ViewJob, composing slot: ViewCache.Slot?, _ turn: inout Turn) {
        lastNumber += 1
        let id = JobID(lastNumber)
        if let slot { (job.slot, slot.composer) = (slot, id) }
        (job.id, job.catalogNews) = (id, catalogNews)
        jobs[id] = job
        enqueue(id, &turn)
    }

    /// Begins a view that was kept until now; `failure` says why it was not answered.
    mutating func begin(
        _ lookup: Lookup, composing slot: ViewCache.Slot? = nil,
        failure: (peer: Peer, error: RPCError)? = nil, _ turn: inout Turn
    ) {
        let request = lookup.request
        let job = ViewJob(
            .reply, lookup.slot.request, token: request.token, lane: lane(of: request.connection),
            deadline: request.deadline, since: lookup.since)
        job.distrusts = lookup.doubts
        switch failure?.peer {
        case .catalog?: job.catalogFailure = failure?.error
        case .selection?: job.selectionFailure = failure?.error
        case nil: break
        }
        begin(job, composing: slot, &turn)
    }
}
