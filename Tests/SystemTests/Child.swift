import Glibc
import Shared
import TestSupport

/// A program that a test started; it is killed with the test.
final class Child {
    /// How a program has ended: its status, or the signal that killed it.
    enum Ending: Equatable {
        case exited(Int32)
        case killed(Int32)
    }

    let process: pid_t
    private let outputPath: String
    private let errorPath: String
    private var ending: Ending?

    /// Starts a program in a session of its own; what it prints goes to files in `directory`.
    init(
        _ program: String, _ arguments: [String], directory: String, name: String,
        input: String = "/dev/null",
        variables: [String: String] = [:]
    ) throws {
        (outputPath, errorPath) = ("\(directory)/\(name).out", "\(directory)/\(name).err")
        var moves = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&moves)
        defer { _ = unsafe posix_spawn_file_actions_destroy(&moves) }
        let new = O_WRONLY | O_CREAT | O_TRUNC
        unsafe posix_spawn_file_actions_addopen(&moves, STDIN_FILENO, input, O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&moves, STDOUT_FILENO, outputPath, new, 0o600)
        unsafe posix_spawn_file_actions_addopen(&moves, STDERR_FILENO, errorPath, new, 0o600)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
        // Threads that run tests have blocked all signals, and a child would inherit that.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Self.newSession | Int16(POSIX_SPAWN_SETSIGMASK))

        var all = ["PATH": Paths.environment("PATH") ?? "/usr/bin:/bin", "HOME": directory]
        all.merge(variables) { _, new in new }
        var words: [UnsafeMutablePointer<CChar>?] =
            unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] =
            unsafe all.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { unsafe (words + environment).forEach { unsafe free($0) } }
        var process: pid_t = 0
        let failure = unsafe posix_spawn(&process, program, &moves, &attributes, &words, &environment)
        guard failure == 0 else {
            throw Failure(
                description: "can't start \(program): \(unsafe String(cString: strerror(failure)))")
        }
        self.process = process
    }

    deinit { end() }

    /// POSIX_SPAWN_SETSID, an extension of the C library that its Swift module leaves out.
    private static let newSession: Int16 = 0x80

    /// Looks whether it has ended, without waiting.
    func poll() -> Ending? {
        if ending == nil { ending = wait(WNOHANG) }
        return ending
    }

    func signal(_ number: Int32) {
        // Its number can't be another process's before it was waited for.
        if poll() == nil { kill(process, number) }
    }

    /// Kills it unless it has ended, and waits until it is gone.
    func end() {
        guard poll() == nil else { return }
        kill(process, SIGKILL)
        ending = wait(0)
    }

    private func wait(_ options: Int32) -> Ending? {
        var status: Int32 = 0
        var waited: pid_t = 0
        repeat { waited = unsafe waitpid(process, &status, options) } while waited < 0 && errno == EINTR
        guard waited == process else { return nil }
        return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(status & 0x7F)
    }

    /// What it has printed so far.
    var output: String { (try? Contracts.read(outputPath)) ?? "" }

    /// The lines that it has written to standard error so far.
    var errors: [Substring] { ((try? Contracts.read(errorPath)) ?? "").split(separator: "\n") }
}
