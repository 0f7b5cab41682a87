import CUV

// The rules of every handle: the object owns the memory of the C struct, which must not move; one retain is
// taken when libuv knows the handle and given back in the close callback, the only place where its memory may go.

/// A long-lived libuv object; it must be closed, and lives until that is done.
@safe public class Handle {
    let memory: UnsafeMutableRawPointer
    let loop: Loop
    private var onClose: (() -> Void)?

    var handle: UnsafeMutablePointer<uv_handle_t> { unsafe memory.assumingMemoryBound(to: uv_handle_t.self) }

    init(_ kind: uv_handle_type, on loop: Loop) {
        self.loop = loop
        unsafe memory = .allocate(byteCount: uv_handle_size(kind), alignment: 16)
    }

    deinit { unsafe memory.deallocate() }

    /// Called once, right after the successful init: the retain is given back in `close`.
    final func adopt() {
        if let system = loop.system { return system.adopt(self) }
        unsafe handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
    }

    /// Whether `close` was called.
    public private(set) final var isClosing = false

    /// Whether an active handle keeps the loop running; it does unless this is said.
    public final func unreference() { if loop.system == nil { unsafe uv_unref(handle) } }

    /// Stops everything this handle does and gives its memory back; calls `then` when that is done.
    ///
    /// What was queued and not written yet is lost. A second call does nothing.
    public final func close(then: (() -> Void)? = nil) {
        guard !isClosing else { return }
        isClosing = true
        onClose = then
        if let system = loop.system { return system.close(self) }
        unsafe uv_close(handle) { raw in unsafe Handle.take(raw).hasClosed() }
    }

    /// The end of `close`.
    final func hasClosed() {
        forget()
        let then = onClose
        onClose = nil
        then?()
    }

    /// Drops the stored closures: this breaks every cycle of closure and handle in one place.
    func forget() {}

    private static func take(_ raw: UnsafeMutablePointer<uv_handle_t>?) -> Handle {
        guard let data = unsafe raw?.pointee.data else { preconditionFailure("a handle without its object") }
        return unsafe Unmanaged<Handle>.fromOpaque(data).takeRetainedValue()
    }

    /// The object of a C handle, in a callback.
    static func of<Raw, Object: Handle>(_ raw: UnsafeMutablePointer<Raw>?, as: Object.Type) -> Object {
        let data = unsafe UnsafeRawPointer(raw)?.assumingMemoryBound(to: uv_handle_t.self).pointee.data
        guard let data = unsafe data else { preconditionFailure("a handle without its object") }
        let object = unsafe Unmanaged<Handle>.fromOpaque(data).takeUnretainedValue()
        return unsafe unsafeDowncast(object, to: Object.self)
    }
}
