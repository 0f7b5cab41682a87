import Glibc

// What the writer puts between the bytes that it is given: commas, brackets, digits and escapes.

extension JSONWriter {
    mutating func comma() {
        if needsComma { put(0x2C) }
        needsComma = true
    }

    mutating func open(_ bracket: UInt8) {
        comma()
        put(bracket)
        needsComma = false
    }

    mutating func close(_ bracket: UInt8) {
        put(bracket)
        needsComma = true
    }

    /// Writes the digits of a number from the last one to the first.
    mutating func digits(_ number: Int) {
        var rest = number.magnitude
        if number < 0 { put(0x2D) }
        var length = 1
        var bound: UInt = 10
        while rest >= bound, length < 19 {
            bound *= 10
            length += 1
        }
        unsafe withRoom(length) { place in
            for index in stride(from: length - 1, through: 0, by: -1) {
                unsafe place[index] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
        }
    }

    /// Line separators are legal inside JSON strings but split lines in naive readers; nothing else is changed.
    mutating func appendRaw(_ text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress else { return }
        var copied = 0
        var at = 0
        // A view is passed on several times on its way, so this search is most of what that costs: memchr is fast.
        while let next = unsafe memchr(start + at, 0xE2, text.count - at) {
            let found = unsafe UnsafeRawPointer(next) - UnsafeRawPointer(start)
            at = found + 1
            guard found + 2 < text.count, unsafe text[found + 1] == 0x80,
                unsafe text[found + 2] & 0xFE == 0xA8
            else { continue }
            unsafe append(UnsafeBufferPointer(rebasing: text[copied..<found]))
            append(unsafe text[found + 2] == 0xA8 ? "\\u2028" : "\\u2029")
            at = found + 3
            copied = at
        }
        unsafe append(UnsafeBufferPointer(rebasing: text[copied...]))
    }

    mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        if unsafe Self.isPlain(text) { unsafe append(text) } else { unsafe escapeClosely(text) }
    }

    // Apart from the case before it, which is nearly every one, and would else pay for what this one needs.
    @inline(never) private mutating func escapeClosely(_ text: UnsafeBufferPointer<UInt8>) {
        var copied = 0
        var at = 0
        while at < text.count {
            let byte = unsafe text[at]
            guard byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0xE2 else {
                at += 1
                continue
            }
            let isSeparator =
                unsafe byte == 0xE2 && at + 2 < text.count && text[at + 1] == 0x80
                && text[at + 2] & 0xFE == 0xA8
            guard byte != 0xE2 || isSeparator else {
                at += 1
                continue
            }
            unsafe append(UnsafeBufferPointer(rebasing: text[copied..<at]))
            switch byte {
            case 0x22: append("\\\"")
            case 0x5C: append("\\\\")
            case 0x0A: append("\\n")
            case 0x0D: append("\\r")
            case 0x09: append("\\t")
            case 0xE2: append(unsafe text[at + 2] == 0xA8 ? "\\u2028" : "\\u2029")
            default:
                append("\\u00")
                put(Self.hex(byte >> 4))
                put(Self.hex(byte & 15))
            }
            at += isSeparator ? 3 : 1
            copied = at
        }
        unsafe append(UnsafeBufferPointer(rebasing: text[copied...]))
    }

    /// Whether all bytes are surely to be written as they are, looked at eight at a time.
    ///
    /// A byte of a word is below 0x20, or equal to one that has to be escaped, if its highest bit is not set but subtracting
    /// sets it. What may be a line separator begins with 0xE2, and is left to be looked at closely.
    static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = unsafe UnsafeRawPointer(text.baseAddress) else { return true }
        guard text.count >= 8 else {
            for at in 0..<text.count {
                let byte = unsafe text[at]
                if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0xE2 { return false }
            }
            return true
        }
        let ones: UInt64 = 0x0101_0101_0101_0101
        var at = 0
        while true {
            let word = unsafe start.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            let (quote, backslash, separator) = (
                word ^ ones &* 0x22, word ^ ones &* 0x5C, word ^ ones &* 0xE2
            )
            let found =
                (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote
                | (backslash &- ones) & ~backslash | (separator &- ones) & ~separator
            if found & (ones &* 0x80) != 0 { return false }
            if at + 8 == text.count { return true }
            // The last word may be one with the word before in some bytes.
            at = min(at + 8, text.count - 8)
        }
    }

    private static func hex(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x57 + digit }
}
