import Glibc
import JSON
import Shared
import TestSupport
import Testing

/// How each service starts, alone and against what is already there.
@Suite struct StartTests {
    @Test(arguments: Product.services) func aServiceStartsAlone(service: String) throws {
        let product = try Product()
        defer { product.finish() }
        try product.start(service)
        let client = try product.connect(service)
        #expect(try client.call("rpc.info")["service"]?.string == service)
        #expect(try client.call("rpc.health")["status"]?.string == (service == "catalog" ? "ok" : "degraded"))
    }

    @Test(arguments: Product.services) func itsSocketIsForOneUserAlone(service: String) throws {
        let product = try Product()
        defer { product.finish() }
        let socket = "\(product.directory)/new/\(service).sock"
        try product.start(service, socket: socket)
        try product.harness.until("\(service) listens") { isListening(socket) }
        #expect(FileStatus(socket)?.permissions == 0o600)
        #expect(FileStatus("\(product.directory)/new")?.permissions == 0o700)
    }

    @Test(arguments: Product.services) func afterAKillItStartsOverTheStaleSocketAndLock(service: String)
        throws
    {
        let product = try Product()
        defer { product.finish() }
        let first = try product.start(service)
        try product.connect(service).close()
        first.signal(SIGKILL)
        #expect(try product.untilEnd(first) == .killed(SIGKILL))
        #expect(FileStatus(product.harness.socket(service)) != nil)
        #expect(FileStatus(product.harness.socket(service) + ".lock") != nil)
        let second = try product.start(service)
        #expect(try product.connect(service).call("rpc.info")["pid"]?.int == Int(second.process))
    }

    @Test(arguments: Product.services) func aSecondInstanceIsRefusedInOneLine(service: String) throws {
        let product = try Product()
        defer { product.finish() }
        let first = try product.start(service)
        let client = try product.connect(service)
        let before = FileStatus(product.harness.socket(service))
        let second = try product.start(service)
        #expect(try product.untilEnd(second) == .exited(StartFailure.Status.unavailable.rawValue))
        #expect(second.errors.count == 1)
        #expect(FileStatus(product.harness.socket(service)) == before)
        #expect(try client.call("rpc.info")["pid"]?.int == Int(first.process))
        #expect(try product.connect(service).call("rpc.info")["pid"]?.int == Int(first.process))
    }

    @Test func aSocketPathMayHave107Bytes() throws {
        let product = try Product()
        defer { product.finish() }
        let stem = "\(product.directory)/"
        let longest = stem + String(repeating: "x", count: 107 - stem.utf8.count)
        try product.start("gateway", socket: longest)
        try product.harness.until("it listens") { isListening(longest) }

        let refused = try product.start("gateway", socket: longest + "x")
        #expect(try product.untilEnd(refused) == .exited(StartFailure.Status.usage.rawValue))
        #expect(refused.errors.count == 1)
        #expect(refused.errors.first?.contains("more than 107 bytes") == true)
    }

    @Test(arguments: Product.services) func whatIsNoSocketIsNotReplaced(service: String) throws {
        let product = try Product()
        defer { product.finish() }
        let socket = product.harness.socket(service)
        #expect(unsafe mkdir(socket, 0o700) == 0)
        let before = FileStatus(socket)
        let refused = try product.start(service)
        #expect(try product.untilEnd(refused) == .exited(StartFailure.Status.cannotCreate.rawValue))
        #expect(refused.errors.count == 1)
        #expect(FileStatus(socket) == before)
    }

    @Test(arguments: [
        ["catalog", "selection", "gateway"], ["catalog", "gateway", "selection"],
        ["selection", "catalog", "gateway"], ["selection", "gateway", "catalog"],
        ["gateway", "catalog", "selection"], ["gateway", "selection", "catalog"],
    ])
    func anyOrderOfStartingBecomesHealthy(order: [String]) throws {
        let product = try Product()
        defer { product.finish() }
        _ = try product.startAll(order)
    }
}
