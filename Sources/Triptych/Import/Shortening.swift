extension String {
    /// How many bytes it has as JSON, without the quotes.
    var jsonBytes: Int { utf8.reduce(0) { $0 + Self.jsonBytes(of: $1) } }

    /// As much of it as fits `bytesMax` bytes of JSON; what is cut ends with an ellipsis.
    func shortened(toJSONBytes bytesMax: Int) -> String {
        // Most texts are far below any bound, whatever they contain.
        guard utf8.count * 6 > bytesMax, jsonBytes > bytesMax else { return self }
        let ellipsis = "…"
        var room = bytesMax - ellipsis.utf8.count
        var end = startIndex
        while end < endIndex {
            room -= self[end].utf8.reduce(0) { $0 + Self.jsonBytes(of: $1) }
            guard room >= 0 else { break }
            formIndex(after: &end)
        }
        return self[..<end] + ellipsis
    }

    /// Bytes that this one becomes; U+2028 and U+2029 become six and have three, so their lead counts as four.
    private static func jsonBytes(of byte: UInt8) -> Int {
        switch byte {
        case 0x22, 0x5C, 0x0A, 0x0D, 0x09: 2
        case 0..<0x20: 6
        case 0xE2: 4
        default: 1
        }
    }
}
