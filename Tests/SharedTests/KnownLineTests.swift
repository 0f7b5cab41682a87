import JSON
import Shared
import TestSupport
import Testing
import UV

/// Lines of a peer that somebody knows from their text: nobody reads them.
@Suite struct KnownLineTests {
    private let harness: Harness
    private let client: Client
    private let heard = Heard()

    private final class Heard {
        /// Results that were known, those that were read, and events that were.
        var known: [String] = []
        var read: [String] = []
        var events: [String] = []
        /// The ids of the calls that have come.
        var asked: [String] = []
    }

    init() throws {
        harness = try Harness()
        client = Client(
            name: "selection", path: harness.socket("selection"), loop: harness.loop,
            log: Log(service: "test", least: .error))
    }

    private func finish() {
        client.close()
        harness.finish()
    }

    /// Calls a method; its result is known if it is this text.
    private func call(_ method: String, knowing text: String) {
        client.call(
            method, deadline: harness.loop.now + 5_000,
            knows: { [heard] result in
                heard.known.append(String(decoding: result, as: UTF8.self))
                return result.elementsEqual(text.utf8)
            }
        ) { [heard] outcome in
            switch outcome {
            case .success(let result): heard.read.append(result.text)
            case .failure(let error): heard.read.append(error.reason.rawValue)
            }
        }
        client.flush()
    }

    /// A peer that only notes what it is asked, when there is a connection.
    private func silentPeer() throws -> MockService {
        let mock = try harness.mock("selection")
        mock.responder = { [heard] _, _, id in
            heard.asked.append(String(decoding: id, as: UTF8.self))
            return []
        }
        client.start()
        try harness.until("it is up") { client.isUp }
        return mock
    }

