import Glibc
import JSON
import Shared
import TestSupport

/// What went wrong in a test's hands.
struct Failure: Error, CustomStringConvertible {
    let description: String
}

/// A real terminal, which tmux plays, with `triptych-browse` in it, and the three services beside it.
final class Terminal {
    let harness: Harness
    private var processes: [String: pid_t] = [:]

    /// Whether there is tmux: without it these tests are left out, and say so.
    static let isThere = (try? shell("command -v tmux"))?.isEmpty == false

    var directory: String { harness.directory }

    /// Starts the services with a catalog.
    init(rows: Int = 40) throws {
        harness = try Harness()
        for service in ["catalog", "selection", "gateway"] { try start(service) }
        let client = try harness.connect("catalog")
        var changes = [
            #"{"op":"putCatalog","title":"Library"}"#,
            #"{"op":"putCategory","category":{"id":"A","title":"Novels"}}"#,
            #"{"op":"putCategory","category":{"id":"B","title":"Poems \u001b[31m日本 👍"}}"#,
        ]
        changes += (1...rows).map {
            #"{"op":"putItem","item":{"id":"a\#($0)","title":"Book \#($0)","categories":["A"],"#
                + #""blocks":[{"kind":"text","text":"About book \#($0)."}]}}"#
        }
        _ = try client.call(
            "catalog.apply", #"{"catalog":"c","changes":[\#(changes.joined(separator: ","))]}"#)
        client.close()
    }

    // MARK: Processes

    /// Runs a command line and gives what it prints.
    @discardableResult static func shell(_ command: String) throws -> String {
        guard let stream = unsafe popen(command, "re") else { throw Failure(description: "no shell") }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&buffer, 1, buffer.count, stream)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        _ = unsafe pclose(stream)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The directory of the programs, which are built beside the tests.
    private static let programs: String = {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &path, path.count)
        let own = String(decoding: path[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return own.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    }()

    /// Starts a service, and waits until it is well.
    func start(_ service: String) throws {
        var command = "\(Self.programs)/\(service == "gateway" ? service : "\(service)-service")"
        command += " --socket \(harness.socket(service))"
        if service != "gateway" { command += " --data \(directory)/data" }
        if service != "catalog" { command += " --catalog-socket \(harness.socket("catalog"))" }
        if service == "gateway" { command += " --selection-socket \(harness.socket("selection"))" }
        // What one that was killed has left there would look as if it listened.
        _ = unsafe unlink(harness.socket(service))
        let process = try Self.shell("\(command) </dev/null >/dev/null 2>>\(directory)/log & echo $!")
        processes[service] = process.split(separator: "\n").first.flatMap { pid_t($0) }
        let path = harness.socket(service)
        try harness.until("\(service) listens", seconds: 20) { unsafe access(path, F_OK) == 0 }
        let client = try harness.connect(service)
        defer { client.close() }
        var status: String?
        try harness.until("\(service) is well", seconds: 20) {
            status = try? client.call("rpc.health")["status"]?.string
            return status == "ok"
        }
    }

    /// Kills a service, and waits until it is gone.
    func stop(_ service: String) throws {
        guard let process = processes.removeValue(forKey: service) else { return }
        kill(process, SIGKILL)
        try harness.until("\(service) is gone", seconds: 20) { kill(process, 0) != 0 || isDead(process) }
    }

    /// Whether a process only waits to be counted by its parent.
    private func isDead(_ process: pid_t) -> Bool {
        guard let status = try? Contracts.read("/proc/\(process)/stat") else { return true }
        return status.split(separator: ")").last?.dropFirst().first == "Z"
    }

    /// Ends everything.
    func finish() {
        _ = try? tmux("kill-server")
        for process in processes.values { kill(process, SIGKILL) }
        _ = try? Self.shell("rm -rf \(directory)/data")
        harness.finish()
    }

    // MARK: tmux

    /// Runs a command of a tmux of this test alone.
    @discardableResult func tmux(_ command: String) throws -> String {
        try Self.shell("env -u TMUX LC_ALL=C.UTF-8 tmux -S \(directory)/tmux -f /dev/null \(command) 2>&1")
    }

    /// Opens the terminal with an interactive shell.
    func open(columns: Int, rows: Int, locale: String = "C.UTF-8") throws {
        let shell =
            "env -i PATH=/usr/bin:/bin HOME=\(directory) LC_ALL=\(locale) TERM=tmux-256color PS1='ready> ' "
            + "PATH=\(Self.programs):/usr/bin:/bin bash --norc --noprofile -i"
        try tmux("new-session -d -x \(columns) -y \(rows) \"\(shell)\"")
        try tmux("set -g status off")
        try tmux("set -g window-size manual")
        try tmux("resize-window -x \(columns) -y \(rows)")
        try until("the shell is there") { $0.contains("ready>") }
    }

    /// Starts the front end, as a person would.
    func browse(_ options: String = "") throws {
        try type("triptych browse --socket \(harness.socket("gateway")) --session s --catalog c \(options)")
        try keys("Enter")
    }

    /// Presses keys by tmux's names.
    func keys(_ names: String) throws { try tmux("send-keys \(names)") }

    /// Types text, or the bytes of anything else.
    func type(_ text: String) throws { try tmux("send-keys -l '\(text)'") }

    func resize(columns: Int, rows: Int) throws { try tmux("resize-window -x \(columns) -y \(rows)") }

    /// What is on the screen.
    var screen: String { (try? tmux("capture-pane -p")) ?? "" }

    /// Waits until the screen is as it should be.
    func until(_ what: String, _ condition: (String) -> Bool) throws {
        var last = ""
        do {
            try harness.until(what, seconds: 30) {
                last = screen
                return condition(last)
            }
        } catch {
            throw Failure(description: "never happened: \(what); the screen:\n\(last)")
        }
    }
}
