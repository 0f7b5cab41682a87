import Shared

// Requests of one connection: each sees what the ones before it have changed, and what it is shown never goes
// back.
//
// Calls are sent in the order of the requests, and the selection service handles them in that order; so
// nothing has to wait but for two cases. An event for a session that does not exist yet needs a catalog,
// which has to be looked up first; and what is asked of a window that is kept current is done one by one.
// Until then later requests wait.
//
// Views of one session are answered in the order of their requests, so that each is the one that its event
// has led to.

extension GatewayCore {
    /// The requests and windows of one connection.
    struct Lane {
        /// All views under way.
        var jobs: Set<JobID> = []
        /// The one that the others have to wait for.
        var holder: JobID?
        /// Those that wait, in their order.
        var waiting: [JobID] = []
        var windows: Set<SubscriptionID> = []
        /// Those of each session that somebody waits for, in their order.
        var queues: [Identifier: [JobID]] = [:]
        /// Those that have all they need, and wait for an earlier answer.
        var parked: [JobID] = []
        /// How many of them change their session.
        var events = 0
        /// Requests that wait for those, by their session.
        var followers: [Identifier: [Follower]] = [:]

        /// Puts a request behind the earlier ones of its session.
        mutating func queue(_ id: JobID, _ job: ViewJob) {
            let place = queues[job.request.session]?.firstIndex { $0 > id }
            let end = queues[job.request.session]?.count ?? 0
            queues[job.request.session, default: []].insert(id, at: place ?? end)
            if job.isSend { events += 1 }
        }

        /// Takes a request out of its queue.
        mutating func leave(_ id: JobID, _ job: ViewJob) {
            let session = job.request.session
            guard let place = queues[session]?.firstIndex(of: id) else { return }
            queues[session]?.remove(at: place)
            if queues[session]?.isEmpty == true { queues[session] = nil }
            if job.isSend { events -= 1 }
        }
    }

    /// Begins a request, or has it wait for its turn.
    mutating func enqueue(_ id: JobID, _ turn: inout Turn) {
        guard let job = jobs[id] else { return }
        lanes[job.connection, default: Lane()].jobs.insert(id)
        lanes[job.connection]?.queue(id, job)
        if lanes[job.connection]?.holder == nil {
            begin(id, &turn)
        } else {
            lanes[job.connection]?.waiting.append(id)
            turn.effects.append(.wake(at: job.deadline))
        }
    }

    /// Has the connection's later requests wait until this one calls `release`.
    mutating func hold(_ id: JobID) {
        guard let job = jobs[id], lanes[job.connection]?.holder == nil else { return }
        lanes[job.connection]?.holder = id
    }

    /// Begins what has waited for a request.
    mutating func release(_ id: JobID, _ connection: ConnectionID, _ turn: inout Turn) {
        guard lanes[connection]?.holder == id else { return }
        lanes[connection]?.holder = nil
        while lanes[connection]?.holder == nil, let next = lanes[connection]?.waiting.first {
            lanes[connection]?.waiting.removeFirst()
            begin(next, &turn)
        }
    }

    /// Refuses what has waited for too long.
    mutating func refuseLateWaiters(_ turn: inout Turn) {
        for (connection, lane) in lanes where !lane.waiting.isEmpty {
            for id in lane.waiting {
                guard let deadline = jobs[id]?.deadline else { continue }
                guard deadline <= turn.now else {
                    turn.effects.append(.wake(at: deadline))
                    continue
                }
                lanes[connection]?.waiting.removeAll { $0 == id }
                refuse(
                    id,
                    RPCError(
                        .deadlineExceeded,
                        "An earlier request of this connection was not answered in time."), &turn)
            }
        }
    }

    /// Whether an earlier request for the same session has to be answered first.
    func mustQueue(_ id: JobID, _ job: ViewJob) -> Bool {
        guard job.token != nil, !job.mayOvertake else { return false }
        return lanes[job.connection]?.queues[job.request.session]?.first != id
    }

    /// Has a view wait until the earlier ones of its session are answered.
    mutating func park(_ id: JobID, _ job: ViewJob, _ turn: inout Turn) {
        job.isParked = true
        lanes[job.connection]?.parked.append(id)
        turn.effects.append(.wake(at: job.deadline))
    }

