/// Chance that is the same for the same seed (SplitMix64); each party of a run has its own.
struct LiveRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64, party: Int) {
        state = seed &+ UInt64(party) &* 0xD1B5_4A32_D192_ED03
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// A number below `bound`.
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// One of some.
    mutating func one<Element>(_ all: [Element]) -> Element { all[below(all.count)] }
}
