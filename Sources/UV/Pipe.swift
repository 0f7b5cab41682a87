import CUV
import Glibc

/// A Unix-domain stream socket: a listener, or one end of a connection.
@safe public final class Pipe: Handle {
    /// What a reader is told.
    public enum ReadEvent {
        /// The peer has closed its sending side; it may still read what we write.
        case end
        /// The connection is broken.
        case failure(UVError)
    }

    private var onConnection: (() -> Void)?
    private var onListenFailure: ((UVError) -> Void)?
    private var onBytes: ((RawSpan) -> Void)?
    private var onEnd: ((ReadEvent) -> Void)?
    private(set) var isReading = false
    private var pipe: UnsafeMutablePointer<uv_pipe_t> {
        unsafe memory.assumingMemoryBound(to: uv_pipe_t.self)
    }
    private var stream: UnsafeMutablePointer<uv_stream_t> {
        unsafe memory.assumingMemoryBound(to: uv_stream_t.self)
    }

    /// Makes a pipe that is not connected to anything.
    public init(on loop: Loop) {
        super.init(UV_NAMED_PIPE, on: loop)
        if loop.system == nil { mustSucceed(unsafe uv_pipe_init(loop.raw, pipe, 0), "uv_pipe_init") }
        adopt()
    }

    override func forget() {
        onConnection = nil
        onListenFailure = nil
        onBytes = nil
        onEnd = nil
    }

    // MARK: Listening

    /// Tells of each connection that waits for `accept`.
    ///
    /// The socket was bound by `ListeningSocket`: libuv would cut a long path, and remove a successor's file.
    /// `onFailure` is told when the system gives no descriptor for a connection. The pipe is closed then, because
    /// libuv 1.44 would try again at once and for ever; another pipe can listen on the same socket later.
    ///
    /// - Throws: `UVError` if the system refuses; then the pipe is of no more use.
    public func listen(
        on socket: ListeningSocket, onConnection: @escaping () -> Void,
        onFailure: @escaping (UVError) -> Void = { _ in }
    ) throws(UVError) {
        if let system = loop.system {
            self.onConnection = onConnection
            return system.listen(self, at: socket.path)
        }
        let descriptor = try socket.duplicate()
        let status = unsafe uv_pipe_open(pipe, descriptor)
        if status < 0 { _ = Glibc.close(descriptor) }
        try check(status, "listen on \(socket.path)")
        self.onConnection = onConnection
        onListenFailure = onFailure
        try check(
            unsafe uv_listen(stream, ListeningSocket.backlog) { raw, status in
                unsafe Handle.of(raw, as: Pipe.self).connected(status)
            }, "listen on \(socket.path)")
    }

    func connected(_ status: Int32) {
        guard status < 0 else { onConnection?(); return }
        let onFailure = onListenFailure
        close()
        onFailure?(UVError(status, "accept a connection"))
    }

    /// Takes the connection that `listen` told of.
    ///
    /// - Throws: `UVError` if it has gone.
    public func accept() throws(UVError) -> Pipe {
        let connection = Pipe(on: loop)
        if let system = loop.system {
            guard system.accept(connection, from: self) else {
                connection.close()
                throw UVError(UV_EAGAIN.rawValue, "accept")
            }
            return connection
        }
        do throws(UVError) {
            try check(unsafe uv_accept(stream, connection.stream), "accept")
        } catch {
            connection.close()
            throw error
        }
        return connection
    }

    /// Lets the system take so many bytes that the other end has not read yet, or as many as it allows.
    ///
    /// Linux counts its own overhead with them, and doubles what it is told to make room for that.
    public func setSendBuffer(bytes: Int) {
        guard loop.system == nil else { return }
        var size = Int32(clamping: bytes)
        // Refused it only means more writes.
        _ = unsafe uv_send_buffer_size(handle, &size)
    }

    // MARK: Connecting

    /// Connects to the socket at `path`; tells of the end, with nil when it is connected.
    public func connect(to path: String, onEnd: @escaping (UVError?) -> Void) {
        if let system = loop.system { return system.connect(self, to: path, onEnd: onEnd) }
        guard path.utf8.count <= ListeningSocket.pathBytesMax else {
            return onEnd(UVError(UV_ENAMETOOLONG.rawValue, "connect to \(path)"))
        }
        let request = unsafe Request<uv_connect_t> { status in
            onEnd(status < 0 ? UVError(status, "connect to \(path)") : nil)
        }
        unsafe request.start { raw in
            unsafe uv_pipe_connect(raw, pipe, path) { raw, status in unsafe Request.end(raw, status) }
            return 0
        }
    }

    /// Takes over one end of a socket pair or an inherited socket.
    ///
    /// - Throws: `UVError` if it is no stream socket.
    public func open(descriptor: Int32) throws(UVError) {
        try check(unsafe uv_pipe_open(pipe, descriptor), "open a descriptor")
    }

    // MARK: Reading

    /// Hands over what arrives; the bytes must be taken before `onBytes` returns.
    public func startReading(
        onBytes: @escaping (RawSpan) -> Void, onEnd: @escaping (ReadEvent) -> Void
    ) {
        self.onBytes = onBytes
        self.onEnd = onEnd
        resumeReading()
    }

