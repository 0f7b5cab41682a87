import Glibc
import JSON
import Shared
import TestSupport
import UV

/// What went wrong in a test's hands.
struct Failure: Error, CustomStringConvertible {
    let description: String
}

/// Real processes in a directory of one test; sockets and data are in it.
final class Product {
    static let services = ["catalog", "selection", "gateway"]

    let harness: Harness
    private var children: [Child] = []
    private var started = 0

    init() throws { harness = try Harness() }

    var directory: String { harness.directory }

    /// Ends all processes, and removes the directory.
    func finish() {
        for child in children { child.end() }
        _ = try? Child("/bin/rm", ["-rf", directory], directory: directory, name: "rm")
            .waitForEnd()
        harness.finish()
    }

    /// Writes a file, and gives its path.
    func file(_ name: String, _ text: String) throws -> String {
        let path = "\(directory)/\(name)"
        guard let file = unsafe fopen(path, "we") else { throw Failure(description: "can't write \(path)") }
        defer { _ = unsafe fclose(file) }
        unsafe fputs(text, file)
        return path
    }

    // MARK: Processes

    /// Starts any program.
    func spawn(
        _ program: String, _ arguments: [String], input: String = "/dev/null",
        variables: [String: String] = [:]
    ) throws -> Child {
        started += 1
        let child = try Child(
            program, arguments, directory: directory, name: "child-\(started)", input: input,
            variables: variables)
        children.append(child)
        return child
    }

    /// Starts a service on its socket, or on another one.
    @discardableResult func start(_ service: String, socket: String? = nil) throws -> Child {
        var arguments = ["--socket", socket ?? harness.socket(service)]
        if service != "gateway" { arguments += ["--data", "\(directory)/data"] }
        if service != "catalog" { arguments += ["--catalog-socket", harness.socket("catalog")] }
        if service == "gateway" { arguments += ["--selection-socket", harness.socket("selection")] }
        return try spawn(try Programs.service(service), arguments)
    }

    /// Starts all three, and waits until they are well.
    func startAll(_ order: [String] = services) throws -> [String: Child] {
        var all: [String: Child] = [:]
        for service in order { all[service] = try start(service) }
        for service in order { try untilHealth(service, "ok") }
        return all
    }

    /// Waits for the end of a process.
    func untilEnd(_ child: Child, seconds: UInt64 = 20) throws -> Child.Ending {
        try harness.until("the end of process \(child.process)", seconds: seconds) { child.poll() != nil }
        guard let ending = child.poll() else { throw Failure(description: "it has not ended") }
        return ending
    }

    // MARK: Talking

    /// Connects as soon as the service listens.
    func connect(_ service: String) throws -> TestClient {
        let path = harness.socket(service)
        try harness.until("\(service) listens", seconds: 20) { isListening(path) }
        return try harness.connect(service)
    }

    /// Waits until a service says that it is `ok` or `degraded`.
    func untilHealth(_ service: String, _ status: String) throws {
        let client = try connect(service)
        defer { client.close() }
        var answer: String?
        try harness.until("\(service) is \(status)", seconds: 20) {
            answer = try? client.call("rpc.health")["status"]?.string
            return answer == status
        }
    }

    /// Makes catalog `c` with category `A` and items `a1` to `a9`.
    func makeCatalog() throws {
        let items = (1...9).map {
            #"{"op":"putItem","item":{"id":"a\#($0)","title":"Title \#($0)","categories":["A"]}}"#
        }
        let changes =
            [
                #"{"op":"putCatalog","title":"C"}"#,
                #"{"op":"putCategory","category":{"id":"A","title":"Ay"}}"#,
            ] + items
        let client = try connect("catalog")
        defer { client.close() }
        _ = try client.call(
            "catalog.apply", #"{"catalog":"c","changes":[\#(changes.joined(separator: ","))]}"#)
    }

    /// The params of an event of session `s` in catalog `c`.
    static func event(_ event: String) -> String { #"{"session":"s","catalog":"c","event":\#(event)}"# }
}

extension Child {
    /// Waits for the end of a process that ends by itself at once.
    func waitForEnd() -> Ending? {
        while poll() == nil { sched_yield() }
        return poll()
    }
}

/// Whether somebody accepts connections at a path.
func isListening(_ path: String) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { _ = close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    return unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
    }
}
