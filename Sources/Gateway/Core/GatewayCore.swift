import JSON
import Shared

// Everything that the gateway decides, without clock or I/O. A view is begun with the state of its session,
// goes on with what that state needs of the catalog, and is answered when all of it belongs together.

/// The gateway's requests under way, the windows it keeps current, and what it knows of its peers.
struct GatewayCore {
    var jobs: [JobID: ViewJob] = [:]
    var windows: [SubscriptionID: Window] = [:]
    var lanes: [ConnectionID: Lane] = [:]
    /// The windows of each session.
    var windowsOfSession: [Identifier: Set<SubscriptionID>] = [:]
    /// The jobs that draw windows whose twins may take over the view.
    var leaders: [TwinKey: JobID] = [:]
    /// Windows that have waited for the view of a job that is over without one.
    var orphans: [SubscriptionID] = []
    /// Bytes of the views that are kept for windows.
    var windowViewsBytes = 0
    let windowViewsBytesMax: Int
    var calls: [CallID: Purpose] = [:]
    /// The questions under way, each with its latest call.
    var asking: [CatalogQuestion: Asking] = [:]
    /// Who waits for the answer to a question.
    var waiters: [CallID: [JobID]] = [:]
    var knowledge = PeerKnowledge()
    /// Views that need not be composed.
    var views: ViewCache
    /// What need not be composed of them.
    var places: KnownPlaces
    /// When each peer last said something, in nanoseconds; 0 before that.
    var heardAt = PerPeer<UInt64>(0)
    /// Peers that may have sent more than has been read: what is known of them may be old.
    var behind = PerPeer(false)
    /// How long what a peer has said shows that it is alive.
    var rush = Rush()
    /// What was answered in this turn with a kept view.
    var served = Served()
    /// The latest ping of each peer that was not answered yet.
    var pings = PerPeer<Ping?>(nil)
    /// First views that wait for their subscription.
    var opening: [JobID: Opening] = [:]
    /// Peers that have to be asked again to tell of their changes.
    var unheard: Set<Peer> = []
    var counters = Counters()
    var lastNumber = 0
    /// How many turns have ended.
    private(set) var turns = 0
    /// Views that were drawn in this turn for windows, unasked.
    var drawnInTurn = 0
    /// Views of windows that wait for the next turn.
    var deferred: [JobID] = []
    /// How often a catalog was told to have changed.
    var catalogNews = 0

    /// Makes a core; `keepsViews` is whether composed views are kept.
    init(keepsViews: Bool = true, windowViewsBytesMax: Int = Limits.windowViewsBytesMax) {
        self.windowViewsBytesMax = windowViewsBytesMax
        views = ViewCache(bytesMax: keepsViews ? Limits.viewsKeptBytesMax : 0)
        places = KnownPlaces(bytesMax: keepsViews ? Limits.placesKnownBytesMax : 0)
    }

    /// The first view of a window, and what it was drawn from.
    struct Opening {
        let view: [UInt8]
        let resolved: Layout.Resolved?
        let input: ViewInput
    }

    /// A question under way.
    struct Asking {
        let call: CallID
        /// The turn in which it was asked, and how often catalogs had changed by then.
        let turn: Int
        let catalogNews: Int
        let deadline: UInt64
    }

    /// Takes what has happened at `now`, and adds what is to be done to `effects`, in this order.
    ///
    /// `now` are milliseconds that stand still during a turn; `nanoseconds` go on.
    mutating func handle(_ event: Event, now: UInt64, nanoseconds: UInt64, _ effects: inout [Effect]) {
        var turn = Turn(now: now, nanoseconds: nanoseconds)
        swap(&turn.effects, &effects)
        defer { swap(&turn.effects, &effects) }
        switch event {
        case .request(let request):
            do throws(RPCError) {
                try take(request, &turn)
            } catch {
                turn.effects.append(.refuse(request.token, error))
            }
        case .answered(let id, let result): take(result, of: id, &turn)
        case .recognised(let id, let answer): take(answer, of: id, &turn)
        case .up(let peer): hear(peer, &turn)
        case .down(let peer):
            heardAt[peer] = 0
            knowledge.endHearing(peer)
            dropAllViews()
            drawAll(asking: peer == .selection, &turn)
        case .told(let peer, let params):
            hasHeard(peer, turn)
            takeNews(of: peer, params, &turn)
        case .subscribed(let job, let result): open(job, result, &turn)
        case .subscriptionEnded(let id): forgetWindow(id)
        case .congested(let id):
            windows[id]?.isLagging = true
            windows[id]?.hasCaughtUp = false
        case .drained(let id):
            #if !CANARY_LAGGING_WINDOWS_ARE_FORGOTTEN
                catchUp(id, &turn)
            #endif
        case .wake: wake(&turn)
        case .turnEnded: endTurn(&turn)
        }
        drawOrphans(&turn)
    }

