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
}
