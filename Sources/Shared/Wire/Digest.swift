/// Digests of bytes: 64 bits that are the same for the same bytes, and hardly ever for others.
///
/// Each process makes them with another key, so that nobody can choose bytes for their digests. It takes a sixth of the
/// time of Swift's own, which is made for more than finding the few places where to look.
@usableFromInline
struct Digest: Sendable {
    private let key: UInt64
    /// Odd numbers with as many ones as zeros.
    @usableFromInline static let first: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let second: UInt64 = 0xD6E8_FEB8_6659_FD93

    /// Digests with the key of this process, which is that of Swift's own: a simulation has one that is always the same.
    init(key: Int = Hasher().finalize()) { self.key = UInt64(bitPattern: Int64(key)) }

    /// The one of this process.
    static let ofProcess = Digest()

    /// The digest of bytes.
    func callAsFunction(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state = key ^ UInt64(truncatingIfNeeded: bytes.count) &* Self.first
        guard bytes.count >= 16 else { return unsafe Self.fold(Self.mixFew(state, bytes), Self.first) }
        var at = 0
        while at + 16 <= bytes.count {
            state = unsafe Self.mix(state, bytes, at)
            at += 16
        }
        if at < bytes.count { state = unsafe Self.mix(state, bytes, bytes.count - 16) }
        return Self.fold(state, Self.first)
    }

    /// What a table with this seed has for a hash.
    @inlinable
    static func hash(_ digest: UInt64, seed: Int) -> Int {
        Int(truncatingIfNeeded: fold(digest ^ UInt64(truncatingIfNeeded: seed), first))
    }

    /// Mixes less than 16 bytes: their beginning and their end, which lie over each other, and are all of them.
    private static func mixFew(_ state: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let count = bytes.count
        func word<Word: FixedWidthInteger & BitwiseCopyable>(_ at: Int, _: Word.Type) -> UInt64 {
            UInt64(truncatingIfNeeded: unsafe bytes.loadUnaligned(fromByteOffset: at, as: Word.self))
        }
        switch count {
        case 0: return state
        case 1: return fold(word(0, UInt8.self) ^ state, second)
        case 2...3: return fold(word(0, UInt16.self) ^ state, word(count - 2, UInt16.self) ^ second)
        case 4...7: return fold(word(0, UInt32.self) ^ state, word(count - 4, UInt32.self) ^ second)
        default: return fold(word(0, UInt64.self) ^ state, word(count - 8, UInt64.self) ^ second)
        }
    }

    private static func mix(_ state: UInt64, _ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
        unsafe fold(
            bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) ^ state,
            bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self) ^ second)
    }

    /// Both halves of a product: each bit of it depends on all of them.
    @inlinable
    static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
