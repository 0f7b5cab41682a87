import CUV

/// Calls back after a time, once or again and again.
@safe public final class Timer: Handle {
    private var onFire: (() -> Void)?
    private var timer: UnsafeMutablePointer<uv_timer_t> {
        unsafe memory.assumingMemoryBound(to: uv_timer_t.self)
    }

    /// Makes a timer that is not running.
    public init(on loop: Loop) {
        super.init(UV_TIMER, on: loop)
        if loop.system == nil { mustSucceed(unsafe uv_timer_init(loop.raw, timer), "uv_timer_init") }
        adopt()
    }

    /// Calls back in `milliseconds`, then every `repeating` milliseconds unless that is 0; replaces what was set.
    public func start(milliseconds: UInt64, repeating: UInt64 = 0, _ onFire: @escaping () -> Void) {
        guard !isClosing else { return }
        self.onFire = onFire
        if let system = loop.system {
            return system.start(self, milliseconds: milliseconds, repeating: repeating)
        }
        let status = unsafe uv_timer_start(
            timer, { unsafe Handle.of($0, as: Timer.self).fire() }, milliseconds, repeating)
        mustSucceed(status, "uv_timer_start")
    }

    /// Forgets what was set.
    public func stop() {
        guard !isClosing else { return }
        onFire = nil
        if let system = loop.system { return system.stop(self) }
        mustSucceed(unsafe uv_timer_stop(timer), "uv_timer_stop")
    }

    func fire() { onFire?() }

    override func forget() { onFire = nil }
}
