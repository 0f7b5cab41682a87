import Glibc

/// Where sockets and data are.
public enum Paths {
    /// The directory of the sockets: `$TRIPTYCH_RUN`, else `./run`.
    public static var run: String { environment("TRIPTYCH_RUN") ?? "run" }

    /// The directory of the data: `$TRIPTYCH_DATA`, else `./data`.
    public static var data: String { environment("TRIPTYCH_DATA") ?? "data" }

    /// The socket of a service in the run directory: `catalog`, `selection` or `gateway`.
    public static func socket(of service: String) -> String { "\(run)/\(service).sock" }

    /// Makes a directory that only this user can enter, and the ones above it, if they are missing.
    ///
    /// - Throws: `StartFailure` if that can't be done.
    public static func makeDirectory(_ path: String) throws(StartFailure) {
        var made = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            made += made.isEmpty && !path.hasPrefix("/") ? String(part) : "/\(part)"
            guard !part.isEmpty, unsafe mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            throw StartFailure(.cannotCreate, "can't make the directory \(made): \(describeErrno())")
        }
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw StartFailure(.cannotCreate, "\(path) is no directory: name another one, or move it away")
        }
    }

    /// A variable of the environment that isn't empty.
    public static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name), unsafe value[0] != 0 else { return nil }
        return unsafe String(cString: value)
    }

    /// The text of the last system call's error.
    static func describeErrno() -> String { unsafe String(cString: strerror(errno)) }
}
