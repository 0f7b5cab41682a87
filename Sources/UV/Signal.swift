import CUV
import Glibc

/// Tells of a signal as an event of the loop.
@safe public final class Signal: Handle {
    private let onSignal: () -> Void
    private var signal: UnsafeMutablePointer<uv_signal_t> {
        unsafe memory.assumingMemoryBound(to: uv_signal_t.self)
    }

    /// The signals that programs listen to.
    public enum Number: Sendable {
        /// Ctrl-C.
        case interrupt
        /// The polite request to end.
        case terminate
        /// The terminal has gone.
        case hangUp
        /// The terminal has another size.
        case windowChange

        var raw: Int32 {
            switch self {
            case .interrupt: SIGINT
            case .terminate: SIGTERM
            case .hangUp: SIGHUP
            case .windowChange: SIGWINCH
            }
        }
    }

    /// Calls back at each such signal; does not keep the loop running.
    ///
    /// - Throws: `UVError` if the system refuses.
    public init(_ number: Number, on loop: Loop, onSignal: @escaping () -> Void) throws(UVError) {
        self.onSignal = onSignal
        super.init(UV_SIGNAL, on: loop)
        guard loop.system == nil else {
            adopt()
            return
        }
        mustSucceed(unsafe uv_signal_init(loop.raw, signal), "uv_signal_init")
        adopt()
        do throws(UVError) {
            try check(
                unsafe uv_signal_start(
                    signal, { raw, _ in unsafe Handle.of(raw, as: Signal.self).onSignal() }, number.raw),
                "listen to a signal")
        } catch {
            close()
            throw error
        }
        unreference()
    }

    /// Writing to a peer that has gone must be an error of that write, not the end of the process.
    public static func ignoreBrokenPipes() { _ = Glibc.signal(SIGPIPE, SIG_IGN) }
}
