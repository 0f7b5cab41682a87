import Shared

/// In which order operations run, and what they wait for.
///
/// Operations on one session run in the order of their arrival; one that waits for the catalog holds up those
/// behind it, and nobody else. What is to be looked up in a turn is asked for together, and only once.
struct SelectionCore {
    private struct Pending {
        let operation: Operation
        var isRunning = false
        var calls: Set<Call.ID> = []
        /// For a barrier: what must be finished first.
        var after: Set<Operation.ID> = []
    }

    private struct Question: Hashable {
        let catalog: Identifier
        let thing: Thing?
    }

    /// What is known of the catalog service.
    var knowledge: Knowledge
    private var pending: [Operation.ID: Pending] = [:]
    private var queues: [Identifier: [Operation.ID]] = [:]
    /// Changes that connections have asked for and that are not finished.
    private var changes: [ConnectionID: Set<Operation.ID>] = [:]
    private var barriers: Set<Operation.ID> = []
    private var calls: [Call.ID: Call] = [:]
    private var asked: [Question: Call.ID] = [:]
    /// Calls of this turn that have room, by catalog.
    private var open: [Identifier: Call.ID] = [:]
    private var unsent: [Call.ID] = []
    private var lastCall = 0
    private var effects: [Effect] = []

    init(_ knowledge: Knowledge) { self.knowledge = knowledge }

    /// Operations that are not finished.
    var pendingCount: Int { pending.count }

    /// When the first caller stops waiting.
    var nextDeadline: UInt64? { pending.values.lazy.compactMap(\.operation.deadline).min() }

    /// Whether nothing is in the way of what is to be done to one session: then it need not arrive at all, unless it has to
    /// wait after all.
    func isFree(_ session: Identifier) -> Bool {
        (knowledge.link == .live || knowledge.link == .down) && (queues.isEmpty || queues[session] == nil)
    }

