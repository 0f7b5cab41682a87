import JSON
import Shared
import Testing

@testable import Triptych

@Suite struct DebianPackageTests {
    private func item(_ text: String) throws -> JSONValue {
        var index = Deb822(reader(of: text), wanted: DebianPackage.fields)
        let paragraph = try #require(try index.next())
        let package = try #require(DebianPackage(paragraph))
        var writer = JSONWriter()
        package.write(to: &writer, category: "utils")
        let change = try json(String(decoding: writer.bytes, as: UTF8.self))
        return try #require(change["item"])
    }

    @Test func aPackageIsAnItemWithFieldsAndLinks() throws {
        let item = try item(
            """
            Package: hello
            Version: 2.10-3
            Section: utils
            Installed-Size: 276
            Depends: libc6 (>= 2.34) | musl
            Recommends: gettext
            Description: example package
             It says
             hello.
            """)
        #expect(
            String(decoding: item.raw, as: UTF8.self)
                == #"{"id":"hello","title":"hello","subtitle":"example package","#
                + #""categories":["utils"],"blocks":["#
                + #"{"kind":"text","text":"It says hello."},{"kind":"fields","fields":["#
                + #"{"label":"Version","value":"2.10-3"},{"label":"Section","value":"utils"},"#
                + #"{"label":"Installed size","value":"276 KiB"}]},{"kind":"text","text":"Depends on"},"#
                + #"{"kind":"links","links":[{"title":"libc6 (>= 2.34)","item":"libc6"},"#
                + #"{"title":"or musl","item":"musl"}]},"#
                + #"{"kind":"text","text":"Recommends"},"#
                + #"{"kind":"links","links":[{"title":"gettext","item":"gettext"}]}]}"#
        )
    }

    @Test func whatIsTooLongIsShortened() throws {
        let dependencies = (0..<9_000).map { "package-number-\($0) (>= 1.0)" }.joined(separator: ", ")
        let item = try item(
            """
            Package: huge
            Maintainer: \(String(repeating: "\"", count: 9_000))
            Depends: \(dependencies)
            Recommends: \(dependencies)
            Suggests: \(dependencies)
            Description: \(String(repeating: "é", count: 3_000))
             \(String(repeating: "long ", count: 40_000))
            """)
        let blocks = try #require(item["blocks"])
        #expect(blocks.raw.count <= 262_144)
        #expect(item["subtitle"]?.raw.count ?? 0 <= 1_024 + 2)
        #expect(item["subtitle"]?.string?.hasSuffix("é…") == true)
        let texts = blocks.elements.compactMap { $0["text"]?.string }
        #expect(texts.contains { $0.hasPrefix("and ") && $0.hasSuffix(" more") })
        let links = try #require(blocks.elements.first { $0["kind"]?.string == "links" })
        #expect(links.raw.count <= Limits.linksBytesMax + 100)
        #expect((links["links"]?.count ?? 0) > 700)
    }

    @Test(arguments: [
        ("a\nb", "a b"), ("a\n.\nb\nc", "a\n\nb c"),
        ("list:\n * one\n * two\nend", "list:\n* one\n* two\nend"),
        (".\n.\n", ""),
    ])
    func aDescriptionBecomesProse(description: String, prose: String) {
        #expect(DebianPackage.prose(description) == prose)
    }

    @Test(arguments: [
        (0, "0 KiB"), (1_023, "1023 KiB"), (1_024, "1.0 MiB"), (1_588, "1.5 MiB"), (3_218_736, "3.0 GiB"),
    ])
    func sizesAreForPeople(kibibytes: Int, text: String) {
        #expect(DebianPackage.size(kibibytes: kibibytes) == text)
    }

    @Test(arguments: [
        ("short", 10, "short"), ("0123456789", 10, "0123456789"), ("0123456789a", 10, "0123456…"),
        ("\"\"\"\"\"\"", 10, "\"\"\"…"), ("日本語日本語", 10, "日本…"), ("\u{2028}\u{2028}", 9, "\u{2028}…"),
    ])
    func aTextIsCutByItsBytesAsJSON(text: String, bytesMax: Int, cut: String) {
        #expect(text.shortened(toJSONBytes: bytesMax) == cut)
        #expect(cut.jsonBytes <= bytesMax)
    }
}

@Suite struct DebianIndexTests {
    private func changes(_ indexes: String...) throws -> [Change] {
        var index = DebianIndex(catalog: "debian")
        var found: [Change] = []
        for text in indexes {
            try index.changes(from: reader(of: text)) { change throws(StartFailure) in found.append(change) }
        }
        return found
    }

    private func summary(_ change: Change) throws -> String {
        let change = try json(text(change))
        let row = change["category"] ?? change["item"]
        let at = change["at"].map { $0.string ?? "before \($0["before"]?.string ?? "?")" }
        return [change["op"]?.string, row?["id"]?.string, at].compactMap { $0 }.joined(separator: " ")
    }

    @Test func sectionsComeInAlphabeticalOrderAndBeforeTheirPackages() throws {
        let found = try changes(
            """
            Package: a
            Section: net

            Package: b
            Section: admin

            Package: c
            Section: contrib/games

            Package: d
            Section: net

            Package: e
            """)
        #expect(
            try found.map(summary) == [
                "putCatalog", "putCategory net last", "putItem a", "putCategory admin before net",
                "putItem b",
                "putCategory contrib/games last", "putItem c", "putItem d",
                "putCategory unknown before contrib/games", "putItem e",
            ])
        #expect(found.map(\.line) == [1, 1, 1, 4, 4, 7, 7, 10, 13, 13])
        #expect(found.allSatisfy { $0.catalog == "debian" && $0.isRow })
        #expect(try json(text(found[5]))["category"]?["section"]?.string == "contrib")
    }

    @Test func aPackageIsTakenInItsNewestVersion() throws {
        let found = try changes(
            "Package: a\nSection: net\nVersion: 1.9\n", "Package: a\nSection: net\nVersion: 1.10\n",
            "Package: a\nSection: net\nVersion: 1.2\n", "Package: a\nSection: net\nVersion: 1.10\n")
        #expect(try found.map(summary) == ["putCatalog", "putCategory net last", "putItem a", "putItem a"])
    }

    @Test func aLongDescriptionIsTakenFromTheTranslations() throws {
        let found = try changes(
            "Package: a\nDescription-md5: 1f\nDescription-en: Short\n Long\n text.\n",
            "Package: a\nDescription: Short\nDescription-md5: 1f\n\nPackage: b\nDescription-md5: 2f\n")
        #expect(
            try found.map(summary) == ["putCatalog", "putCategory unknown last", "putItem a", "putItem b"])
        #expect(text(found[2]).contains(#"{"kind":"text","text":"Long text."}"#))
        #expect(!text(found[3]).contains("Long"))
    }

    @Test func thereAreNeverMoreSectionsThanACatalogTakes() throws {
        let found = try changes(
            (0..<700).map { "Package: p\($0)\nSection: s\($0)\n" }.joined(separator: "\n"))
        let categories = found.filter { text($0).contains("putCategory") }
        #expect(categories.count == Limits.categoriesMax)
        #expect(found.count == 1 + Limits.categoriesMax + 700)
        #expect(text(found[found.count - 1]).contains(#""categories":["other"]"#))
    }

    @Test func aParagraphWithoutANameIsNamed() {
        let message = failure { () throws(StartFailure) in
            var index = DebianIndex(catalog: "debian")
            try index.changes(from: reader(of: "Package: a\n\nVersion: 1\n")) { _ throws(StartFailure) in }
        }
        #expect(message == "test:3: a paragraph without a package's name")
    }
}
