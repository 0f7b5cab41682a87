/// Why a program can't start: one line for a person, and a status for scripts.
public struct StartFailure: Error {
    /// Exit statuses of sysexits.h.
    public enum Status: Int32, Sendable {
        /// The command line is wrong (EX_USAGE).
        case usage = 64
        /// The data can't be used (EX_DATAERR).
        case data = 65
        /// Something that is needed is missing or taken (EX_UNAVAILABLE).
        case unavailable = 69
        /// The system refuses (EX_OSERR).
        case system = 71
        /// A file can't be made (EX_CANTCREAT).
        case cannotCreate = 73
        /// Reading or writing failed (EX_IOERR).
        case io = 74
    }

    /// The exit status.
    public let status: Status
    /// What is wrong, and what to do.
    public let message: String

    /// Makes a failure.
    public init(_ status: Status, _ message: String) { (self.status, self.message) = (status, message) }
}
