import JSON
@testable import Shared
import TestSupport
import Testing

@testable import SelectionService

@Suite struct ReadingTests {
    @Test(arguments: [
        (#"5"#, "/event"), (#""select""#, "/event"), (#"[]"#, "/event"), (#"null"#, "/event"),
        (#"{}"#, "/event/type"), (#"{"type":"explode"}"#, "/event/type"), (#"{"type":5}"#, "/event/type"),
        (#"{"type":"select","id":"A"}"#, "/event/column"),
        (#"{"type":"select","column":"middle","id":"A"}"#, "/event/column"),
        (#"{"type":"select","column":"content","id":7}"#, "/event/id"),
        (#"{"type":"select","column":"content"}"#, "/event/id"),
        (#"{"type":"select","column":"content","id":""}"#, "/event/id"),
        (#"{"type":"select","column":"content","id":"a","ids":["b"]}"#, "/event/ids"),
        (#"{"type":"select","column":"content","ids":["a",1]}"#, "/event/ids/1"),
        (#"{"type":"select","column":"content","ids":"a"}"#, "/event/ids"),
        (#"{"type":"push","column":"detail"}"#, "/event/id"),
        (#"{"type":"pop","column":"detail","count":0}"#, "/event/count"),
        (#"{"type":"pop","column":"detail","count":-1}"#, "/event/count"),
        (#"{"type":"pop","column":"detail","count":1.5}"#, "/event/count"),
        (#"{"type":"setPath","column":"detail"}"#, "/event/path"),
        (#"{"type":"back","collapsed":1}"#, "/event/collapsed"),
        (#"{"type":"setVisibility","visibility":"some"}"#, "/event/visibility"),
        (#"{"type":"setStyle"}"#, "/event/style"),
        (#"{"type":"setWidth","column":"sidebar"}"#, "/event/width"),
        (#"{"type":"setWidth","column":"sidebar","width":0.5}"#, "/event/width"),
        (#"{"type":"setWidth","column":"sidebar","width":10001}"#, "/event/width"),
        (#"{"type":"setWidth","column":"sidebar","width":1e400}"#, "/event/width"),
        (#"{"type":"search"}"#, "/event/text"), (#"{"type":"search","text":5}"#, "/event/text"),
        (#"{"type":"search","text":"","scope":"all"}"#, "/event/scope"),
        (#"{"type":"sort","by":"colour","descending":false}"#, "/event/by"),
        (#"{"type":"sort","by":"title"}"#, "/event/descending"),
        (#"{"type":"open","query":{"text":1}}"#, "/event/query/text"),
        (#"{"type":"open","query":{"texts":""}}"#, "/event/query/texts"),
        (#"{"type":"reset","bogus":1}"#, "/event/bogus"),
        (#"{"type":"reset","type":"reset"}"#, "/event/type"),
    ])
    func anUnknownShapeIsRefusedWithItsPath(_ event: String, _ path: String) {
        #expect {
            try Window.read(event)
        } throws: { error in
            let error = error as? RPCError
            return error?.reason == .invalidParams && error?.path == path
        }
    }

    @Test(arguments: [
        #"{"session":"s","event":{"type":"select","column":"content","id":"a"}}"#,
        #"{"session":"s","event":{"type":"reset"},"catalog":"c","expectedRevision":1}"#,
    ])
    func whatComesAgainIsReadOnce(_ text: String) throws {
        let params = try JSONParser(depthMax: 8).parse(Array(text.utf8)).root
        func request(_ number: UInt64, _ recurrence: Recurrence?) -> Request {
            Request(
                token: RequestToken(number), connection: ConnectionID(1), method: "selection.send",
                params: params, deadline: 0, recurrence: recurrence)
        }
        let recurrence = Recurrence()
        #expect(Send.remembered(for: request(1, recurrence)) == nil)
        let first = try Send.read(request(1, recurrence))
        #expect(Send.remembered(for: request(2, recurrence)) === first)
        #expect(Send.remembered(for: request(3, nil)) == nil)
        let other = try Send.read(request(3, nil))
        #expect(other !== first && other.session == first.session && other.event == first.event)
        #expect(other.catalog == first.catalog && other.expectedRevision == first.expectedRevision)
    }

    @Test func whatIsPastABoundIsNotPossible() {
        let ids = (0...1_000).map { "\"\($0)\"" }.joined(separator: ",")
        let path = Array(repeating: "\"a\"", count: 65).joined(separator: ",")
        let text = String(repeating: "x", count: 1_025)
        let quotes = String(repeating: #"\""#, count: 513)  // two bytes each as JSON
        for (event, place) in [
            (#"{"type":"select","column":"content","ids":[\#(ids)]}"#, "/event/ids"),
            (#"{"type":"setPath","column":"detail","path":[\#(path)]}"#, "/event/path"),
            (#"{"type":"open","path":[\#(path)]}"#, "/event/path"),
            (#"{"type":"search","text":"\#(text)"}"#, "/event/text"),
            (#"{"type":"search","text":"\#(quotes)"}"#, "/event/text"),
            (#"{"type":"open","query":{"text":"\#(text)"}}"#, "/event/query/text"),
        ] {
            #expect {
                try Window.read(event)
            } throws: { error in
                let error = error as? RPCError
                return error?.reason == .notPossible && error?.path == place
            }
        }
    }

    @Test func whatReachesABoundIsPossible() throws {
        let ids = (1...1_000).map { "\"\($0)\"" }.joined(separator: ",")
        let path = Array(repeating: "\"a\"", count: 64).joined(separator: ",")
        let text = String(repeating: "x", count: 1_024)
        let quotes = String(repeating: #"\""#, count: 512)
        for event in [
            #"{"type":"select","column":"content","ids":[\#(ids)]}"#,
            #"{"type":"setPath","column":"detail","path":[\#(path)]}"#,
            #"{"type":"search","text":"\#(text)"}"#, #"{"type":"search","text":"\#(quotes)"}"#,
            #"{"type":"setWidth","column":"sidebar","width":1}"#,
            #"{"type":"setWidth","column":"sidebar","width":10000}"#,
        ] { _ = try Window.read(event) }
    }

    @Test(arguments: [
        (
            #"{"type":"select","column":"sidebar","id":null}"#,
            NavigationEvent.select(.sidebar, Choice(ids: []))
        ),
        (
            #"{"type":"select","column":"content","id":null,"ids":["a","b","a"]}"#,
            .select(.content, Choice(ids: ["a", "b"], isList: true))
        ),
        (#"{"type":"pop","column":"detail","count":null}"#, .pop(.detail, count: 1)),
        (#"{"type":"popToRoot","column":"content"}"#, .setPath(.content, [])),
        (#"{"type":"search","text":"x"}"#, .search(Query(text: "x", scope: .category))),
        (#"{"type":"setWidth","column":"detail","width":null}"#, .setWidth(.detail, nil)),
        (
            #"{"type":"open","query":{"scope":"catalog"}}"#,
            .open(category: nil, item: nil, path: [], query: Query(text: "", scope: .catalog))
        ),
    ])
    func whatIsLeftOutHasItsDefault(_ text: String, _ event: NavigationEvent) throws {
        #expect(try Window.read(text) == event)
    }

    @Test func composedAndDecomposedIdsAreTwo() throws {
        let event = try Window.read(#"{"type":"select","column":"content","ids":["\u00e9","e\u0301"]}"#)
        #expect(event == .select(.content, Choice(ids: ["\u{e9}", "e\u{301}"], isList: true)))
        #expect(event != .select(.content, Choice(ids: ["\u{e9}", "\u{e9}"], isList: true)))
    }

    /// What is read in one go is what is read closely, whatever else is in it, in whatever order.
    @Test func aPlainSelectIsReadAsAnyOtherEvent() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        let parser = JSONParser(depthMax: 64)
        func object(_ members: [String]) -> String {
            var some = members.filter { _ in Int.random(in: 0..<12, using: &random) > 0 }
            if Int.random(in: 0..<12, using: &random) == 0 { some += members.prefix(1) }
            return "{" + some.shuffled(using: &random).joined(separator: ",") + "}"
        }
        func one(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
        var plainCount = 0
        for _ in 0..<4_000 {
            let others = [#""ids":["a"]"#, #""column":"detail""#, #""id":null"#, #""x":1"#]
            let event = object(
                [
                    #""type":\#(one([#""select""#, #""select""#, #""push""#, "1", #""\u0073elect""#]))"#,
                    #""column":\#(one([#""content""#, #""sidebar""#, #""detail""#, #""middle""#, "null"]))"#,
                    #""id":\#(one([#""a""#, #""\u00e9\n""#, #""""#, "7", "null"]))"#,
                ] + (Int.random(in: 0..<9, using: &random) == 0 ? [one(others)] : []))
            let more = [
                #""catalog":"c""#, #""expectedRevision":1"#, #""_meta":{"deadlineMs":1}"#, #""y":[]"#,
            ]
            let text = object(
                [#""session":\#(one([#""s""#, #""s""#, "null", "[]"]))"#, #""event":\#(event)"#]
                    + (Int.random(in: 0..<3, using: &random) == 0 ? [one(more)] : []))
            let params = try parser.parse(Array(text.utf8)).root
            guard let plain = Send.plain(params) else { continue }
            plainCount += 1
            let read = try Send.closely(params)
            #expect(read.session == plain.session && read.event == plain.event, "seed \(seed): \(text)")
            #expect(read.catalog == nil && read.expectedRevision == nil, "seed \(seed): \(text)")
        }
        #expect(plainCount > 30, "seed \(seed)")
    }
}
