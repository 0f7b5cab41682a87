/// What has happened, as a number that any difference changes, and as text for a person who looks at one seed.
struct Trace {
    /// FNV-1a over all that was noted.
    private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    /// The lines, if they are kept.
    private(set) var lines: [String] = []
    /// Only one seed that is looked at keeps its lines: they cost more than all else.
    let isKept: Bool

    /// Notes that something has happened, with numbers that tell it from its like.
    mutating func note(_ what: StaticString, _ numbers: Int..., text: @autoclosure () -> String = "") {
        mix(what.utf8CodeUnitCount)
        for number in numbers { mix(number) }
        guard isKept else { return }
        lines.append("\(what) \(numbers.map(String.init).joined(separator: " ")) \(text())")
    }

    private mutating func mix(_ number: Int) {
        hash = (hash ^ UInt64(truncatingIfNeeded: number)) &* 0x100_0000_01B3
    }
}
