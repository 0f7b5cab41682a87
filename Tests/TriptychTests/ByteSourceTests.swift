import Glibc
import Shared
import TestSupport
import Testing

@testable import Triptych

@Suite struct ByteSourceTests {
    private func text(_ source: ByteSource) throws(StartFailure) -> String {
        String(decoding: try source.readAll(bytesMax: 1_000_000), as: UTF8.self)
    }

    @Test func aCommandIsReadToItsEnd() throws {
        let source = try ByteSource(command: ["sh", "-c", "printf 'a\\nb'; cat"], name: "it")
        #expect(try text(source) == "a\nb")
        #expect(source.bytesRead == 3)
        #expect(source.bytesTotal == nil)
    }

    @Test func aCommandThatFailsIsAFailure() throws {
        let source = try ByteSource(command: ["sh", "-c", "echo a; exit 3"], name: "it")
        #expect(failure { () throws(StartFailure) in _ = try text(source) } == "it ended with a failure")
    }

    @Test func whatIsNotThereIsNamed() {
        #expect(
            failure { () throws(StartFailure) in _ = try ByteSource(file: "/no/such") }
                == "can't open /no/such: No such file or directory")
        #expect(
            failure { () throws(StartFailure) in _ = try ByteSource(command: ["/no/such"], name: "it") }
                == "can't start /no/such: No such file or directory")
    }

    @Test func aFileSaysHowLongItIs() throws {
        let source = try ByteSource(file: #filePath)
        let total = try #require(source.bytesTotal)
        #expect(try text(source).utf8.count == total)
        #expect(source.bytesRead == total)
    }

    @Test func aSourceThatIsTooLongIsRefused() throws {
        let source = try ByteSource(command: ["sh", "-c", "yes | head -c 3000000"], name: "it")
        #expect(
            failure { () throws(StartFailure) in _ = try source.readAll(bytesMax: 1 << 20) }
                == "it has more than 1 MiB: split it, or import a list of changes")
    }

    @Test(arguments: [("Packages.xz", true), ("Packages.lz4", true), ("Packages", false), ("xz", false)])
    func aNameSaysWhetherAFileIsCompressed(name: String, isCompressed: Bool) {
        #expect(Apt.isCompressed(name) == isCompressed)
    }

    @Test(arguments: ["gzip", "xz"]) func aCompressedFileIsReadAsWhatIsInIt(program: String) throws {
        let path = "/tmp/triptych-\(UInt64.random(in: 0 ... .max)).\(program == "gzip" ? "gz" : program)"
        let made = try ByteSource(command: ["sh", "-c", "echo hello | \(program) | tee \(path)"], name: "it")
        _ = try made.readAll(bytesMax: 1_000)
        defer { _ = unsafe unlink(path) }
        #expect(try text(Apt.open(path)) == "hello\n")
    }

    @Test func aCompressedFileThatIsNotThereIsNamed() {
        #expect(
            failure { () throws(StartFailure) in _ = try Apt.open("/no/such.xz") }
                == "can't open /no/such.xz: No such file or directory")
    }
}