    @Test func aResultThatIsKnownIsNotRead() throws {
        defer { finish() }
        let mock = try silentPeer()
        for number in 0..<5 { call("\(number)", knowing: #"{"a":1}"#) }
        try harness.until("they are asked") { heard.asked.count == 5 }
        // The second one is another result; the third is written in a way that is always read; the fourth is a refusal.
        mock.send(#"{"jsonrpc":"2.0","id":\#(heard.asked[0]),"result":{"a":1}}"#)
        mock.send(#"{"jsonrpc":"2.0","id":\#(heard.asked[1]),"result":{"a":2}}"#)
        mock.send(#"{"jsonrpc":"2.0", "id":\#(heard.asked[2]),"result":{"a":1}}"#)
        mock.send(
            #"{"jsonrpc":"2.0","id":\#(heard.asked[3]),"error":{"code":1001,"message":"x","data":{"reason":"not_found"}}}"#
        )
        mock.send(#"{"jsonrpc":"2.0","id":\#(heard.asked[0]),"result":{"a":1}}"#)
        mock.send(#"{"jsonrpc":"2.0","id":\#(heard.asked[4]),"result":{"a":1}}"#)
        try harness.until("all are answered") { heard.known.count == 3 && heard.read.count == 3 }
        #expect(heard.known == [#"{"a":1}"#, #"{"a":2}"#, #"{"a":1}"#])
        #expect(heard.read == [#"{"a":2}"#, #"{"a":1}"#, "not_found"])
    }

    @Test func whoKnowsAResultMayCallAgainWhenAsManyWaitAsMay() throws {
        defer { finish() }
        let mock = try silentPeer()
        var again: [String] = []
        client.call(
            "first", deadline: harness.loop.now + 60_000,
            knows: { [client, harness] _ in
                again.append("called")
                client.call("again", deadline: harness.loop.now + 60_000) { outcome in
                    if case .failure(let error) = outcome { again.append(error.reason.rawValue) }
                }
                return true
            }
        ) { _ in }
        for _ in 1..<Limits.pendingPerPeerMax {
            client.call("other", deadline: harness.loop.now + 60_000) { _ in }
        }
        client.flush()
        try harness.until("the first is asked") { !heard.asked.isEmpty }
        mock.send(#"{"jsonrpc":"2.0","id":\#(heard.asked[0]),"result":{"a":1}}"#)
        try harness.until("it is answered") { !again.isEmpty }
        #expect(again == ["called"])
    }

    @Test func aCallWhoseResultNobodyKnewFailsWithTheConnection() throws {
        defer { finish() }
        let mock = try harness.mock("selection")
        mock.responder = { _, _, _ in [] }
        client.start()
        try harness.until("it is up") { client.isUp }
        call("a", knowing: "1")
        try harness.until("it is asked") { mock.received.count == 1 }
        mock.disconnect()
        try harness.until("it is over") { heard.read == ["upstream_unavailable"] }
        #expect(heard.known.isEmpty)
    }

    @Test func whatIsNotKnownHasToBeJSON() throws {
        defer { finish() }
        let mock = try harness.mock("selection")
        mock.responder = { _, _, id in
            [Array("{\"jsonrpc\":\"2.0\",\"id\":".utf8) + id + Array(",\"result\":x}".utf8)]
        }
        var downs = 0
        client.onDown = { downs += 1 }
        client.start()
        try harness.until("it is up") { client.isUp }
        call("a", knowing: "1")
        try harness.until("it is left") { downs == 1 }
        #expect(heard.known == ["x"] && heard.read == ["upstream_unavailable"])
    }

    @Test func anEventThatIsKnownIsNotRead() throws {
        defer { finish() }
        let mock = try harness.mock("selection")
        client.onEvent = { [heard] method, params in heard.events.append("\(method) \(params.text)") }
        client.onKnownEvent = { line in line.last == 0x7D && line.dropLast(2).last == 0x31 }
        client.start()
        try harness.until("it is up") { client.isUp }
        for number in 1...3 { mock.send(#"{"jsonrpc":"2.0","method":"e","params":[\#(number)]}"#) }
        try harness.until("they are heard") { heard.events.count == 2 }
        #expect(heard.events == ["e [2]", "e [3]"])
    }
}

/// Texts that are taken apart without a parser.
@Suite struct TextScannerTests {
    private func scanner(_ text: String) -> TextScanner {
        // A part of something longer: what lies around it is never looked at.
        let around = Array("12\"\(text)34\"".utf8)
        return TextScanner(around[3..<around.count - 3])
    }

    private func rest(_ scanner: TextScanner) -> String { String(decoding: scanner.rest, as: UTF8.self) }

    @Test func whatIsExpectedIsTakenFromBothEnds() {
        var text = scanner("{\"a\":1}")
        #expect(!text.skip("{\"b") && !text.skip("{\"a\":1},") && text.skip("{\"a\":"))
        #expect(!text.skipLast("2}") && !text.skipLast("\"a\":1}") && text.skipLast("}"))
        #expect(rest(text) == "1" && !text.skip("12") && text.skip("1") && text.skip("") && text.skipLast(""))
        #expect(text.rest.isEmpty && !text.skip("3"))
    }

    @Test(arguments: [
        ("0", 0, ""), ("7,", 7, ","), ("123456789012345678}", 123_456_789_012_345_678, "}"),
        ("12a", 12, "a"),
    ])
    func aWholeNumberIsTaken(_ text: String, _ number: Int, _ rest: String) {
        var scanner = scanner(text)
        #expect(scanner.number() == number && self.rest(scanner) == rest)
    }

    @Test(arguments: ["", "-1", "01", "00", "1234567890123456789", "x", "\"1\""])
    func whatIsNoSuchNumberIsLeft(_ text: String) {
        var scanner = scanner(text)
        #expect(scanner.number() == nil && rest(scanner) == text)
    }

    @Test func aStringWithoutEscapesIsTaken() {
        var text = scanner(#""""ä,b" "c\"d" "e"#)
        #expect(text.string()?.isEmpty == true)
        #expect(text.string().map { String(decoding: $0, as: UTF8.self) } == "ä,b")
        #expect(text.string() == nil && text.skip(" "))
        #expect(text.string() == nil && text.skip(#""c\"d" "#))
        #expect(text.string() == nil && rest(text) == "\"e")
    }
}
