import UV

// The lines of one turn, per connection, and the order in which they must reach the system.

/// Gathers what a turn writes, so that each connection gets one write, and orders those writes.
///
/// The peers of a service learn of a change by an event. Whoever sees the answer to the change may at once ask one of
/// those peers, so the event must have reached the system first. Connections with events are therefore written before
/// those with answers to changes. Only where one connection has both, no order of whole connections would do: then
/// what was gathered for events so far is closed off, and what follows becomes a second write.
struct TurnOutput {
    /// What a line is, as far as the order matters.
    enum Kind {
        /// Says nothing that others must know first.
        case plain
        /// Answers a change that others are told of.
        case changeAnswer
        /// Tells of somebody else's change.
        case event
    }

    /// Bytes for one connection, to be written at once.
    struct Write {
        let connection: ConnectionID
        var bytes: SplicedBytes
        fileprivate var hasEvent = false
        fileprivate var hasChangeAnswer = false
    }

    private var closed: [Write] = []
    private var gathered: [Write] = []
    private var places: [ConnectionID: Int] = [:]
    /// The place of the last line: mostly the next one goes to the same connection.
    private var last: Int?
    /// Room for bytes, from writes that were taken at once.
    private var spares: [SplicedBytes] = []
    /// All bytes that were added.
    private(set) var bytes = 0

    /// Whether nothing was written.
    var isEmpty: Bool { closed.isEmpty && gathered.isEmpty }

    /// Adds a line, without its LF, and tells how many bytes that made.
    @discardableResult
    mutating func append(_ line: [UInt8], to connection: ConnectionID, as kind: Kind) -> Int {
        append(to: connection, as: kind) { $0.append(line) }
    }

    /// Adds a line that is written where it is sent from, without its LF, and tells how many bytes that made.
    @discardableResult
    mutating func append(
        to connection: ConnectionID, as kind: Kind, _ write: (inout SplicedBytes) -> Void
    ) -> Int {
        var known = place(of: connection)
        if kind != .plain, let place = known {
            let (hasEvent, hasChangeAnswer) = (gathered[place].hasEvent, gathered[place].hasChangeAnswer)
            if kind == .event && hasChangeAnswer || kind == .changeAnswer && hasEvent {
                closeEvents()
                known = self.place(of: connection)
            }
        }
        let place = known ?? open(connection)
        last = place
        let before = gathered[place].bytes.count
        write(&gathered[place].bytes)
        gathered[place].bytes.append(0x0A)
        let added = gathered[place].bytes.count - before
        bytes += added
        switch kind {
        case .plain: break
        case .event: gathered[place].hasEvent = true
        case .changeAnswer: gathered[place].hasChangeAnswer = true
        }
        return added
    }

    /// All writes in their order; nothing is left.
    mutating func take() -> [Write] {
        closeEvents()
        let all = closed.isEmpty ? gathered : closed + gathered
        (closed, gathered, last, bytes) = ([], [], nil, 0)
        places.removeAll(keepingCapacity: true)
        return all
    }

    /// Takes the room of bytes that are written, for the next ones.
    mutating func reuse(_ bytes: consuming SplicedBytes) {
        guard spares.count < Limits.outputSparesMax, bytes.room <= Limits.outputSpareBytesMax else { return }
        bytes.removeAll()
        spares.append(bytes)
    }

    private func place(of connection: ConnectionID) -> Int? {
        if let last, gathered[last].connection == connection { return last }
        return places[connection]
    }

    private mutating func open(_ connection: ConnectionID) -> Int {
        places[connection] = gathered.count
        gathered.append(Write(connection: connection, bytes: spares.popLast() ?? SplicedBytes()))
        return gathered.count - 1
    }

    /// Lets no later line join the connections that have events.
    private mutating func closeEvents() {
        guard gathered.contains(where: \.hasEvent) else { return }
        closed += gathered.filter(\.hasEvent)
        gathered.removeAll(where: \.hasEvent)
        (places, last) = ([:], nil)
        for (place, one) in gathered.enumerated() { places[one.connection] = place }
    }
}
