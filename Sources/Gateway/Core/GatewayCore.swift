import JSON
import Shared

// Everything that the gateway decides, without clock or I/O. A view is begun with the state of its session, goes on
// with what that state needs of the catalog, and is answered when all of it belongs together.

/// The gateway's requests under way, and what it knows of its peers.
///
/// Views do not care where an answer comes from: a question is asked only if `answers` of its job has none, so
/// whatever knows an answer to be current may put it there first.
struct GatewayCore {
    /// What has happened.
    enum Event {
        /// A client asks for something.
        case request(Request)
        /// A peer has answered a call, or can't any more.
        case answered(CallID, Result<JSONValue, RPCError>)
        /// The moment of `Effect.wake` has come.
        case wake
    }

    /// What is to be done.
    enum Effect {
        /// Call a peer; its answer is an event.
        case call(CallID, Call)
        /// Answer a client.
        case answer(RequestToken, [UInt8])
        /// Refuse a client's request.
        case refuse(RequestToken, RPCError)
        /// Come back at this time, or at any earlier one that was set.
        case wake(at: UInt64)
    }

    /// One of the services that the gateway asks.
    enum Peer { case catalog, selection }

    /// A call of a peer.
    struct Call {
        let peer: Peer
        let method: String
        /// A JSON object.
        let params: [UInt8]
        /// When the answer comes too late.
        let deadline: UInt64
    }

    /// Stands for a call under way.
    struct CallID: Hashable {
        let number: Int
    }

    typealias JobID = Int

    /// What a call under way is for.
    enum Purpose {
        /// The state of the job's session, or the event applied to it.
        case session
        /// The catalog of a new session.
        case defaultCatalog
        /// An answer that the view needs.
        case question(CatalogQuestion)
    }

    var jobs: [JobID: ViewJob] = [:]
    var calls: [CallID: (job: JobID, purpose: Purpose)] = [:]
    var connections: [ConnectionID: Lane] = [:]
    var states = LastKnown<Identifier, SessionState>(countMax: Limits.sessionsKeptMax)
    var answers = LastKnown<CatalogQuestion, CatalogAnswer>(
        countMax: Limits.answersKeptMax, bytesMax: Limits.answersKeptBytesMax)
    var counters = Counters()
    private var lastNumber = 0

    /// What is counted.
    struct Counters {
        /// Views that were answered.
        var views = 0
        /// Views with columns that are stale or unavailable.
        var degradedViews = 0
        /// Views begun anew because something changed while they were read.
        var repeatedRounds = 0
    }

    /// Takes what has happened at `now`, and tells what is to be done, in this order.
    mutating func handle(_ event: Event, now: UInt64) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .request(let request):
            do throws(RPCError) {
                try take(request, now, &effects)
            } catch {
                effects.append(.refuse(request.token, error))
            }
        case .answered(let id, let result):
            guard let (job, purpose) = calls.removeValue(forKey: id), jobs[job] != nil else { break }
            jobs[job]?.pending -= 1
            switch purpose {
            case .session: takeSession(result, job, now, &effects)
            case .defaultCatalog: takeDefaultCatalog(result, job, now, &effects)
            case .question(let question): takeAnswer(result, to: question, job, now, &effects)
            }
        case .wake: refuseLateWaiters(now, &effects)
        }
        return effects
    }

    private mutating func take(
        _ request: Request, _ now: UInt64, _ effects: inout [Effect]
    ) throws(RPCError) {
        switch request.method {
        case "layout.resolve":
            effects.append(.answer(request.token, try LayoutRequest(request.params).answer()))
        case "view.get", "view.send":
            let view = try ViewRequest(request.params, isSend: request.method == "view.send")
            lastNumber += 1
            jobs[lastNumber] = ViewJob(request, view)
            enqueue(lastNumber, now, &effects)
        default:
            throw RPCError(.methodNotFound, "There is no method \"\(request.method)\": see rpc.discover.")
        }
    }

    /// Calls a peer on behalf of a job.
    mutating func call(
        _ peer: Peer, _ method: String, for job: JobID, _ purpose: Purpose, deadline: UInt64,
        _ effects: inout [Effect], params: (inout JSONWriter) -> Void
    ) {
        lastNumber += 1
        let id = CallID(number: lastNumber)
        calls[id] = (job, purpose)
        jobs[job]?.pending += 1
        var json = JSONWriter()
        json.object(params)
        effects.append(.call(id, Call(peer: peer, method: method, params: json.bytes, deadline: deadline)))
    }

    /// Refuses a job's request.
    mutating func refuse(_ id: JobID, _ error: RPCError, _ effects: inout [Effect]) {
        guard let job = jobs.removeValue(forKey: id) else { return }
        effects.append(.refuse(job.token, error))
        connections[job.connection]?.jobs.remove(id)
        if connections[job.connection]?.jobs.isEmpty == true { connections[job.connection] = nil }
    }

    /// Answers a job's request.
    mutating func answer(_ id: JobID, _ result: [UInt8], _ effects: inout [Effect]) {
        guard let job = jobs.removeValue(forKey: id) else { return }
        effects.append(.answer(job.token, result))
        connections[job.connection]?.jobs.remove(id)
        if connections[job.connection]?.jobs.isEmpty == true { connections[job.connection] = nil }
    }
}

extension RPCError {
    /// Whether it says that the service can't do its work now, not that there is something wrong with the question.
    var isOutage: Bool {
        switch reason {
        case .upstreamUnavailable, .deadlineExceeded, .draining, .storage, .internal: true
        default: false
        }
    }
}
