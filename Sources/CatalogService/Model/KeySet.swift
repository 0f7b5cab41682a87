/// A set of keys of items, which are small numbers: one bit each.
struct KeySet {
    private var bits: [UInt64] = []

    /// Takes a key in.
    ///
    /// Returns whether it is new.
    @discardableResult mutating func insert(_ key: Int) -> Bool {
        let word = key >> 6
        if word >= bits.count { bits += Array(repeating: 0, count: word + 1 - bits.count) }
        guard !contains(key) else { return false }
        bits[word] |= 1 << UInt64(key & 63)
        return true
    }

    func contains(_ key: Int) -> Bool {
        let word = key >> 6
        return word < bits.count && bits[word] & 1 << UInt64(key & 63) != 0
    }
}
