import JSON
import Shared
import TestSupport
import Testing

@Suite struct HeldWindowTests {
    /// Item `x` is in both categories; in the list of all it comes first, and last.
    private static let changes =
        #"{"op":"putCatalog","title":"N","columns":2},"#
        + ["A", "B"].map { #"{"op":"putCategory","category":{"id":"\#($0)","title":"\#($0)"}},"# }.joined()
        + #"{"op":"putItem","item":{"id":"x","title":"x","categories":["A"]}},"#
        + ["1", "2", "3", "4", "5"].map {
            #"{"op":"putItem","item":{"id":"a\#($0)","title":"a","categories":["A"]}},"#
        }.joined()
        + #"{"op":"putItem","item":{"id":"b1","title":"b","categories":["B"]}},"#
        + #"{"op":"putItem","item":{"id":"x","title":"x","categories":["A","B"]}}"#

    @Test func aWindowAtTheEndIsFilledFromTheEndThoughItsLastItemIsFurtherUpToo() throws {
        let harness = try Harness()
        defer { harness.finish() }
        try harness.serveProduct()
        _ = try harness.connect("catalog").call(
            "catalog.apply", #"{"catalog":"n","changes":[\#(Self.changes)]}"#)
        let client = try harness.connect("gateway")
        let id = try client.call("view.subscribe", #"{"limit":3}"#)["subscription"]?.text ?? ""
        func page() throws -> JSONValue? {
            try client.call("view.get", #"{"subscription":\#(id)}"#)["view"]?["sidebar"]?["page"]
        }
        for _ in 0..<2 {
            let after = try page()?["after"]?.text ?? ""
            _ = try client.call("view.scroll", #"{"subscription":\#(id),"after":\#(after)}"#)
        }
        #expect(try page()?["first"]?.int == 6)
        _ = try client.call(
            "view.send",
            #"{"subscription":\#(id),"event":{"type":"setWidth","column":"sidebar","width":300}}"#)
        #expect(try page()?["first"]?.int == 5)
    }

    @Test func aWindowGoesToWhatWasChosenWhileTheCatalogWasAway() throws {
        let harness = try Harness()
        defer { harness.finish() }
        try harness.serveProduct()
        let items = (0..<9).map {
            #"{"op":"putItem","item":{"id":"a\#($0)","title":"a","categories":["A"]}}"#
        }
        let catalog =
            [#"{"op":"putCatalog","title":"M"},{"op":"putCategory","category":{"id":"A","title":"A"}}"#]
            + items
        _ = try harness.connect("catalog").call(
            "catalog.apply", #"{"catalog":"m","changes":[\#(catalog.joined(separator: ","))]}"#)
        let client = try harness.connect("gateway")
        for event in [
            #""select","column":"sidebar","id":"A""#, #""select","column":"content","id":"a8""#,
            #""select","column":"content","id":"a0""#,
        ] {
            _ = try client.call("view.send", #"{"event":{"type":\#(event)}}"#)
        }
        let id = try client.call("view.subscribe", #"{"limit":3}"#)["subscription"]?.text ?? ""
        try harness.stop("catalog")
        try harness.until("the gateway knows") {
            (try? client.call("rpc.health")["status"]?.string) == "degraded"
        }
        _ = try client.call("view.send", #"{"subscription":\#(id),"event":{"type":"historyBack"}}"#)
        try harness.serveCatalog()
        func content() -> JSONValue? {
            try? client.call("view.get", #"{"subscription":\#(id)}"#)["view"]?["content"]
        }
        try harness.until("the catalog is shown again") { content()?["status"]?.string == "ready" }
        #expect(content()?["rows"]?.elements.map { $0["id"]?.string } == ["a6", "a7", "a8"])
        #expect(content()?["page"]?["selectedIndex"]?.int == 8)
    }
}
