import CatalogService
import Shared

@testable import UV

/// A process with its loop: what libuv and the kernel do for a service, in a world where a seed decides the rest.
///
/// It stands for `uv_run` and for what hangs on it in `Sources/UV`; all that is above runs as it is. A turn is one round of
/// libuv: what the sockets have is read, then timers are due, then the service's end of the turn. Each system call can be
/// the one at which others get to run, or at which the process ends.
final class SimulatedProcess {
    let name: String
    unowned let world: World
    /// What runs in it; nil while it is down.
    var service: Service?
    private(set) var isAlive = false
    /// It is in the middle of a turn.
    private(set) var isOnStack = false
    /// System calls until it is killed.
    var callsToLive: Int?
    /// Does not run before this time: stopped, swapped out, or just unlucky.
    var stalledUntil: UInt64 = 0

    private var loop: Loop?
    private var turnEnd: TurnEnd?
    private var handles: [Handle] = []
    private var closing: [Handle] = []
    var plugs: [Plug] = []
    private var alarms: [Alarm] = []
    private var alarmCount = 0
    /// The clock of the turn.
    private(set) var now: UInt64 = 0

    private struct Alarm {
        let timer: Timer
        var due: UInt64
        let repeating: UInt64
        /// libuv calls those that are due at the same time in the order in which they were set.
        var order: Int
    }

    init(_ name: String, in world: World) { (self.name, self.world) = (name, world) }

    // MARK: Life

    /// Makes the process; `serve` makes the service on its loop.
    func start(_ serve: (Loop) throws -> Service) rethrows {
        now = world.clock / 1_000_000
        isAlive = true
        let loop = Loop(simulatedBy: self)
        self.loop = loop
        let service = try serve(loop)
        self.service = service
        service.start()
    }

    /// Ends the process as it stands: what it has written is on its way, all else is gone.
    func kill() {
        guard isAlive else { return }
        isAlive = false
        callsToLive = nil
        for plug in plugs { plug.cut(world.network) }
        if !isOnStack { clear() }
    }

    /// Gives its memory back.
    private func clear() {
        service?.stop()
        service?.stop()
        for handle in handles + closing { handle.hasClosed() }
        (service, turnEnd, loop) = (nil, nil, nil)
        (handles, closing, plugs, alarms) = ([], [], [], [])
    }

    // MARK: A turn

    /// Whether something is there that would end its waiting.
    var isReady: Bool {
        guard isAlive, !isOnStack, world.clock >= stalledUntil else { return false }
        if turnEnd?.wantsAnotherTurn == true || !closing.isEmpty { return true }
        if let due = nextDue, due <= world.clock / 1_000_000 { return true }
        return plugs.contains { $0.isReady }
    }

    /// When its first timer is due.
    var nextDue: UInt64? { alarms.map(\.due).min() }

    /// One round of its loop.
    func runTurn() {
        isOnStack = true
        var order = plugs
        world.fate.shuffle(&order)
        now = world.clock / 1_000_000
        for plug in order where isAlive && plug.isReady { poll(plug) }
        closeHandles()
        now = world.clock / 1_000_000
        fireAlarms()
        if isAlive { turnEnd?.fire() }
        isOnStack = false
        if isAlive { world.ledger.checkBounds(of: self) } else { clear() }
    }

    private func closeHandles() {
        while isAlive, !closing.isEmpty { closing.removeFirst().hasClosed() }
    }

    private func fireAlarms() {
        while isAlive, let next = alarms.indices.min(by: { isBefore(alarms[$0], alarms[$1]) }),
            alarms[next].due <= now
        {
            let alarm = alarms.remove(at: next)
            if alarm.repeating > 0 { set(alarm.timer, in: alarm.repeating, repeating: alarm.repeating) }
            alarm.timer.fire()
        }
    }

    private func isBefore(_ one: Alarm, _ other: Alarm) -> Bool {
        (one.due, one.order) < (other.due, other.order)
    }

    private func set(_ timer: Timer, in milliseconds: UInt64, repeating: UInt64) {
        alarmCount += 1
        alarms.append(
            Alarm(timer: timer, due: now + milliseconds, repeating: repeating, order: alarmCount))
    }

    /// libuv's order: what came, then what can be written.
    private func poll(_ plug: Plug) {
        guard call("poll") else { return }
        plug.tellCompletions()
        while isAlive, !plug.backlog.isEmpty, !plug.pipe.isClosing {
            let waiting = plug.backlog.count
            plug.pipe.connected(0)
            if plug.backlog.count == waiting { break }
        }
        if isAlive { read(plug, tellsEnd: true) }
        if isAlive { plug.flush() }
    }

