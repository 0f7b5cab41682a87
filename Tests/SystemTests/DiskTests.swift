import Glibc
import JSON
import Shared
import TestSupport
import Testing

/// A disk that has no room, or can't be written, under real services.
@Suite struct DiskTests {
    /// How a service comes to have no room.
    enum Shortage {
        /// No file may grow: the system refuses each write of the log (`RLIMIT_FSIZE`).
        case limit
        /// The file system is full.
        case fullDisk
    }

    @Test(arguments: ["catalog", "selection"])
    func withoutRoomNothingChangesAndReadsGoOnUntilThereIsRoomAgain(service: String) throws {
        try run(service, .limit)
    }

    @Test(
        .enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"),
        arguments: ["catalog", "selection"])
    func onAFullDiskNothingChangesAndReadsGoOnUntilThereIsRoomAgain(service: String) throws {
        try run(service, .fullDisk)
    }

    @Test func aServiceThatWasKilledStartsAlsoWithoutRoom() throws {
        let product = try Product()
        defer { product.finish() }
        try product.startPatient("catalog")
        let child = try product.startPatient("selection")
        for name in ["catalog", "selection"] { try product.untilHealth(name, "ok") }
        try product.makeCatalog()
        let (change, read) = Self.questions("selection")
        let client = try product.connect("selection")
        _ = try client.call(change, Self.params("selection", 1))
        let before = try client.call(read.0, read.1).text
        child.end()
        // What it has acknowledged is in the log alone, and there is no room to do anything about that.
        let again = try product.startPatient("selection", fileBlocksMax: "128")
        try product.harness.until("it listens") { (try? product.connect("selection")) != nil }
        let other = try product.connect("selection")
        #expect(try other.call(read.0, read.1).text == before)
        try product.setFileSize(of: again.process, "unlimited")
        _ = try other.call(change, Self.params("selection", 2))
        try product.untilHealth("selection", "ok")
    }

    private func run(_ service: String, _ shortage: Shortage) throws {
        let product = try Product()
        defer { product.finish() }
        let data = "\(product.directory)/data"
        let disk = shortage == .fullDisk ? try SmallDisk(at: data, product) : nil
        defer { disk?.remove() }
        var child: Child?
        for name in ["catalog", "selection"] {
            let started = try product.startPatient(name)
            if name == service { child = started }
        }
        for name in ["catalog", "selection"] { try product.untilHealth(name, "ok") }
        try product.makeCatalog()
        let client = try product.connect(service)
        let (change, read) = Self.questions(service)
        _ = try client.call(change, Self.params(service, 1))
        let before = try client.call(read.0, read.1).text

        let process = try #require(child).process
        if let disk { try disk.fill() } else { try product.setFileSize(of: process, "4096") }
        for number in 2...3 {
            let answer = try client.respond(change, Self.params(service, number))
            #expect(answer["error"]?["code"]?.int == -32007, "\(answer.text)")
            #expect(try client.call(read.0, read.1).text == before)
        }
        #expect(try client.call("rpc.health")["status"]?.string == "degraded")
        if service == "selection" {
            // It looks by itself whether there is room, and says so each time: it must not think that there is.
            try product.harness.until("it has looked again") {
                child?.errors.filter { $0.contains("storage failed") }.count == 3
            }
            #expect(try client.call("rpc.health")["status"]?.string == "degraded")
        }
        if let disk { try disk.free() } else { try product.setFileSize(of: process, "unlimited") }

        let after = try client.call(change, Self.params(service, 4)).text
        #expect(try client.call("rpc.health")["status"]?.string == "ok")
        let now = try client.call(read.0, read.1).text
        #expect(now != before, "\(after)")
        child?.end()
        try product.startPatient(service)
        try product.untilHealth(service, "ok")
        #expect(try product.connect(service).call(read.0, read.1).text == now)
    }

