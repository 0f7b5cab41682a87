import Testing

@testable import Shared
@testable import UV

@Suite struct RecurringRequestsTests {
    private func line(_ id: String, _ session: String = "s") -> ArraySlice<UInt8> {
        Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"view.get","params":{"session":"\#(session)"}}"#.utf8)[
            ...]
    }

    private let known = RecurringRequests.Known(
        method: "view.get", isChange: false, params: nil, deadlineMs: nil)

    @Test func onlyWhatComesASecondTimeIsRemembered() {
        var requests = RecurringRequests()
        for number in 0..<100 { requests.remember(line("1", "s\(number)"), known) }
        #expect(requests.count == 0 && requests.bytes == 0)
        requests.remember(line("2", "s99"), known)
        #expect(requests.count == 1 && requests.find(line("3", "s99")) != nil)
    }

    @Test func onlyTheIdMayDiffer() {
        var requests = RecurringRequests()
        #expect(requests.find(line("1")) == nil)
        requests.rememberAtOnce(line("1"), known)
        let found = requests.find(line("27"))
        #expect(found?.known === known)
        #expect(found?.id == 27)
        #expect(requests.find(line("27", "t")) == nil)
        #expect(requests.find(line("27").dropLast()) == nil)
    }

    @Test(arguments: ["01", "-1", "1.0", "1e2", "\"1\"", "null", "", "1 ", "1234567890123456789"])
    func otherIdsAreLeftToTheParser(id: String) {
        var requests = RecurringRequests()
        requests.rememberAtOnce(line("1"), known)
        #expect(requests.find(line(id)) == nil)
        #expect(requests.find(line("0"))?.id == 0)
        #expect(requests.find(line("123456789012345678"))?.id == 123_456_789_012_345_678)
    }

    @Test func anotherHeadIsLeftToTheParser() {
        var requests = RecurringRequests()
        requests.rememberAtOnce(line("1"), known)
        let text = #"{"jsonrpc":"2.1","id":1,"method":"view.get","params":{"session":"s"}}"#
        #expect(requests.find(Array(text.utf8)[...]) == nil)
        #expect(requests.find([]) == nil)
        #expect(requests.find(Array(#"{"jsonrpc":"2.0","id":1"#.utf8)[...]) == nil)
    }

    @Test func longLinesAreNotRemembered() {
        var requests = RecurringRequests()
        let room = Limits.recurringRequestBytesMax - line("1", "").count
        requests.rememberAtOnce(line("1", String(repeating: "x", count: room + 1)), known)
        #expect(requests.count == 0)
        requests.rememberAtOnce(line("1", String(repeating: "x", count: room)), known)
        #expect(requests.count == 1)
    }

    @Test func whenThereAreTooManyAllAreForgotten() {
        var requests = RecurringRequests()
        for number in 0..<Limits.recurringRequestsMax {
            requests.rememberAtOnce(line("1", "s\(number)"), known)
        }
        #expect(requests.count == Limits.recurringRequestsMax)
        let bytes = requests.bytes
        #expect(bytes > Limits.recurringRequestsMax * 40)
        requests.rememberAtOnce(line("1", "one more"), known)
        #expect(requests.count == 1 && requests.bytes < bytes / 100)
        #expect(requests.find(line("2", "one more")) != nil)
    }
}

@Suite struct DestinationsTests {
    @Test func aTokenIsGoodForOneAnswer() throws {
        let ids = (0..<3).map { RequestID.number($0) }
        let loop = try Loop()
        let connection = Connection(id: ConnectionID(1), pipe: Pipe(on: loop), acceptedAt: 0)
        var destinations = Destinations()
        let tokens = ids.map { destinations.add(Destination(connection: connection, id: $0)) }
        #expect(tokens.map { destinations[$0]?.id } == ids)
        let removed = [tokens[1], tokens[1]].map { destinations.remove($0)?.id }
        #expect(removed == [ids[1], nil])
        let again = destinations.add(Destination(connection: connection, id: .number(9)))
        #expect(destinations[tokens[1]] == nil)
        #expect(destinations[again]?.id == .number(9))
        #expect(destinations.count == 3)
        for token in [again, tokens[0], tokens[2]] { _ = destinations.remove(token) }
        #expect(destinations.isEmpty)
        connection.pipe.close()
        loop.run()
    }
}

extension RecurringRequests {
    fileprivate mutating func rememberAtOnce(_ line: ArraySlice<UInt8>, _ request: Known) {
        for _ in 0..<2 { remember(line, request) }
    }
}
