import JSON
import Shared
import TestSupport
import Testing
import UV

@Suite struct ServerTests {
    private func start() throws -> (Harness, EchoHandler, TestClient) {
        let harness = try Harness()
        var handler: EchoHandler?
        try harness.serve("gateway") { service in
            let made = EchoHandler(service)
            handler = made
            return made
        }
        return (harness, try #require(handler), try harness.connect("gateway"))
    }

    private func ping(_ id: Int) -> String { #"{"jsonrpc":"2.0","id":\#(id),"method":"rpc.ping"}"# }
    private func pong(_ id: Int) -> String { #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"# }
    private func request(_ method: String, _ id: String, _ params: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
    }

    // MARK: Framing

    @Test func aRequestIsAnsweredWhereverItIsCut() throws {
        let (harness, _, client) = try start()
        defer { harness.finish() }
        let line = Array("{\"jsonrpc\":\"2.0\",\"id\":\"a\\u00e9é読👨‍👩\\\\\",\"method\":\"rpc.ping\"}\n".utf8)
        for cut in 1..<line.count {
            client.send(bytes: Array(line[..<cut]))
            client.send(bytes: Array(line[cut...]))
            #expect(try client.line() == "{\"jsonrpc\":\"2.0\",\"id\":\"a\\u00e9é読👨‍👩\\\\\",\"result\":{}}")
        }
        for byte in line { client.send(bytes: [byte]) }
        #expect(try client.message()["id"]?.string == "aéé読👨‍👩\\")
    }

    @Test func severalRequestsMayArriveInOneRead() throws {
        let (harness, _, client) = try start()
        defer { harness.finish() }
        let third = Array(ping(3).utf8)
        client.send(bytes: Array((ping(1) + "\n" + ping(2) + "\r\n").utf8) + third[..<20])
        #expect(try [client.line(), client.line()] == [pong(1), pong(2)])
        harness.settle()
        #expect(!client.hasLine)
        client.send(bytes: third[20...] + [0x0A])
        #expect(try client.line() == pong(3))
    }

    @Test func aLongLineIsRefusedOnceAndTheThirdClosesTheConnection() throws {
        let (harness, _, client) = try start()
        defer { harness.finish() }
        let head = #"{"jsonrpc":"2.0","id":1,"method":"rpc.ping""#
        let room = Limits.incomingLineBytesMax - head.utf8.count - 1
        client.send(head + String(repeating: " ", count: room) + "}")
        #expect(try client.line() == pong(1))
        client.send(head + String(repeating: " ", count: room + 1) + "}")
        client.send(ping(2))
        let refusal = try client.message()
        #expect(refusal["error"]?["data"]?["reason"]?.string == "message_too_large")
        #expect(refusal["id"]?.isNull == true)
        #expect(try client.line() == pong(2))
        let other = try harness.connect("gateway")
        let long = String(repeating: "x", count: Limits.incomingLineBytesMax + 1)
        client.send(long)
        client.send(long)
        #expect(try client.rest().count == 2)
        #expect(try other.call("rpc.ping").count == 0)
    }

    @Test func whatIsNoJSONIsRefusedAndTheNextLineIsServed() throws {
        let (harness, _, client) = try start()
        defer { harness.finish() }
        let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        for bad in ["{", "nul", #"{"a":1,}"#, "\u{FEFF}{}", #"{"id":"\ud800"}"#, deep] {
            client.send(bad)
            client.send(ping(1))
            let refusal = try client.message()
            #expect(refusal["error"]?["code"]?.int == -32700)
            #expect(refusal["id"]?.isNull == true)
            #expect(try client.line() == pong(1))
        }
    }

    // MARK: Envelope

    @Test func aRefusalSaysItsReasonAndWhoSaysSo() throws {
        let (harness, _, client) = try start()
        defer { harness.finish() }
        let answer = try client.respond("no.such")
        #expect(
            answer["error"]?.text
                == #"{"code":-32601,"message":"There is no method \"no.such\": see rpc.discover.","data":{"reason":"method_not_found","retryable":false,"service":"gateway"}}"#
        )
    }

    @Test func notificationsAndResponsesAreDropped() throws {
        let (harness, handler, client) = try start()
        defer { harness.finish() }
        client.send(#"{"jsonrpc":"2.0","method":"tick"}"#)
        client.send(#"{"jsonrpc":"2.0","method":"no.such"}"#)
        client.send(#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        client.send(#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#)
        client.send(#"[{"jsonrpc":"2.0","method":"tick"}]"#)
        client.send(ping(9))
        #expect(try client.line() == pong(9))
        harness.settle()
        #expect(!client.hasLine)
        #expect(handler.handled == 0)
    }

    @Test func aBatchIsAnsweredInRequestOrder() throws {
        let (harness, handler, client) = try start()
        defer { harness.finish() }
        client.send(
            "[\(request("later", "1")),\(ping(2)),1,\(request("echo", "3", #"{"a":1}"#)),{\"jsonrpc\":\"2.0\",\"method\":\"m\"}]"
        )
        try harness.until("the request waits") { handler.waiting.count == 1 }
        #expect(!client.hasLine)
        handler.answerWaiting()
        let batch = try client.message()
        let ids = batch.elements.map { $0["id"]?.text }
        #expect(ids == ["1", "2", "null", "3"])
        #expect(batch.elements.map { $0["error"] == nil } == [true, true, false, true])
    }

    @Test func aBatchHasOneTo100ItemsAndNoSubscription() throws {
        let (harness, _, client) = try start()
        defer { harness.finish() }
        client.send("[]")
        #expect(try client.message()["error"]?["data"]?["reason"]?.string == "invalid_request")
        client.send("[" + (1...100).map(ping).joined(separator: ",") + "]")
        #expect(try client.message().count == 100)
        client.send("[" + (1...101).map(ping).joined(separator: ",") + "]")
        #expect(try client.message()["error"]?["data"]?["reason"]?.string == "batch_too_large")
        client.send("[\(request("subscribe", "1")),\(ping(2))]")
        let mixed = Array(try client.message().elements)
        #expect(mixed[0]["error"]?["code"]?.int == -32600)
        #expect(mixed[1].text == pong(2))
    }

    @Test func anAnswerThatDoesNotFitALineNamesTheLimit() throws {
        let (harness, _, client) = try start()
        defer { harness.finish() }
        let overhead = request("", "1").utf8.count  // more than the envelope of an answer
        #expect(
            try client.call("big", #"{"bytes":\#(Limits.outgoingLineBytesMax - overhead)}"#).kind == .string)
        let answer = try client.respond("big", #"{"bytes":1000000}"#)
        #expect(answer["error"]?["code"]?.int == -32003)
        #expect(answer["error"]?["data"]?["limit"]?.string == "limit")
        let items = (1...4).map { request("big", "\($0)", #"{"bytes":400000}"#) }
        client.send("[" + items.joined(separator: ",") + "]")
        let line = try client.line()
        #expect(line.utf8.count <= Limits.outgoingLineBytesMax)
        let batch = try JSONParser(depthMax: 9).parse(Array(line.utf8)).root
        #expect(batch.elements.map { $0["id"]?.int } == [1, 2, 3, 4])
        #expect(batch.elements.map { $0["result"] != nil } == [true, true, false, false])
    }

    @Test func anIdUnderWayIsRefusedAndTheFirstIsUnaffected() throws {
        let (harness, handler, client) = try start()
        defer { harness.finish() }
        client.send(request("later", "5"))
        client.send(request("echo", "5"))
        client.send(request("echo", "\"5\""))
        #expect(try client.message()["error"]?["data"]?["reason"]?.string == "duplicate_id")
        #expect(try client.message()["result"] != nil)
        handler.answerWaiting()
        #expect(try client.line() == #"{"jsonrpc":"2.0","id":5,"result":"done"}"#)
        client.send(request("echo", "5"))
        #expect(try client.message()["result"] != nil)
    }

    @Test func aConnectionWith256RequestsUnderWayWaitsAndOthersDoNot() throws {
        let (harness, handler, client) = try start()
        defer { harness.finish() }
        for id in 0..<300 { client.send(request("later", "\(id)")) }
        try harness.until("256 wait") { handler.waiting.count == Limits.requestsInFlightMax }
        harness.settle()
        #expect(handler.waiting.count == Limits.requestsInFlightMax)
        #expect(try harness.connect("gateway").call("rpc.ping").count == 0)
        handler.answerWaiting()
        try harness.until("the rest waits") { handler.waiting.count == 300 - Limits.requestsInFlightMax }
        handler.answerWaiting()
        for _ in 0..<300 { _ = try client.message() }
    }

    // MARK: Half-close

    @Test func whatWasReceivedBeforeTheHalfCloseIsAnsweredThenItCloses() throws {
        let (harness, handler, client) = try start()
        defer { harness.finish() }
        client.send(request("later", "1"))
        client.send(bytes: Array(ping(2).utf8))
        client.halfClose()
        try harness.until("both are handled") { client.hasLine && handler.waiting.count == 1 }
        handler.answerWaiting()
        #expect(try client.rest() == [pong(2), #"{"jsonrpc":"2.0","id":1,"result":"done"}"#])
    }

    @Test func whatWasReceivedBeforeAFullCloseIsCarriedOut() throws {
        let (harness, handler, client) = try start()
        defer { harness.finish() }
        for round in 0..<20 {
            let short = try harness.connect("gateway")
            // Answers that nobody takes make the end a broken connection instead of a plain end.
            for _ in 0..<150 { short.send(request("tick", "null")) }
            if round % 2 == 0 { harness.settle(turns: 1) }
            short.close()
        }
        try harness.until("all are carried out") { handler.ticks == 20 * 150 }
        #expect(try client.call("rpc.ping").count == 0)
        try harness.until("the connections are gone") {
            (try? client.call("rpc.metrics")["connections"]?.int) == 1
        }
    }

    @Test func theEndInTheMiddleOfAMessageIsAParseError() throws {
        let (harness, _, client) = try start()
        defer { harness.finish() }
        client.send(bytes: Array(#"{"jsonrpc":"2.0","id":2,"meth"#.utf8))
        client.halfClose()
        let rest = try client.rest()
        #expect(rest.count == 1)
        #expect(rest.first?.contains("parse_error") == true)
    }

    // MARK: Subscriptions

    @Test func aSubscriptionIsAnsweredBeforeItsNumberedEvents() throws {
        let (harness, _, client) = try start()
        defer { harness.finish() }
        client.send(request("subscribe", "1"))
        for id in 2...4 { client.send(request("tick", "\(id)")) }
        let subscription = try #require(try client.message()["result"]?["subscription"]?.string)
        for seq in 1...3 {
            #expect(try client.message()["id"]?.int == seq + 1)
            let event = try client.message()
            #expect(event["method"]?.string == "ticked")
            #expect(event["params"]?.text == #"{"subscription":"\#(subscription)","seq":\#(seq)}"#)
        }
        _ = try client.call("unsubscribe", #"{"subscription":"\#(subscription)"}"#)
        _ = try client.call("tick")
        harness.settle()
        #expect(!client.hasLine)
        let again = try client.respond("unsubscribe", #"{"subscription":"\#(subscription)"}"#)
        #expect(again["error"]?["data"]?["reason"]?.string == "not_found")
    }

    @Test func eventsOfABatchFollowItsAnswers() throws {
        let (harness, handler, client) = try start()
        defer { harness.finish() }
        _ = try client.call("subscribe")
        let other = try harness.connect("gateway")
        client.send(
            "[\(request("tick", "1", #"{"n":1}"#)),\(request("later", "2")),\(request("tick", "3", #"{"n":3}"#))]"
        )
        try harness.until("it waits") { handler.waiting.count == 1 }
        _ = try other.call("tick", #"{"n":2}"#)
        harness.settle()
        #expect(!client.hasLine)
        handler.answerWaiting()
        #expect(try client.message().elements.map { $0["id"]?.int } == [1, 2, 3])
        let events = try (0..<3).map { _ in try client.message()["params"] }
        #expect(events.map { $0?["seq"]?.int } == [1, 2, 3])
        #expect(events.map { $0?["n"]?.int } == [1, 3, 2])
    }

    @Test func aSubscriptionEndsAtHalfCloseUnlessItIsKept() throws {
        let (harness, handler, client) = try start()
        defer { harness.finish() }
        let (ended, kept) = (try harness.connect("gateway"), try harness.connect("gateway"))
        ended.send(request("subscribe", "1"))
        ended.halfClose()
        #expect(try ended.rest().count == 1)
        kept.send(request("subscribe", "1", #"{"keepAfterEof":true}"#))
        kept.halfClose()
        _ = try kept.message()
        _ = try client.call("tick")
        #expect(try kept.message()["params"]?["seq"]?.int == 1)
        #expect(handler.subscriptions.count == 1)
        kept.close()
        try harness.until("the service notices that the peer is gone") { handler.subscriptions.isEmpty }
    }

    @Test func aConnectionHasAtMost128Subscriptions() throws {
        let (harness, _, client) = try start()
        defer { harness.finish() }
        for _ in 0..<Limits.subscriptionsPerConnectionMax { _ = try client.call("subscribe") }
        let answer = try client.respond("subscribe")
        #expect(answer["error"]?["code"]?.int == -32001)
        #expect(answer["error"]?["data"]?["limit"]?.string == "subscriptionsPerConnection")
    }

    // MARK: The end

    @Test func aStoppingServiceAnswersWhatIsInFlightAndTakesNothingNew() throws {
        let harness = try Harness()
        defer { harness.finish() }
        var handler: EchoHandler?
        let service = try harness.serve("gateway") { service in
            let made = EchoHandler(service)
            handler = made
            return made
        }
        let client = try harness.connect("gateway")
        client.send(request("later", "1"))
        try harness.until("it waits") { handler?.waiting.count == 1 }
        service.stop()
        client.send(request("echo", "2"))
        #expect(try client.message()["error"]?["data"]?["reason"]?.string == "draining")
        #expect(try client.call("rpc.health")["status"]?.string == "draining")
        handler?.answerWaiting()
        #expect(try client.rest() == [#"{"jsonrpc":"2.0","id":1,"result":"done"}"#])
        #expect(!service.isRunning)
    }
}
