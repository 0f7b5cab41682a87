import Glibc
import TestSupport

/// The programs under test, which are built beside the tests.
enum Programs {
    static let all = [
        "catalog-service", "selection-service", "gateway", "triptych", "triptych-browse", "triptych-web",
    ]

    /// The directory of the programs.
    static let directory: String = {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &path, path.count)
        let bundle = path[..<max(0, count)].map { UInt8(bitPattern: $0) }
        return "/"
            + String(decoding: bundle, as: UTF8.self).split(separator: "/").dropLast().joined(separator: "/")
    }()

    /// The path of a program.
    ///
    /// - Throws: `Harness.Failure` if it was not built.
    static func path(_ name: String) throws -> String {
        let path = "\(directory)/\(name)"
        guard unsafe access(path, X_OK) == 0 else {
            throw Failure(
                description: "\(path) is missing: build everything (swift build) before these tests")
        }
        return path
    }

    /// The program of a service.
    static func service(_ name: String) throws -> String {
        try path(name == "gateway" ? name : "\(name)-service")
    }
}

/// What the system says of a file.
struct FileStatus: Equatable {
    let inode: UInt64
    let permissions: UInt32

    init?(_ path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        (inode, permissions) = (UInt64(status.st_ino), UInt32(status.st_mode & 0o7777))
    }
}

/// Whether a process runs; one that only waits to be counted by its parent does not.
func isRunning(_ process: Int) -> Bool {
    guard let status = try? Contracts.read("/proc/\(process)/stat"),
        let state = status.split(separator: ")").last?.dropFirst().first
    else { return false }
    return state != "Z" && state != "X"
}
