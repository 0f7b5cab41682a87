import JSON
import Shared

// Windows that are kept current: how they come to be, what is asked of them, and how they are drawn again.

extension GatewayCore {
    // MARK: Opening

    /// Makes the window of a first view, now that its subscription is there or could not be made.
    mutating func open(_ id: JobID, _ result: Result<SubscriptionID, RPCError>, _ turn: inout Turn) {
        guard let (view, input) = opening.removeValue(forKey: id), let job = jobs[id],
            case .opening(let stream) = job.kind
        else { return }
        let subscription: SubscriptionID
        switch result {
        case .success(let made): subscription = made
        case .failure(let error): return refuse(id, error, &turn)
        }
        var frame = job.request.window
        frame.rows = .selection
        windows[subscription] = Window(
            subscription: subscription, connection: job.connection, session: job.request.session,
            isPatch: stream.isPatch, frame: frame, state: input.state,
            isStateCurrent: isHearingSelection && input.knowledge == .fresh, catalog: input.catalog,
            isTwoColumn: input.description.value?.columns == 2, resolved: view.resolved, hold: input.hold,
            shown: view.bytes)
        windowsOfSession[job.request.session, default: []].insert(subscription)
        lanes[job.connection, default: Lane()].windows.insert(subscription)
        var json = JSONWriter(capacity: view.bytes.count + 64)
        json.object { json in
            json.member("subscription", subscription.text)
            json.member("view", raw: view.bytes)
        }
        answer(id, json.bytes, &turn)
        // What has changed while it was read.
        if let state = knowledge.lastState(job.request.session) {
            take(state, .contentChange, of: subscription, &turn)
        }
        let isDegraded = input.knowledge != .fresh || job.catalogFailure != nil
        if isDegraded || job.catalogNews != catalogNews {
            windows[subscription]?.isDirty = true
            draw(subscription, &turn)
        }
    }

    /// Forgets a window.
    mutating func forgetWindow(_ id: SubscriptionID) {
        guard let window = windows.removeValue(forKey: id) else { return }
        if let job = window.drawing { forgetJob(job) }
        windowsOfSession[window.session]?.remove(id)
        if windowsOfSession[window.session]?.isEmpty == true { windowsOfSession[window.session] = nil }
        lanes[window.connection]?.windows.remove(id)
        tidyLane(window.connection)
    }

    // MARK: Wishes

    /// Begins what is wanted of a window.
    mutating func beginWish(
        _ wish: WindowRequest.Wish, of id: SubscriptionID, _ jobId: JobID, _ turn: inout Turn
    ) {
        guard let job = jobs[jobId] else { return }
        guard let window = windows[id], window.connection == job.connection, !window.isEnding else {
            return refuse(jobId, .notFound("subscription", id, path: "/subscription"), &turn)
        }
        switch wish {
        case .get: return answer(jobId, Self.answer(view: window.shown), &turn)
        case .unsubscribe:
            forgetWindow(id)
            turn.effects.append(.end(id))
            return answer(jobId, Array("{}".utf8), &turn)
        case .resize(let resize) where window.frame.resized(resize) == window.frame:
            return answer(jobId, Self.answer(changed: false), &turn)
        case .resize, .scroll, .send: break
        }
        hold(jobId)
        if let drawing = window.drawing {
            forgetJob(drawing)
            windows[id]?.isDirty = true
        }
        var request = ViewRequest(session: window.session, catalog: window.catalog, window: window.frame)
        switch wish {
        case .resize(let resize):
            windows[id]?.resize(resize)
            windows[id]?.isDirty = true
            request.window = request.window.resized(resize)
        case .scroll(let rows, let limit):
            request.window.rows = rows
            request.window.limit = limit ?? request.window.limit
        case .send(let send): request.send = send
        case .get, .unsubscribe: break
        }
        jobs[jobId]?.request = request
        jobs[jobId]?.catalog = request.catalog
        jobs[jobId]?.limit = request.window.limit
        askState(jobId, &turn)
    }

