// What is written is mostly large texts that are kept anyway, with a few bytes between them. Copied into one buffer, they
// cost more than all else in an answer; the system can take them from where they are.

/// Bytes that are written in one piece: short ones are copied, large arrays are spliced in as they are.
public struct SplicedBytes: Sendable {
    /// Arrays of so many bytes are spliced in; fewer are copied, which costs less than a piece of its own.
    public static let splicedBytesMin = 2_048

    private var copied: [UInt8] = []
    /// Arrays, each with the number of copied bytes that stand before it.
    private var splices: [(place: Int, bytes: ArraySlice<UInt8>)] = []
    /// All bytes.
    public private(set) var count = 0

    /// There are none yet.
    public init() {}

    /// Takes an array as it is, however short.
    public init(_ bytes: [UInt8]) {
        splices = [(0, bytes[...])]
        count = bytes.count
    }

    /// How many of the bytes were copied.
    public var copiedCount: Int { copied.count }

    /// Bytes of memory that it has for what is copied, and to tell what is not.
    public var room: Int {
        copied.capacity + splices.capacity * MemoryLayout<(place: Int, bytes: ArraySlice<UInt8>)>.stride
    }

    /// Forgets all bytes, and keeps the room.
    public mutating func removeAll() {
        copied.removeAll(keepingCapacity: true)
        splices.removeAll(keepingCapacity: true)
        count = 0
    }

    /// Appends one byte.
    public mutating func append(_ byte: UInt8) {
        copied.append(byte)
        count += 1
    }

    /// Appends a fixed text.
    public mutating func append(_ text: StaticString) {
        unsafe copied.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        count += text.utf8CodeUnitCount
    }

    /// Appends a number that is not below 0, in digits, between two texts.
    public mutating func append(_ before: StaticString, digits number: Int, _ after: StaticString) {
        let texts = before.utf8CodeUnitCount + after.utf8CodeUnitCount
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: texts + Self.digitsMax) { room in
            // Digits from the last one to the first, and so all of it.
            var first = room.count
            func put(_ text: StaticString) {
                first -= text.utf8CodeUnitCount
                guard let place = room.baseAddress else { return }
                unsafe (place + first).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
            }
            put(after)
            var rest = UInt(number)
            repeat {
                first -= 1
                unsafe room[first] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            put(before)
            unsafe copied.append(contentsOf: UnsafeBufferPointer(rebasing: room[first...]))
            count += room.count - first
        }
    }

    /// Digits of the largest number.
    private static let digitsMax = 20

    /// Appends an array.
    public mutating func append(_ bytes: [UInt8]) { append(bytes[...]) }

    /// Appends a part of an array.
    public mutating func append(_ bytes: ArraySlice<UInt8>) {
        if bytes.count < Self.splicedBytesMin {
            copied.append(contentsOf: bytes)
        } else {
            splices.append((copied.count, bytes))
        }
        count += bytes.count
    }

    /// All bytes, copied.
    public var joined: [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(count)
        var from = 0
        for (place, bytes) in splices {
            all += copied[from..<place]
            all += bytes
            from = place
        }
        return all + copied[from...]
    }

    /// How many pieces `forEachPiece` tells of, at most.
    var piecesMax: Int { 2 * splices.count + 1 }

    /// Tells of the pieces behind the first `start` bytes, in their order; none is empty.
    ///
    /// They stay where they are for as long as these bytes are kept.
    func forEachPiece(from start: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
        var (skipped, from) = (start, 0)
        func tell(_ bytes: ArraySlice<UInt8>, _ range: Range<Int>) {
            let begin = range.lowerBound + min(skipped, range.count)
            skipped -= min(skipped, range.count)
            guard begin < range.upperBound else { return }
            // Arrays that are kept and not changed are not moved.
            unsafe bytes.withUnsafeBytes {
                unsafe body(UnsafeRawBufferPointer(rebasing: $0[begin..<range.upperBound]))
            }
        }
        for (place, bytes) in splices {
            tell(copied[...], from..<place)
            tell(bytes, 0..<bytes.count)
            from = place
        }
        tell(copied[...], from..<copied.count)
    }
}
