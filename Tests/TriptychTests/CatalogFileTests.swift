import Shared
import Testing

@testable import Triptych

@Suite struct CatalogFileTests {
    private func changes(_ text: String, catalog: String? = nil) throws(StartFailure) -> [Change] {
        var found: [Change] = []
        try CatalogFile(Array(text.utf8), name: "x.json", catalog: catalog).changes {
            change throws(StartFailure) in
            found.append(change)
        }
        return found
    }

    private static let file = """
        {
          "items": [
            {"id": "x", "title": "Ex",
             "categories": ["A"]}
          ],
          "catalog": {"id": "one", "title": "One", "columns": 3},
          "categories": [
            {"id": "A", "title": "A\\u0079"}]
        }
        """

    @Test func theCatalogComesFirstThenCategoriesThenItems() throws {
        let found = try changes(Self.file)
        #expect(
            found.map(text) == [
                #"{"op":"putCatalog","title":"One","columns":3}"#,
                #"{"op":"putCategory","category":{"id":"A","title":"A\u0079"}}"#,
                #"{"op":"putItem","item":{"id":"x","title":"Ex","categories":["A"]}}"#,
            ])
        #expect(found.map(\.line) == [6, 8, 3])
        #expect(found.map(\.catalog) == ["one", "one", "one"])
        #expect(try changes(Self.file, catalog: "two").map(\.catalog) == ["two", "two", "two"])
    }

    @Test(arguments: [
        ("{\n\"items\": [\n1,]}", "x.json:3: no JSON: a value is expected"),
        ("{\n\"catalog\": {},\n\"rows\": []}", "x.json:3: \"rows\" is none of catalog, categories and items"),
        ("{\"catalog\": {},\n\"items\": {}}", "x.json:2: \"items\" is a list"),
        ("{\"catalog\":\n1}", "x.json:2: \"catalog\" is an object"),
        ("{\"items\": []}", "x.json: a catalog file has {\"catalog\":{\"id\":...,\"title\":...}}"),
        ("[]", "x.json: a catalog file has {\"catalog\":{\"id\":...,\"title\":...}}"),
    ])
    func whatIsWrongIsNamedWithItsLine(text: String, message: String) {
        #expect(failure { () throws(StartFailure) in _ = try changes(text) } == message)
    }
}

@Suite struct ChangeLinesTests {
    private func changes(_ text: String, catalog: String? = nil) throws(StartFailure) -> [Change] {
        var found: [Change] = []
        var lines = ChangeLines(reader(of: text, name: "x.ndjson"), catalog: catalog)
        try lines.changes { change throws(StartFailure) in found.append(change) }
        return found
    }

    @Test func linesNameTheCatalogOfThoseThatFollow() throws {
        let found = try changes(
            """
            {"catalog":"a"}

            {"op": "deleteItem", "id": "x"}
            {"catalog":"b"}
            {"op":"putItem","item":{"id":"y"}}
            {"op":"putItem","item":{"id":"z"},"at":"first"}
            """)
        #expect(
            found == [
                Change(
                    catalog: "a", json: Array(#"{"op":"deleteItem","id":"x"}"#.utf8), line: 3, isRow: false),
                Change(
                    catalog: "b", json: Array(#"{"op":"putItem","item":{"id":"y"}}"#.utf8), line: 5,
                    isRow: true),
                Change(
                    catalog: "b", json: Array(#"{"op":"putItem","item":{"id":"z"},"at":"first"}"#.utf8),
                    line: 6,
                    isRow: false),
            ])
    }

    @Test(arguments: [
        (
            #"{"op":"x"}"#,
            "x.ndjson:1: no catalog is named: give --catalog ID, or a line {\"catalog\":\"ID\"} before it"
        ),
        ("{\"catalog\":\"a\"}\n{]", "x.ndjson:2: no JSON: at character 2: a name in quotes is expected"),
        ("\n[1]", "x.ndjson:2: neither a change with an \"op\" nor {\"catalog\":\"ID\"}"),
        (#"{"catalog":"a","x":1}"#, "x.ndjson:1: neither a change with an \"op\" nor {\"catalog\":\"ID\"}"),
    ])
    func aLineThatIsNoChangeIsNamed(text: String, message: String) {
        #expect(failure { () throws(StartFailure) in _ = try changes(text) } == message)
    }
}

@Suite struct InputFormatTests {
    @Test(arguments: [
        ("{\n \"catalog\": {\"id\":\"x\"}}", InputFormat.catalog),
        (#"{"catalog":{"id":"x"},"items":[]}"#, .catalog),
        (#"{"items":["#, .catalog), (#"{"catalog":"x"}"#, .changes),
        ("\n\n" + #"{"op":"putItem"}"# + "\n{}", .changes),
        (#"{"op":"putItem","item":{"id":"#, .changes), ("Package: a\n", .deb822),
        ("# by hand\nPackage: a", .deb822),
        ("", .changes),
    ])
    func aFormatIsToldByTheBeginning(text: String, format: InputFormat) {
        #expect(InputFormat.detect(Array(text.utf8)) == format)
    }
}