    /// Takes the state that a window is drawn for; tells whether it can be drawn.
    mutating func prepare(
        _ jobId: JobID, for id: SubscriptionID, _ state: SessionState, _ cause: LayoutCause,
        _ turn: inout Turn
    ) -> Bool {
        guard let job = jobs[jobId], var window = windows[id], !window.isEnding else {
            refuse(jobId, .notFound("subscription", id, path: "/subscription"), &turn)
            return false
        }
        if state.catalog == nil, window.state.catalog != nil, job.knowledge == .fresh {
            beginEnding(id, &turn)
            refuse(jobId, .notFound("subscription", id, path: "/subscription"), &turn)
            return false
        }
        if job.knowledge == .fresh { windows[id]?.isStateCurrent = isHearingSelection }
        window.isStateCurrent = windows[id]?.isStateCurrent ?? false
        if state != window.state, job.knowledge == .fresh, state.revision >= window.state.revision {
            window.apply(state, cause: cause)
            if job.token != nil { window.isDirty = true }
            windows[id] = window
        }
        jobs[jobId]?.change = window.change
        jobs[jobId]?.chosen = window.chosen
        jobs[jobId]?.hold = window.hold
        if case .window(_, .scroll?) = job.kind { jobs[jobId]?.hold = nil }
        return true
    }

    // MARK: Drawing

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
        lastNumber += 1
        let job = lastNumber
        let request = ViewRequest(session: window.session, catalog: window.catalog, window: window.frame)
        jobs[job] = ViewJob(
            .window(id, nil), request, token: nil, connection: window.connection,
            deadline: turn.now + UInt64(Limits.deadlineMsDefault))
        windows[id]?.isDirty = false
        windows[id]?.drawing = job
        lanes[window.connection, default: Lane()].jobs.insert(job)
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
    private func mustWait(_ window: Window) -> Bool {
        lanes[window.connection]?.jobs.contains { id in
            guard let job = jobs[id], job.token != nil else { return false }
            return job.window == window.subscription || (job.isSend && job.request.session == window.session)
        } ?? false
    }

    /// Shows a view in its window, and answers who has asked for it.
    mutating func show(
        _ view: ComposedView, _ input: ViewInput, in id: SubscriptionID, _ wish: WindowRequest.Wish?,
        _ jobId: JobID, _ job: ViewJob, _ turn: inout Turn
    ) {
        guard var window = windows[id], !window.isEnding else {
            return refuse(jobId, .notFound("subscription", id, path: "/subscription"), &turn)
        }
        if wish == nil, mustWait(window) {
            windows[id]?.isDirty = true
            return forgetJob(jobId)
        }
        raiseFloors(for: job)
        let isDifferent = view.bytes != window.shown
        let news = isDifferent && !window.isLagging ? window.news(view.bytes) : nil
        window.shown = view.bytes
        window.catalog = input.catalog
        window.isTwoColumn = input.description.value.map { $0.columns == 2 } ?? window.isTwoColumn
        window.hold = input.hold ?? window.hold
        if window.chosen == job.chosen { window.chosen = nil }
        if window.state == job.state { window.resolved = view.resolved }
        window.frame.limit = job.request.window.limit
        if wish != nil, window.state == job.state { window.isDirty = false }
        windows[id] = window
        retryLater(id, job, &turn)
        switch wish {
        case nil:
            if let news { turn.effects.append(.tell(id, news)) }
            finish(jobId, job, &turn)
            if windows[id]?.isDirty == true, windows[id]?.isWaiting == false { draw(id, &turn) }
        case .send?:
            answer(
                jobId, Self.answer(view: view.bytes, changed: job.changed),
                tell: news.map { [(id, $0)] } ?? [],
                &turn)
        case .get?, .resize?, .scroll?, .unsubscribe?:
            answer(jobId, Self.answer(changed: isDifferent), tell: news.map { [(id, $0)] } ?? [], &turn)
        }
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
    mutating func catchUp(_ id: SubscriptionID, _ turn: inout Turn) {
        guard let window = windows[id], window.isLagging else { return }
        windows[id]?.isLagging = false
        var json = JSONWriter(capacity: window.shown.count + 32)
        json.object { json in
            json.member("lagged", true)
            json.member("view", raw: window.shown)
        }
        turn.effects.append(.tell(id, json.bytes))
    }

    /// Writes the answer of `view.resize` and `view.scroll`.
    static func answer(changed: Bool) -> [UInt8] { Array(#"{"changed":\#(changed)}"#.utf8) }
}

extension Window {
    /// What its subscriber is told of a new view.
    func news(_ view: [UInt8]) -> [UInt8] {
        var json = JSONWriter(capacity: view.count + 32)
        json.object { json in
            if isPatch, let patch = JSONPatch.bytes(from: shown, to: view), patch.count < view.count {
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
