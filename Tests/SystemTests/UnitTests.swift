import Glibc
import TestSupport
import Testing

/// The units in `deploy/systemd`, without systemd: their commands are run as they stand there.
@Suite struct UnitTests {
    /// The command of a service's unit, with directories of the test in the place of those that systemd makes.
    private func command(of service: String, in directory: String) throws -> [String] {
        let unit = try Repository.text("deploy/systemd/triptych-\(service)@.service")
        let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        return line.dropFirst("ExecStart=".count).split(separator: " ").map { word in
            String(word).replacing("/usr/local/bin", with: Programs.directory)
                .replacing("%t/triptych/%i", with: directory).replacing("%S/triptych/%i", with: directory)
        }
    }

    @Test func theirCommandsStartAndStopTheServices() throws {
        let product = try Product()
        defer { product.finish() }
        var children: [Child] = []
        for service in Product.services {
            let words = try command(of: service, in: product.directory)
            children.append(try product.spawn(words[0], Array(words.dropFirst())))
        }
        for service in Product.services { try product.untilHealth(service, "ok") }
        for database in ["catalog.sqlite", "selection.sqlite"] {
            #expect(FileStatus("\(product.directory)/\(database)") != nil)
        }
        for child in children.reversed() {
            child.signal(SIGTERM)
            #expect(try product.untilEnd(child) == .exited(0))
        }
    }

    @Test func allOfThemStartWithTheTarget() throws {
        let target = try Repository.text("deploy/systemd/triptych@.target")
        for service in Product.services { #expect(target.contains("triptych-\(service)@%i.service")) }
    }
}