    /// Goes on after `pauseReading`.
    public func resumeReading() {
        guard !isReading, !isClosing else { return }
        isReading = true
        guard loop.system == nil else { return }
        let status = unsafe uv_read_start(
            stream,
            { raw, _, buffer in
                let all = unsafe Handle.of(raw, as: Pipe.self).loop.readBuffer
                unsafe buffer?.pointee = uv_buf_init(
                    all.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(all.count))
            },
            { raw, count, _ in
                let pipe = unsafe Handle.of(raw, as: Pipe.self)
                if count > 0 {
                    pipe.arrived(count)
                } else if count < 0 {
                    pipe.stopped(Int32(count))
                }
            })
        if status < 0 { stopped(status) }
    }

    /// Leaves what arrives in the socket, so that the peer has to wait.
    public func pauseReading() {
        guard isReading, !isClosing else { return }
        isReading = false
        guard loop.system == nil else { return }
        mustSucceed(unsafe uv_read_stop(stream), "uv_read_stop")
    }

    /// Reads what has arrived by now, without waiting for the loop to tell of it.
    ///
    /// So what a peer sent before something else happened is known before that is handled.
    public func readPending() {
        if let system = loop.system { return system.readPending(self) }
        readNow(stopsAtShortRead: true)
    }

    private func readNow(stopsAtShortRead: Bool) {
        guard isReading, !isClosing, let descriptor else { return }
        // Bounded: a peer that sends without end must not hold the loop.
        for _ in 0..<16 {
            let count = unsafe read(descriptor, loop.readBuffer.baseAddress, loop.readBuffer.count)
            guard count > 0 else { return }  // the end and errors are libuv's to tell
            arrived(count)
            guard count == Loop.readBytesMax || !stopsAtShortRead, isReading, !isClosing else { return }
        }
    }

    private func arrived(_ count: Int) {
        onBytes?(unsafe UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]).bytes)
    }

    /// The same of a simulation.
    func arrived(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { all in onBytes?(unsafe all.bytes) } }

    /// The end of reading in a simulation.
    func ended(_ event: ReadEvent) {
        isReading = false
        onEnd?(event)
    }

    private func stopped(_ status: Int32) {
        // libuv takes a short read of a peer that has closed for the last one. But a read also ends where the peer
        // passed descriptors (which are dropped), and behind them there may be more.
        if status == UV_EOF.rawValue { readNow(stopsAtShortRead: false) }
        pauseReading()
        onEnd?(status == UV_EOF.rawValue ? .end : .failure(UVError(status, "read")))
    }

    // MARK: Writing

    /// Bytes that were written but not taken by the system yet.
    public var queuedBytes: Int {
        if let system = loop.system { return system.queuedBytes(self) }
        return unsafe uv_stream_get_write_queue_size(stream)
    }

    /// Writes all bytes; `onWritten` is told when the system has taken them, or why it never will.
    public func write(_ bytes: [UInt8], onWritten: @escaping (UVError?) -> Void) {
        write(SplicedBytes(bytes), onWritten: onWritten)
    }

    /// Writes all bytes from where they are; what the system does not take at once is kept, not copied.
    public func write(_ bytes: SplicedBytes, onWritten: @escaping (UVError?) -> Void) {
        guard bytes.count > 0, !isClosing else {
            return onWritten(isClosing ? UVError(UV_ECANCELED.rawValue, "write") : nil)
        }
        if let system = loop.system { return system.write(bytes.joined, to: self, onWritten: onWritten) }
        var taken = 0
        if queuedBytes == 0 {
            let status = unsafe withBuffers(of: bytes, from: 0) { unsafe uv_try_write(stream, $0, $1) }
            taken = max(0, Int(status))
            if taken == bytes.count { return onWritten(nil) }
        }
        let request = unsafe Request<uv_write_t>(bytes: bytes) { status in
            onWritten(status < 0 ? UVError(status, "write") : nil)
        }
        unsafe request.start { raw in
            unsafe withBuffers(of: request.bytes, from: taken) { buffers, count in
                unsafe uv_write(raw, stream, buffers, count) { raw, status in unsafe Request.end(raw, status)
                }
            }
        }
    }

    /// The bytes behind the first `start`, as libuv is handed them.
    private func withBuffers(
        of bytes: SplicedBytes, from start: Int, _ body: (UnsafePointer<uv_buf_t>?, UInt32) -> Int32
    ) -> Int32 {
        unsafe withUnsafeTemporaryAllocation(of: uv_buf_t.self, capacity: bytes.piecesMax) { buffers in
            var count = 0
            unsafe bytes.forEachPiece(from: start) { piece in
                let place = unsafe UnsafeMutableRawPointer(mutating: piece.baseAddress)
                unsafe buffers.initializeElement(
                    at: count,
                    to: uv_buf_init(place?.assumingMemoryBound(to: CChar.self), UInt32(piece.count)))
                count += 1
            }
            return unsafe body(UnsafePointer(buffers.baseAddress), UInt32(count))
        }
    }

    /// Tells the peer, after all that was written, that nothing more comes from here.
    public func shutDownWriting() {
        guard !isClosing else { return }
        if let system = loop.system { return system.shutDownWriting(self) }
        let request = unsafe Request<uv_shutdown_t> { _ in }
        unsafe request.start { raw in
            unsafe uv_shutdown(raw, stream) { raw, status in unsafe Request.end(raw, status) }
        }
    }

    // MARK: The socket

    /// The system's number of this socket, or nil before it has one.
    public var descriptor: Int32? {
        guard loop.system == nil else { return nil }
        var descriptor: Int32 = -1
        return unsafe uv_fileno(handle, &descriptor) == 0 ? descriptor : nil
    }
}
