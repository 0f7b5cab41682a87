import JSON
import TestSupport
import Testing

@testable import Shared

@Suite struct MessageTests {
    private func message(_ text: String) throws -> String {
        switch Message(try JSONParser(depthMax: 64).parse(Array(text.utf8)).root) {
        case .request(let id, let method, let params):
            "request \(String(decoding: id, as: UTF8.self)) \(method) \(params?.text ?? "-")"
        case .notification(let method): "notification \(method)"
        case .response: "response"
        case .invalid(let id, let error): "\(error.reason.rawValue) \(String(decoding: id, as: UTF8.self))"
        }
    }

    @Test(arguments: [
        (#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}"#, #"request 1 m {"a":1}"#),
        (#"{"jsonrpc":"2.0","id":1.0,"method":"m","params":null}"#, "request 1.0 m -"),
        (#"{"jsonrpc":"2.0","id":"a\/b","method":"m"}"#, #"request "a\/b" m -"#),
        (#"{"jsonrpc":"2.0","id":null,"method":"m","extra":1}"#, "request null m -"),
        (
            #"{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"m"}"#,
            "request 123456789012345678901234567890 m -"
        ),
        (#"{"jsonrpc":"2.0","method":"m","params":[1]}"#, "notification m"),
        (#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "response"),
        (#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#, "response"),
        (#"{}"#, "invalid_request null"), (#"1"#, "invalid_request null"), (#"[]"#, "invalid_request null"),
        (#"{"id":3,"method":"m"}"#, "invalid_request 3"),
        (#"{"jsonrpc":"1.0","id":3,"method":"m"}"#, "invalid_request 3"),
        (#"{"jsonrpc":2.0,"id":3,"method":"m"}"#, "invalid_request 3"),
        (#"{"jsonrpc":"2.0","id":3,"method":5}"#, "invalid_request 3"),
        (#"{"jsonrpc":"2.0","id":3}"#, "invalid_request 3"),
        (#"{"jsonrpc":"2.0","id":3,"method":"m","params":"bar"}"#, "invalid_request 3"),
        (#"{"jsonrpc":"2.0","id":3,"method":"m","params":[]}"#, "invalid_params 3"),
        (#"{"jsonrpc":"2.0","id":true,"method":"m"}"#, "invalid_request null"),
        (#"{"jsonrpc":"2.0","id":[],"method":"m"}"#, "invalid_request null"),
        (#"{"jsonrpc":"2.0","id":3,"method":"m","result":1}"#, "invalid_request 3"),
        (#"{"jsonrpc":"2.0","id":3,"id":4,"method":"m"}"#, "invalid_request null"),
        (#"{"jsonrpc":"2.0","id":3,"method":"m","params":{},"params":{}}"#, "invalid_request null"),
    ])
    func anEnvelopeIsWhatTheSpecificationSays(line: String, what: String) throws {
        #expect(try message(line) == what)
    }

    @Test func anIdHasAtMost128BytesUnescaped() throws {
        let fits = String(repeating: "\\u006b", count: 128)
        #expect(try message(#"{"jsonrpc":"2.0","id":"\#(fits)","method":"m"}"#) == #"request "\#(fits)" m -"#)
        let long = String(repeating: "k", count: 129)
        #expect(try message(#"{"jsonrpc":"2.0","id":"\#(long)","method":"m"}"#) == "invalid_request null")
    }
}

@Suite struct ObjectReaderTests {
    private func params(_ text: String) throws -> JSONValue {
        try JSONParser(depthMax: 64).parse(Array(text.utf8)).root
    }

    private func path(_ text: String, _ read: (inout ObjectReader) throws -> Void) throws -> String? {
        do {
            var reader = try ObjectReader(params(text))
            try read(&reader)
            try reader.finish()
            return nil
        } catch let error as RPCError {
            #expect(error.reason == .invalidParams)
            return error.path
        }
    }

    @Test func whatIsReadIsTyped() throws {
        var reader = try ObjectReader(
            params(
                #"{"id":"x","n":5.0,"d":1.5,"f":true,"w":"all","none":null,"ids":["a","b"],"o":{"k":1},"_meta":{}}"#
            ))
        #expect(try reader.identifier("id") == "x")
        #expect(try reader.int("n", in: 1...5) == 5)
        #expect(try reader.double("d", in: 1...2) == 1.5)
        #expect(try reader.bool("f") == true)
        #expect(try reader.word("w", Visibility.self) == .all)
        #expect(try reader.string("none") == nil)
        #expect(try reader.optionalIdentifiers("ids") == ["a", "b"])
        var inner = try #require(try reader.object("o"))
        #expect(try inner.int("k", in: 0...9) == 1)
        try inner.finish()
        try reader.finish()
    }

    @Test func aRefusalNamesTheMember() throws {
        #expect(try path(#"{"x":1}"#) { _ in } == "/x")
        #expect(try path(#"{"a/b~c":1}"#) { _ in } == "/a~1b~0c")
        #expect(try path(#"{"id":"a","id":"b"}"#) { _ = try $0.identifier("id") } == "/id")
        #expect(try path("{}") { _ = try $0.identifier("id") } == "/id")
        #expect(try path(#"{"id":null}"#) { _ = try $0.identifier("id") } == "/id")
        #expect(try path(#"{"id":""}"#) { _ = try $0.identifier("id") } == "/id")
        #expect(try path(#"{"n":1.5}"#) { _ = try $0.int("n", in: 0...9) } == "/n")
        #expect(try path(#"{"n":10}"#) { _ = try $0.int("n", in: 0...9) } == "/n")
        #expect(try path(#"{"n":1e400}"#) { _ = try $0.double("n", in: 0...9) } == "/n")
        #expect(try path(#"{"ids":["a",5]}"#) { _ = try $0.optionalIdentifiers("ids") } == "/ids/1")
        #expect(try path(#"{"o":{"p":1}}"#) { try $0.object("o")?.finish() } == "/o/p")
        #expect(try path(#"{"w":"x"}"#) { _ = try $0.word("w", Style.self) } == "/w")
    }

    @Test func anObjectHasAtMost64Members() throws {
        func object(_ count: Int) -> String {
            "{" + (0..<count).map { #""m\#($0)":1"# }.joined(separator: ",") + "}"
        }
        // The members are unknown, which is said of the first of them; beyond the bound of the whole.
        #expect(try path(object(Limits.paramMembersMax)) { _ in } == "/m0")
        #expect(try path(object(Limits.paramMembersMax + 1)) { _ in } == "")
    }

    @Test func aDeadlineIsAtMost300Seconds() throws {
        func deadline(_ milliseconds: Int) throws -> Int? {
            try Meta(params(#"{"_meta":{"deadlineMs":\#(milliseconds)}}"#)).deadlineMs
        }
        #expect(try deadline(0) == 0)
        #expect(try deadline(Limits.deadlineMsMax) == 300_000)
        for wrong in [-1, Limits.deadlineMsMax + 1] {
            #expect((#expect(throws: RPCError.self) { try deadline(wrong) })?.path == "/_meta/deadlineMs")
        }
    }

    @Test func anIdHasOneTo128Bytes() throws {
        let fits = String(repeating: "é", count: 64)
        #expect(try path(#"{"id":"\#(fits)"}"#) { _ = try $0.identifier("id") } == nil)
        #expect(try path(#"{"id":"\#(fits)x"}"#) { _ = try $0.identifier("id") } == "/id")
    }

    @Test func idsAreComparedByteForByte() {
        let (composed, decomposed): (Identifier, Identifier) = ("\u{E9}", "e\u{301}")
        #expect(composed.text == decomposed.text)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(decomposed < composed)
    }
}
