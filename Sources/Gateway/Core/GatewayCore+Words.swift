import JSON
import Shared

// What the core is told, and what it says.

extension GatewayCore {
    /// What has happened.
    enum Event {
        /// A client asks for something.
        case request(Request)
        /// A peer has answered a call, or can't any more.
        case answered(CallID, Result<JSONValue, RPCError>)
        /// A peer has answered a call with something that is known.
        case recognised(CallID, Recognised)
        /// A peer can be reached.
        case up(Peer)
        /// A peer can't be reached any more; its calls have failed.
        case down(Peer)
        /// A peer tells of a change, with these params.
        case told(Peer, JSONValue)
        /// A subscription was made for a job, or could not be; who waits for it has been told so.
        case subscribed(JobID, Result<SubscriptionID, RPCError>)
        /// A subscriber is gone.
        case subscriptionEnded(SubscriptionID)
        /// A subscriber reads too slowly to be told what `Effect.tell` wanted to tell him.
        case congested(SubscriptionID)
        /// A subscriber has caught up.
        case drained(SubscriptionID)
        /// The moment of `Effect.wake` has come.
        case wake
        /// All that was received at once is handled, and what that gave is sent.
        case turnEnded
    }

    /// What is to be done.
    enum Effect {
        /// Call a peer; its answer is an event.
        case call(CallID, Call)
        /// Answer a client, and after that tell his own subscriptions of it.
        case answer(RequestToken, Reply, tell: [(SubscriptionID, [UInt8])] = [])
        /// Refuse a client's request.
        case refuse(RequestToken, RPCError)
        /// Make a subscription for the client who waits for a job, and answer him with it and this view, or refuse him.
        ///
        /// Which of it has happened is an event, as all others not before the effects of this list: what has waited for
        /// the job was decided after all of them.
        case subscribe(JobID, RequestToken, ConnectionID, ViewRequest.Stream, view: [UInt8])
        /// Tell a subscriber of `view.changed`, unless he reads too slowly.
        case tell(SubscriptionID, [UInt8])
        /// End a subscription, after it was told this, which also who reads too slowly has to know.
        case end(SubscriptionID, tell: [UInt8]? = nil)
        /// Come back at this time, or at any earlier one that was set.
        case wake(at: UInt64)
    }

    /// One of the services that the gateway asks.
    enum Peer: CaseIterable { case catalog, selection }

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
    struct CallID: SerialNumber {
        let number: Int
    }

    /// Stands for a view on its way.
    struct JobID: SerialNumber {
        let number: Int
        /// Behind all others.
        static let last = JobID(.max)

        init(_ number: Int) { self.number = number }
    }

    /// What a call under way is for.
    enum Purpose {
        /// The state of a job's session, or the event applied to it.
        case session(JobID)
        /// The catalog of a new session.
        case defaultCatalog(JobID)
        /// An answer that views need.
        case question(CatalogQuestion)
        /// Being told of the peer's changes.
        case hearing(Peer)
        /// Whether a window's session is gone because its catalog is.
        case ending(SubscriptionID)
        /// A sign of life.
        case ping(Peer, Ping)

        /// Who is called.
        var peer: Peer {
            switch self {
            case .session: .selection
            case .defaultCatalog, .question, .ending: .catalog
            case .hearing(let peer), .ping(let peer, _): peer
            }
        }
    }

    /// An answer whose text needs not be read.
    enum Recognised {
        /// Where a session is.
        case session(SessionAnswer)
        /// A sign of life.
        case life
    }
}
