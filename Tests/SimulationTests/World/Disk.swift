import Glibc
import TestSupport

/// The files of a world.
///
/// SQLite itself writes them, on a file system in memory; what is simulated is which commits reach
/// them.
final class Disk {
    /// Where the files are; all services share the directory.
    let directory: String
    /// Commits fail.
    var isFull = false
    /// A bug that is planted on purpose: a crash undoes what was committed.
    var isForgetful = false
    private let temporary: TemporaryDirectory?

    /// Makes the files, as they are in `template`.
    init(from template: Disk? = nil) throws {
        let memory = "/dev/shm"
        var name = Array("\(memory)/triptych-XXXXXX".utf8CString)
        if let made = unsafe mkdtemp(&name) {
            directory = unsafe String(cString: made)
            temporary = nil
        } else {
            let other = try TemporaryDirectory()
            (directory, temporary) = (other.path, other)
        }
        self.template = template
        restore()
    }

    private let template: Disk?
    static let files = ["catalog.sqlite", "selection.sqlite"]

    /// Makes the files as they were in the beginning.
    func restore() {
        guard let template else { return }
        for file in Self.files {
            for suffix in ["", "-wal", "-shm"] { _ = unsafe unlink("\(directory)/\(file)\(suffix)") }
            Self.copy("\(template.directory)/\(file)", to: "\(directory)/\(file)")
        }
    }

    private static func copy(_ from: String, to: String) {
        let source = unsafe Glibc.open(from, O_RDONLY)
        guard source >= 0 else { return }
        let target = unsafe Glibc.open(to, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var rest = 1 << 30
        while rest > 0 {
            let count = sendfile(target, source, nil, rest)
            guard count > 0 else { break }
            rest -= count
        }
        close(source)
        close(target)
    }

    func remove() {
        if let temporary { return temporary.remove() }
        for file in Self.files {
            for suffix in ["", "-wal", "-shm"] { _ = unsafe unlink("\(directory)/\(file)\(suffix)") }
        }
        _ = unsafe rmdir(directory)
    }
}
