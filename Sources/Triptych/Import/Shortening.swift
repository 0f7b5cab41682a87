extension String {
    /// How many bytes it has as JSON, without the quotes.
    var jsonBytes: Int { unicodeScalars.reduce(0) { $0 + Self.jsonBytes(of: $1) } }

    /// As much of it as fits `bytesMax` bytes of JSON; what is cut ends with an ellipsis.
    func shortened(toJSONBytes bytesMax: Int) -> String {
        // Most texts are far below any bound, whatever they contain.
        guard utf8.count * 6 > bytesMax, jsonBytes > bytesMax else { return self }
        let ellipsis = "…"
        var room = bytesMax - ellipsis.utf8.count
        var end = startIndex
        while end < endIndex {
            room -= String(self[end]).jsonBytes
            guard room >= 0 else { break }
            formIndex(after: &end)
        }
        return self[..<end] + ellipsis
    }

    private static func jsonBytes(of scalar: Unicode.Scalar) -> Int {
        switch scalar {
        case "\"", "\\", "\n", "\r", "\t": 2
        case "\0"..<" ", "\u{2028}", "\u{2029}": 6
        default: UTF8.width(scalar)
        }
    }
}