    fileprivate func read(_ plug: Plug, tellsEnd: Bool) {
        guard let socket = plug.socket, plug.pipe.isReading, !plug.pipe.isClosing else { return }
        let bytes = socket.read()
        if !bytes.isEmpty {
            world.trace.note("reads", bytes.count, text: name)
            plug.pipe.arrived(bytes)
        }
        guard tellsEnd, isAlive, socket.isAtEnd, !socket.isReadable || socket.inboxIsEmpty,
            plug.pipe.isReading, !plug.pipe.isClosing
        else { return }
        plug.pipe.ended(socket.isReset ? .failure(UVError(-104, "read")) : .end)
    }

    // MARK: System calls

    /// Each call of the system takes time, and may be the last; false if it was.
    func call(_ what: StaticString) -> Bool {
        guard isAlive else { return false }
        world.clock += UInt64(world.fate.number(0...4_000))
        if let left = callsToLive {
            callsToLive = left - 1
            if left <= 0 {
                world.trace.note("killed", text: "\(name) at \(what)")
                world.reached.insert(.killedInATurn)
                kill()
                return false
            }
        }
        world.preempt()
        return isAlive
    }

    /// Whether a commit reaches the disk.
    func mayCommit() -> Bool {
        guard call("commit") else { return false }
        guard !world.disk.isFull else {
            world.reached.insert(.commitFailed)
            return false
        }
        world.trace.note("commits", text: name)
        return true
    }

    private func plug(of pipe: Pipe) -> Plug? { plugs.first { $0.pipe === pipe } }
}

extension Socket {
    var inboxIsEmpty: Bool { inbox.isEmpty }
}

// MARK: What a loop asks of its system

extension SimulatedProcess: LoopSystem {
    var nanoseconds: UInt64 {
        // Who looks at the clock lets time go by, now and then much of it.
        world.clock += UInt64(world.fate.number(0...2_000))
        if world.fate.isOne(in: 400), world.hasFaults {
            world.clock += UInt64(world.fate.number(0...15_000_000))
        }
        return world.clock
    }

    func adopt(_ handle: Handle) {
        handles.append(handle)
        if let turnEnd = handle as? TurnEnd { self.turnEnd = turnEnd }
        if let pipe = handle as? Pipe { plugs.append(Plug(pipe)) }
    }

    func close(_ handle: Handle) {
        closing.append(handle)
        if let pipe = handle as? Pipe, let plug = plug(of: pipe) {
            plug.cut(world.network)
            plugs.removeAll { $0 === plug }
        }
        if let timer = handle as? Timer { stop(timer) }
        handles.removeAll { $0 === handle }
    }

    func start(_ timer: Timer, milliseconds: UInt64, repeating: UInt64) {
        stop(timer)
        set(timer, in: milliseconds, repeating: repeating)
    }

    func stop(_ timer: Timer) { alarms.removeAll { $0.timer === timer } }

    func listen(_ pipe: Pipe, at path: String) {
        guard let plug = plug(of: pipe) else { return }
        plug.path = path
        world.network.listen(at: path) { plug.backlog.append($0) }
    }

    func accept(_ connection: Pipe, from listener: Pipe) -> Bool {
        guard call("accept"), let from = plug(of: listener), !from.backlog.isEmpty else { return false }
        plug(of: connection)?.socket = from.backlog.removeFirst()
        return true
    }

    func connect(_ pipe: Pipe, to path: String, onEnd: @escaping (UVError?) -> Void) {
        guard let plug = plug(of: pipe) else { return }
        let socket = isAlive ? world.network.connect(to: path) : nil
        plug.socket = socket
        plug.complete(socket == nil ? UVError(-111, "connect") : nil, onEnd)
    }

    func readPending(_ pipe: Pipe) {
        guard let plug = plug(of: pipe), plug.socket?.inboxIsEmpty == false || world.fate.isOne(in: 4),
            call("read")
        else { return }
        read(plug, tellsEnd: false)
    }

    func write(_ bytes: [UInt8], to pipe: Pipe, onWritten: @escaping (UVError?) -> Void) {
        guard call("write"), let plug = plug(of: pipe) else { return }
        world.trace.note("writes", bytes.count, text: name)
        plug.write(bytes, onWritten)
    }

    func shutDownWriting(_ pipe: Pipe) { plug(of: pipe)?.socket?.shutDown() }
    func queuedBytes(_ pipe: Pipe) -> Int { plug(of: pipe)?.queuedBytes ?? 0 }
    func isPeerGone(_ pipe: Pipe) -> Bool { plug(of: pipe)?.socket?.isPeerGone ?? true }
}
