import Glibc

// Ids of catalogs, categories, items and sessions.

/// An id of a thing: 1 to 128 bytes of UTF-8, compared byte for byte.
///
/// `String` compares by canonical equivalence; for ids the composed and the decomposed form of a letter are two.
public struct Identifier: Sendable, Hashable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral
{
    /// The id as text.
    public let text: String

    /// Makes an id of a text whose length was checked.
    public init(_ text: String) { self.text = text }

    /// Makes an id of a literal.
    public init(stringLiteral text: String) { self.text = text }

    /// The id as text.
    public var description: String { text }

    /// Whether both are the same bytes.
    public static func == (a: Identifier, b: Identifier) -> Bool {
        var (mine, other) = (a.text, b.text)
        guard mine.utf8.count == other.utf8.count else { return false }
        return mine.withUTF8 { mine in
            other.withUTF8 { other in
                guard let start = mine.baseAddress, let second = other.baseAddress else { return true }
                return unsafe memcmp(start, second, mine.count) == 0
            }
        }
    }

    /// The order of their bytes.
    public static func < (a: Identifier, b: Identifier) -> Bool {
        a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