    /// All that was received at once is handled; what is received from now on came later.
    private mutating func endTurn(_ turn: inout Turn) {
        renewLife(&turn)
        turns += 1
        drawnInTurn = 0
    }

    /// What is decided while one event is handled.
    struct Turn {
        let now: UInt64
        let nanoseconds: UInt64
        var effects: [Effect] = []
    }

    private mutating func take(_ request: Request, _ turn: inout Turn) throws(RPCError) {
        if request.method == "view.get", let slot = views.find(request),
            answer(request, with: slot, &turn)
        {
            return
        }
        if let known = request.recurrence?.found as? KnownSend { return begin(known, request, &turn) }
        let kind: ViewJob.Kind
        var slot: ViewCache.Slot?
        var view = ViewRequest(session: ViewRequest.defaultSession, catalog: nil, window: ViewWindow())
        switch request.method {
        case "layout.resolve":
            return turn.effects.append(
                .answer(request.token, Reply(opening: try LayoutRequest(request.params).answer())))
        case let method where WindowRequest.isMeant(request.params, method: method):
            let wanted = try WindowRequest(request.params, method: method)
            kind = .window(wanted.subscription, wanted.wish)
        case let method:
            view = try ViewRequest(request.params, method: method)
            kind = view.stream.map { .opening($0) } ?? .reply
            if method == "view.get" { slot = views.find(view.key, params: request.params) }
            if let slot, answer(request, with: slot, &turn) { return }
        }
        if view.send != nil, let recurrence = request.recurrence { recurrence.found = KnownSend(view) }
        let job = ViewJob(
            kind, view, token: request.token, lane: lane(of: request.connection), deadline: request.deadline,
            since: turn.nanoseconds)
        job.distrusts = behind
        begin(job, composing: slot, &turn)
    }

    /// Begins a `view.send` that came before, to the byte.
    private mutating func begin(_ known: KnownSend, _ request: Request, _ turn: inout Turn) {
        let job = ViewJob(
            .reply, known.request, token: request.token, lane: lane(of: request.connection),
            deadline: request.deadline, since: turn.nanoseconds)
        job.distrusts = behind
        (job.known, job.slot) = (known, known.slot)
        known.slot = views.slot(of: job)
        begin(job, composing: nil, &turn)
    }

    private mutating func take(
        _ result: Result<JSONValue, RPCError>, of id: CallID, _ turn: inout Turn
    ) {
        let purpose = calls.removeValue(forKey: id)
        let failure: RPCError? = if case .failure(let error) = result { error } else { nil }
        if let peer = purpose?.peer {
            if let failure, !failure.isAnswer {
                heardAt[peer] = 0
            } else {
                hasHeard(peer, turn)
            }
        }
        switch purpose {
        case .session(let job)?: takeSession(result, job, &turn)
        case .defaultCatalog(let job)?: takeDefaultCatalog(result, job, &turn)
        case .question(let question)?: takeAnswer(result, to: question, of: id, &turn)
        case .hearing(let peer)?: takeHearing(result, of: peer, &turn)
        case .ending(let window)?: takeEnding(result, window, &turn)
        case .ping(let peer, let ping)?: takePing(failure: failure, of: peer, ping, &turn)
        case nil: break
        }
    }

    private mutating func take(_ answer: Recognised, of id: CallID, _ turn: inout Turn) {
        guard let purpose = calls.removeValue(forKey: id) else { return }
        hasHeard(purpose.peer, turn)
        switch (purpose, answer) {
        case (.session(let job), .session(let answer)): take(answer, job, &turn)
        case (.ping(let peer, let ping), .life): takePing(of: peer, ping, &turn)
        default: break
        }
    }

    /// Calls a peer.
    @discardableResult
    mutating func call(
        _ peer: Peer, _ method: String, _ purpose: Purpose, deadline: UInt64, _ turn: inout Turn,
        params: (inout JSONWriter) -> Void
    ) -> CallID {
        var json = JSONWriter()
        json.object(params)
        return call(peer, method, purpose, deadline: deadline, params: json.bytes, &turn)
    }

    /// Calls a peer with params that are written.
    @discardableResult
    mutating func call(
        _ peer: Peer, _ method: String, _ purpose: Purpose, deadline: UInt64, params: [UInt8] = Self.noParams,
        _ turn: inout Turn
    ) -> CallID {
        lastNumber += 1
        let id = CallID(number: lastNumber)
        calls[id] = purpose
        turn.effects.append(.call(id, Call(peer: peer, method: method, params: params, deadline: deadline)))
        return id
    }

    static let noParams = Array("{}".utf8)

    private mutating func wake(_ turn: inout Turn) {
        refuseLateWaiters(&turn)
        releaseLateFollowers(&turn)
        overtake(&turn)
        drawDeferred(&turn)
        for peer in Peer.allCases where unheard.remove(peer) != nil { hear(peer, &turn) }
        for (id, window) in windows where window.isDirty {
            windows[id]?.isWaiting = false
            draw(id, &turn)
        }
    }
}
