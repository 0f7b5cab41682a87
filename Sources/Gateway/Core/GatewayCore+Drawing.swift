import JSON
import Shared

// Windows that are kept current: when they are drawn again, and how their subscribers are told.

extension GatewayCore {
    /// Takes what has become of a window's session.
    mutating func take(
        _ state: SessionState, _ cause: LayoutCause, of id: SubscriptionID, _ turn: inout Turn
    ) {
        guard let window = windows[id] else { return }
        if state.catalog == nil, window.state.catalog != nil { return beginEnding(id, &turn) }
        guard state.revision > window.state.revision else { return }
        windows[id]?.apply(state, cause: cause)
        windows[id]?.isDirty = true
        draw(id, &turn)
    }

    /// Draws all windows again, and asks where their sessions are if that may not have been told.
    mutating func drawAll(asking mustAsk: Bool, _ turn: inout Turn) {
        for id in windows.keys {
            if mustAsk { windows[id]?.isStateCurrent = false }
            windows[id]?.isDirty = true
            draw(id, &turn)
        }
    }

    /// Draws a window again, or lets it wait for what is drawn already or for an answer that must come first.
    mutating func draw(_ id: SubscriptionID, _ turn: inout Turn) {
        guard let window = windows[id], window.drawing == nil, !window.isEnding, !mustWait(window) else {
            return
        }
        if isBehind(window) {
            windows[id]?.isDirty = true
            return
        }
        // What it has waited for is over: it is drawn now.
        windows[id]?.isWaiting = false
        if follow(window) { return }
        lastNumber += 1
        let job = JobID(lastNumber)
        let request = ViewRequest(session: window.session, catalog: window.catalog, window: window.frame)
        let drawing = ViewJob(
            .window(id, nil), request, token: nil, lane: lane(of: window.connection),
            deadline: turn.now + UInt64(Limits.deadlineMsDefault), since: turn.nanoseconds)
        (drawing.id, drawing.catalogNews) = (job, catalogNews)
        jobs[job] = drawing
        leaders[window.twinKey] = job
        windows[id]?.isDirty = false
        windows[id]?.drawing = job
        drawing.lane.jobs.insert(job)
        askState(job, &turn)
    }

    /// Whether this turn has time for another view that nobody waits for; else it is drawn in the next one.
    mutating func mayDraw(_ job: JobID, _ turn: inout Turn) -> Bool {
        drawnInTurn += 1
        guard drawnInTurn > Limits.windowsPerTurnMax else { return true }
        deferred.append(job)
        turn.effects.append(.wake(at: turn.now))
        return false
    }

    /// Goes on with the views that had to wait for another turn.
    mutating func drawDeferred(_ turn: inout Turn) {
        let waiting = deferred
        deferred = []
        for job in waiting { goOn(job, &turn) }
    }

    /// Whether a request of the same connection is under way whose answer comes before the window's next
    /// view.
    func mustWait(_ window: Window) -> Bool {
        lanes[window.connection]?.jobs.contains { id in
            guard let job = jobs[id], job.token != nil else { return false }
            return job.window == window.subscription || (job.isSend && job.request.session == window.session)
        } ?? false
    }

    /// Whether an answer has told of a later state than the window's: the event that follows it says why, and draws it.
    ///
    /// Drawn as it is, the window would show less than its connection may have seen.
    mutating func isBehind(_ window: Window) -> Bool {
        guard window.isStateCurrent, let known = knowledge.currentState(window.session) else { return false }
        return known.revision > window.state.revision
    }

    /// Shows a view in its window, and answers who has asked for it.
    mutating func show(
        _ view: ComposedView, _ input: ViewInput, in id: SubscriptionID, _ wish: WindowRequest.Wish?,
        _ jobId: JobID, _ job: ViewJob, _ turn: inout Turn
    ) {
        guard let window = windows[id], !window.isEnding else {
            return refuse(jobId, .notFound("subscription", id, path: "/subscription"), &turn)
        }
        if wish == nil, mustWait(window) {
            windows[id]?.isDirty = true
            return forgetJob(jobId)
        }
        raiseFloors(for: job, of: job.lane)
        let bytes = view.bytes
        let news = put(bytes, view.resolved, input, job, in: id)
        // Drawn without a service that is back by now, or before a change was told of, it is still to be drawn again.
        let isWhole =
            job.catalogFailure == nil && job.knowledge == .fresh && job.catalogNews == catalogNews
        if wish != nil, window.state == job.state, isWhole { windows[id]?.isDirty = false }
        retryLater(id, job, &turn)
        let told = news.told.map { [(id, $0)] } ?? []
        switch wish {
        case nil:
            if let told = news.told { turn.effects.append(.tell(id, told)) }
            // From now on nobody can wait for it any more.
            forgetLeader(jobId, of: job)
            share(bytes, view.resolved, input, job, news, &turn)
            finish(jobId, job, &turn)
            if windows[id]?.isDirty == true, windows[id]?.isWaiting == false { draw(id, &turn) }
        case .send?:
            answer(jobId, Self.answer(view: bytes, changed: job.changed), tell: told, &turn)
        case .get?: answer(jobId, Self.answer(view: bytes), tell: told, &turn)
        case .resize?, .scroll?, .unsubscribe?:
            answer(jobId, Self.answer(changed: news.isDifferent), tell: told, &turn)
        }
    }

