import Glibc

// Bytes in, lines out: bounded, and split on the byte 0x0A only.

/// Cuts a stream of bytes into lines.
public struct LineDecoder {
    /// What was found in the stream.
    public enum Line: Equatable {
        /// A line without its LF, and without a CR before it; never blank.
        case text(ArraySlice<UInt8>)
        /// A line that was longer than the bound; it is skipped up to its LF.
        case tooLong
    }

    private let lineBytesMax: Int
    private var buffer: [UInt8] = []
    /// Where the first line that was not taken starts.
    private var start = 0
    /// Up to where there is known to be no LF.
    private var scanned = 0
    /// Whether the rest of a line that is too long is being skipped.
    private(set) var isSkipping = false
    private var isAtEnd = false

    /// Makes a decoder for lines of at most `lineBytesMax` bytes without their LF.
    public init(lineBytesMax: Int) { self.lineBytesMax = lineBytesMax }

    /// Room that an empty decoder keeps.
    private static let keptBytesMax = 131_072

    /// Bytes that are held.
    public var heldBytes: Int { buffer.count - start }

    /// Whether a line has begun that is not complete yet.
    ///
    /// Meaningful when `next` has returned nil.
    public var isInsideLine: Bool { isSkipping || heldBytes > 0 }

    /// Takes what was received.
    public mutating func append(_ bytes: RawSpan) {
        if start == buffer.count, buffer.capacity > Self.keptBytesMax {
            buffer = []
            (start, scanned) = (0, 0)
        } else if start > 0 {
            // Lines are mostly taken whole, so that there is little or nothing to move.
            buffer.removeSubrange(..<start)
            scanned -= start
            start = 0
        }
        unsafe bytes.withUnsafeBytes { unsafe buffer.append(contentsOf: $0) }
    }

    /// Takes the end of the stream: what has no LF is a line, too.
    public mutating func finish() { isAtEnd = true }

    /// The next complete line, or nil if there is none yet.
    public mutating func next() -> Line? {
        while true {
            let end = lineEnd()
            if isSkipping {
                guard let end else {
                    drop(to: buffer.count)
                    return nil
                }
                isSkipping = false
                drop(to: end + 1)
                continue
            }
            guard (end ?? buffer.count) - start <= lineBytesMax else {
                if let end {
                    drop(to: end + 1)
                } else {
                    isSkipping = true
                    drop(to: buffer.count)
                }
                return .tooLong
            }
            guard let end = end ?? (isAtEnd && heldBytes > 0 ? buffer.count : nil) else { return nil }
            var line = buffer[start..<end]
            start = min(end + 1, buffer.count)
            scanned = start
            if line.last == 0x0D { line.removeLast() }
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            return .text(line)
        }
    }

    private mutating func lineEnd() -> Int? {
        let from = scanned
        let offset: Int? = unsafe buffer.withUnsafeBytes { all in
            guard let base = all.baseAddress, from < all.count,
                let found = unsafe memchr(base + from, 0x0A, all.count - from)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
        scanned = offset ?? buffer.count
        return offset
    }

    private mutating func drop(to index: Int) {
        start = min(index, buffer.count)
        scanned = start
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptBytesMax)
            (start, scanned) = (0, 0)
        }
    }
}
