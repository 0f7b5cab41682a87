import Glibc
import Shared
import UV

/// Something that answers requests, and the processes whose work that is.
struct Target {
    let path: String
    let processes: [(name: String, id: Int)]
}

/// Requests of a closed loop: each connection has the same number of them under way all the time.
///
/// Every answer must be a result with the id of a request that is under way; anything else ends the measurement.
final class Load {
    private let loop: Loop
    private var connections: [LoadConnection] = []
    private(set) var latencies: [UInt32] = []
    private var keepsLatencies = true
    private var failure: String?
    private let tick: Timer

    /// Connects; with `isApart` each connection has sessions of its own, so that every event changes something.
    init(
        path: String, connections count: Int, inFlight: Int, sessions: [Sessions.Session],
        changesPercent: Int, isApart: Bool = false
    ) throws(StartFailure) {
        loop = try Loop.ofProgram()
        tick = Timer(on: loop)
        tick.start(milliseconds: 1, repeating: 1) {}
        for number in 0..<count {
            let own = sessions.indices.filter { $0 % count == number }.map { sessions[$0] }
            let connection = LoadConnection(
                path: path, on: loop, inFlight: inFlight, sessions: isApart ? own : sessions,
                changesPercent: changesPercent,
                firstSession: number * 7_919)
            connection.onAnswer = { [weak self] nanoseconds in
                guard let self, self.keepsLatencies else { return }
                self.latencies.append(UInt32(clamping: nanoseconds / 1_000))
            }
            connection.onFailure = { [weak self] sentence in self?.failure = sentence }
            connections.append(connection)
        }
        try until { connections.allSatisfy(\.isConnected) }
    }

    /// Asks for some time, waits for the last answers, and gives the seconds that all of it took.
    func run(milliseconds: Int) throws(StartFailure) -> Double {
        latencies.reserveCapacity(1_000_000)
        let begin = Loop.nanoseconds
        for connection in connections { connection.start(until: begin + UInt64(milliseconds) * 1_000_000) }
        try until { connections.allSatisfy(\.isIdle) }
        return Double(Loop.nanoseconds - begin) / 1e9
    }

    /// Asks without end: until the process is ended, or the service closes.
    ///
    /// `onBegun` is told when each connection has had an answer.
    func runForEver(onBegun: () -> Void) throws(StartFailure) {
        keepsLatencies = false
        for connection in connections { connection.start(until: .max) }
        try until { connections.allSatisfy(\.hasAnswer) }
        onBegun()
        while failure == nil { loop.step() }
        throw StartFailure(.io, failure ?? "")
    }

    /// Asks for a number of views on each connection, and waits for the last answers.
    func ask(_ count: Int) throws(StartFailure) {
        for connection in connections { connection.start(until: .max, count: count) }
        try until { connections.allSatisfy(\.isIdle) }
    }

    /// Closes everything.
    func close() {
        tick.close()
        for connection in connections { connection.close() }
        loop.run()
    }

    private func until(_ condition: () -> Bool) throws(StartFailure) {
        let end = Loop.nanoseconds + 60_000_000_000
        while !condition() {
            if let failure { throw StartFailure(.io, failure) }
            guard Loop.nanoseconds < end else { throw StartFailure(.io, "no answer within a minute") }
            loop.step()
        }
    }
}

/// One connection of the load.
private final class LoadConnection {
    private let pipe: Pipe
    private let sessions: [Sessions.Session]
    private let changesPercent: Int
    private var session: Int
    private var asked = 0
    /// How many more requests to send.
    private var left = 0
    private var decoder = LineDecoder(lineBytesMax: Limits.outgoingLineBytesMax)
    /// The request that occupies a slot, and when it was sent; its id modulo the number of slots is the slot.
    private var slots: [(id: Int, sentAt: UInt64)]
    private var idle: Int
    private var endsAt: UInt64 = 0
    private(set) var isConnected = false
    var onAnswer: ((_ nanoseconds: UInt64) -> Void)?
    var onFailure: ((String) -> Void)?

    var isIdle: Bool { idle == slots.count }
    private(set) var hasAnswer = false

    init(
        path: String, on loop: Loop, inFlight: Int, sessions: [Sessions.Session], changesPercent: Int,
        firstSession: Int
    ) {
        pipe = Pipe(on: loop)
        self.sessions = sessions
        self.changesPercent = changesPercent
        session = firstSession % sessions.count
        slots = (0..<inFlight).map { (id: $0, sentAt: 0) }
        idle = inFlight
        pipe.connect(to: path) { [weak self] error in
            guard let self else { return }
            if let error { return self.onFailure?("\(error)") ?? () }
            self.isConnected = true
            self.pipe.startReading(
                onBytes: { [weak self] in self?.received($0) },
                onEnd: { [weak self] _ in self?.onFailure?("the connection was closed") })
        }
    }

    func close() { pipe.close() }

    func start(until end: UInt64, count: Int = .max) {
        endsAt = end
        left = count
        idle = 0
        var output: [UInt8] = []
        for slot in slots.indices { ask(slot, at: Loop.nanoseconds, &output) }
        send(output)
    }

    private func send(_ output: [UInt8]) {
        pipe.write(output) { [weak self] error in
            if let error { self?.onFailure?("\(error)") }
        }
    }

    private func ask(_ slot: Int, at now: UInt64, _ output: inout [UInt8]) {
        slots[slot].id += slots.count
        slots[slot].sentAt = now
        session = (session + 7_919) % sessions.count  // a prime: all in turn, neighbours far apart
        asked += 1
        left -= 1
        output += Answer.head
        output += Array(String(slots[slot].id).utf8)
        // Changes lie evenly among the views: each selects the other one of two items.
        if asked * changesPercent / 100 > (asked - 1) * changesPercent / 100 {
            output += sessions[session].send[(asked / sessions.count) % 2]
        } else {
            output += sessions[session].get
        }
    }

    private func received(_ bytes: RawSpan) {
        decoder.append(bytes)
        let now = Loop.nanoseconds
        var output: [UInt8] = []
        while let line = decoder.next() {
            guard case .text(let text) = line, let id = Answer.idOfResult(text) else {
                return onFailure?("an answer is no result") ?? ()
            }
            let slot = id % slots.count
            guard slots[slot].id == id, slots[slot].sentAt > 0 else {
                return onFailure?("an answer has an id that was not asked for: \(id)") ?? ()
            }
            hasAnswer = true
            onAnswer?(now - slots[slot].sentAt)
            slots[slot].sentAt = 0
            if now < endsAt, left > 0 { ask(slot, at: now, &output) } else { idle += 1 }
        }
        send(output)
    }
}
