/// Digests of bytes: 64 bits that are the same for the same bytes, and hardly ever for others.
///
/// Each process makes them with another key, so that nobody can choose bytes for their digests. It takes a sixth of the
/// time of Swift's own, which is made for more than finding the few places where to look.
struct Digest {
    private let key: UInt64
    /// Odd numbers with as many ones as zeros.
    private static let (first, second): (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93)

    /// Digests with the key of this process, which is that of Swift's own: a simulation has one that is always the same.
    init(key: Int = Hasher().finalize()) { self.key = UInt64(bitPattern: Int64(key)) }

    /// The digest of bytes.
    func callAsFunction(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state = key ^ UInt64(truncatingIfNeeded: bytes.count) &* Self.first
        var at = 0
        while at + 16 <= bytes.count {
            state = unsafe Self.mix(state, bytes, at)
            at += 16
        }
        if at < bytes.count {
            if bytes.count >= 16 {
                state = unsafe Self.mix(state, bytes, bytes.count - 16)
            } else {
                state = unsafe bytes.reduce(state) { Self.fold($0 ^ UInt64($1), Self.second) }
            }
        }
        return Self.fold(state, Self.first)
    }

    private static func mix(_ state: UInt64, _ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
        unsafe fold(
            bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) ^ state,
            bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self) ^ second)
    }

    /// Both halves of a product: each bit of it depends on all of them.
    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
