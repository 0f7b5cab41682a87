// Ids of catalogs, categories, items and sessions.

/// An id of a thing: 1 to 128 bytes of UTF-8, compared byte for byte.
///
/// `String` compares by canonical equivalence; for ids the composed and the decomposed form of a letter are two.
public struct Identifier: Sendable, Hashable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral
{
    /// The id as text.
    public let text: String

    /// Ids are looked up far more often than they are made.
    @usableFromInline let digest: UInt64

    /// Makes an id of a text whose length was checked.
    public init(_ text: String) {
        var text = text
        digest = text.withUTF8 { unsafe Digest.ofProcess(UnsafeRawBufferPointer($0)) }
        self.text = text
    }

    /// Makes an id of a literal.
    public init(stringLiteral text: String) { self.init(text) }

    /// The id as text.
    public var description: String { text }

    /// Whether both are the same bytes: what `String` takes for the same though it is not has other digests.
    public static func == (a: Identifier, b: Identifier) -> Bool {
        a.digest == b.digest && a.text.utf8.count == b.text.utf8.count && a.text == b.text
    }

    /// The order of their bytes.
    public static func < (a: Identifier, b: Identifier) -> Bool {
        a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// The same for a table whose keys are ids and nothing else, in a quarter of the time.
    @inlinable
    public func _rawHashValue(seed: Int) -> Int { Digest.hash(digest, seed: seed) }
}
