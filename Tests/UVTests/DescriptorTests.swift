import Glibc
import Testing
import UV

/// What happens when there are no descriptors, or clients send some.
@Suite struct DescriptorTests {
    /// In a process of its own, which is left without descriptors: there libuv 1.44 alone would call back for ever.
    @Test func aListenerWithoutDescriptorsEndsAndAnotherOneServesWhoWaits() async {
        await #expect(processExitsWith: .success) {
            let path = "/tmp/triptych-descriptors-\(getpid())"
            let socket = try ListeningSocket(path: path)
            defer { socket.release() }
            let client = try Client(path: path)
            let loop = try Loop()
            let timer = Timer(on: loop)
            // libuv keeps a descriptor for this case; it must not find one when the first pipe is made.
            var spares = Descriptors.all()
            let listener = Pipe(on: loop)
            _ = Glibc.close(spares.removeLast())
            var failures: [String] = []
            var second: Pipe?
            var accepted = 0
            try listener.listen(on: socket) {
                fatalError("there was a descriptor")
            } onFailure: { error in
                failures.append(error.name)
                // The loop goes on: this timer fires.
                timer.start(milliseconds: 1) {
                    for spare in spares { _ = Glibc.close(spare) }
                    let pipe = Pipe(on: loop)
                    second = pipe
                    try? pipe.listen(on: socket) {
                        guard let connection = try? pipe.accept() else { return }
                        accepted += 1
                        connection.close()
                        pipe.close()
                    }
                }
            }
            spares += Descriptors.all()
            client.connect()
            while accepted == 0 { loop.step() }
            timer.close()
            second?.close()
            loop.run()
            precondition(failures == ["EMFILE"] && listener.isClosing)
        }
    }

    /// That there is no loop is an error, not a loop that nobody has run.
    @Test func withoutDescriptorsThereIsNoLoop() async {
        await #expect(processExitsWith: .success) {
            let spares = Descriptors.all()
            var name: String?
            do throws(UVError) { _ = try Loop() } catch { name = error.name }
            for spare in spares { _ = Glibc.close(spare) }
            precondition(name == "EMFILE")
        }
    }

    /// A read ends where a descriptor was passed, and libuv takes that for the end when the peer has closed.
    @Test func descriptorsThatArePassedAreDroppedAndNoByteIsLost() throws {
        let loop = try Loop()
        for _ in 0..<20 {
            var ends: [Int32] = [0, 0]
            #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            let pipe = Pipe(on: loop)
            try pipe.open(descriptor: ends[0])
            var read = 0
            var isAtEnd = false
            pipe.startReading(onBytes: { read += $0.byteCount }, onEnd: { _ in isAtEnd = true })
            for _ in 0..<3 { pass(ends[1], to: ends[1], bytes: 100) }
            _ = Glibc.close(ends[1])
            while !isAtEnd { loop.step() }
            #expect(read == 300)
            pipe.close()
            loop.step()
        }
        let timer = Timer(on: loop)
        timer.close()
        loop.run()
    }

    /// Sends bytes and a descriptor with them.
    private func pass(_ passed: Int32, to socket: Int32, bytes: Int) {
        var payload = [UInt8](repeating: 0x78, count: bytes)
        // struct cmsghdr, whose macros Swift does not see: its length, level and type, then the descriptor.
        var control = [UInt64](repeating: 0, count: 3)
        control[0] = 16 + 4
        control[1] = UInt64(UInt32(SOL_SOCKET)) | UInt64(1) << 32
        control[2] = UInt64(UInt32(bitPattern: passed))
        let sent = unsafe payload.withUnsafeMutableBytes { payload in
            unsafe control.withUnsafeMutableBytes { control in
                var part = unsafe iovec(iov_base: payload.baseAddress, iov_len: payload.count)
                return unsafe withUnsafeMutablePointer(to: &part) { part in
                    var message = unsafe msghdr(
                        msg_name: nil, msg_namelen: 0, msg_iov: part, msg_iovlen: 1,
                        msg_control: control.baseAddress, msg_controllen: control.count, msg_flags: 0)
                    return unsafe sendmsg(socket, &message, 0)
                }
            }
        }
        #expect(sent == bytes)
    }
}

/// All descriptors that the process may still have.
private enum Descriptors {
    static func all() -> [Int32] {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_cur, 256)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var taken: [Int32] = []
        while true {
            let descriptor = dup(2)
            guard descriptor >= 0 else { return taken }
            taken.append(descriptor)
        }
    }
}

/// A client that has its descriptor before there are none left.
private struct Client {
    private let descriptor: Int32
    private var address = sockaddr_un()

    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    }

    func connect() {
        let status = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        precondition(status == 0)
    }
}
