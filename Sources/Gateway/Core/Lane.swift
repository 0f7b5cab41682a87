import Shared

// What of one connection is under way, in its order, and what it was shown meanwhile.

extension GatewayCore {
    /// The requests and windows of one connection.
    ///
    /// The core is its one owner. It is no value for the reason for which a `ViewJob` is none.
    final class Lane {
        let connection: ConnectionID
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

        init(_ connection: ConnectionID) { self.connection = connection }

        /// Puts a request behind the earlier ones of its session.
        func queue(_ id: JobID, _ job: ViewJob) {
            func put(_ id: JobID, in queue: inout [JobID]) {
                guard let last = queue.last, id < last else { return queue.append(id) }
                queue.insert(id, at: (queue.lastIndex { $0 < id } ?? -1) + 1)
            }
            put(id, in: &queues[job.request.session, default: []])
            if job.isSend { events += 1 }
        }

        /// Takes a request out of its queue.
        func leave(_ id: JobID, _ job: ViewJob) {
            guard let index = queues.index(forKey: job.request.session),
                let place = queues.values[index].firstIndex(of: id)
            else { return }
            if queues.values[index].count > 1 {
                queues.values[index].remove(at: place)
            } else {
                queues.remove(at: index)
            }
            if job.isSend { events -= 1 }
        }

        // MARK: What the connection was shown

        /// A revision, and the last number that was given when it was shown.
        private struct Shown: Equatable {
            let revision: Int
            let number: Int
        }

        private var shownSessions: [Identifier: Shown] = [:]
        private var shownCatalogs: [Identifier: Shown] = [:]

        /// Notes that a revision of a session, and one of a catalog, are shown now by a job, or by none; `number` was given
        /// last.
        ///
        /// This is looked up by the jobs that compose, instead of being told to all that are under way: with many of
        /// them that was the most expensive part of a view.
        func show(
            _ session: Identifier, _ revision: Int, _ catalog: Identifier?, _ catalogRevision: Int,
            by job: JobID?, number: Int, needed: () -> (sessions: Set<Identifier>, catalogs: Set<Identifier>)
        ) {
            // Whatever is begun from now on sees it anyway.
            guard let first = jobs.first, jobs.count > 1 || first != job else { return }
            Self.note(Shown(revision: revision, number: number), of: session, in: &shownSessions)
            if let catalog {
                Self.note(Shown(revision: catalogRevision, number: number), of: catalog, in: &shownCatalogs)
            }
            guard shownSessions.count + shownCatalogs.count > Limits.shownRevisionsMax else { return }
            let needed = needed()
            shownSessions = shownSessions.filter { needed.sessions.contains($0.key) }
            shownCatalogs = shownCatalogs.filter { needed.catalogs.contains($0.key) }
        }

        private static func note(_ shown: Shown, of id: Identifier, in all: inout [Identifier: Shown]) {
            let last = all[id]
            guard shown != last, shown.revision >= last?.revision ?? 0 else { return }
            all[id] = shown
        }

        /// The revision of a session that was shown since a job was begun.
        func floor(of session: Identifier, since job: JobID) -> Int {
            Self.floor(shownSessions[session], job)
        }

        /// The revision of a catalog that was shown since a job was begun.
        func floor(ofCatalog catalog: Identifier, since job: JobID) -> Int {
            Self.floor(shownCatalogs[catalog], job)
        }

        private static func floor(_ shown: Shown?, _ job: JobID) -> Int {
            shown.map { $0.number >= job.number ? $0.revision : 0 } ?? 0
        }

        /// Nothing is under way any more that could show something older.
        func forgetShown() {
            shownSessions.removeAll(keepingCapacity: true)
            shownCatalogs.removeAll(keepingCapacity: true)
        }
    }
}