    /// Goes on with views that have waited for an earlier answer.
    private mutating func unpark(_ connection: ConnectionID, _ turn: inout Turn) {
        guard let parked = lanes[connection]?.parked, !parked.isEmpty else { return }
        for id in parked {
            guard let job = jobs[id], job.isParked, !mustQueue(id, job) else { continue }
            job.isParked = false
            lanes[connection]?.parked.removeAll { $0 == id }
            goOn(id, &turn)
        }
    }

    /// Answers what has waited for an earlier answer for too long.
    mutating func overtake(_ turn: inout Turn) {
        for (id, job) in jobs where job.isParked {
            if job.deadline > turn.now {
                turn.effects.append(.wake(at: job.deadline))
            } else {
                job.isParked = false
                job.mayOvertake = true
                lanes[job.connection]?.parked.removeAll { $0 == id }
                goOn(id, &turn)
            }
        }
    }

    // MARK: The end of a request

    /// Refuses a request.
    mutating func refuse(_ id: JobID, _ error: RPCError, _ turn: inout Turn) {
        guard let job = jobs[id] else { return }
        if let token = job.token {
            turn.effects.append(.refuse(token, error))
        } else if let window = job.window {
            drawLater(window, &turn)
        }
        finish(id, job, &turn)
    }

    /// Answers a request, and after that tells the windows of its connection what it has caused.
    mutating func answer(
        _ id: JobID, _ result: [UInt8], tell: [(SubscriptionID, [UInt8])] = [], _ turn: inout Turn
    ) {
        guard let job = jobs[id] else { return }
        if let token = job.token { turn.effects.append(.answer(token, result, tell: tell)) }
        finish(id, job, &turn)
    }

    /// Forgets a job that is done, and goes on with what has waited for it.
    mutating func finish(_ id: JobID, _ job: ViewJob, _ turn: inout Turn) {
        forgetJob(id)
        release(id, job.connection, &turn)
        guard job.token != nil else { return }
        releaseFollowers(of: job, &turn)
        if job.isSend {
            releaseFollowers(of: job.request.session, job.connection, &turn)
            tidyLane(job.connection)
        }
        unpark(job.connection, &turn)
        for window in lanes[job.connection]?.windows ?? [] {
            if windows[window]?.isDirty == true, windows[window]?.isWaiting == false { draw(window, &turn) }
        }
    }

    /// Forgets a job; what it has asked for is not waited for.
    mutating func forgetJob(_ id: JobID) {
        guard let job = jobs.removeValue(forKey: id) else { return }
        lanes[job.connection]?.jobs.remove(id)
        lanes[job.connection]?.leave(id, job)
        orphans += job.twins
        if let window = job.window, windows[window]?.drawing == id {
            windows[window]?.drawing = nil
            if job.token == nil { forgetLeader(id, of: job) }
        }
        tidyLane(job.connection)
    }

    /// Forgets a connection of which nothing is left.
    mutating func tidyLane(_ connection: ConnectionID) {
        guard let lane = lanes[connection], lane.jobs.isEmpty, lane.windows.isEmpty, lane.followers.isEmpty
        else {
            return
        }
        lanes[connection] = nil
    }

    /// Notes what a connection is shown now, so that its other views under way show nothing older.
    mutating func raiseFloors(for shown: ViewJob, of connection: ConnectionID) {
        guard let state = shown.state else { return }
        let catalog = shown.shownCatalog
        let catalogRevision = catalog.flatMap { shown.answers[.describe($0)]?.value?.revision } ?? 0
        raiseFloors(
            of: connection, session: state.session, revision: state.revision, catalog: catalog,
            catalogRevision: catalogRevision)
    }

    /// Notes what a connection is shown now, so that its other views under way show nothing older.
    mutating func raiseFloors(
        of connection: ConnectionID, session: Identifier, revision: Int, catalog: Identifier?,
        catalogRevision: Int
    ) {
        for id in lanes[connection]?.jobs ?? [] {
            guard let job = jobs[id] else { continue }
            if job.request.session == session { job.stateFloor = max(job.stateFloor, revision) }
            if let catalog {
                job.catalogFloors[catalog] = max(job.catalogFloors[catalog] ?? 0, catalogRevision)
            }
        }
    }
}
