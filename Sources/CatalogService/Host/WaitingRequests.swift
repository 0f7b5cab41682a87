import Shared

/// Requests that wait for their turn, in order of arrival.
///
/// The host bounds how many a connection may have.
struct WaitingRequests {
    private var requests: [Request] = []
    private var next = 0
    /// How many requests of a connection are not answered yet.
    private var perConnection: [ConnectionID: Int] = [:]

    var isEmpty: Bool { next == requests.count }
    var count: Int { requests.count - next }

    /// Whether what this connection asks now has to wait behind what it has asked before.
    func hasAny(of connection: ConnectionID) -> Bool { perConnection[connection] != nil }

    mutating func append(_ request: Request) {
        requests.append(request)
        perConnection[request.connection, default: 0] += 1
    }

    /// Takes the next one, which is still to be answered.
    mutating func take() -> Request? {
        guard !isEmpty else { return nil }
        defer {
            next += 1
            if isEmpty { (requests, next) = ([], 0) }
        }
        return requests[next]
    }

    /// A request that was taken is answered.
    mutating func answered(_ request: Request) {
        guard let count = perConnection[request.connection] else { return }
        perConnection[request.connection] = count > 1 ? count - 1 : nil
    }
}
