import CUV

/// One operation under way: it owns the C struct, the bytes it points at, and the closure that is told its end.
///
/// Its single retain is taken when the operation starts and given back by the completion callback.
@safe final class Request<Raw> {
    let raw: UnsafeMutablePointer<Raw>
    let bytes: SplicedBytes
    private let onEnd: (Int32) -> Void

    init(bytes: SplicedBytes = SplicedBytes(), onEnd: @escaping (Int32) -> Void) {
        unsafe raw = .allocate(capacity: 1)
        self.bytes = bytes
        self.onEnd = onEnd
    }

    deinit { unsafe raw.deallocate() }

    private var header: UnsafeMutablePointer<uv_req_t> {
        unsafe UnsafeMutableRawPointer(raw).assumingMemoryBound(to: uv_req_t.self)
    }

    /// Starts the operation; when it can't be started `onEnd` is told so right away.
    func start(_ operation: (UnsafeMutablePointer<Raw>) -> Int32) {
        unsafe header.pointee.data = Unmanaged.passRetained(self).toOpaque()
        let status = unsafe operation(raw)
        if status < 0 { unsafe Request.end(raw, status) }
    }

    /// The completion callback's whole body.
    static func end(_ raw: UnsafeMutablePointer<Raw>?, _ status: Int32) {
        let data = unsafe UnsafeMutableRawPointer(raw)?.assumingMemoryBound(to: uv_req_t.self).pointee.data
        guard let data = unsafe data else { preconditionFailure("a request without its object") }
        unsafe Unmanaged<Request<Raw>>.fromOpaque(data).takeRetainedValue().onEnd(status)
    }
}
