import Testing

@testable import Shared

@Suite struct LogLimitTests {
    @Test func soManyLinesOfASecondAreWrittenAndTheOthersAreCounted() {
        var limit = LogLimit()
        let first = (0..<Limits.logLinesPerSecondMax + 3).map { _ in limit.pass(now: 5_999) }
        #expect(first == Array(repeating: 0, count: Limits.logLinesPerSecondMax) + [nil, nil, nil])
        #expect(limit.pass(now: 6_000) == 3)
        #expect(limit.pass(now: 6_001) == 0)
    }

    @Test func aSecondWithoutLinesForgetsNothing() {
        var limit = LogLimit()
        for _ in 0...Limits.logLinesPerSecondMax { _ = limit.pass(now: 0) }
        #expect(limit.pass(now: 3_600_000) == 1)
    }
}
