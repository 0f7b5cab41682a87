import JSON
import SQLite
import Shared
import UV

/// The host of sessions: it performs what the core says, on the store, the catalog's client and the server.
final class SelectionHandler: Handler {
    let server: Server
    let loop: Loop
    let log: Log
    let catalog: Client
    let store: Store

    var core: SelectionCore
    var sessions = SessionCache()
    var subscribers = Subscribers()
    /// What operations are about, until they are finished.
    private var jobs: [SelectionCore.Operation.ID: Job] = [:]
    var turn: Turn
    /// What texts are written with.
    var json = JSONWriter(capacity: 1_024)
    var sweeping = Sweeping()
    /// The catalogs as they stand in the store.
    var storedCatalogs: [Identifier: (columns: Int?, settled: Int)] = [:]
    /// Why the last commit failed; nil if it did not.
    var storageProblem: String?
    /// Sessions whose records could not be read, since this process runs.
    var damaged: Set<Identifier> = []

    /// Whether the log is being moved into the file.
    var isMovingLog = false
    /// Transactions that were written, or could not be.
    var commits = 0
    /// Sessions that were looked at because of changes of their catalogs.
    var sweptSessions = 0

    let expireMs: Int
    private var lastOperation = 0
    private var effects: [SelectionCore.Effect] = []
    private var isPerforming = false
    private let deadlines: Timer
    private var watchedDeadline: UInt64?
    /// Until the catalog is asked again for its changes.
    let retry: Timer
    /// Until sessions that could not be brought up to date are tried again.
    let pause: Timer
    /// Until the store is tried again after a failure.
    let storageRetry: Timer
    /// Brings about another turn.
    let wake: Timer
    /// Until the rows are written of sessions that are in the journal.
    let journalRest: Timer
    var isJournalResting = false
    private let expiry: Timer
    private var idleClock = IdleClock()
    /// Milliseconds since 1970; a test puts its own in its place.
    var wallMs: () -> Int = { SelectionHandler.systemWallMs() }

    /// Opens the store in `directory`, and has sessions expire that did not change for some days.
    ///
    /// - Throws: `StartFailure` if the store can't be used.
    init(
        _ service: Service, directory: String, catalogSocket: String,
        expireDays: Int = Limits.expireDaysDefault
    ) throws(StartFailure) {
        (server, loop, log) = (service.server, service.loop, service.log)
        store = try Store(directory: directory)
        expireMs = expireDays * 86_400_000
        do throws(SQLiteError) {
            let catalogs = try store.catalogs()
            for catalog in catalogs { storedCatalogs[catalog.id] = (catalog.columns, catalog.settled) }
            core = SelectionCore(Knowledge(catalogs))
            turn = Turn(revision: store.revision)
        } catch {
            throw StartFailure(.data, "\(directory)/selection.sqlite can't be read: \(error)")
        }
        catalog = service.makeClient("catalog", path: catalogSocket)
        (deadlines, retry, storageRetry) = (Timer(on: loop), Timer(on: loop), Timer(on: loop))
        (pause, wake, expiry, journalRest) = (
            Timer(on: loop), Timer(on: loop), Timer(on: loop), Timer(on: loop)
        )
        listenToCatalog()
        tellOfDamage()
        expiry.start(milliseconds: 0, repeating: Limits.expiryCheckMs) { [weak self] in
            self?.lookForIdle()
        }
    }

    /// Has idle sessions deleted, step by step.
    func lookForIdle() {
        if let ahead = idleClock.look(wallMs: wallMs(), steadyMs: Clock.sinceBootMs()) {
            log.write(.warning, "the clock has jumped ahead; no session counts as idle for that") { json in
                json.member("seconds", ahead / 1_000)
            }
        }
        sweeping.expiry = .due
    }

    /// The moment before which a session must have changed last to be idle.
    var idleSinceMs: Int { wallMs() - idleClock.jumpedMs - expireMs }

    static func systemWallMs() -> Int {
        let now = Clock.unixTime()
        return now.seconds * 1_000 + now.milliseconds
    }

    /// Reminds of what was kept aside earlier.
    private func tellOfDamage() {
        guard let count = try? store.damagedCount(), count > 0 else { return }
        log.write(.warning, "damaged records are kept in the table damaged of selection.sqlite") { json in
            json.member("sessions", count)
        }
    }

    // MARK: Handler

    var methods: [Method] { SelectionMethods.all }

    func handle(_ request: Request) throws(RPCError) {
        // Most requests are events that have come before, word for word.
        if let send = Send.remembered(for: request) {
            return start(
                .send(request.token, send), of: request.connection, deadline: request.deadline)
        }
        switch request.method {
        case SelectionMethods.subscribe.name: try subscribe(request)
        case SelectionMethods.unsubscribe.name: try unsubscribe(request)
        default:
            guard let job = try Job(request) else { preconditionFailure("\(request.method) is unknown") }
            start(job, of: request.connection, deadline: request.deadline)
        }
    }

