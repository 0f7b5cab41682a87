import Glibc
import JSON
import UV

/// One of the services under test, which is asked who it is, and may be killed.
final class LiveProcess {
    let name: String
    private(set) var process: Int?
    private(set) var isHealthy = false
    private let connection: LiveConnection

    init(_ name: String, run: String, loop: Loop) {
        self.name = name
        connection = LiveConnection(path: "\(run)/\(name).sock", loop: loop)
        connection.onUp = { [weak self] in self?.askWho() }
        connection.onDown = { [weak self] in
            self?.process = nil
            self?.isHealthy = false
        }
        connection.start()
    }

    func close() { connection.close() }

    private func askWho() {
        connection.call("rpc.info") { [weak self] in self?.process = $0.value?["pid"]?.int }
    }

    /// Asks whether it is well.
    func look() {
        connection.call("rpc.health") { [weak self] reply in
            self?.isHealthy = reply.value?["status"]?.string == "ok"
        }
    }

    /// Kills it, unless it is dead already; tells whether it did.
    func kill() -> Bool {
        guard connection.isUp, let process else { return false }
        return Glibc.kill(pid_t(process), SIGKILL) == 0
    }

    /// Its memory and descriptors, if it is there.
    var usage: (residentKiB: Int, descriptors: Int)? {
        process.map { (ProcessUsage(of: $0).residentKiB, Self.descriptors(of: $0)) }
    }

    /// The same, to be read.
    var usageText: String {
        guard let process, let usage else { return "\(name): not there" }
        return "\(name): process \(process), \(usage.residentKiB) KiB, \(usage.descriptors) descriptors"
    }

    /// Asks for its figures, and tells those that are bytes, in KiB.
    func askMemory(then: @escaping (String?) -> Void) {
        connection.call("rpc.metrics") { reply in
            guard let metrics = reply.value else { return then(nil) }
            let figures = metrics.members.compactMap { member -> String? in
                guard let name = member.key.string, name.hasSuffix("_bytes"), let bytes = member.value.int
                else { return nil }
                return "\(name.dropLast("_bytes".count)) \(bytes / 1_024)"
            }
            then(figures.joined(separator: ", "))
        }
    }

    private static func descriptors(of process: Int) -> Int {
        guard let directory = unsafe opendir("/proc/\(process)/fd") else { return 0 }
        defer { _ = unsafe closedir(directory) }
        var count = -2  // the directory itself and the one above
        while unsafe readdir(directory) != nil { count += 1 }
        return count
    }
}
