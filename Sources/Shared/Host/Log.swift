import Glibc
public import JSON

// Logs are for who runs the services: one JSON line per event on stderr.

/// Writes what happens as one JSON line per event.
///
/// ```json
/// {"time":"2026-03-01T12:00:00.123Z","level":"info","service":"gateway","event":"started","socket":"run/gateway.sock"}
/// ```
public struct Log: Sendable {
    /// Who must act.
    public enum Level: String, Sendable, CaseIterable {
        /// Nobody: for who looks for a fault.
        case debug
        /// Nobody: what is normal, and rare.
        case info
        /// Somebody, soon.
        case warning
        /// Somebody, now.
        case error

        fileprivate var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }
    }

    private let service: String
    private let least: Level?

    /// Writes nothing, for tests that make much go wrong.
    static let silent = Log()

    private init() { (service, least) = ("", nil) }

    /// Makes a log of one service that leaves out what is below `least`.
    public init(service: String, least: Level) {
        self.service = service
        self.least = least
    }

    /// Writes one event; `more` adds members to the line.
    public func write(_ level: Level, _ event: String, _ more: (inout JSONWriter) -> Void = { _ in }) {
        guard let least, level.rank >= least.rank else { return }
        var json = JSONWriter()
        json.object { json in
            json.member("time", Clock.now())
            json.member("level", level.rawValue)
            json.member("service", service)
            json.member("event", event)
            more(&json)
        }
        StandardError.write(json.bytes + [0x0A])
    }
}

/// The wall clock, as text.
public enum Clock {
    /// Now, in UTC, as RFC 3339 with milliseconds: `2026-03-01T12:00:00.123Z`.
    public static func now() -> String {
        let (seconds, milliseconds) = unixTime()
        return text(seconds: seconds, milliseconds: milliseconds)
    }

    /// Seconds since 1970, and the milliseconds of the running one.
    public static func unixTime() -> (seconds: Int, milliseconds: Int) {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return (time.tv_sec, time.tv_nsec / 1_000_000)
    }

    /// Milliseconds since the machine was started, those in which it slept included; nobody can set this clock.
    public static func sinceBootMs() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }

    /// A moment in UTC, as RFC 3339 with milliseconds.
    public static func text(seconds: Int, milliseconds: Int = 0) -> String {
        var seconds = time_t(seconds)
        var parts = unsafe tm()
        unsafe gmtime_r(&seconds, &parts)
        func padded(_ number: Int32, _ width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date =
            unsafe "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
        let time = unsafe "\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))"
        return "\(date)T\(time).\(padded(Int32(milliseconds), 3))Z"
    }
}

/// The process's standard error.
public enum StandardError {
    /// Writes a line of text.
    public static func writeLine(_ text: String) { write(Array(text.utf8) + [0x0A]) }

    static func write(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { all in
            var rest = unsafe all[...]
            while unsafe !rest.isEmpty {
                let taken = unsafe Glibc.write(
                    2, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                guard taken > 0 else { return }  // nobody reads it: there is nobody left to tell
                unsafe rest = rest.dropFirst(taken)
            }
        }
    }
}
