import Shared

/// Random numbers that a seed determines, so that a failing run can be repeated (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Starts at a seed, which the test must print when it fails.
    public init(seed: UInt64) { state = seed }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A new seed, or the one in the environment's `SEED`.
    public static func newSeed() -> UInt64 {
        environment("SEED").flatMap(UInt64.init) ?? UInt64.random(in: 0...UInt64.max)
    }
}

private func environment(_ name: String) -> String? { Paths.environment(name) }
