import JSON
import UV

/// One client's connection, as the server sees it.
final class Connection {
    let id: ConnectionID
    let pipe: Pipe
    let peer: Pipe.Peer?
    /// When it was accepted, in milliseconds of the loop.
    let acceptedAt: UInt64
    var decoder = LineDecoder(lineBytesMax: Limits.incomingLineBytesMax)

    /// Requests that are not answered yet; a batch counts each of its items.
    var inFlight = 0
    /// The ids of requests under way.
    var idsInFlight = RequestIDs()
    var subscriptions: [SubscriptionID: Subscription] = [:]
    /// Nothing more comes from the client.
    var isAtEnd = false
    /// Nothing can be sent to the client any more; what it has sent is still carried out.
    var isBroken = false
    /// No more is read or written; the pipe is being closed.
    var isClosed = false
    /// To be closed as soon as the output is written.
    var closesAfterOutput = false
    /// When the incomplete line began, in milliseconds of the loop.
    var partialLineSince: UInt64?
    /// Since when there is more queued output than a slow reader may have.
    var slowSince: UInt64?
    /// When lines were too long, lately.
    var oversizeAt: [UInt64] = []
    /// Stands in the server's list of connections with something to handle.
    var isQueued = false
    /// Has lines that wait until answers are given and taken.
    var isPaused = false
    /// Batches in which a change was made that tells this connection of an event, which must follow the answers.
    var batchesWithEvents = 0
    /// Those events, and what must not overtake them; they wait for those batches.
    var heldLines: [(bytes: [UInt8], kind: TurnOutput.Kind, subscription: SubscriptionID?)] = []
    /// Bytes of those lines, and of answers that wait for the rest of their batch.
    var heldBytes = 0
    /// Bytes of params of the requests under way, which the handler may hold.
    var paramBytesInFlight = 0
    /// Bytes that are sent at the end of this turn.
    var unsentBytes = 0
    /// What this connection has in the server's count of queued output.
    var countedBytes = 0

    /// An object, so that each event looks for it once.
    final class Subscription {
        let keepsAfterEof: Bool
        var seq = 0

        init(keepsAfterEof: Bool) { self.keepsAfterEof = keepsAfterEof }
    }

    init(id: ConnectionID, pipe: Pipe, acceptedAt: UInt64) {
        (self.id, self.pipe, self.acceptedAt) = (id, pipe, acceptedAt)
        peer = pipe.peer
    }
}

/// Where the answer to a request goes; an object, because it is handed from one to the next.
final class Destination {
    let connection: Connection
    let id: RequestID
    /// The batch that it is a part of, and its place there.
    let batch: Batch?
    let index: Int
    let isChange: Bool
    /// See `Connection.paramBytesInFlight`.
    let paramBytes: Int

    init(
        connection: Connection, id: RequestID, batch: Batch? = nil, index: Int = 0, isChange: Bool = false,
        paramBytes: Int = 0
    ) {
        (self.connection, self.id, self.batch, self.index) = (connection, id, batch, index)
        (self.isChange, self.paramBytes) = (isChange, paramBytes)
    }
}

/// The answers of a batch, gathered until all are there.
final class Batch {
    private let ids: [[UInt8]]
    private var answers: [[UInt8]?]
    private(set) var missing: Int
    /// Whether one of them is the answer to a change.
    var hasChange = false
    /// Whether the connection's events wait for the answers.
    var holdsEvents = false

    /// Bytes of the answers that are here.
    private(set) var heldBytes = 0

    init(ids: [[UInt8]]) {
        self.ids = ids
        answers = Array(repeating: nil, count: ids.count)
        missing = ids.count
    }

    /// Takes an answer; one that can't fit beside those that are here is not kept.
    ///
    /// Returns the bytes that are held for it.
    func fill(_ index: Int, _ answer: [UInt8]) -> Int {
        missing -= 1
        guard heldBytes + answer.count <= Limits.outgoingLineBytesMax else { return 0 }
        answers[index] = answer
        heldBytes += answer.count
        return answer.count
    }

    /// The one line for all of them; what does not fit any more is replaced.
    func line(refusal: (_ id: [UInt8]) -> [UInt8]) -> [UInt8] {
        let separators = ids.count + 1
        let kept = answers.compactMap { $0 }
        guard kept.count < ids.count || heldBytes + separators > Limits.outgoingLineBytesMax else {
            return [0x5B] + kept.joined(separator: [0x2C]) + [0x5D]
        }
        let refusals = ids.map(refusal)
        // Whatever is answered in full, the rest must still fit as refusals.
        var size = refusals.reduce(separators) { $0 + $1.count }
        let fitting = zip(answers, refusals).map { answer, refusal in
            guard let answer else { return refusal }
            let grown = size + answer.count - refusal.count
            guard grown <= Limits.outgoingLineBytesMax else { return refusal }
            size = grown
            return answer
        }
        return [0x5B] + fitting.joined(separator: [0x2C]) + [0x5D]
    }
}