    func turnEnded() {
        sweep()
        expire()
        // Each round sends what the round before found missing; without the catalog that is answered at once.
        var effects = core.handle(.turnEnded)
        while !effects.isEmpty {
            perform(effects)
            effects = core.handle(.turnEnded)
        }
        endTurn()
        watchDeadlines()
    }

    func stop() {
        saveCatalogs()
        for timer in [deadlines, retry, storageRetry, pause, wake, expiry, journalRest] { timer.close() }
    }

    func subscriptionEnded(_ subscription: SubscriptionID) { subscribers.remove(subscription) }

    var checks: [(name: String, problem: String?)] {
        var problems: [String] = []
        if !damaged.isEmpty {
            problems.append(
                "sessions whose records could not be read: \(damaged.count); they were opened at their defaults"
            )
        }
        if store.hasLostEntries {
            problems.append(
                "changes that could not be read at the start; their sessions were opened at their defaults, or as later changes say"
            )
        }
        if store.hasUnknownLosses {
            problems.append(
                "some changes could not be read at the start; sessions may be as they were before them")
        }
        let what =
            problems.joined(separator: "; ")
            + ", and what there is of them is kept in the table damaged of selection.sqlite"
        return [("storage", storageProblem), ("records", problems.isEmpty ? nil : what)]
    }

    var metrics: [(name: String, value: Int)] {
        [
            ("commits_total", commits), ("sessions_loaded", sessions.count),
            ("operations_pending", core.pendingCount),
            ("sessions_swept_total", sweptSessions), ("catalog_facts", core.knowledge.facts.count),
            ("revision", turn.transaction.revision),
        ]
    }

    // MARK: Operations

    /// Has a job done when it is its turn: most are at once, and the core need not know of them.
    func start(_ job: Job, of connection: ConnectionID? = nil, deadline: UInt64? = nil) {
        if !isPerforming, let session = job.onlySession, core.isFree(session), attempt(job) { return }
        lastOperation += 1
        jobs[lastOperation] = job
        tell(
            .arrived(
                SelectionCore.Operation(
                    id: lastOperation, sessions: job.sessions, connection: connection,
                    isChange: job.isChange, isBarrier: job.isList, deadline: deadline)))
    }

    /// What an operation is about, unless it is finished.
    func job(of id: SelectionCore.Operation.ID) -> Job? { jobs[id] }

    /// Forgets what an operation was about.
    func forgetJob(of id: SelectionCore.Operation.ID) { jobs[id] = nil }

    /// Tells the core what has happened, and performs what it says.
    func tell(_ event: SelectionCore.Event) { perform(core.handle(event)) }

    private func perform(_ more: [SelectionCore.Effect]) {
        effects += more
        // An effect that leads to others is finished first, so that their order holds and the stack stays
        // flat.
        guard !isPerforming else { return }
        isPerforming = true
        defer { isPerforming = false }
        var next = 0
        while next < effects.count {
            perform(effects[next])
            next += 1
        }
        effects = []
    }

    private func perform(_ effect: SelectionCore.Effect) {
        switch effect {
        case .run(let id): run(id)
        case .fail(let id, let error):
            guard let job = job(of: id) else { return }
            forgetJob(of: id)
            refuse(job, error)
        case .subscribe: subscribeToCatalog()
        case .locate(let call, let catalog, let things): locate(call, catalog, things)
        case .describe(let call, let catalog): describe(call, catalog)
        }
    }

    private func watchDeadlines() {
        guard let deadline = core.nextDeadline, watchedDeadline.map({ deadline < $0 }) ?? true else { return }
        watchedDeadline = deadline
        deadlines.start(milliseconds: deadline > loop.now ? deadline - loop.now : 0) { [weak self] in
            guard let self else { return }
            self.watchedDeadline = nil
            self.tell(.timePassed(self.loop.now))
        }
    }

    // MARK: Subscriptions

    private func subscribe(_ request: Request) throws(RPCError) {
        var params = try ObjectReader(request.params)
        let session = try params.optionalIdentifier("session")
        let keepAfterEof = try params.bool("keepAfterEof") ?? false
        try params.finish()
        let id = try server.subscribe(request, keepAfterEof: keepAfterEof)
        subscribers.add(id, of: session)
        var json = JSONWriter()
        json.object { json in json.member("subscription", id.text) }
        turn.outputs.append(.plain(request.token, json.bytes))
    }

    private func unsubscribe(_ request: Request) throws(RPCError) {
        var params = try ObjectReader(request.params)
        let id = try params.identifier("subscription")
        try params.finish()
        try server.unsubscribe(request, id)
        subscribers.remove(id)
        turn.outputs.append(.plain(request.token, Array("{}".utf8)))
    }
}
