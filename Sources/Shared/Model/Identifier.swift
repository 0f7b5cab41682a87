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
        guard a.text.utf8.count == b.text.utf8.count else { return false }
        // Where the bytes can be had in one piece, as in all texts that come from the wire, none are copied.
        let isSame = unsafe a.text.utf8.withContiguousStorageIfAvailable { mine in
            unsafe b.text.utf8.withContiguousStorageIfAvailable { other in
                guard let start = mine.baseAddress, let second = other.baseAddress else { return true }
                return unsafe memcmp(start, second, mine.count) == 0
            }
        }
        return (isSame ?? nil) ?? a.text.utf8.elementsEqual(b.text.utf8)
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
