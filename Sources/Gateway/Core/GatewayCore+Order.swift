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
    /// The lane of a connection.
    mutating func lane(of connection: ConnectionID) -> Lane {
        if let lane = lanes[connection] { return lane }
        let lane = Lane(connection)
        lanes[connection] = lane
        return lane
    }

    /// Begins a request, or has it wait for its turn.
    mutating func enqueue(_ id: JobID, _ turn: inout Turn) {
        guard let job = jobs[id] else { return }
        let lane = job.lane
        lane.jobs.insert(id)
        lane.queue(id, job)
        if lane.holder == nil {
            begin(id, &turn)
        } else {
            lane.waiting.append(id)
            turn.effects.append(.wake(at: job.deadline))
        }
    }

    /// Has the connection's later requests wait until this one calls `release`.
    mutating func hold(_ id: JobID) {
        guard let job = jobs[id], job.lane.holder == nil else { return }
        job.lane.holder = id
    }

    /// Begins what has waited for a request.
    mutating func release(_ id: JobID, _ lane: Lane, _ turn: inout Turn) {
        guard lane.holder == id else { return }
        lane.holder = nil
        while lane.holder == nil, let next = lane.waiting.first {
            lane.waiting.removeFirst()
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
        return job.lane.queues[job.request.session]?.first != id
    }

    /// Has a view wait until the earlier ones of its session are answered.
    mutating func park(_ id: JobID, _ job: ViewJob, _ turn: inout Turn) {
        job.isParked = true
        job.lane.parked.append(id)
        turn.effects.append(.wake(at: job.deadline))
    }

    /// Goes on with views that have waited for an earlier answer.
    private mutating func unpark(_ lane: Lane, _ turn: inout Turn) {
        for id in lane.parked {
            guard let job = jobs[id], job.isParked, !mustQueue(id, job) else { continue }
            job.isParked = false
            lane.parked.removeAll { $0 == id }
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
                job.lane.parked.removeAll { $0 == id }
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
        _ id: JobID, _ result: Reply, tell: [(SubscriptionID, [UInt8])] = [], _ turn: inout Turn
    ) {
        guard let job = jobs[id] else { return }
        if let token = job.token { turn.effects.append(.answer(token, result, tell: tell)) }
        finish(id, job, &turn)
    }

    /// Forgets a job that is done, and goes on with what has waited for it.
    mutating func finish(_ id: JobID, _ job: ViewJob, _ turn: inout Turn) {
        forgetJob(id)
        release(id, job.lane, &turn)
        guard job.token != nil else { return }
        releaseFollowers(of: job, &turn)
        if job.isSend {
            releaseFollowers(of: job.request.session, job.lane, &turn)
            tidy(job.lane)
        }
        unpark(job.lane, &turn)
        for window in job.lane.windows {
            if windows[window]?.isDirty == true, windows[window]?.isWaiting == false { draw(window, &turn) }
        }
    }

    /// Forgets a job; what it has asked for is not waited for.
    mutating func forgetJob(_ id: JobID) {
        guard let job = jobs.removeValue(forKey: id) else { return }
        let lane = job.lane
        lane.jobs.remove(id)
        lane.leave(id, job)
        if lane.jobs.isEmpty { lane.forgetShown() }
        orphans += job.twins
        if let window = job.window, windows[window]?.drawing == id {
            windows[window]?.drawing = nil
            if job.token == nil { forgetLeader(id, of: job) }
        }
        tidy(lane)
    }

    /// Forgets a connection of which nothing is left.
    mutating func tidy(_ lane: Lane) {
        guard lane.jobs.isEmpty, lane.windows.isEmpty, lane.followers.isEmpty,
            lanes[lane.connection] === lane
        else { return }
        lanes[lane.connection] = nil
    }

    /// Notes what a connection is shown now, so that its other views under way show nothing older.
    mutating func raiseFloors(for shown: ViewJob, of lane: Lane?) {
        guard let lane, let state = shown.state else { return }
        let catalog = shown.shownCatalog
        let catalogRevision = catalog.flatMap { shown.answers[.describe($0)]?.value?.revision } ?? 0
        raiseFloors(
            of: lane, session: state.session, revision: state.revision, catalog: catalog,
            catalogRevision: catalogRevision, by: shown)
    }

    /// Notes what a connection is shown now, so that its other views under way show nothing older.
    mutating func raiseFloors(
        of lane: Lane, session: Identifier, revision: Int, catalog: Identifier?,
        catalogRevision: Int, by job: ViewJob?
    ) {
        lane.show(session, revision, catalog, catalogRevision, by: job?.id, number: lastNumber) {
            let underWay = lane.jobs.compactMap { self.jobs[$0] }
            return (Set(underWay.map(\.request.session)), Set(underWay.compactMap(\.shownCatalog)))
        }
    }

    /// The revision of its session that a job's connection was shown since it was begun.
    func stateFloor(of id: JobID, _ job: ViewJob) -> Int {
        job.lane.floor(of: job.request.session, since: id)
    }

    /// The revision of its catalog that a job's connection was shown since it was begun.
    func catalogFloor(of id: JobID, _ job: ViewJob) -> Int {
        guard let catalog = job.shownCatalog else { return 0 }
        return job.lane.floor(ofCatalog: catalog, since: id)
    }
}
