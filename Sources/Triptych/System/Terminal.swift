import Glibc
import Shared

/// The terminal that a person sits at, if there is one.
enum Terminal {
    /// Characters a line: what `$COLUMNS` says, else the terminal, else 80.
    static var columns: Int {
        if let text = Paths.environment("COLUMNS"), let number = Int(text),
            Limits.textColumns.contains(number)
        {
            return number
        }
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0,
            Limits.textColumns.contains(Int(size.ws_col))
        else { return 80 }
        return Int(size.ws_col)
    }

    /// Whether a person reads standard output.
    static var isOutputSeen: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether a person reads standard error.
    static var isErrorSeen: Bool { isatty(STDERR_FILENO) == 1 }
}

/// The process's standard output.
enum StandardOutput {
    /// Writes a line of text.
    static func writeLine(_ text: String) { writeAll(Array(text.utf8) + [0x0A], to: STDOUT_FILENO) }
}

/// Writes all bytes, unless nobody reads them any more.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
    unsafe bytes.withUnsafeBytes { all in
        var rest = unsafe all[...]
        while unsafe !rest.isEmpty {
            let taken = unsafe write(
                descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if taken < 0, errno == EINTR { continue }
            guard taken > 0 else { return }
            unsafe rest = rest.dropFirst(taken)
        }
    }
}
