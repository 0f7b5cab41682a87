import JSON
import Shared
import TestSupport
import Testing
import UV

@Suite struct ClientTests {
    private let harness: Harness
    private let client: Client
    private let calls = Calls()

    /// What came of the calls, in order.
    private final class Calls {
        var ended: [String] = []
    }

    init() throws {
        harness = try Harness()
        client = Client(
            name: "catalog", path: harness.socket("catalog"), loop: harness.loop,
            log: Log(service: "test", least: .error))
    }

    private func finish() {
        client.close()
        harness.finish()
    }

    private func call(_ method: String, deadlineMs: UInt64 = 5_000) {
        client.call(method, deadline: harness.loop.now + deadlineMs) { [calls] outcome in
            switch outcome {
            case .success(let result): calls.ended.append("\(method): \(result.text)")
            case .failure(let error): calls.ended.append("\(method): \(error.reason.rawValue)")
            }
        }
        client.flush()
    }

    private func answer(_ id: ArraySlice<UInt8>, _ result: String) -> [UInt8] {
        Array("{\"jsonrpc\":\"2.0\",\"id\":".utf8) + id + Array(",\"result\":\(result)}".utf8)
    }

    @Test func aCallWithoutAConnectionFailsAtOnce() throws {
        defer { finish() }
        call("a")
        #expect(calls.ended == ["a: upstream_unavailable"])
    }

    @Test func callsArePipelinedAndMayBeAnsweredInAnyOrder() throws {
        defer { finish() }
        let mock = try harness.mock("catalog")
        var waiting: [ArraySlice<UInt8>] = []
        mock.responder = { [unowned mock] method, _, id in
            waiting.append(id)
            guard waiting.count == 2 else { return [] }
            for id in waiting.reversed() {
                mock.send(String(decoding: answer(id, "\(waiting.count)"), as: UTF8.self))
            }
            return []
        }
        client.start()
        try harness.until("it is up") { client.isUp }
        call("a")
        call("b")
        try harness.until("both are answered") { calls.ended.count == 2 }
        #expect(calls.ended == ["b: 2", "a: 2"])
    }

    @Test func pendingCallsFailAtOnceWhenThePeerGoesAndItConnectsAgain() throws {
        defer { finish() }
        let mock = try harness.mock("catalog")
        mock.responder = { _, _, _ in [] }
        var ups = 0
        var downs = 0
        client.onUp = { ups += 1 }
        client.onDown = { downs += 1 }
        client.start()
        try harness.until("it is up") { client.isUp }
        for method in ["a", "b", "c"] { call(method) }
        try harness.until("they wait") { mock.received.count == 3 }
        mock.disconnect()
        try harness.until("it is up again") { ups == 2 }
        #expect(calls.ended == ["a", "b", "c"].map { "\($0): upstream_unavailable" })
        #expect(downs == 1)
    }

    @Test func aPeerThatComesLaterIsFound() throws {
        defer { finish() }
        client.start()
        harness.settle()
        #expect(!client.isUp)
        try harness.mock("catalog")
        try harness.until("it is up") { client.isUp }
    }

    @Test func aCallEndsAtItsDeadlineAndALateAnswerIsDropped() throws {
        defer { finish() }
        let mock = try harness.mock("catalog")
        var late: [ArraySlice<UInt8>] = []
        mock.responder = { method, _, id in
            guard method == "slow" else { return [answer(id, "true")] }
            late.append(id)
            return []
        }
        client.start()
        try harness.until("it is up") { client.isUp }
        call("slow", deadlineMs: 30)
        call("slower", deadlineMs: 60_000)
        try harness.until("it is over") { calls.ended.count == 2 }
        #expect(calls.ended.sorted() == ["slow: deadline_exceeded", "slower: true"])
        mock.send(String(decoding: answer(try #require(late.first), "1"), as: UTF8.self))
        call("next")
        try harness.until("the next is answered") { calls.ended.count == 3 }
        #expect(calls.ended.last == "next: true")
    }

    @Test(arguments: ["not JSON", "{\"jsonrpc\":\"2.0\",\"id\":1}"])
    func aPeerThatTalksNonsenseIsLeftAndItsCallsFail(nonsense: String) throws {
        defer { finish() }
        let mock = try harness.mock("catalog")
        mock.responder = { method, _, id in method == "bad" ? [Array(nonsense.utf8)] : [answer(id, "true")] }
        var downs = 0
        client.onDown = { downs += 1 }
        client.start()
        try harness.until("it is up") { client.isUp }
        call("bad")
        try harness.until("it is left") { downs == 1 }
        #expect(calls.ended.count == 1)
        try harness.until("it is up again") { client.isUp }
        call("good")
        try harness.until("it is answered") { calls.ended.count == 2 }
        #expect(calls.ended.last == "good: true")
    }

    @Test func aRefusalIsPassedOnAsItIs() throws {
        defer { finish() }
        let mock = try harness.mock("catalog")
        let error =
            #"{"code":1001,"message":"x","data":{"reason":"not_found","retryable":false,"service":"catalog","path":"/id","more":1}}"#
        mock.responder = { _, _, id in
            [Array("{\"jsonrpc\":\"2.0\",\"id\":".utf8) + id + Array(",\"error\":\(error)}".utf8)]
        }
        client.start()
        try harness.until("it is up") { client.isUp }
        var refusal: RPCError?
        client.call("a", deadline: harness.loop.now + 5_000) { outcome in
            if case .failure(let error) = outcome { refusal = error }
        }
        client.flush()
        try harness.until("it is refused") { refusal != nil }
        #expect(refusal?.reason == .notFound)
        #expect(refusal?.path == "/id")
        var json = JSONWriter()
        refusal?.write(to: &json, service: "gateway")
        #expect(String(decoding: json.bytes, as: UTF8.self) == error)
    }

    @Test func eventsComeInTheirOrder() throws {
        defer { finish() }
        let mock = try harness.mock("catalog")
        var events: [Int?] = []
        client.onEvent = { method, params in if method == "tick" { events.append(params["n"]?.int) } }
        client.start()
        try harness.until("it is up") { client.isUp }
        for n in 0..<100 { mock.send(#"{"jsonrpc":"2.0","method":"tick","params":{"n":\#(n)}}"#) }
        try harness.until("all are there") { events.count == 100 }
        #expect(events == Array(0..<100))
    }
}