    private static func questions(_ service: String) -> (change: String, read: (String, String)) {
        service == "catalog"
            ? ("catalog.apply", ("catalog.items", #"{"catalog":"c"}"#))
            : ("selection.send", ("selection.get", #"{"session":"s"}"#))
    }

    private static func params(_ service: String, _ number: Int) -> String {
        service == "catalog"
            ? #"{"catalog":"c","changes":[{"op":"putItem","item":{"id":"a1","title":"\#(number)","categories":["A"]}}]}"#
            : Product.event(#"{"type":"search","text":"t\#(number)"}"#)
    }

    // MARK: Files that can't be used

    @Test(
        .enabled(if: geteuid() != 0 || SmallDisk.isPossible, "root may write everywhere"),
        arguments: ["catalog", "selection"])
    func aDirectoryThatCannotBeWrittenIsToldInOneLine(service: String) throws {
        let product = try Product()
        defer { product.finish() }
        let data = "\(product.directory)/data"
        let disk = geteuid() == 0 ? try SmallDisk(at: data, product, "ro") : nil
        defer { disk?.remove() }
        if disk == nil { #expect(unsafe mkdir(data, 0o500) == 0) }
        let refused = try product.start(service)
        let ending = try product.untilEnd(refused)
        #expect(
            ending == .exited(StartFailure.Status.io.rawValue)
                || ending == .exited(StartFailure.Status.cannotCreate.rawValue), "\(ending)")
        #expect(refused.errors.count == 1)
        #expect(refused.errors.first?.contains(data) == true, "\(refused.errors)")
    }

    @Test(arguments: ["catalog", "selection"], [true, false])
    func aFileThatIsDamagedOrNewerIsLeftAloneAndToldInOneLine(service: String, isNewer: Bool) throws {
        let product = try Product()
        defer { product.finish() }
        let path = "\(product.directory)/data/\(service).sqlite"
        #expect(unsafe mkdir("\(product.directory)/data", 0o700) == 0)
        if isNewer {
            let make = try product.spawn("/usr/bin/sqlite3", [path, "PRAGMA user_version=99"])
            #expect(try product.untilEnd(make) == .exited(0))
        } else {
            _ = try product.file("data/\(service).sqlite", String(repeating: "no database ", count: 100))
        }
        let before = FileStatus(path)
        let refused = try product.start(service)
        #expect(try product.untilEnd(refused) == .exited(StartFailure.Status.data.rawValue))
        #expect(refused.errors.count == 1)
        #expect(refused.errors.first?.contains(path) == true, "\(refused.errors)")
        #expect(FileStatus(path) == before)
    }
}

/// A file system of one megabyte in a test's directory.
private final class SmallDisk {
    private let path: String
    private let product: Product

    init(at path: String, _ product: Product, _ mode: String = "rw") throws {
        (self.path, self.product) = (path, product)
        _ = unsafe mkdir(path, 0o700)
        let mount = try product.spawn(
            "/bin/mount", ["-t", "tmpfs", "-o", "\(mode),size=1m,mode=0700", "triptych", path])
        guard try product.untilEnd(mount) == .exited(0) else {
            throw Failure(description: "can't mount: \(mount.errors)")
        }
    }

    func fill() throws {
        // It ends when there is no room.
        _ = try product.untilEnd(
            try product.spawn("/bin/dd", ["if=/dev/zero", "of=\(path)/filler", "bs=512"]))
    }

    func free() throws {
        guard unsafe unlink("\(path)/filler") == 0 else { throw Failure(description: "no filler") }
    }

    /// Also while files in it are open.
    func remove() {
        _ = try? product.spawn("/bin/umount", ["-l", path]).waitForEnd()
    }

    /// Whether this user may mount, which root in a container mostly may not.
    static let isPossible: Bool = {
        guard geteuid() == 0, let product = try? Product() else { return false }
        defer { product.finish() }
        guard let disk = try? SmallDisk(at: "\(product.directory)/disk", product) else { return false }
        disk.remove()
        return true
    }()
}

extension Product {
    /// Starts a service that a write beyond the size of files does not kill (SIGXFSZ), but fails.
    ///
    /// With `fileBlocksMax` its files may have so many blocks of 512 bytes.
    @discardableResult fileprivate func startPatient(
        _ service: String, fileBlocksMax: String = "unlimited"
    ) throws -> Child {
        var arguments = ["--socket", harness.socket(service), "--data", "\(directory)/data"]
        if service != "catalog" { arguments += ["--catalog-socket", harness.socket("catalog")] }
        return try spawn(
            "/bin/sh",
            [
                "-c", #"trap "" XFSZ; ulimit -Sf \#(fileBlocksMax); exec "$0" "$@""#,
                try Programs.service(service),
            ] + arguments)
    }

    /// Sets how long the files of a process may get, in bytes.
    fileprivate func setFileSize(of process: pid_t, _ bytes: String) throws {
        let set = try spawn("/usr/bin/prlimit", ["--pid", "\(process)", "--fsize=\(bytes):unlimited"])
        guard try untilEnd(set) == .exited(0) else { throw Failure(description: "prlimit: \(set.errors)") }
    }
}
