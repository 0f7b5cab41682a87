import JSON
import Shared
import Testing

@testable import Gateway

@Suite struct DetailTests {
    @Test(arguments: [
        ([], [], "noSelection nil 0 Nothing Selected"), (["a1"], [], "ready a1 1 nil"),
        (["a1", "a2"], [], "multiple nil 2 nil"), (["gone"], [], "missing gone 1 No Longer There"),
        (["a1"], ["b1", "b2"], "ready b2 1 nil"), ([], ["b1"], "ready b1 0 nil"),
        (["a1", "a2"], ["b1"], "ready b1 2 nil"), (["a1"], ["gone"], "missing gone 1 No Longer There"),
    ])
    func status(_ items: [String], _ path: [String], _ expected: String) throws {
        let peers = TestPeers()
        peers.at(category: "A", items: items, detailPath: path)
        let detail = try view(peers)["detail"]
        let found = [
            detail?["status"]?.string, detail?["id"]?.string, detail?["selectedCount"]?.int.map { "\($0)" },
            detail?.at("placeholder", "title")?.string,
        ]
        #expect(found.map { $0 ?? "nil" }.joined(separator: " ") == expected)
        #expect(detail?["path"]?.strings("id") == path)
        #expect(detail?["blocks"]?.isNull == false)
    }

    @Test func linksPushWhatIsKnownAndBlocksPassAsTheyAre() throws {
        let peers = TestPeers()
        peers.catalog.items[0].blocks =
            #"[{"kind":"fields","fields":[{"label":"L","value":"\u00e9"}]},{"kind":"links","links":["#
            + #"{"title":"To b1","item":"b1"},{"title":"Nowhere","item":"x","known":false}]}]"#
        peers.at(category: "A", items: ["a1"])
        #expect(
            try view(peers).at("detail", "blocks")?.written
                == #"[{"kind":"fields","fields":[{"label":"L","value":"\u00e9"}]},{"kind":"links","links":["#
                + #"{"title":"To b1","item":"b1","event":{"type":"push","column":"detail","id":"b1"}},"#
                + #"{"title":"Nowhere","item":"x","event":null}]}]"#)
    }

    @Test func pathElementsHaveTitles() throws {
        let peers = TestPeers()
        peers.at(category: "A", items: ["a1"], detailPath: ["b1", "gone", "b1", "b2"])
        #expect(
            try view(peers).at("detail", "path")?.written
                == #"[{"id":"b1","title":"Title b1"},{"id":"gone","title":null},"#
                + #"{"id":"b1","title":"Title b1"},{"id":"b2","title":"Title b2"}]"#)
    }

    @Test func lineSeparatorsOfACatalogAreEscaped() throws {
        let peers = TestPeers()
        peers.catalog.items[0].blocks = "[{\"kind\":\"text\",\"text\":\"a\u{2028}b\"}]"
        peers.at(category: "A", items: ["a1"])
        #expect(
            try view(peers).at("detail", "blocks")?.written == #"[{"kind":"text","text":"a\u2028b"}]"#)
    }
}
