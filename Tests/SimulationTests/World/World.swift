import JSON

/// Three services, their clients, the sockets between them and the disk below them: everything that is to be seen of the
/// product, in one thread, with one clock.
///
/// A seed decides all that happens.
final class World {
    let seed: UInt64
    var fate: Fate
    var trace: Trace
    let temper: Temper
    let network: Network
    let disk: Disk
    /// Nanoseconds since the beginning.
    var clock: UInt64 = 1_000_000_000
    /// Milliseconds by which the wall clock differs from 2026-03-01 and the time that went by.
    var wallClockOffsetMs = 0
    let ledger: Ledger
    private(set) lazy var catalog = SimulatedProcess("catalog", in: self)
    private(set) lazy var selection = SimulatedProcess("selection", in: self)
    private(set) lazy var gateway = SimulatedProcess("gateway", in: self)
    private(set) lazy var processes = [catalog, selection, gateway]
    var clients: [Client] = []
    var clientCount = 0
    /// When a process that is down is started again.
    var restarts: [String: UInt64] = [:]
    var hasFaults = true
    var steps = 0
    let parser = JSONParser(depthMax: 64)
    /// What has happened at least once: a world in which nothing goes wrong proves nothing.
    var reached: Set<Reached> = []
    var lastSerial = 0
    private var depth = 0

    init(seed: UInt64, from template: Disk?, isTraced: Bool = false) throws {
        self.seed = seed
        fate = Fate(seed: seed)
        temper = Temper(&fate)
        trace = Trace(isKept: isTraced)
        network = Network(bufferBytes: temper.bufferBytes)
        disk = try Disk(from: template)
        ledger = Ledger()
        ledger.world = self
    }

    var now: UInt64 { clock / 1_000_000 }
    var wallClockMs: Int { 1_772_323_200_000 + Int(now) + wallClockOffsetMs }

    /// Ends everything.
    func finish() {
        for process in processes { process.kill() }
        for client in clients { client.leave() }
        disk.remove()
    }

    // MARK: Steps

    /// One thing happens, whatever the seed says.
    func step() {
        steps += 1
        if hasFaults, fate.isOne(in: temper.oneFaultIn) { makeTrouble() }
        restartWhatIsDue()
        let ready = processes.filter(\.isReady)
        let listening = clients.filter(\.isReadable)
        switch fate.number(0...9) {
        case 0...3 where !ready.isEmpty: fate.one(of: ready).runTurn()
        case 4...6 where !listening.isEmpty: fate.one(of: listening).read()
        case 7, 8: act()
        default:
            if ready.isEmpty, listening.isEmpty { return letTimePass() }
            clock += UInt64(fate.number(0...1_500_000))
        }
    }

    /// Whoever has called the system may find that others have run meanwhile, some of them for long.
    func preempt() {
        guard depth < 2, fate.isOne(in: temper.preemptsOneIn) else { return }
        depth += 1
        defer { depth -= 1 }
        for _ in 0..<fate.number(1...temper.preemptionStepsMax) { runOther() }
    }

    private func runOther() {
        let listening = clients.filter(\.isReadable)
        if !listening.isEmpty, fate.isOne(in: 3) {
            fate.one(of: listening).read()
        } else if hasFaults, fate.isOne(in: 4) {
            act()
        } else if let other = fate.maybe(processes.filter(\.isReady)) {
            other.runTurn()
        }
    }

    /// Nothing is left to do until some timer is due.
    private func letTimePass() {
        let dues = processes.filter { $0.isAlive }.compactMap { process in
            process.nextDue.map { max($0 * 1_000_000, process.stalledUntil) }
        }
        let next = (dues + restarts.values.map { $0 * 1_000_000 }).min() ?? clock
        let most = clock + UInt64(hasFaults ? fate.number(1...300) : 1_000) * 1_000_000
        clock = max(clock + 100_000, min(next, most))
    }

    private func act() {
        while clients.count < temper.clients {
            clientCount += 1
            let service = fate.one(of: ["gateway", "gateway", "gateway", "selection", "catalog"])
            clients.append(Client(clientCount, of: service, in: self))
        }
        fate.one(of: clients).act()
    }

    // MARK: The end

    /// Whether somebody has something to do at once.
    private var isBusy: Bool {
        processes.contains(where: \.isReady) || clients.contains { $0.isReadable || $0.hasOutput }
    }

    /// Lets everything come to rest: no more trouble, and time goes by.
    func settle(milliseconds: UInt64) {
        hasFaults = false
        disk.isFull = false
        for process in processes { process.stalledUntil = 0; process.callsToLive = nil }
        restarts = restarts.mapValues { _ in 0 }
        let end = now + milliseconds
        var rounds = 0
        while now < end || isBusy, ledger.violation == nil {
            rounds += 1
            guard rounds < 20_000 else { return ledger.fail("it does not come to rest") }
            restartWhatIsDue()
            if let process = processes.first(where: \.isReady) {
                process.runTurn()
            } else if let client = clients.first(where: \.isReadable) {
                client.read()
            } else if let client = clients.first(where: \.hasOutput) {
                client.flush()
            } else {
                letTimePass()
            }
        }
    }
}
