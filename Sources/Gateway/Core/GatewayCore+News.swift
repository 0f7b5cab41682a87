import JSON
import Shared

// What the peers tell of changes, and which windows it reaches.

extension GatewayCore {
    /// Asks a peer to tell of its changes.
    mutating func hear(_ peer: Peer, _ turn: inout Turn) {
        call(
            peer, peer == .catalog ? "catalog.subscribe" : "selection.subscribe", .hearing(peer),
            deadline: turn.now + UInt64(Limits.deadlineMsDefault), &turn)
    }

    /// From now on the peer tells of its changes, and what was known before may be old.
    mutating func takeHearing(
        _ result: Result<JSONValue, RPCError>, of peer: Peer, _ turn: inout Turn
    ) {
        switch result {
        case .success:
            knowledge.beginHearing(peer)
            dropAllViews()
            #if !CANARY_WINDOWS_RESUME_AS_THEY_WERE
                drawAll(asking: peer == .selection, &turn)
            #endif
        case .failure(let error):
            guard error.reason != .upstreamUnavailable else { return }  // it will be told to be up
            unheard.insert(peer)
            turn.effects.append(.wake(at: turn.now + Limits.windowRetryMs))
        }
    }

    /// Takes what a peer tells.
    mutating func takeNews(of peer: Peer, _ params: JSONValue, _ turn: inout Turn) {
        switch peer {
        case .catalog: takeCatalogNews(params, &turn)
        case .selection: takeSelectionNews(params, &turn)
        }
    }

    private mutating func takeCatalogNews(_ params: JSONValue, _ turn: inout Turn) {
        guard let catalog = params["catalog"]?.string.map({ Identifier($0) }) else { return }
        let isDropped = params["dropped"]?.bool == true
        catalogNews += 1
        knowledge.changed(catalog)
        views.drop(catalog: catalog)
        #if !CANARY_PLACES_ARE_NOT_FORGOTTEN
            places.forget()
        #endif
        // Not in the windows themselves, which would all be copied when the first of them changes.
        let shown = windows.values.filter { $0.catalog == catalog || $0.catalog == nil }
            .map { (id: $0.subscription, isOfCatalog: $0.catalog == catalog) }
        for (id, isOfCatalog) in shown {
            if isDropped, isOfCatalog {
                end(id, "catalog dropped", &turn)
            } else {
                windows[id]?.isDirty = true
                draw(id, &turn)
            }
        }
    }

    /// What was composed may be old.
    mutating func dropAllViews() {
        views.dropAll()
        places.forget()
    }

    /// Keeps what is said of a session; views of what it was before do not hold any more.
    ///
    /// If it is where somebody was before, its views are those of this place at once.
    mutating func learn(_ state: SessionState, _ whereabouts: Whereabouts? = nil) {
        guard knowledge.keep(state, whereabouts) else { return }
        let place = knowledge.hears(.selection) && state.catalog != nil ? whereabouts : nil
        views.move(state.session, revision: state.revision) { look in
            place.flatMap { places.scenery(in: $0, look) }
        }
    }

    private mutating func takeSelectionNews(_ params: JSONValue, _ turn: inout Turn) {
        guard let value = params["state"], let id = value["session"]?.string.map({ Identifier($0) }) else {
            return
        }
        // It may say what the answer to this service's own call has just said.
        if windowsOfSession[id] == nil, let known = knowledge.currentState(id), known.revision > 0,
            known.revision == value["revision"]?.int
        {
            return
        }
        guard let state = SessionState(value) else { return }
        learn(state)
        let cause: LayoutCause =
            params["cause"]?.string == LayoutCause.explicitRequest.rawValue
            ? .explicitRequest : .contentChange
        for id in windowsOfSession[state.session] ?? [] { take(state, cause, of: id, &turn) }
    }

    // MARK: The end of a window

    /// Asks why a window's session is gone: with its catalog, or alone.
    mutating func beginEnding(_ id: SubscriptionID, _ turn: inout Turn) {
        guard let window = windows[id], !window.isEnding else { return }
        windows[id]?.isEnding = true
        let deadline = turn.now + UInt64(Limits.deadlineMsDefault)
        call(.catalog, "catalog.describe", .ending(id), deadline: deadline, &turn) { json in
            json.member("catalog", window.state.catalog?.text)
        }
    }

    /// Ends a window whose session is gone.
    mutating func takeEnding(
        _ result: Result<JSONValue, RPCError>, _ id: SubscriptionID, _ turn: inout Turn
    ) {
        guard windows[id]?.isEnding == true else { return }
        if case .failure(let error) = result, error.reason == .notFound {
            end(id, "catalog dropped", &turn)
        } else {
            end(id, "session deleted", &turn)
        }
    }

    /// Ends the window that a job draws, because its catalog is gone.
    mutating func endWindow(of job: ViewJob, _ why: String, _ turn: inout Turn) {
        if let id = job.window { end(id, why, &turn) }
    }

    /// Tells a subscriber that his window is over, and why; what he has asked of it is refused.
    mutating func end(_ id: SubscriptionID, _ why: String, _ turn: inout Turn) {
        guard let window = windows[id] else { return }
        let asked = lanes[window.connection]?.jobs.filter { jobs[$0]?.window == id } ?? []
        windows[id]?.isEnding = true
        for job in asked { refuse(job, .notFound("subscription", id, path: "/subscription"), &turn) }
        forgetWindow(id)
        var json = JSONWriter()
        json.object { json in json.member("ended", why) }
        turn.effects.append(.end(id, tell: json.bytes))
    }
}
