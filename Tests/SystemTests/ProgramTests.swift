import TestSupport
import Testing

/// What can be seen of the programs from outside.
@Suite struct ProgramTests {
    private func run(_ program: String, _ arguments: [String], input: String = "/dev/null") throws -> String {
        let product = try Product()
        defer { product.finish() }
        let child = try product.spawn(program, arguments, input: input)
        let ending = try product.untilEnd(child)
        #expect(ending == .exited(0), "\(program): \(child.errors)")
        return child.output
    }

    @Test(arguments: Programs.all, ["--help", "--version"])
    func itTellsHowItIsUsedAndWhichItIs(program: String, option: String) throws {
        let text = try run(Programs.path(program), [option])
        #expect(text.contains(program))
        if option == "--help", !program.hasPrefix("triptych") { #expect(text.contains("--socket PATH")) }
    }

    @Test(arguments: Programs.all) func noProgramUsesFoundation(program: String) throws {
        let libraries = try run("/usr/bin/ldd", [Programs.path(program)])
        #expect(libraries.contains("libuv.so"))
        #expect(!libraries.contains("Foundation"))
    }

    @Test func onlyTheServicesWithDataUseSQLite() throws {
        for program in Programs.all {
            let libraries = try run("/usr/bin/ldd", [Programs.path(program)])
            #expect(libraries.contains("libsqlite3") == program.hasSuffix("-service"), "\(program)")
        }
    }

    @Test func onlyTheTerminalFrontEndUsesNcurses() throws {
        for program in Programs.all {
            let libraries = try run("/usr/bin/ldd", [Programs.path(program)])
            #expect(libraries.contains("libncursesw") == (program == "triptych-browse"), "\(program)")
        }
    }

    @Test func anUnknownOptionIsAUsageErrorInOneLine() throws {
        for program in Programs.all {
            let product = try Product()
            defer { product.finish() }
            let child = try product.spawn(try Programs.path(program), ["--nonsense"])
            #expect(try product.untilEnd(child) == .exited(64), "\(program)")
            #expect(child.errors.count == 1, "\(program)")
        }
    }
}
