import Shared
import Testing

@testable import Triptych

@Suite struct Deb822Tests {
    private static let index = """
        # a comment
        Package: hello
        VERSION:   2.10-3
        Filename: pool/h/hello.deb
         folded too
        Depends: libc6 (>= 2.34),
         gettext
        Description: example package
         The long one
         .
          verbatim
        \u{20}\t

        Package: empty
        Depends:

        """

    @Test(arguments: [1, 5, 64, 100_000])
    func paragraphsHaveFieldsThatGoOnInFurtherLines(pieceBytes: Int) throws {
        var index = Deb822(
            reader(of: Self.index, pieceBytes: pieceBytes),
            wanted: ["package", "version", "depends", "description"])
        let hello = try #require(try index.next())
        #expect(hello.line == 2)
        #expect(hello["package"] == "hello")
        #expect(hello["version"] == "2.10-3")
        #expect(hello["filename"] == nil)
        #expect(hello["depends"] == "libc6 (>= 2.34),\ngettext")
        #expect(hello["description"] == "example package\nThe long one\n.\n verbatim")
        let empty = try #require(try index.next())
        #expect(empty.line == 14)
        #expect(empty["package"] == "empty")
        #expect(empty["depends"] == nil)
        #expect(try index.next() == nil)
    }

    @Test(arguments: [
        ("Package: a\nnonsense\n", "test:2: no field: a name, a colon and a value are expected"),
        ("Package: a\n: b\n", "test:2: no field: a name, a colon and a value are expected"),
        ("\n goes on\n", "test:2: a line goes on that has not begun"),
    ])
    func aLineThatIsNoFieldIsNamed(text: String, message: String) {
        var index = Deb822(reader(of: text), wanted: ["package"])
        #expect(failure { () throws(StartFailure) in while try index.next() != nil {} } == message)
    }
}

@Suite struct DependencyTests {
    @Test(arguments: [
        ("", []), ("libc6", ["libc6=libc6"]),
        ("libc6 (>= 2.34), zlib1g(>= 1:1.2)", ["libc6=libc6 (>= 2.34)", "zlib1g=zlib1g(>= 1:1.2)"]),
        ("mawk | gawk,\n perl:any", ["mawk=mawk", "gawk=or gawk", "perl=perl:any"]),
        ("data (>= 1), data (<= 1-3)", ["data=data (>= 1)"]), (" , |, ", []),
        ("linux [amd64], foo <!nocheck>", ["linux=linux [amd64]", "foo=foo <!nocheck>"]),
    ])
    func aRelationshipNamesEachPackageOnce(field: String, packages: [String]) {
        #expect(Dependency.parse(field).map { "\($0.package)=\($0.title)" } == packages)
    }
}

@Suite struct DebianVersionTests {
    /// Each version is less than the next one, as `dpkg --compare-versions` says.
    @Test func versionsAreOrderedAsDpkgOrdersThem() {
        let ordered = [
            "0~~", "0~", "0", "1.0~rc1", "1.0", "1.0-1~bpo12+1", "1.0-1", "1.0-1+b1", "1.0-1+deb12u1",
            "1.0-1+deb12u2", "1.0-1+deb12u10", "1.0-2", "1.0a-1", "1.0+dfsg-1", "1.0.1", "1.2", "1.10",
            "2.0", "1:0.1", "1:1.0-1", "2:0",
        ]
        for (a, b) in zip(ordered, ordered.dropFirst()) {
            #expect(DebianVersion(a) < DebianVersion(b), "\(a) < \(b)")
            #expect(!(DebianVersion(b) < DebianVersion(a)), "\(b) < \(a)")
        }
    }

    @Test(arguments: [
        ("1.0", "1.0"), ("0:1.0", "1.0"), ("1.01", "1.1"), ("1.0-0", "1.0"), ("1.0-00", "1.0-0"),
    ])
    func theSameVersionCanBeWrittenInTwoWays(a: String, b: String) {
        #expect(DebianVersion(a) == DebianVersion(b))
    }
}
