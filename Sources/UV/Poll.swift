import CUV
import Glibc

/// Tells when a descriptor that is not a socket of ours, such as a terminal, can be read.
@safe public final class Poll: Handle {
    private var onReadable: (() -> Void)?
    private var poll: UnsafeMutablePointer<uv_poll_t> {
        unsafe memory.assumingMemoryBound(to: uv_poll_t.self)
    }

    /// Calls back in each turn in which there is something to read, or the other end has gone.
    ///
    /// The descriptor stays the caller's, and must stay open until this is closed.
    ///
    /// - Throws: `UVError` if the descriptor is one that nobody can wait for, such as a file.
    public init(descriptor: Int32, on loop: Loop, onReadable: @escaping () -> Void) throws(UVError) {
        self.onReadable = onReadable
        super.init(UV_POLL, on: loop)
        let flags = fcntl(descriptor, F_GETFL, 0)
        // What libuv refuses it does not know, and need not be closed.
        try check(unsafe uv_poll_init(loop.raw, poll, descriptor), "wait for a descriptor")
        adopt()
        // libuv makes it non-blocking, which all would see that share it: the shell that started this, and who
        // writes to the same terminal. Waiting does not need it.
        if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags) }
        // An error of the descriptor is told, too: reading it tells which.
        let status = unsafe uv_poll_start(poll, Int32(UV_READABLE.rawValue)) { raw, _, _ in
            unsafe Handle.of(raw, as: Poll.self).onReadable?()
        }
        mustSucceed(status, "uv_poll_start")
    }

    override func forget() { onReadable = nil }
}