    /// Puts a view in a window; gives what its subscriber is to be told, which may be the same as for another
    /// one.
    mutating func put(
        _ view: [UInt8], _ resolved: Layout.Resolved?, _ input: ViewInput, _ job: ViewJob,
        in id: SubscriptionID, like other: Window.News? = nil
    ) -> Window.News {
        guard var window = windows[id] else { return Window.News() }
        var news = Window.News(before: window.shown, isPatch: window.isPatch)
        news.isDifferent = !window.shown.isSame(as: view)
        if window.hasCaughtUp {
            news.told = Window.laggedNews(view)
            news.isLate = true
            (window.isLagging, window.hasCaughtUp) = (false, false)
        } else if news.isDifferent, !window.isLagging {
            news.told = other?.told(instead: news) ?? window.news(view)
        }
        window.catalog = input.catalog
        window.isTwoColumn = input.description.value.map { $0.columns == 2 } ?? window.isTwoColumn
        window.hold = input.hold ?? window.hold
        // While the catalog is away nobody knows where the chosen item is: the window goes there later.
        if window.chosen == job.chosen, job.catalogFailure == nil { window.chosen = nil }
        if window.state == job.state { window.resolved = resolved }
        window.frame.limit = job.request.window.limit
        windows[id] = window
        if news.isDifferent { keep(view, of: id) }
        return news
    }

    /// A silent peer does not tell when it is back: what was drawn without it is drawn again until it is.
    private mutating func retryLater(_ id: SubscriptionID, _ job: ViewJob, _ turn: inout Turn) {
        let failures = [job.selectionFailure, job.catalogFailure].compactMap(\.self)
        if failures.contains(where: { $0.reason != .upstreamUnavailable }) { drawLater(id, &turn) }
    }

    /// Draws a window again after a while.
    mutating func drawLater(_ id: SubscriptionID, _ turn: inout Turn) {
        guard windows[id]?.isEnding == false else { return }
        windows[id]?.isDirty = true
        windows[id]?.isWaiting = true
        turn.effects.append(.wake(at: turn.now + Limits.windowRetryMs))
    }

    /// Tells a subscriber who has caught up what he has missed: all of it at once.
    ///
    /// It is drawn for that: what was drawn last may be older than what its connection was answered since.
    mutating func catchUp(_ id: SubscriptionID, _ turn: inout Turn) {
        guard windows[id]?.isLagging == true else { return }
        windows[id]?.hasCaughtUp = true
        windows[id]?.isDirty = true
        draw(id, &turn)
    }

    /// Writes the answer of `view.resize` and `view.scroll`.
    static func answer(changed: Bool) -> Reply {
        Reply(opening: Array(#"{"changed":\#(changed)}"#.utf8))
    }
}

extension Window {
    /// What has become of a window, and what its subscriber is told of it.
    struct News {
        var before = KeptView.digest(0)
        var isPatch = false
        var isDifferent = false
        /// Whether it is all that a slow subscriber has missed.
        var isLate = false
        /// The params of the event; nil if there is none.
        var told: [UInt8]?

        /// What the subscriber of a twin is told, if it is the same.
        func told(instead other: News) -> [UInt8]? {
            guard !isLate, isPatch == other.isPatch else { return nil }
            guard isPatch else { return told }
            guard let mine = before.view, let before = other.before.view, mine == before else { return nil }
            return told
        }
    }

    /// What a subscriber is told who has caught up.
    static func laggedNews(_ view: [UInt8]) -> [UInt8] {
        var json = JSONWriter(capacity: view.count + 32)
        json.object { json in
            json.member("lagged", true)
            json.member("view", raw: view)
        }
        return json.bytes
    }

    /// What its subscriber is told of a new view.
    func news(_ view: [UInt8]) -> [UInt8] {
        var json = JSONWriter(capacity: view.count + 32)
        json.object { json in
            if isPatch, let shown = shown.view, let patch = JSONPatch.bytes(from: shown, to: view),
                patch.count < view.count
            {
                json.member("patch", raw: patch)
            } else if isPatch {
                // Replacing the whole document is a patch, too.
                json.array("patch") { json in
                    json.object { json in
                        json.member("op", "replace")
                        json.member("path", "")
                        json.member("value", raw: view)
                    }
                }
            } else {
                json.member("view", raw: view)
            }
        }
        return json.bytes
    }
}
