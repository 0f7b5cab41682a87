import Shared

// What was last seen of the other services: shown, and called stale, while they can't be asked.

/// A bounded store that forgets what was not used for longest.
struct LastKnown<Key: Hashable, Value> {
    /// A value and its use; a class, so that a look changes the use without a copy of the value or a second search.
    private final class Entry {
        var value: Value
        var bytes: Int
        var use: UInt64

        init(value: Value, bytes: Int, use: UInt64) {
            (self.value, self.bytes, self.use) = (value, bytes, use)
        }
    }

    private let countMax: Int
    private let bytesMax: Int
    private var entries: [Key: Entry] = [:]
    /// Bytes of the values in all.
    private(set) var bytes = 0
    private var lastUse: UInt64 = 0

    /// Makes an empty store.
    init(countMax: Int, bytesMax: Int = .max) { (self.countMax, self.bytesMax) = (countMax, bytesMax) }

    /// How many values are kept.
    var count: Int { entries.count }

    /// The value of a key, without using it.
    func peek(_ key: Key) -> Value? { entries[key]?.value }

    /// The value of a key.
    subscript(key: Key) -> Value? {
        mutating get {
            guard let entry = entries[key] else { return nil }
            lastUse += 1
            entry.use = lastUse
            return entry.value
        }
    }

    /// Changes the value of a key, if there is one, without using it.
    mutating func change(_ key: Key, _ change: (inout Value) -> Void) {
        guard let entry = entries[key] else { return }
        change(&entry.value)
    }

    /// Keeps a value of `bytes` bytes; gives the one that was there before.
    @discardableResult
    mutating func keep(_ value: Value, for key: Key, bytes: Int = 0) -> Value? {
        guard bytes <= bytesMax else { return forget(key) }
        lastUse += 1
        self.bytes += bytes
        var before: Value?
        if let entry = entries[key] {
            before = entry.value
            self.bytes -= entry.bytes
            (entry.value, entry.bytes, entry.use) = (value, bytes, lastUse)
        } else {
            entries[key] = Entry(value: value, bytes: bytes, use: lastUse)
        }
        if entries.count > countMax || self.bytes > bytesMax { makeRoom() }
        return before
    }

    /// Forgets the value of a key, and gives it.
    @discardableResult
    mutating func forget(_ key: Key) -> Value? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        bytes -= entry.bytes
        return entry.value
    }

    /// Forgets the eighth that was not used for longest, and more while there are too many bytes: so the
    /// order of use is looked at seldom.
    private mutating func makeRoom() {
        let oldest = entries.map { (key: $0.key, use: $0.value.use) }.sorted { $0.use < $1.use }
        let countKept = countMax - countMax / 8
        let bytesKept = bytesMax - bytesMax / 8
        for (key, _) in oldest {
            guard entries.count > max(countKept, 1) || bytes > bytesKept else { return }
            forget(key)
        }
    }
}
