/// A set of keys of items, which are small numbers: one bit each.
struct KeySet {
    private var bits: [UInt64] = []

    init(_ keys: [Int]) {
        for key in keys { insert(key) }
    }

    private mutating func insert(_ key: Int) {
        let word = key >> 6
        if word >= bits.count { bits += Array(repeating: 0, count: word + 1 - bits.count) }
        bits[word] |= 1 << UInt64(key & 63)
    }

    func contains(_ key: Int) -> Bool {
        let word = key >> 6
        return word < bits.count && bits[word] & 1 << UInt64(key & 63) != 0
    }
}
