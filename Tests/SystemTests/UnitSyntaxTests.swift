import Glibc
import TestSupport
import Testing

/// What reads units, where systemd is installed.
private enum Verifier {
    static let path = "/usr/bin/systemd-analyze"
    static var isThere: Bool { unsafe access(path, X_OK) == 0 }
}

/// The units in `deploy/systemd` as systemd itself reads them.
@Suite(.enabled(if: Verifier.isThere)) struct UnitSyntaxTests {
    /// Reads the units, changed by `edit`, and gives what systemd says against them.
    private func complaints(_ edit: (String) -> String = { $0 }) throws -> [Substring] {
        let product = try Product()
        defer { product.finish() }
        let source = "deploy/systemd"
        var units: [String] = []
        for folder in ["triptych-.service.d", "triptych-web@.service.d"] {
            #expect(unsafe mkdir("\(product.directory)/\(folder)", 0o700) == 0)
        }
        for path in Repository.files(below: source) {
            let name = String(path.dropFirst(source.count + 1))
            let text = try Repository.text(path).replacing("/usr/local/bin", with: Programs.directory)
            let file = try product.file(name, edit(text))
            if !name.contains("/") { units.append(file.replacing("@.", with: "@root.")) }
        }
        #expect(units.count == Product.services.count + 2)
        let child = try product.spawn(Verifier.path, ["verify"] + units)
        _ = try product.untilEnd(child)
        return child.errors
    }

    @Test func systemdHasNothingAgainstThem() throws {
        #expect(try complaints() == [])
    }

    @Test func itWouldSayWhatIsWrong() throws {
        let wrong = try complaints { $0.replacing("WatchdogSec=30", with: "WatchdogSec=soon") }
        #expect(wrong.contains { $0.contains("soon") })
    }
}
