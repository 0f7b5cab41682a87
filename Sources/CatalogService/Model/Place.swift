// Where a row stands among its neighbours, as bytes that sort. There is a place between any two places, so rows
// never have to be renumbered to let one in: what a cursor says stays true.

/// A place: a list of whole numbers, compared one after the other, as bytes that compare the same way.
///
/// (1) < (1, 0) < (1, 5) < (2). Appending counts up the last number and keeps places short; only rows that are put
/// between two neighbours again and again get longer ones.
struct Place: Equatable, Comparable {
    let bytes: [UInt8]

    /// The place of the only row.
    static let middle = Place(numbers: [0])

    /// Takes what `bytes` were.
    init(bytes: [UInt8]) { self.bytes = bytes }

    init(numbers: [Int]) { bytes = numbers.flatMap(Self.encoded) }

    static func < (a: Place, b: Place) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }

    /// A place behind `low` and before `high`; nil is the end of the list.
    static func between(_ low: Place?, _ high: Place?) -> Place {
        guard let low else { return high?.counted(by: -1) ?? middle }
        guard let high else { return low.counted(by: 1) }
        precondition(low < high, "places out of order")
        let up = low.counted(by: 1)
        if up < high { return up }
        let down = high.counted(by: -1)
        if down > low { return down }
        return Place(bytes: low.bytes + encoded(0))
    }

    /// The same place with another last number.
    private func counted(by difference: Int) -> Place {
        var numbers = self.numbers
        numbers[numbers.count - 1] += difference
        return Place(numbers: numbers)
    }

    // MARK: Bytes

    // -64...63 is one byte, 0x40...0xBF. What is larger has a byte that counts the bytes of the number behind it, and
    // what is smaller one that counts down, with the number's bits inverted: so more bytes sort further out.

    private static func encoded(_ number: Int) -> [UInt8] {
        if (-64...63).contains(number) { return [UInt8(0x80 + number)] }
        let isNegative = number < 0
        let rest = UInt64(isNegative ? -65 - number : number - 64)
        let count = max(1, (64 - rest.leadingZeroBitCount + 7) / 8)
        let digits = (0..<count).reversed().map { UInt8(truncatingIfNeeded: rest >> ($0 * 8)) }
        return isNegative
            ? [UInt8(0x40 - count)] + digits.map { ~$0 } : [UInt8(0xBF + count)] + digits
    }

    private var numbers: [Int] {
        var numbers: [Int] = []
        var index = 0
        while index < bytes.count {
            let head = Int(bytes[index])
            index += 1
            if (0x40...0xBF).contains(head) {
                numbers.append(head - 0x80)
                continue
            }
            let isNegative = head < 0x40
            let count = isNegative ? 0x40 - head : head - 0xBF
            let rest = bytes[index..<index + count].reduce(0) { $0 << 8 | Int(isNegative ? ~$1 : $1) }
            index += count
            numbers.append(isNegative ? -65 - rest : rest + 64)
        }
        return numbers
    }
}
