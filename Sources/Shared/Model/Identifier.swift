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
    ///
    /// Most ids are short: two words are hashed in half the time that some single bytes take.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { bytes in
            guard bytes.count <= 16, let start = bytes.baseAddress else {
                unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
                return hasher.combine(bytes.count)
            }
            var words: (UInt64, UInt64) = (0, 0)
            unsafe withUnsafeMutableBytes(of: &words) { words in
                guard let words = words.baseAddress else { return }
                unsafe words.copyMemory(from: start, byteCount: bytes.count)
            }
            hasher.combine(words.0)
            hasher.combine(words.1)
        }
    }
}
