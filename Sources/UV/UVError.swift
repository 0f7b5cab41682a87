import CUV
import Glibc

/// A libuv or system call that failed.
public struct UVError: Error, Equatable, CustomStringConvertible {
    /// The negative errno, as libuv reports it.
    public let status: Int32
    /// What was tried, such as `bind /run/x.sock`.
    public let operation: String

    init(_ status: Int32, _ operation: String) {
        self.status = status
        self.operation = operation
    }

    /// The error of a system call that has just failed.
    static func errno(_ operation: String) -> UVError { UVError(-Glibc.errno, operation) }

    /// libuv's name of the error, such as `EADDRINUSE`.
    public var name: String { unsafe String(cString: uv_err_name(status)) }

    /// What was tried, and what the system says of it.
    public var description: String { unsafe "\(operation): \(String(cString: uv_strerror(status)))" }
}

/// The only place that reads a libuv status.
func check(_ status: Int32, _ operation: @autoclosure () -> String) throws(UVError) {
    guard status < 0 else { return }
    throw UVError(status, operation())
}

/// For calls that can only fail by a bug of ours, or without memory.
func mustSucceed(_ status: Int32, _ operation: StaticString) {
    precondition(status >= 0, "\(operation): \(status)")
}
