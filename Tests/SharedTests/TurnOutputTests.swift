import TestSupport
import Testing
import UV

@testable import Shared

@Suite struct TurnOutputTests {
    private func id(_ number: Int) -> ConnectionID { ConnectionID(number) }

    @Test func linesOfOneConnectionAreOneWrite() {
        var output = TurnOutput()
        output.append([1], to: id(1), as: .plain)
        output.append([2], to: id(2), as: .plain)
        output.append([3], to: id(1), as: .changeAnswer)
        #expect(output.bytes == 6)
        let writes = output.take()
        #expect(writes.map(\.connection) == [id(1), id(2)])
        #expect(writes.map(\.bytes.joined) == [[1, 10, 3, 10], [2, 10]])
        #expect(output.isEmpty)
    }

    @Test func eventsAreWrittenBeforeAnswers() {
        var output = TurnOutput()
        output.append([1], to: id(1), as: .plain)
        output.append([2], to: id(2), as: .event)
        output.append([3], to: id(1), as: .changeAnswer)
        #expect(output.take().map(\.connection) == [id(2), id(1)])
    }

    /// Random changes by random callers, each told to random others: in the order of the writes, the events of a
    /// change always come before its answer, and each connection's lines come in the order they were added.
    @Test func whoSeesTheAnswerToAChangeCanRelyOnTheOthersKnowingOfIt() {
        let seed = SeededGenerator.newSeed()
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            var output = TurnOutput()
            var told: [UInt8: Set<ConnectionID>] = [:]
            var callers: [UInt8: ConnectionID] = [:]
            var added: [ConnectionID: [UInt8]] = [:]
            for change in UInt8(20)..<UInt8(20 + Int.random(in: 1...8, using: &generator)) {
                let caller = id(Int.random(in: 1...4, using: &generator))
                callers[change] = caller
                for other in (1...4).map(id) where other != caller && Bool.random(using: &generator) {
                    output.append([change], to: other, as: .event)
                    told[change, default: []].insert(other)
                    added[other, default: []] += [change, 10]
                }
                output.append([change], to: caller, as: .changeAnswer)
                output.append([change], to: caller, as: .plain)  // the caller's own event
                added[caller, default: []] += [change, 10, change, 10]
            }
            var seen: [ConnectionID: [UInt8]] = [:]
            for write in output.take() {
                for change in write.bytes.joined where callers[change] == write.connection {
                    for other in told[change] ?? [] {
                        #expect(seen[other]?.contains(change) == true, "seed \(seed)")
                    }
                }
                seen[write.connection, default: []] += write.bytes.joined
            }
            #expect(seen == added, "seed \(seed)")
        }
    }
}
