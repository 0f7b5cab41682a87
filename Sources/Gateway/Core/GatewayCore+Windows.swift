import JSON
import Shared

// Windows that are kept current: how they come to be, and what is asked of them.

extension GatewayCore {
    // MARK: Opening

    /// Makes the window of a first view, now that its subscription is there, and goes on with what has waited for that.
    mutating func open(_ id: JobID, _ result: Result<SubscriptionID, RPCError>, _ turn: inout Turn) {
        guard let first = opening.removeValue(forKey: id), let job = jobs[id],
            case .opening(let stream) = job.kind
        else { return }
        guard case .success(let subscription) = result else { return finish(id, job, &turn) }
        let input = first.input
        var frame = job.request.window
        frame.rows = .selection
        windows[subscription] = Window(
            subscription: subscription, connection: job.connection, session: job.request.session,
            isPatch: stream.isPatch, frame: frame, state: input.state,
            isStateCurrent: knowledge.hears(.selection) && input.knowledge == .fresh, catalog: input.catalog,
            isTwoColumn: input.description.value?.columns == 2, resolved: first.resolved, hold: input.hold,
            shown: .digest(0))
        keep(first.view, of: subscription)
        windowsOfSession[job.request.session, default: []].insert(subscription)
        lane(of: job.connection).windows.insert(subscription)
        finish(id, job, &turn)
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

    /// Writes the answer of `view.subscribe`.
    static func answer(_ subscription: SubscriptionID, view: [UInt8]) -> [UInt8] {
        var json = JSONWriter(capacity: view.count + 64)
        json.object { json in
            json.member("subscription", subscription.text)
            json.member("view", raw: view)
        }
        return json.bytes
    }

    /// Forgets a window.
    mutating func forgetWindow(_ id: SubscriptionID) {
        guard let window = windows.removeValue(forKey: id) else { return }
        windowViewsBytes -= window.shown.bytes
        if let job = window.drawing { forgetJob(job) }
        windowsOfSession[window.session]?.remove(id)
        if windowsOfSession[window.session]?.isEmpty == true { windowsOfSession[window.session] = nil }
        guard let lane = lanes[window.connection] else { return }
        lane.windows.remove(id)
        tidy(lane)
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
        case .get:
            if let view = window.shown.view { return answer(jobId, Self.answer(view: view), &turn) }
        case .unsubscribe:
            forgetWindow(id)
            turn.effects.append(.end(id))
            return answer(jobId, Reply(opening: Array("{}".utf8)), &turn)
        case .resize(let resize) where window.frame.resized(resize) == window.frame:
            return answer(jobId, Self.answer(changed: false), &turn)
        case .resize, .scroll, .send: break
        }
        // Asked for a view that is not kept, it is drawn again.
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
        job.lane.leave(jobId, job)
        job.request = request
        job.lane.queue(jobId, job)
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
        if job.knowledge == .fresh { windows[id]?.isStateCurrent = knowledge.hears(.selection) }
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
}
