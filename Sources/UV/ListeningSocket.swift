import CUV
import Glibc

// libuv 1.44.2 cuts paths of more than 107 bytes without a word, can't publish a socket without a window in
// which it has the wrong mode, and removes by name what it bound, also if that is a successor's by then.
// So the socket is ours, and libuv is given its descriptor.

/// A bound and listening Unix socket under a path that belongs to this process alone.
public final class ListeningSocket {
    /// The path it listens on.
    public let path: String
    private let descriptor: Int32
    private let lock: Int32
    private let identity: FileIdentity?
    private var isHidden = false
    private var isReleased = false

    /// `sun_path` has 108 bytes, the last one is NUL.
    public static let pathBytesMax = 107
    /// Connections that may wait to be accepted; the system cuts it to `somaxconn`.
    static let backlog: Int32 = 511

    /// Why a socket can't be had.
    public enum Failure: Error {
        /// The path is longer than a socket's can be.
        case pathTooLong(String)
        /// Another process listens there.
        case taken(String)
        /// Something that is no socket stands there.
        case notASocket(String)
        /// The system refuses.
        case system(UVError)
    }

    /// Takes `path`, which nobody else may listen on; a dead process's socket is replaced.
    ///
    /// The socket appears at its path with its mode and listening: there is no moment without or with another mode.
    /// `mode` is told the group that the system gave the socket, and says who may connect.
    ///
    /// - Throws: `Failure`.
    public init(path: String, mode: (_ group: UInt32) -> UInt32 = { _ in 0o600 }) throws(Failure) {
        guard path.utf8.count <= Self.pathBytesMax else { throw .pathTooLong(path) }
        let lock = unsafe Glibc.open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw .system(.errno("open \(path).lock")) }
        var isReady = false
        defer { if !isReady { _ = Glibc.close(lock) } }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .taken(path) : .system(.errno("lock \(path).lock"))
        }
        // Who holds the lock may replace a socket that is left there: it is a dead process's.
        if let there = FileIdentity(path), !there.isSocket { throw .notASocket(path) }

        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw .system(.errno("make a socket")) }
        defer { if !isReady { _ = Glibc.close(descriptor) } }
        let temporary = try Self.bindBeside(path, descriptor)
        defer { if !isReady { _ = unsafe unlink(temporary) } }
        guard let identity = FileIdentity(temporary) else { throw .system(.errno("stat \(temporary)")) }
        guard unsafe chmod(temporary, mode(identity.group)) == 0 else {
            throw .system(.errno("chmod \(temporary)"))
        }
        guard Glibc.listen(descriptor, Self.backlog) == 0 else {
            throw .system(.errno("listen on \(temporary)"))
        }
        guard unsafe rename(temporary, path) == 0 else {
            throw .system(.errno("rename \(temporary) to \(path)"))
        }
        isReady = true
        (self.path, self.descriptor, self.lock, self.identity) = (path, descriptor, lock, identity)
    }

    /// Takes no path at all: a simulation knows its sockets by name.
    private init(simulated path: String) {
        (self.path, descriptor, lock) = (path, -1, -1)
        identity = nil
        (isHidden, isReleased) = (true, true)
    }

    /// What `init` makes, or its like in a simulation.
    ///
    /// - Throws: `Failure`.
    public static func take(
        _ path: String, for loop: Loop, mode: (_ group: UInt32) -> UInt32
    ) throws(Failure) -> ListeningSocket {
        loop.system == nil
            ? try ListeningSocket(path: path, mode: mode) : ListeningSocket(simulated: path)
    }

    /// Lets no more clients connect: removes the path if it is still ours.
    ///
    /// No other process can take the path before `release`. A pipe that listens has its own descriptor to close.
    public func hide() {
        guard !isHidden else { return }
        isHidden = true
        if let identity, FileIdentity(path) == identity { _ = unsafe unlink(path) }
        _ = Glibc.close(descriptor)
    }

    /// Lets another process take the path, after `hide`.
    public func release() {
        hide()
        guard !isReleased else { return }
        isReleased = true
        _ = Glibc.close(lock)
    }

    /// A descriptor of the same socket for the pipe that listens, so that the socket outlives the pipe.
    func duplicate() throws(UVError) -> Int32 {
        let copy = CUV_duplicate(descriptor)
        guard copy >= 0 else { throw .errno("listen on \(path)") }
        return copy
    }

    /// Binds to a temporary name in the directory of `path`, and returns that name.
    ///
    /// It is bound by way of the directory's descriptor, so that it may be longer than a socket's path can be.
    private static func bindBeside(_ path: String, _ descriptor: Int32) throws(Failure) -> String {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let handle = unsafe Glibc.open(directory, CUV_O_PATH | O_DIRECTORY | O_CLOEXEC)
        guard handle >= 0 else { throw .system(.errno("open \(directory)")) }
        defer { _ = Glibc.close(handle) }
        let name = ".new-\(getpid())-\(descriptor)"
        let temporary = directory + "/" + name
        _ = unsafe unlink(temporary)
        guard bind(descriptor, to: "/proc/self/fd/\(handle)/\(name)") else {
            throw .system(.errno("bind a socket in \(directory)"))
        }
        return temporary
    }

    private static func bind(_ descriptor: Int32, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}

/// Which file a path names.
private struct FileIdentity: Equatable {
    let device: dev_t
    let inode: ino_t
    let isSocket: Bool
    let group: UInt32

    init?(_ path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        (device, inode, group) = (status.st_dev, status.st_ino, status.st_gid)
        isSocket = status.st_mode & S_IFMT == S_IFSOCK
    }
}
