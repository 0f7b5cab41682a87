import Glibc
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

    // MARK: A peer that misbehaves

    @Test(arguments: [
        "5", "[]", "{}", #"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"full"}}"#,
        #"{"jsonrpc":"2.0","id":999,"result":1}"#, #"{"jsonrpc":"2.0","id":"1","result":1}"#,
        #"{"jsonrpc":"2.0","id":-1,"result":1}"#, #"{"jsonrpc":"2.0","id":1}"#,
    ])
    func aPeerThatAnswersWhatItWasNotAskedIsLeft(line: String) throws {
        defer { finish() }
        let mock = try harness.mock("catalog")
        mock.responder = { _, _, _ in [] }
        var downs = 0
        client.onDown = { downs += 1 }
        client.start()
        try harness.until("it is up") { client.isUp }
        call("a")
        try harness.until("it is asked") { mock.received.count == 1 }
        mock.send(line)
        try harness.until("it is left") { downs == 1 }
        #expect(calls.ended.count == 1)
        try harness.until("it is up again") { client.isUp }
    }

    @Test func aSecondAnswerIsDropped() throws {
        defer { finish() }
        let mock = try harness.mock("catalog")
        mock.responder = { _, _, id in [answer(id, "1"), answer(id, "2")] }
        client.start()
        try harness.until("it is up") { client.isUp }
        call("a")
        call("b")
        try harness.until("both are answered") { calls.ended.count == 2 }
        harness.settle()
        #expect(calls.ended == ["a: 1", "b: 1"])
        #expect(client.isUp)
    }

    @Test func halfALineOrALongOneOfAPeerEndsItsCalls() throws {
        defer { finish() }
        let mock = try harness.mock("catalog")
        mock.responder = { _, _, _ in [] }
        client.start()
        try harness.until("it is up") { client.isUp }
        call("half")
        try harness.until("it is asked") { mock.received.count == 1 }
        mock.send(bytes: Array(#"{"jsonrpc":"2.0","id":1,"res"#.utf8))
        harness.settle()
        #expect(calls.ended == [])
        mock.disconnect()
        try harness.until("it is up again") { client.isUp && calls.ended.count == 1 }
        call("long")
        try harness.until("it is asked again") { mock.received.count == 2 }
        mock.send(bytes: [UInt8](repeating: 0x78, count: 2_000_000))
        try harness.until("it is left") { calls.ended.count == 2 }
        #expect(calls.ended == ["half: upstream_unavailable", "long: upstream_unavailable"])
    }

    @Test func aDeadlineOfNothingPassesBeforeAnyAnswer() throws {
        defer { finish() }
        let mock = try harness.mock("catalog")
        mock.responder = { _, _, id in [answer(id, "1")] }
        client.start()
        try harness.until("it is up") { client.isUp }
        call("a", deadlineMs: 0)
        try harness.until("it is over") { calls.ended.count == 1 }
        #expect(calls.ended == ["a: deadline_exceeded"])
        call("b")
        try harness.until("the next is answered") { calls.ended.count == 2 }
        #expect(calls.ended.last == "b: 1")
    }

    @Test func atMost4096CallsWait() throws {
        defer { finish() }
        let mock = try harness.mock("catalog")
        mock.responder = { _, _, _ in [] }
        client.start()
        try harness.until("it is up") { client.isUp }
        for _ in 0..<Limits.pendingPerPeerMax { call("a") }
        #expect(calls.ended == [])
        call("b")
        #expect(calls.ended == ["b: overloaded"])
        try harness.until("all were sent") { mock.received.count == Limits.pendingPerPeerMax }
        mock.disconnect()
        try harness.until("all have failed") { calls.ended.count == Limits.pendingPerPeerMax + 1 }
    }

    @Test func aCallThatFitsNoLineFailsAtOnce() throws {
        defer { finish() }
        let mock = try harness.mock("catalog")
        mock.responder = { _, _, id in [answer(id, "1")] }
        client.start()
        try harness.until("it is up") { client.isUp }
        func call(_ count: Int) {
            client.call("a", deadline: harness.loop.now + 5_000) { json in
                json.member("text", String(repeating: "x", count: count))
            } then: { [calls] outcome in
                switch outcome {
                case .success: calls.ended.append("answered")
                case .failure(let error): calls.ended.append(error.reason.rawValue)
                }
            }
            client.flush()
        }
        let envelope = #"{"jsonrpc":"2.0","id":1,"method":"a","params":{"text":""}}"#.utf8.count
        call(Limits.incomingLineBytesMax - envelope + 1)
        #expect(calls.ended == ["message_too_large"])
        call(Limits.incomingLineBytesMax - envelope)
        try harness.until("it is answered") { calls.ended.count == 2 }
        #expect(calls.ended.last == "answered")
    }

    /// A new call made while the old ones fail is one without a connection, not one that is lost.
    @Test func aCallMadeWhileCallsFailFailsToo() throws {
        defer { finish() }
        let mock = try harness.mock("catalog")
        mock.responder = { _, _, _ in [] }
        var ended = 0
        client.onDown = { [unowned client] in
            client.call("again", deadline: 0) { _ in ended += 1 }
        }
        client.start()
        try harness.until("it is up") { client.isUp }
        client.call("a", deadline: harness.loop.now + 5_000) { [unowned client] _ in
            ended += 1
            client.call("b", deadline: 0) { _ in ended += 1 }
        }
        client.flush()
        try harness.until("it is asked") { mock.received.count == 1 }
        mock.disconnect()
        try harness.until("it is up again") { client.isUp && ended > 0 }
        #expect(ended == 3)
    }

    /// One that refuses every connection, such as a service with too many of them.
    @Test func aPeerThatOnlyTakesConnectionsIsTriedEverMoreSeldom() throws {
        defer { finish() }
        let socket = try ListeningSocket(path: harness.socket("catalog"))
        let listener = Pipe(on: harness.loop)
        var connects = 0
        try listener.listen(on: socket) {
            connects += 1
            let pipe = try? listener.accept()
            pipe?.close()
        }
        defer {
            listener.close()
            socket.release()
        }
        client.start()
        let start = Loop.nanoseconds
        try harness.until("it has tried five times") { connects == 5 }
        // Timers count whole milliseconds.
        #expect(Loop.nanoseconds - start >= (20 + 40 + 80 + 160 - 8) * 1_000_000)
    }

    /// The system refuses to queue more connections than a peer has room for, and says so with EAGAIN.
    @Test func aPeerWhoseBacklogIsFullIsTriedAgain() throws {
        defer { finish() }
        let path = harness.socket("catalog")
        let crowd = try Crowd(path: path)
        client.start()
        harness.settle()
        #expect(!client.isUp)
        crowd.leave()
        let mock = try harness.mock("catalog")
        mock.responder = { _, _, id in [answer(id, "1")] }
        try harness.until("it is up") { client.isUp }
    }
}

private struct CrowdFailure: Error {}

/// A socket that listens with the smallest backlog, full of connections that nobody accepts.
private final class Crowd {
    private let path: String
    private var descriptors: [Int32] = []

    init(path: String) throws {
        self.path = path
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        descriptors.append(listener)
        guard unsafe withAddress({ unsafe bind(listener, $0, $1) }) == 0, listen(listener, 0) == 0 else {
            throw CrowdFailure()
        }
        while true {
            let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            descriptors.append(client)
            guard unsafe withAddress({ unsafe connect(client, $0, $1) }) == 0 else { break }
        }
        #expect(errno == EAGAIN)
    }

    func leave() {
        for descriptor in descriptors { _ = Glibc.close(descriptor) }
        _ = unsafe unlink(path)
    }

    private func withAddress(_ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe use($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
