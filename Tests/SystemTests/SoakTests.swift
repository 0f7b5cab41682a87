import Testing
import TestSupport

/// `deploy/soak.sh`, shortened.
@Suite struct SoakTests {
    @Test func windowsHoldWhileServicesAreKilled() throws {
        let product = try Product()
        defer { product.finish() }
        let soak = try product.spawn(
            "\(Repository.root)/deploy/soak.sh",
            ["--changes", "300", "--subscribers", "20", "--seconds", "8", "--kill-ms", "2000"],
            variables: ["TRIPTYCH_BIN": Programs.directory])
        let ending = try product.untilEnd(soak, seconds: 120)
        #expect(ending == .exited(0), "\(soak.output) \(soak.errors)")
        #expect(soak.output.contains("nothing acknowledged is lost"))
    }
}
