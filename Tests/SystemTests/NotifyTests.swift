import Glibc
import JSON
import Shared
import TestSupport
import Testing

/// Each service as its manager sees it: by what it tells the manager's socket.
@Suite struct NotifyTests {
    @Test(arguments: Product.services) func aServiceSaysWhenItServesLivesAndStops(service: String) throws {
        let product = try Product()
        defer { product.finish() }
        let receiver = try Receiver(product.harness.socket("notify"))
        let child = try product.spawn(
            try Programs.service(service),
            ["--socket", product.harness.socket(service)]
                + (service == "gateway" ? [] : ["--data", product.directory]),
            variables: [
                "NOTIFY_SOCKET": receiver.name, "WATCHDOG_USEC": "100000", "TRIPTYCH_RUN": product.directory,
            ])
        var told: [String] = []
        func until(_ message: String) throws {
            try product.harness.until("it says \(message)", seconds: 20) {
                while let next = receiver.next() { told.append(next) }
                return told.contains(message)
            }
        }
        try until("READY=1")
        #expect(told.first == "READY=1")
        // Whoever waits for that finds it serving.
        #expect(isListening(product.harness.socket(service)))
        try until("WATCHDOG=1")
        #expect(try product.connect(service).call("rpc.ping").count == 0)
        child.signal(SIGTERM)
        try until("STOPPING=1")
        #expect(try product.untilEnd(child) == .exited(0))
        #expect(told.filter { $0 == "READY=1" }.count == 1)
        #expect(Set(told) == ["READY=1", "WATCHDOG=1", "STOPPING=1"])
    }

    @Test func aServiceThatCannotStartDoesNotSayItServes() throws {
        let product = try Product()
        defer { product.finish() }
        let receiver = try Receiver(product.harness.socket("notify"))
        #expect(unsafe mkdir(product.harness.socket("gateway"), 0o700) == 0)
        let child = try product.spawn(
            try Programs.service("gateway"), ["--socket", product.harness.socket("gateway")],
            variables: ["NOTIFY_SOCKET": receiver.name])
        #expect(try product.untilEnd(child) == .exited(StartFailure.Status.cannotCreate.rawValue))
        #expect(receiver.next() == nil)
    }

    @Test func theUnitsWaitForThat() throws {
        let common = try Repository.files(below: "deploy/systemd/triptych-.service.d").map(Repository.text)
            .joined()
        let lines = common.split(separator: "\n")
        #expect(lines.contains("Type=notify"))
        #expect(lines.contains { $0.hasPrefix("WatchdogSec=") })
    }
}
