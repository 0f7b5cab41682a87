import JSON
import UV

/// One client's connection, as the server sees it.
final class Connection {
    let id: ConnectionID
    let pipe: Pipe
    let peer: Pipe.Peer?
    var decoder = LineDecoder(lineBytesMax: Limits.incomingLineBytesMax)

    /// Requests that are not answered yet; a batch counts each of its items.
    var inFlight = 0
    /// Ids of requests under way, as they were written; null has no place here.
    var idsInFlight: Set<[UInt8]> = []
    var subscriptions: [SubscriptionID: Subscription] = [:]
    /// Lines for the client that were not given to the system yet.
    var output: [UInt8] = []
    /// Nothing more comes from the client.
    var isAtEnd = false
    /// Nothing can be sent to the client any more; what it has sent is still carried out.
    var isBroken = false
    /// No more is read or written; the pipe is being closed.
    var isClosed = false
    /// To be closed as soon as the output is written.
    var closesAfterOutput = false
    /// Output of this turn: an event caused by another connection.
    var hasUrgentOutput = false
    /// Output of this turn: the answer to a change.
    var hasChangeAnswer = false
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

    struct Subscription {
        let keepsAfterEof: Bool
        var seq = 0
    }

    init(id: ConnectionID, pipe: Pipe) {
        self.id = id
        self.pipe = pipe
        peer = pipe.peer
    }

    var queuedBytes: Int { isClosed || isBroken ? 0 : output.count + pipe.queuedBytes }

    /// Whether its lines may be handled: it has to wait while too much is asked or not taken.
    var mayAsk: Bool { inFlight < Limits.requestsInFlightMax && queuedBytes <= Limits.outputBytesPause }
}

/// Where the answer to a request goes.
struct Destination {
    let connection: Connection
    /// The request's id, as it was written.
    let id: [UInt8]
    let batch: (Batch, index: Int)?
    let isChange: Bool
}

/// The answers of a batch, gathered until all are there.
final class Batch {
    private let ids: [[UInt8]]
    private var answers: [[UInt8]]
    private(set) var missing: Int
    /// Whether one of them is the answer to a change.
    var hasChange = false

    init(ids: [[UInt8]]) {
        self.ids = ids
        answers = Array(repeating: [], count: ids.count)
        missing = ids.count
    }

    func fill(_ index: Int, _ answer: [UInt8]) {
        answers[index] = answer
        missing -= 1
    }

    /// The one line for all of them; what does not fit any more is replaced.
    func line(refusal: (_ id: [UInt8]) -> [UInt8]) -> [UInt8] {
        let refusals = ids.map(refusal)
        // Whatever is answered in full, the rest must still fit as refusals.
        var reserve = refusals.reduce(2) { $0 + $1.count + 1 }
        var line: [UInt8] = [0x5B]
        for (answer, refusal) in zip(answers, refusals) {
            reserve -= refusal.count + 1
            let fits = line.count + answer.count + 1 + reserve <= Limits.outgoingLineBytesMax
            if line.count > 1 { line.append(0x2C) }
            line.append(contentsOf: fits ? answer : refusal)
        }
        line.append(0x5D)
        return line
    }
}
