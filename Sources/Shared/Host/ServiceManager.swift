import Glibc
import JSON
public import UV

/// Tells the service manager that started this process how it is: what sd_notify(3) does, without its library.
///
/// Datagrams go to `$NOTIFY_SOCKET`. The sign of life comes from the loop, so that a loop that stands still is noticed.
public final class ServiceManager {
    /// What the environment says of the manager.
    public struct Settings: Equatable {
        /// The manager's socket as the system takes it; an abstract one begins with a NUL.
        let address: [UInt8]
        /// How often a sign of life is sent; nil if none is wanted.
        let aliveMs: UInt64?

        /// Reads the variables; nil if there is no manager, or none that can be reached.
        init?(
            notifySocket: String?, watchdogMicroseconds: String?, watchdogProcess: String?,
            process: Int32 = getpid()
        ) {
            guard let notifySocket, notifySocket.utf8.count > 1 else { return nil }
            var bytes = Array(notifySocket.utf8)
            switch bytes[0] {
            case UInt8(ascii: "/"): bytes.append(0)
            case UInt8(ascii: "@"): bytes[0] = 0
            default: return nil
            }
            guard bytes.count <= ListeningSocket.pathBytesMax + 1 else { return nil }
            address = bytes
            let isMeant = watchdogProcess.map { Int32($0) == process } ?? true
            // Half of what the manager waits, as its manual advises: one that comes late is not missed.
            aliveMs =
                isMeant
                ? watchdogMicroseconds.flatMap(UInt64.init).flatMap { $0 > 0 ? max(1, $0 / 2_000) : nil }
                : nil
        }

        /// What the environment of this process says.
        public static var environment: Settings? {
            Settings(
                notifySocket: Paths.environment("NOTIFY_SOCKET"),
                watchdogMicroseconds: Paths.environment("WATCHDOG_USEC"),
                watchdogProcess: Paths.environment("WATCHDOG_PID"))
        }
    }

    private let settings: Settings
    private let log: Log
    private let descriptor: Int32
    private let alive: Timer

    /// Makes what tells the manager; nothing is told yet.
    public init(_ settings: Settings, on loop: Loop, log: Log) {
        (self.settings, self.log) = (settings, log)
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        alive = Timer(on: loop)
        var patience = timeval(tv_sec: Limits.readySecondsMax, tv_usec: 0)
        _ = unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    /// The service serves; from now on signs of life are sent.
    public func tellReady() {
        // The one message that must not be lost: for that the loop waits if the manager is behind.
        if !send("READY=1", flags: 0) {
            log.write(.warning, "the service manager can't be told") { json in
                json.member("why", Paths.describeErrno())
            }
        }
        guard let interval = settings.aliveMs else { return }
        alive.start(milliseconds: interval, repeating: interval) { [weak self] in
            _ = self?.send("WATCHDOG=1", flags: Int32(MSG_DONTWAIT))
        }
    }

    /// The service takes nothing new any more.
    public func tellStopping() { _ = send("STOPPING=1", flags: Int32(MSG_DONTWAIT)) }

    /// Tells nothing any more.
    public func close() {
        guard !alive.isClosing else { return }
        alive.close()
        _ = Glibc.close(descriptor)
    }

    private func send(_ text: String, flags: Int32) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: settings.address) }
        // An abstract name is as long as it is said to be: zeros behind it would belong to it.
        let size = socklen_t(MemoryLayout<sa_family_t>.size + settings.address.count)
        let bytes = Array(text.utf8)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe sendto(descriptor, bytes, bytes.count, flags, address, size) == bytes.count
            }
        }
    }
}
