public import JSON

/// Stands for a request until it is answered.
public struct RequestToken: Sendable, Hashable {
    let number: UInt64
    init(_ number: UInt64) { self.number = number }
}

/// Stands for a connection.
public struct ConnectionID: SerialNumber {
    /// The number; it is never given again.
    public let number: Int
    init(_ number: Int) { self.number = number }
}

/// Stands for a subscription; the id is what its subscriber knows it by.
public typealias SubscriptionID = Identifier

/// A request that a handler has to answer.
public struct Request {
    /// What the answer is given with.
    public let token: RequestToken
    /// Where it came from.
    public let connection: ConnectionID
    /// The name of the method, which the handler's `methods` contain.
    public let method: String
    /// Its named params; nil if it has none.
    ///
    /// What they were parsed to is not touched before somebody asks for them, if the request is recognised.
    public var params: JSONValue? { givenParams ?? recurrence?.params }
    /// When the caller's patience ends, in milliseconds of `Loop.now`.
    public let deadline: UInt64
    /// What it has in common with others; nil if it isn't recognised.
    public let recurrence: Recurrence?
    private let givenParams: JSONValue?

    /// Makes a request, for tests of handlers.
    public init(
        token: RequestToken, connection: ConnectionID, method: String, params: JSONValue?, deadline: UInt64,
        recurrence: Recurrence? = nil
    ) {
        (self.token, self.connection, self.method, givenParams, self.deadline) =
            (token, connection, method, params, deadline)
        self.recurrence = recurrence
    }
}

/// What a service does with its requests.
///
/// All of it is called on the loop.
public protocol Handler: AnyObject {
    /// Every method but those of the host (`rpc.*`).
    var methods: [Method] { get }

    /// Takes a request; the answer is given to the server now or later, once.
    ///
    /// - Throws: The refusal, which is then the answer.
    func handle(_ request: Request) throws(RPCError)

    /// Called at the end of each turn, after all that was received was handled and before anything is sent: where a
    /// group commit belongs.
    func turnEnded()
    /// All that was decided in a turn is on its way: what nobody waits for may be done now.
    func turnSent()

    /// The service ends: close what hangs on the loop.
    func stop()

    /// A subscription is over: its connection has gone or has half-closed.
    func subscriptionEnded(_ subscription: SubscriptionID)

    /// The service's own checks for `rpc.health`, by name; nil is fine, else what is wrong.
    var checks: [(name: String, problem: String?)] { get }

    /// The service's own counters for `rpc.metrics`, by name in Prometheus' style without a prefix.
    var metrics: [(name: String, value: Int)] { get }
}

extension Handler {
    /// Nothing is to be done.
    public func turnEnded() {}

    /// Nothing is to be done.
    public func turnSent() {}
}
