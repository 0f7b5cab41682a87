import CUV

/// A libuv event loop: one thread runs it, and everything that hangs on it lives on that thread.
@safe public final class Loop {
    let raw: UnsafeMutablePointer<uv_loop_t>
    /// One buffer for all reads: what a read callback is given must be taken before it returns.
    let readBuffer: UnsafeMutableRawBufferPointer
    private var isFinished = false
    /// What stands for libuv in a simulation; nil in every program.
    let system: (any LoopSystem)?

    /// Makes a loop on which nothing hangs.
    ///
    /// - Throws: `UVError` if the system gives no descriptors for it.
    public init() throws(UVError) {
        unsafe raw = .allocate(capacity: 1)
        unsafe readBuffer = .allocate(byteCount: Loop.readBytesMax, alignment: 16)
        system = nil
        let status = unsafe uv_loop_init(raw)
        isFinished = status < 0  // there is none to be run
        try check(status, "make an event loop")
    }

    /// Makes the loop of a simulated process, which is never run: the simulation calls what hangs on it.
    init(simulatedBy system: any LoopSystem) {
        unsafe raw = .allocate(capacity: 1)
        unsafe readBuffer = .allocate(byteCount: 1, alignment: 1)
        self.system = system
        isFinished = true
    }

    /// Where libuv's loop is in memory, for the wrapper of another C library that hangs its own handles on it.
    public var address: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(raw) }

    /// What one read can bring: libuv asks for 64 KiB.
    public static let readBytesMax = 65_536

    /// Runs until every handle on the loop is closed, then proves that none leaked.
    ///
    /// Close all handles to end it. May be called once.
    public func run() {
        unsafe uv_run(raw, UV_RUN_DEFAULT)
        // Only inactive handles are left if there are any: uv_run does not wait for those.
        let status = unsafe uv_loop_close(raw)
        precondition(status == 0, "a handle was never closed")
        isFinished = true
    }

    /// Waits for the next event and handles what has happened: for tests, which look at the state in between.
    public func step() { unsafe uv_run(raw, UV_RUN_ONCE) }

    /// Milliseconds of a clock that only goes forward, as of the start of this turn.
    public var now: UInt64 {
        if let system { return system.now }
        return unsafe uv_now(raw)
    }

    /// Nanoseconds of the same clock, now.
    public var nanoseconds: UInt64 { system?.nanoseconds ?? Loop.nanoseconds }

    /// Nanoseconds of the clock that only goes forward, now, where there is no loop.
    public static var nanoseconds: UInt64 { uv_hrtime() }

    deinit {
        precondition(isFinished, "a loop must be run to its end")
        unsafe raw.deallocate()
        unsafe readBuffer.deallocate()
    }
}
