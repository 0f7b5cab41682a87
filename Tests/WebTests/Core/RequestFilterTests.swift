import JSON
import Testing

@testable import Web

/// What a browser's messages become.
@Suite struct RequestFilterTests {
    private let filter = RequestFilter { catalog in
        "own" + (catalog.map { "-" + String(decoding: $0, as: UTF8.self) } ?? "")
    }

    private func forwarded(_ message: String) -> String? {
        guard case .forward(let line) = filter(Array(message.utf8)) else { return nil }
        return String(decoding: line, as: UTF8.self)
    }

    private func refusal(_ message: String) throws -> (id: String, code: Int, reason: String, path: String?)?
    {
        guard case .answer(let line) = filter(Array(message.utf8)) else { return nil }
        let answer = try JSONParser(depthMax: 64).parse(line).root
        let error = try #require(answer["error"])
        return (
            String(decoding: answer["id"]?.raw ?? [], as: UTF8.self), error["code"]?.int ?? 0,
            error["data"]?["reason"]?.string ?? "", error["data"]?["path"]?.string
        )
    }

    @Test func aBrowserGetsItsOwnSession() {
        #expect(
            forwarded(#"{"jsonrpc":"2.0","id":1,"method":"view.get"}"#)
                == #"{"jsonrpc":"2.0","id":1,"method":"view.get","params":{"session":"own"}}"#)
        #expect(
            forwarded(
                #"{"jsonrpc":"2.0","id":"a","method":"view.subscribe","params":{"width":390,"catalog":"bands"}}"#
            )
                == #"{"jsonrpc":"2.0","id":"a","method":"view.subscribe","params":{"width":390,"catalog":"bands","session":"own-bands"}}"#
        )
    }

    @Test func itMayNameItsOwnSession() {
        #expect(
            forwarded(
                #"{"jsonrpc":"2.0","id":1,"method":"view.send","params":{"session":"own","event":{"type":"reset"}}}"#
            )
                == #"{"jsonrpc":"2.0","id":1,"method":"view.send","params":{"event":{"type":"reset"},"session":"own"}}"#
        )
    }

    @Test func aSubscriptionIsOfASessionAlready() {
        for method in ["view.get", "view.send", "view.resize", "view.scroll", "view.unsubscribe"] {
            #expect(
                forwarded(
                    #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"subscription":"s1","x":1}}"#)
                    == #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"subscription":"s1","x":1}}"#
            )
        }
    }

    /// Whatever else it says: the gateway would take the session of everybody for one that names none.
    @Test func whoSubscribesAlwaysNamesItsSession() {
        #expect(
            forwarded(#"{"jsonrpc":"2.0","id":1,"method":"view.subscribe","params":{"subscription":"s1"}}"#)
                == #"{"jsonrpc":"2.0","id":1,"method":"view.subscribe","params":{"subscription":"s1","session":"own"}}"#
        )
        #expect(
            forwarded(
                #"{"jsonrpc":"2.0","id":1,"method":"view.get","params":{"subscription":null,"subscription":"s1"}}"#
            )
                == #"{"jsonrpc":"2.0","id":1,"method":"view.get","params":{"subscription":null,"subscription":"s1","session":"own"}}"#
        )
    }

    @Test(arguments: [
        #"{"session":"other"}"#, #"{"s\u0065ssion":"other"}"#, #"{"session":"own","session":"other"}"#,
        #"{"session":7}"#,
        #"{"subscription":"s1","session":"other"}"#, #"{"catalog":"bands","session":"own"}"#,
    ])
    func anotherSessionIsRefused(params: String) throws {
        let refusal = try refusal(#"{"jsonrpc":"2.0","id":1,"method":"view.get","params":\#(params)}"#)
        #expect(try #require(refusal) == ("1", -32006, "permission_denied", "/session"))
    }

    @Test(arguments: [
        "catalog.drop", "selection.list", "rpc.info", "rpc.connections", "layout.resolve", "", "VIEW.get",
        "view",
    ])
    func otherMethodsAreRefused(method: String) throws {
        let refusal = try refusal(#"{"jsonrpc":"2.0","id":7,"method":"\#(method)"}"#)
        #expect(try #require(refusal) == ("7", -32006, "permission_denied", nil))
    }

    @Test func aViewMethodThatIsNotKnownHereIsNone() throws {
        #expect(
            try #require(try refusal(#"{"jsonrpc":"2.0","id":7,"method":"view.nonsense"}"#))
                == ("7", -32601, "method_not_found", nil))
    }

    @Test(arguments: [
        (#"{"#, -32700, "parse_error"),
        (#"[{"jsonrpc":"2.0","id":1,"method":"view.get"}]"#, -32600, "invalid_request"),
        ("[]", -32600, "invalid_request"), ("7", -32600, "invalid_request"), ("", -32700, "parse_error"),
        (#"{"jsonrpc":"2.0","id":1,"method":"view.get"} {}"#, -32700, "parse_error"),
        (#"{"jsonrpc":"2.0","id":1,"id":2,"method":"view.get"}"#, -32600, "invalid_request"),
        (
            #"{"jsonrpc":"2.0","id":null,"method":"view.get","params":{},"params":{"session":"other"}}"#,
            -32600,
            "invalid_request"
        ),
        ("\u{FEFF}{}", -32700, "parse_error"),
    ])
    func whatIsNoRequestIsRefused(message: String, code: Int, reason: String) throws {
        #expect(try #require(try refusal(message)) == ("null", code, reason, nil))
    }

    @Test func paramsAreNamed() throws {
        let message = #"{"jsonrpc":"2.0","id":7,"method":"view.get","params":["other"]}"#
        #expect(try #require(try refusal(message)) == ("7", -32602, "invalid_params", ""))
    }

    @Test func whatAsksForNothingGetsNothing() {
        #expect(filter(Array(#"{"jsonrpc":"2.0","method":"view.get"}"#.utf8)) == .nothing)
        #expect(filter(Array(#"{"jsonrpc":"2.0","id":1,"result":{}}"#.utf8)) == .nothing)
    }

    @Test func oneMessageIsOneLine() {
        let line = forwarded(
            "{\"jsonrpc\":\"2.0\",\n\"id\":1,\r\n\"method\":\"view.get\",\"params\":{\"a\":[1,\n2]}}")
        #expect(
            line == #"{"jsonrpc":"2.0","id":1,"method":"view.get","params":{"a":[1, 2],"session":"own"}}"#)
    }

    @Test func unknownMembersPass() {
        #expect(
            forwarded(
                #"{"jsonrpc":"2.0","id":1,"method":"view.get","params":{"_meta":{"deadlineMs":9},"\u0000":null}}"#
            )
                == #"{"jsonrpc":"2.0","id":1,"method":"view.get","params":{"_meta":{"deadlineMs":9},"\u0000":null,"session":"own"}}"#
        )
    }
}
