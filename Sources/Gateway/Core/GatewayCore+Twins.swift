import Shared

// Windows that look at the same session in the same way show the same view: it is drawn for one of them, and
// the others that wait for it take it over.

extension GatewayCore {
    /// What windows have in common that may show the same view.
    struct TwinKey: Hashable {
        let session: Identifier
        let frame: ViewWindow
    }

    /// Has a window wait for the view of another one that will be the same; tells whether there is such a one.
    mutating func follow(_ window: Window) -> Bool {
        guard let leader = leaders[window.twinKey], let job = jobs[leader],
            job.twins.count < Limits.twinsPerViewMax, let other = job.window.flatMap({ windows[$0] }),
            !other.isDirty, suits(job, window)
        else { return false }
        job.twins.append(window.subscription)
        windows[window.subscription]?.isDirty = true
        return true
    }

    /// Whether what a job draws is what a window that nobody has asked shows now.
    private func suits(_ job: ViewJob, _ window: Window) -> Bool {
        window.isStateCurrent && job.catalogNews == catalogNews && job.catalogFailure == nil
            && job.knowledge == .fresh && job.state == window.state && job.change == window.change
            && job.hold == window.hold && job.chosen == window.chosen && job.request.window == window.frame
            && job.request.catalog == window.catalog
    }

    /// Shows a view that was drawn for one window in the others that have waited for it.
    mutating func share(
        _ view: [UInt8], _ resolved: Layout.Resolved?, _ input: ViewInput, _ job: ViewJob,
        _ news: Window.News, _ turn: inout Turn
    ) {
        let twins = job.twins
        job.twins = []
        for id in twins {
            guard let window = windows[id], window.isDirty, window.drawing == nil else { continue }
            guard !window.isWaiting, !window.isEnding, suits(job, window), !mustWait(window) else {
                draw(id, &turn)
                continue
            }
            counters.sharedViews += 1
            raiseFloors(for: job, of: lanes[window.connection])
            windows[id]?.isDirty = false
            if let told = put(view, resolved, input, job, in: id, like: news).told {
                turn.effects.append(.tell(id, told))
            }
        }
    }

    /// Forgets that a job draws what twins may take over.
    mutating func forgetLeader(_ id: JobID, of job: ViewJob) {
        let key = TwinKey(session: job.request.session, frame: job.request.window)
        if leaders[key] == id { leaders[key] = nil }
    }

    /// Draws what has waited for views that never came.
    mutating func drawOrphans(_ turn: inout Turn) {
        while let id = orphans.popLast() {
            if windows[id]?.isDirty == true, windows[id]?.isWaiting == false { draw(id, &turn) }
        }
    }
}

extension Window {
    var twinKey: GatewayCore.TwinKey { GatewayCore.TwinKey(session: session, frame: frame) }
}
