import TestSupport

/// What a seed decides.
///
/// Everything random in a world is drawn from here, in the order in which it happens.
struct Fate {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// A number of the range; cheaper than `Int.random`, and the few ranges here are far too small for its bias.
    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(random.next() >> 33) % (range.upperBound - range.lowerBound + 1)
    }

    /// True once in `count` times; never if `count` is 0.
    mutating func isOne(in count: Int) -> Bool { count > 0 && number(1...count) == 1 }

    mutating func one<Element>(of all: [Element]) -> Element { all[number(0...all.count - 1)] }

    mutating func maybe<Element>(_ all: [Element]) -> Element? { all.isEmpty ? nil : one(of: all) }

    mutating func shuffle<Element>(_ all: inout [Element]) {
        guard all.count > 1 else { return }
        for index in (1..<all.count).reversed() { all.swapAt(index, number(0...index)) }
    }
}
