import Glibc
import Shared
import TestSupport
import Testing

/// `triptych-web` as a process.
@Suite struct WebProgramTests {
    private func start(
        _ product: Product, _ arguments: [String] = [], variables: [String: String] = [:]
    ) throws -> Child {
        try product.spawn(
            try Programs.path("triptych-web"),
            ["--gateway-socket", product.harness.socket("gateway")] + arguments, variables: variables)
    }

    private func untilServing(_ product: Product, _ child: Child) throws -> String {
        try product.harness.until("it says its address", seconds: 20) { child.output.hasSuffix("/\n") }
        return String(child.output.dropLast(2))
    }

    @Test func itSaysItsAddressServesAndStops() throws {
        let product = try Product()
        defer { product.finish() }
        let receiver = try Receiver(product.harness.socket("notify"))
        let child = try start(product, ["--port", "0"], variables: ["NOTIFY_SOCKET": receiver.name])
        let url = try untilServing(product, child)
        #expect(url.hasPrefix("http://127.0.0.1:") && !url.hasSuffix(":0"))
        #expect(receiver.next() == "READY=1")
        child.signal(SIGTERM)
        #expect(try product.untilEnd(child) == .exited(0))
        #expect(receiver.next() == "STOPPING=1")
        #expect(child.errors.allSatisfy { $0.hasPrefix(#"{"time":""#) && $0.contains(#""service":"web""#) })
    }

    @Test func aPortThatIsTakenIsOneLineAndAStatus() throws {
        let product = try Product()
        defer { product.finish() }
        let port = String(
            try untilServing(product, try start(product, ["--port", "0"])).split(separator: ":").last ?? "")
        let second = try start(product, ["--port", port])
        #expect(try product.untilEnd(second) == .exited(StartFailure.Status.unavailable.rawValue))
        #expect(second.errors.count == 1)
        #expect(second.errors.first?.contains("port \(port)") == true)
    }

    @Test(arguments: [
        ["--port", "70000"], ["--port", "x"], ["--address", "localhost"], ["--address", ""],
        ["--shared-session", ""],
        ["--log-level", "loud"], ["more"],
    ])
    func aCommandLineThatCannotBeMeantIsOneLine(arguments: [String]) throws {
        let product = try Product()
        defer { product.finish() }
        let child = try start(product, arguments)
        #expect(try product.untilEnd(child) == .exited(StartFailure.Status.usage.rawValue))
        #expect(child.errors.count == 1)
    }

    @Test func itsUnitStartsIt() throws {
        let unit = try Repository.text("deploy/systemd/triptych-web@.service")
        let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        let product = try Product()
        defer { product.finish() }
        let words = line.dropFirst("ExecStart=".count).split(separator: " ").map { word in
            String(word).replacing("/usr/local/bin", with: Programs.directory)
                .replacing("%t/triptych/%i", with: product.directory).replacing(
                    "${TRIPTYCH_WEB_PORT}", with: "0")
        }
        let child = try product.spawn(words[0], Array(words.dropFirst()))
        _ = try untilServing(product, child)
    }
}
