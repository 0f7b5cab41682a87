import CUV

/// Calls back once in each turn of the loop, after all of its timers and I/O, before it waits again.
///
/// This is where what was read in a turn is handled and what it wrote is sent in one piece.
@safe public final class TurnEnd: Handle {
    private var onTurnEnd: (() -> Void)?
    private var idle: Idle?
    private var prepare: UnsafeMutablePointer<uv_prepare_t> {
        unsafe memory.assumingMemoryBound(to: uv_prepare_t.self)
    }

    /// Calls back from the next turn on; does not keep the loop running.
    public init(on loop: Loop, onTurnEnd: @escaping () -> Void) {
        self.onTurnEnd = onTurnEnd
        super.init(UV_PREPARE, on: loop)
        guard loop.system == nil else {
            adopt()
            return
        }
        mustSucceed(unsafe uv_prepare_init(loop.raw, prepare), "uv_prepare_init")
        adopt()
        // In libuv's order "prepare" follows timers and stands right before polling, and nothing blocks between
        // the callbacks of one poll and the next prepare: so it sees the I/O of the last poll, too.
        let status = unsafe uv_prepare_start(prepare) { unsafe Handle.of($0, as: TurnEnd.self).fire() }
        mustSucceed(status, "uv_prepare_start")
        unreference()
        idle = Idle(on: loop)
    }

    /// Whether there is work left, so that the loop must look for I/O without waiting and come back.
    public var wantsAnotherTurn = false {
        didSet {
            guard oldValue != wantsAnotherTurn, !isClosing else { return }
            idle?.isActive = wantsAnotherTurn
        }
    }

    func fire() { onTurnEnd?() }

    override func forget() {
        onTurnEnd = nil
        idle?.close()
        idle = nil
    }
}

/// While it is active the loop does not wait for I/O.
@safe private final class Idle: Handle {
    private var idle: UnsafeMutablePointer<uv_idle_t> {
        unsafe memory.assumingMemoryBound(to: uv_idle_t.self)
    }

    init(on loop: Loop) {
        super.init(UV_IDLE, on: loop)
        mustSucceed(unsafe uv_idle_init(loop.raw, idle), "uv_idle_init")
        adopt()
    }

    var isActive = false {
        didSet {
            let status = isActive ? unsafe uv_idle_start(idle, { _ in }) : unsafe uv_idle_stop(idle)
            mustSucceed(status, "uv_idle")
        }
    }
}