    /// Takes in what has happened, and tells what is to be done, in this order.
    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .arrived(let operation):
            note(operation)
            run(operation.id)
        case .finished(let id): finish(id)
        case .blocked(let id, let catalog, let things): block(id, catalog, things)
        case .blockedByColumns(let id, let catalog): blockByColumns(id, catalog)
        case .connected:
            knowledge.link = .subscribing
            effects.append(.subscribe)
        case .disconnected, .notSubscribed:
            knowledge.link = .down
            runAll()
        case .subscribed(let revisions):
            knowledge.subscribed(revisions)
            runAll()
        case .changed(let change): if knowledge.link == .live { knowledge.changed(change) }
        case .located(let id, let located): locate(id, located)
        case .described(let id, let columns):
            if let catalog = calls[id]?.catalog { knowledge.described(catalog, columns: columns) }
            resolve(id)
        case .failed(let id, let error): fail(id, error)
        case .timePassed(let now): expire(now)
        case .turnEnded: send()
        }
        defer { effects = [] }
        return effects
    }

    // MARK: Order

    private mutating func note(_ operation: Operation) {
        var new = Pending(operation: operation)
        if let connection = operation.connection {
            if operation.isBarrier {
                new.after = changes[connection] ?? []
                barriers.insert(operation.id)
            }
            if operation.isChange { changes[connection, default: []].insert(operation.id) }
        }
        pending[operation.id] = new
        for session in operation.sessions { queues[session, default: []].append(operation.id) }
    }

    private mutating func run(_ id: Operation.ID) {
        guard knowledge.link == .live || knowledge.link == .down, let waiting = pending[id],
            !waiting.isRunning, waiting.calls.isEmpty, waiting.after.isEmpty,
            waiting.operation.sessions.allSatisfy({ queues[$0]?.first == id })
        else { return }
        pending[id]?.isRunning = true
        effects.append(.run(id))
    }

    private mutating func runAll() {
        for id in pending.keys.sorted() { run(id) }
    }

    private mutating func finish(_ id: Operation.ID) {
        guard let done = pending.removeValue(forKey: id) else { return }
        for call in done.calls { calls[call]?.waiting.remove(id) }
        if let connection = done.operation.connection {
            changes[connection]?.remove(id)
            if changes[connection]?.isEmpty ?? false { changes[connection] = nil }
        }
        barriers.remove(id)
        for session in done.operation.sessions {
            queues[session]?.removeAll { $0 == id }
            if let next = queues[session]?.first { run(next) } else { queues[session] = nil }
        }
        for barrier in barriers where pending[barrier]?.after.remove(id) != nil { run(barrier) }
    }

    // MARK: Questions

    private mutating func block(_ id: Operation.ID, _ catalog: Identifier, _ things: Set<Thing>) {
        pending[id]?.isRunning = false
        for thing in things {
            let question = Question(catalog: catalog, thing: thing)
            let call = asked[question] ?? room(in: catalog)
            if asked.updateValue(call, forKey: question) == nil { calls[call]?.things.append(thing) }
            wait(id, for: call)
        }
    }

    private mutating func blockByColumns(_ id: Operation.ID, _ catalog: Identifier) {
        pending[id]?.isRunning = false
        let question = Question(catalog: catalog, thing: nil)
        let call = asked[question] ?? newCall(catalog)
        asked[question] = call
        wait(id, for: call)
    }

    private mutating func wait(_ id: Operation.ID, for call: Call.ID) {
        pending[id]?.calls.insert(call)
        calls[call]?.waiting.insert(id)
    }

    /// A call of this turn that has room for one thing more.
    private mutating func room(in catalog: Identifier) -> Call.ID {
        if let call = open[catalog], calls[call]?.things.count ?? 0 < Limits.locateIdsMax { return call }
        let call = newCall(catalog)
        open[catalog] = call
        return call
    }

    private mutating func newCall(_ catalog: Identifier, _ things: [Thing] = []) -> Call.ID {
        lastCall += 1
        calls[lastCall] = Call(catalog: catalog, things: things)
        unsent.append(lastCall)
        return lastCall
    }

    private mutating func send() {
        for id in unsent {
            guard let call = calls[id] else { continue }
            effects.append(
                call.things.isEmpty
                    ? .describe(id, catalog: call.catalog)
                    : .locate(id, catalog: call.catalog, call.things))
        }
        unsent = []
        open = [:]
    }

    // MARK: Answers

    private static let isBehind = RPCError(
        .internal, "The catalog service keeps answering from before changes that it told of.")

    private mutating func locate(_ id: Call.ID, _ located: Located) {
        guard let call = calls[id] else { return }
        guard located.revision >= knowledge.latest(of: call.catalog) else {
            // It was answered before a change that is known by now.
            calls[id]?.staleAnswers += 1
            guard call.staleAnswers < Limits.staleAnswersMax else { return fail(id, Self.isBehind) }
            return unsent.append(id)
        }
        if knowledge.link == .live { knowledge.located(located, in: call.catalog) }
        resolve(id)
    }

    /// Lets go on what has waited for a call.
    private mutating func resolve(_ id: Call.ID) {
        guard let call = forget(id) else { return }
        for operation in call.waiting.sorted() {
            pending[operation]?.calls.remove(id)
            run(operation)
        }
    }

    private mutating func forget(_ id: Call.ID) -> Call? {
        guard let call = calls.removeValue(forKey: id) else { return nil }
        if open[call.catalog] == id { open[call.catalog] = nil }
        let questions = call.things.isEmpty ? [nil] : call.things.map(Optional.init)
        for thing in questions { asked[Question(catalog: call.catalog, thing: thing)] = nil }
        return call
    }

    private mutating func fail(_ id: Call.ID, _ error: RPCError) {
        guard let catalog = calls[id]?.catalog else { return }
        // Without the service, or without the catalog, an operation finds out by itself whether it can go on.
        let isGone = knowledge.link != .live || knowledge.catalogs[catalog]?.exists != true
        if isGone || error.reason == .upstreamUnavailable { return resolve(id) }
        guard let call = forget(id) else { return }
        if error.reason == .responseTooLarge, call.things.count > 1 { return split(call, id) }
        for operation in call.waiting.sorted() {
            effects.append(.fail(operation, error))
            finish(operation)
        }
    }

    private mutating func split(_ call: Call, _ id: Call.ID) {
        let half = call.things.count / 2
        for things in [Array(call.things[..<half]), Array(call.things[half...])] {
            let part = newCall(call.catalog, things)
            for thing in things { asked[Question(catalog: call.catalog, thing: thing)] = part }
            for operation in call.waiting { wait(operation, for: part) }
        }
        for operation in call.waiting { pending[operation]?.calls.remove(id) }
    }

    private mutating func expire(_ now: UInt64) {
        let late = pending.values.filter { !$0.isRunning && $0.operation.deadline.map { $0 <= now } ?? false }
        for id in late.map(\.operation.id).sorted() {
            effects.append(
                .fail(id, RPCError(.deadlineExceeded, "The catalog service did not answer in time.")))
            finish(id)
        }
    }
}
