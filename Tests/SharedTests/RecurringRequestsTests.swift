import TestSupport
import Testing

@testable import Shared
@testable import UV

@Suite struct RecurringRequestsTests {
    private func line(_ id: String, _ session: String = "s") -> ArraySlice<UInt8> {
        Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"view.get","params":{"session":"\#(session)"}}"#.utf8)[
            ...]
    }

    private func known(_ line: ArraySlice<UInt8>? = nil) -> RecurringRequests.Known {
        RecurringRequests.Known(
            method: line.map { String(decoding: $0, as: UTF8.self) } ?? "view.get", isChange: false,
            params: nil,
            deadlineMs: nil)
    }

    @Test func onlyWhatComesASecondTimeIsRemembered() {
        var requests = RecurringRequests()
        for number in 0..<100 { requests.remember(line("1", "s\(number)"), known()) }
        #expect(requests.count == 0 && requests.bytes == 0)
        requests.remember(line("2", "s99"), known())
        #expect(requests.count == 1 && requests.find(line("3", "s99")) != nil)
    }

    @Test func onlyTheIdMayDiffer() {
        var requests = RecurringRequests()
        #expect(requests.find(line("1")) == nil)
        let one = known()
        requests.rememberAtOnce(line("1"), one)
        let found = requests.find(line("27"))
        #expect(found?.known === one)
        #expect(found?.id == 27)
        #expect(requests.find(line("27", "t")) == nil)
        #expect(requests.find(line("27").dropLast()) == nil)
    }

    @Test(arguments: ["01", "-1", "1.0", "1e2", "\"1\"", "null", "", "1 ", "1234567890123456789"])
    func otherIdsAreLeftToTheParser(id: String) {
        var requests = RecurringRequests()
        requests.rememberAtOnce(line("1"), known())
        #expect(requests.find(line(id)) == nil)
        #expect(requests.find(line("0"))?.id == 0)
        #expect(requests.find(line("123456789012345678"))?.id == 123_456_789_012_345_678)
    }

    @Test func anotherHeadIsLeftToTheParser() {
        var requests = RecurringRequests()
        requests.rememberAtOnce(line("1"), known())
        let text = #"{"jsonrpc":"2.1","id":1,"method":"view.get","params":{"session":"s"}}"#
        #expect(requests.find(Array(text.utf8)[...]) == nil)
        #expect(requests.find([]) == nil)
        #expect(requests.find(Array(#"{"jsonrpc":"2.0","id":1"#.utf8)[...]) == nil)
    }

    @Test func longLinesAreNotRemembered() {
        var requests = RecurringRequests()
        let room = Limits.recurringRequestBytesMax - line("1", "").count
        requests.rememberAtOnce(line("1", String(repeating: "x", count: room + 1)), known())
        #expect(requests.count == 0)
        requests.rememberAtOnce(line("1", String(repeating: "x", count: room)), known())
        #expect(requests.count == 1)
    }

    /// Nearly all: in which row one belongs is chance.
    @Test func asManyAsFrontEndsAskInTurnAreAllRemembered() {
        var requests = RecurringRequests()
        for _ in 0..<2 { for number in 0..<1_000 { requests.remember(line("1", "s\(number)"), known()) } }
        #expect(requests.count > 980)
    }

    @Test func whatIsTooMuchDisplacesLittle() {
        var requests = RecurringRequests()
        let lines = (0..<4 * Limits.recurringRequestsMax).map { line("1", "s\($0)") }
        for line in lines { requests.rememberAtOnce(line, known(line)) }
        #expect(requests.count == Limits.recurringRequestsMax)
        #expect(requests.bytes == lines.reduce(0) { $0 + (requests.find($1) == nil ? 0 : $1.count - 23) })
        for one in lines {
            guard let found = requests.find(one) else { continue }
            #expect(found.known.method.utf8.elementsEqual(one))
        }
        requests.rememberAtOnce(line("1", "one more"), known())
        #expect(requests.find(line("2", "one more")) != nil)
        #expect(lines.count { requests.find($0) != nil } >= Limits.recurringRequestsMax - 1)
    }
}

@Suite struct DigestTests {
    /// Every bit of every byte counts, and how many bytes there are.
    @Test(arguments: [0, 1, 2, 3, 4, 6, 7, 8, 11, 15, 16, 17, 31, 32, 100])
    func otherBytesHaveAnotherDigest(count: Int) {
        let seed = SeededGenerator.newSeed()
        var generator = SeededGenerator(seed: seed)
        let digest = Digest()
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        var digests: Set = [digest.of(bytes[...]), digest.of((bytes + [0])[...])]
        for bit in 0..<8 * count {
            var other = bytes
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            digests.insert(digest.of(other[...]))
        }
        #expect(digests.count == 8 * count + 2, "seed \(seed)")
        #expect(digest.of(([9] + bytes)[1...]) == digest.of(bytes[...]))
        #expect(Digest(key: 1).of(bytes[...]) != digest.of(bytes[...]))
    }

    /// Lines that differ in a number are spread over rows: in none of 512 are more than 40 of 8,192.
    @Test func linesThatAreMuchAlikeAreSpread() {
        let digest = Digest()
        var rows = [Int](repeating: 0, count: 512)
        for number in 0..<8_192 {
            let line = Array(#","method":"view.get","params":{"session":"s\#(number)","width":1280}}"#.utf8)
            rows[Int(digest.of(line[...]) % 512)] += 1
        }
        #expect((rows.max() ?? 0) <= 40)
    }

    /// The same of what tables have for hashes, whatever distance their keys have.
    @Test(arguments: [1, 2, 8, 1_000, 4_096, 1 << 40]) func keysOfTablesAreSpread(step: Int) {
        for seed in [0, 1, -1, 0x1234_5678_9ABC] {
            var (ids, numbers) = ([Int](repeating: 0, count: 512), [Int](repeating: 0, count: 512))
            for number in 0..<8_192 {
                let id = Identifier("s\(number &* step)")
                ids[id._rawHashValue(seed: seed) & 511] += 1
                numbers[ConnectionID(number &* step)._rawHashValue(seed: seed) & 511] += 1
            }
            #expect((ids.max() ?? 0) <= 40 && (numbers.max() ?? 0) <= 40, "seed \(seed)")
        }
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

extension Digest {
    fileprivate func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        unsafe bytes.withUnsafeBytes { unsafe callAsFunction($0) }
    }
}
