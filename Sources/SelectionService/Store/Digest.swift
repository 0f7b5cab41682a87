import Shared

/// FNV-1a of 64 bits, or what is like it by words: what tells a damaged record, and what stands for a thing in the index.
struct Digest {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The digest of bytes.
    static func of(_ bytes: [UInt8]) -> Int {
        var digest = Digest()
        digest.add(bytes)
        return digest.value
    }

    /// The digest of long texts: eight bytes at a time, and the rest one by one.
    static func ofWords(_ bytes: [UInt8]) -> Int { unsafe bytes.withUnsafeBytes { unsafe ofWords($0) } }

    /// The digest of two numbers.
    static func ofWords(_ first: Int, _ second: Int) -> Int {
        var digest = Digest()
        digest.add(word: UInt64(bitPattern: Int64(first)))
        digest.add(word: UInt64(bitPattern: Int64(second)))
        return digest.value
    }

    /// The digest of a part of something longer.
    static func ofWords(_ bytes: UnsafeRawBufferPointer) -> Int {
        var digest = Digest()
        let end = bytes.count & ~7
        var at = 0
        while at < end {
            digest.add(word: unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            at += 8
        }
        unsafe digest.add(bytes[end...])
        return digest.value
    }

    /// The digest that stands for a thing of a catalog.
    ///
    /// Two things may have the same one; then a change of one has sessions looked at that only hold the
    /// other.
    static func of(_ thing: Thing, in catalog: Identifier) -> Int {
        var digest = Digest()
        digest.add(catalog.text)
        digest.add(CollectionOfOne(thing.kind.rawValue))  // no byte of UTF-8 is that small but a control
        digest.add(thing.id.text)
        return digest.value
    }

    private var value: Int { Int(bitPattern: UInt(state)) }

    private mutating func add(_ text: String) {
        // The bytes in one piece, as they are in all texts that come from the wire.
        var text = text
        text.withUTF8 { unsafe add($0) }
    }

    private mutating func add(word: UInt64) {
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 32
    }

    private mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}
