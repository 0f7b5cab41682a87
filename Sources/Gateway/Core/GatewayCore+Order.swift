import Shared

// Requests of one connection: each sees what the ones before it have changed, and what it is shown never goes back.
//
// Calls are sent in the order of the requests, and the selection service handles them in that order; so nothing has
// to wait, but for one case: an event for a session that does not exist yet needs a catalog, which has to be looked
// up first. Until that event has been applied the connection's later requests wait.

extension GatewayCore {
    /// The requests of one connection.
    struct Lane {
        /// All that are under way.
        var jobs: Set<JobID> = []
        /// The one that the others have to wait for.
        var holder: JobID?
        /// Those that wait, in their order.
        var waiting: [JobID] = []
    }

    /// Begins a job, or has it wait for its turn.
    mutating func enqueue(_ id: JobID, _ now: UInt64, _ effects: inout [Effect]) {
        guard let job = jobs[id] else { return }
        connections[job.connection, default: Lane()].jobs.insert(id)
        if connections[job.connection]?.holder == nil {
            begin(id, now, &effects)
        } else {
            connections[job.connection]?.waiting.append(id)
            effects.append(.wake(at: job.deadline))
        }
    }

    /// Has the connection's later requests wait until this one calls `release`.
    mutating func hold(_ id: JobID) {
        guard let job = jobs[id], connections[job.connection]?.holder == nil else { return }
        connections[job.connection]?.holder = id
    }

    /// Begins what has waited for a job.
    mutating func release(_ id: JobID, _ connection: ConnectionID, _ now: UInt64, _ effects: inout [Effect]) {
        guard connections[connection]?.holder == id else { return }
        connections[connection]?.holder = nil
        while connections[connection]?.holder == nil, let next = connections[connection]?.waiting.first {
            connections[connection]?.waiting.removeFirst()
            begin(next, now, &effects)
        }
    }

    /// Refuses what has waited for too long.
    mutating func refuseLateWaiters(_ now: UInt64, _ effects: inout [Effect]) {
        for (connection, lane) in connections where !lane.waiting.isEmpty {
            for id in lane.waiting {
                guard let deadline = jobs[id]?.deadline else { continue }
                guard deadline <= now else {
                    effects.append(.wake(at: deadline))
                    continue
                }
                connections[connection]?.waiting.removeAll { $0 == id }
                refuse(
                    id,
                    RPCError(
                        .deadlineExceeded,
                        "An earlier request of this connection was not answered in time."), &effects)
            }
        }
    }

    /// Notes what a connection is shown now, so that its other requests under way show nothing older.
    mutating func raiseFloors(for shown: ViewJob) {
        guard let state = shown.state, let jobs = connections[shown.connection]?.jobs, jobs.count > 1 else {
            return
        }
        let catalog = shown.shownCatalog
        let catalogRevision = catalog.flatMap { shown.answers[.describe($0)]?.value?.revision } ?? 0
        for id in jobs {
            guard var job = self.jobs[id] else { continue }
            if job.request.session == state.session { job.stateFloor = max(job.stateFloor, state.revision) }
            if let catalog {
                job.catalogFloors[catalog] = max(job.catalogFloors[catalog] ?? 0, catalogRevision)
            }
            self.jobs[id] = job
        }
    }
}
