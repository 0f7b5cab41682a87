import Glibc
import Shared

/// The bytes of a file, of standard input or of what a command prints, read once from front to back.
final class ByteSource {
    /// What it is called in messages.
    let name: String
    /// How many bytes there are, if that is known beforehand.
    let bytesTotal: Int?
    /// How many bytes were read.
    private(set) var bytesRead = 0
    private var descriptor: Int32
    private var child: pid_t?

    /// Opens a file; `-` is standard input.
    ///
    /// - Throws: `StartFailure` if it can't be opened.
    init(file path: String) throws(StartFailure) {
        guard path != "-" else {
            (name, descriptor, bytesTotal) = ("standard input", dup(STDIN_FILENO), nil)
            return
        }
        name = path
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StartFailure(.io, "can't open \(path): \(Self.lastError)") }
        var status = stat()
        let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        bytesTotal = isFile ? Int(status.st_size) : nil
    }

    /// Starts a command and reads what it prints; `name` is what stands for it in messages.
    ///
    /// - Throws: `StartFailure` if it can't be started.
    init(command: [String], name: String) throws(StartFailure) {
        (self.name, bytesTotal) = (name, nil)
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            throw StartFailure(.system, "can't make a pipe: \(Self.lastError)")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        descriptor = ends[0]
        defer { _ = Glibc.close(ends[1]) }
        child = try Self.start(command, output: ends[1])
    }

    deinit { close() }

    /// Appends some of the bytes that follow; false at the end.
    ///
    /// - Throws: `StartFailure` if reading fails, or the command did.
    func read(into buffer: inout [UInt8]) throws(StartFailure) -> Bool {
        guard descriptor >= 0 else { return false }
        let old = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.readBytes))
        var count = -1
        repeat {
            count = unsafe buffer.withUnsafeMutableBytes { all in
                unsafe Glibc.read(descriptor, all.baseAddress.map { unsafe $0 + old }, Self.readBytes)
            }
        } while count < 0 && errno == EINTR
        buffer.removeLast(Self.readBytes - max(count, 0))
        guard count >= 0 else { throw StartFailure(.io, "can't read \(name): \(Self.lastError)") }
        bytesRead += count
        guard count == 0 else { return true }
        guard close() else { throw StartFailure(.io, "\(name) ended with a failure") }
        return false
    }

    /// All bytes that follow.
    ///
    /// - Throws: `StartFailure` if reading fails or there are more than `bytesMax`.
    func readAll(bytesMax: Int) throws(StartFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity((bytesTotal ?? 0) + Self.readBytes)
        while try read(into: &bytes) {
            guard bytes.count <= bytesMax else {
                throw StartFailure(
                    .data,
                    "\(name) has more than \(bytesMax >> 20) MiB: split it, or import a list of changes")
            }
        }
        return bytes
    }

    private static let readBytes = 65_536

    private static var lastError: String { unsafe String(cString: strerror(errno)) }

    /// Whether all went well, the command included.
    @discardableResult private func close() -> Bool {
        guard descriptor >= 0 else { return true }
        _ = Glibc.close(descriptor)
        descriptor = -1
        guard let child else { return true }
        self.child = nil
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }

    private static func start(_ command: [String], output: Int32) throws(StartFailure) -> pid_t {
        var moves = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&moves)
        defer { _ = unsafe posix_spawn_file_actions_destroy(&moves) }
        unsafe posix_spawn_file_actions_adddup2(&moves, output, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_addopen(&moves, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] = unsafe command.map { unsafe strdup($0) } + [nil]
        // What it prints must not depend on the person's language.
        let settings = ["PATH", "APT_CONFIG"].compactMap { name in
            Paths.environment(name).map { "\(name)=\($0)" }
        }
        var environment: [UnsafeMutablePointer<CChar>?] =
            unsafe (settings + ["LC_ALL=C.UTF-8"]).map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + environment).forEach { unsafe free($0) } }
        var child: pid_t = 0
        let failure = unsafe posix_spawnp(&child, command[0], &moves, nil, &words, &environment)
        guard failure == 0 else {
            throw StartFailure(
                .unavailable, "can't start \(command[0]): \(unsafe String(cString: strerror(failure)))")
        }
        return child
    }
}
