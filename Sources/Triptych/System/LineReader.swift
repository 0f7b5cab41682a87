import Glibc
import Shared

/// Cuts bytes into numbered lines; blank ones count and are given, too.
struct LineReader {
    /// What the bytes are called in messages.
    let name: String
    /// The number of the line that `next` gave last, from 1.
    private(set) var line = 0
    private let refill: (inout [UInt8]) throws(StartFailure) -> Bool
    private var buffer: [UInt8]
    private var start = 0
    private var isAtEnd = false

    /// Reads from a source; `read` are bytes that were read from it already.
    init(_ source: ByteSource, read: [UInt8] = []) {
        self.init(name: source.name, read: read) { buffer throws(StartFailure) in
            try source.read(into: &buffer)
        }
    }

    /// Reads what `refill` appends until it says false.
    init(
        name: String, read: [UInt8] = [], refill: @escaping (inout [UInt8]) throws(StartFailure) -> Bool
    ) {
        (self.name, self.refill, buffer) = (name, refill, read)
    }

    /// The next line without its LF and without a CR before it, or nil at the end.
    ///
    /// - Throws: `StartFailure` if reading fails or a line is too long.
    mutating func next() throws(StartFailure) -> ArraySlice<UInt8>? {
        var scanned = start
        while true {
            if let end = Self.lineFeed(in: buffer, from: scanned) { return take(to: end, skipping: 1) }
            guard !isAtEnd else { return start < buffer.count ? take(to: buffer.count, skipping: 0) : nil }
            guard buffer.count - start <= Limits.importLineBytesMax else {
                throw StartFailure(
                    .data, "\(name):\(line + 1): the line has more than \(Limits.importLineBytesMax) bytes")
            }
            scanned = buffer.count - start
            if start > 0 { buffer.removeSubrange(..<start) }
            start = 0
            isAtEnd = try !refill(&buffer)
        }
    }

    private mutating func take(to end: Int, skipping: Int) -> ArraySlice<UInt8> {
        var text = buffer[start..<end]
        start = end + skipping
        line += 1
        if text.last == 0x0D { text.removeLast() }
        return text
    }

    private static func lineFeed(in buffer: [UInt8], from: Int) -> Int? {
        unsafe buffer.withUnsafeBytes { all in
            guard let base = all.baseAddress, from < all.count,
                let found = unsafe memchr(base + from, 0x0A, all.count - from)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }
}
