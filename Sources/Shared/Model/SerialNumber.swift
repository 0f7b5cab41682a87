/// A number that this process has given to something, by which it is found again: later ones are larger.
///
/// Nobody else can choose it. So a table needs no better hash of it than one multiplication, which is a third of what
/// Swift's own costs.
public protocol SerialNumber: Hashable, Comparable, Sendable {
    /// The number.
    var number: Int { get }
}

extension SerialNumber {
    /// Whether both are the same.
    @inlinable
    public static func == (a: Self, b: Self) -> Bool { a.number == b.number }

    /// Whether one was given before another.
    @inlinable
    public static func < (a: Self, b: Self) -> Bool { a.number < b.number }

    /// Hashes the number.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }

    /// The same for a table that has nothing else for keys.
    @inlinable
    public func _rawHashValue(seed: Int) -> Int {
        Digest.hash(UInt64(truncatingIfNeeded: number), seed: seed)
    }
}
