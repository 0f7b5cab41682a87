import TestSupport
import Testing

@testable import Shared

@Suite struct RequestIDTests {
    private func text(_ text: String) -> RequestID {
        .written(Array("\"\(text)\"".utf8), key: Array("\"\(text)\"".utf8))
    }

    @Test func numbersWithTheSameLastBitsAreToldApart() {
        var ids = RequestIDs()
        let numbers = [5, 5 + Limits.requestsInFlightMax, 5 + 3 * Limits.requestsInFlightMax]
        let isNew = (numbers + numbers).map { ids.insert(.number($0)) }
        #expect(isNew == [true, true, true, false, false, false])
        ids.remove(.number(numbers[0]))
        #expect(numbers.map { ids.contains(.number($0)) } == [false, true, true])
        let isNewAgain = numbers.map { ids.insert(.number($0)) }
        #expect(isNewAgain == [true, false, false])
    }

    @Test func aNumberIsNoTextAndNullIsNeverThere() {
        var ids = RequestIDs()
        let null = RequestID.written(Array("null".utf8), key: nil)
        let isNew = [.number(1), text("1"), text("1"), null, null].map { ids.insert($0) }
        #expect(isNew == [true, true, false, true, true])
        #expect(!ids.contains(null))
    }

    /// Whatever comes and goes, an id is there exactly if a set has it.
    @Test func anIdIsThereFromItsInsertionToItsRemoval() {
        let seed = SeededGenerator.newSeed()
        var generator = SeededGenerator(seed: seed)
        var ids = RequestIDs()
        var model: Set<Int> = []
        for _ in 0..<20_000 {
            let number =
                Int.random(in: 0...3, using: &generator) * 256 + Int.random(in: 0...9, using: &generator)
            if Bool.random(using: &generator) {
                let isNew = ids.insert(.number(number))
                let isNewInModel = model.insert(number).inserted
                #expect(isNew == isNewInModel, "seed \(seed)")
            } else {
                ids.remove(.number(number))
                model.remove(number)
            }
            let isThere = ids.contains(.number(number))
            #expect(isThere == model.contains(number), "seed \(seed)")
        }
    }

    @Test func anIdComesBackAsItWasWritten() {
        #expect(RequestID.number(0).written == Array("0".utf8))
        #expect(RequestID.number(999_999_999_999_999_999).written == Array("999999999999999999".utf8))
        #expect(text("a").written == Array("\"a\"".utf8))
        #expect(!text("\u{2028}").isPlain)
    }
}
