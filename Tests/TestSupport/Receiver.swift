import Glibc

/// A service manager's socket, as a test has it.
public final class Receiver {
    /// What goes into `$NOTIFY_SOCKET`.
    public let name: String
    private let descriptor: Int32

    /// Listens at a path, or at an abstract name, which begins with `@`.
    public init(_ name: String) throws {
        self.name = name
        let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = socket(AF_UNIX, Int32(kind), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, size)
            }
        }
        guard status == 0 else { throw Failure(name: name) }
    }

    deinit { _ = close(descriptor) }

    /// It can't be bound.
    public struct Failure: Error {
        let name: String
    }

    /// The next message that is there.
    public func next() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
