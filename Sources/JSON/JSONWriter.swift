import Glibc

// Compact JSON, appended byte by byte. The caller writes a well-formed sequence; the writer places commas,
// quotes and escapes.

/// Appends compact JSON to a growing buffer.
///
/// ```swift
/// var json = JSONWriter()
/// json.object { json in
///     json.member("id", "shakshuka")
///     json.member("count", 3)
/// }
/// // {"id":"shakshuka","count":3}
/// ```
public struct JSONWriter {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Makes an empty writer, with room for `capacity` bytes.
    public init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    // MARK: Values

    /// Writes an object; the closure writes its members.
    public mutating func object<E: Error>(_ members: (inout JSONWriter) throws(E) -> Void) throws(E) {
        open(0x7B)
        try members(&self)
        close(0x7D)
    }

    /// Writes an array; the closure writes its elements.
    public mutating func array<E: Error>(_ elements: (inout JSONWriter) throws(E) -> Void) throws(E) {
        open(0x5B)
        try elements(&self)
        close(0x5D)
    }

    /// Writes a string, or null.
    public mutating func value(_ text: String?) {
        comma()
        guard var text else { return append("null") }
        bytes.append(0x22)
        text.withUTF8 { unsafe escape($0) }
        bytes.append(0x22)
    }

    /// Writes UTF-8 bytes as a string.
    public mutating func value(utf8 text: some Collection<UInt8>) {
        comma()
        bytes.append(0x22)
        if text.withContiguousStorageIfAvailable({ unsafe escape($0) }) == nil {
            unsafe Array(text).withUnsafeBufferPointer { unsafe escape($0) }
        }
        bytes.append(0x22)
    }

    /// Writes a whole number, or null.
    public mutating func value(_ number: Int?) {
        comma()
        guard let number else { return append("null") }
        digits(number)
    }

    /// Writes a number with as few digits as tell it apart, without a fraction if it has none, or null.
    public mutating func value(_ number: Double?) {
        guard let number, number.isFinite else { return null() }
        if let whole = Int(exactly: number), whole.magnitude < 1 << 53 { return value(whole) }
        comma()
        bytes.append(contentsOf: number.description.utf8)
    }

    /// Writes a truth value, or null.
    public mutating func value(_ flag: Bool?) {
        comma()
        switch flag {
        case true?: append("true")
        case false?: append("false")
        case nil: append("null")
        }
    }

    /// Writes null.
    public mutating func null() {
        comma()
        append("null")
    }

    /// Passes on JSON text as it is, only U+2028 and U+2029 are escaped.
    ///
    /// The text must be one compact, valid JSON value, such as a parsed value's `raw`.
    public mutating func value(raw text: [UInt8]) { value(raw: text[...]) }

    /// Passes on JSON text that is a part of something longer.
    public mutating func value(raw text: ArraySlice<UInt8>) {
        comma()
        unsafe text.withUnsafeBufferPointer { unsafe appendRaw($0) }
    }

    /// Writes a fixed piece of JSON text, brackets, names, commas and all: what follows gets no comma.
    public mutating func verbatim(_ text: StaticString) {
        append(text)
        needsComma = false
    }

    /// Writes the value that was parsed, as it was written.
    public mutating func value(_ value: JSONValue?) {
        guard let value else { return null() }
        self.value(raw: value.raw)
    }

    // MARK: Members

    /// Writes a member's name; its value must follow.
    public mutating func key(_ name: StaticString) {
        comma()
        bytes.append(0x22)
        append(name)
        bytes.append(0x22)
        bytes.append(0x3A)
        needsComma = false
    }

    /// Writes a member's name that isn't known beforehand; its value must follow.
    public mutating func key(_ name: String) {
        value(name)
        bytes.append(0x3A)
        needsComma = false
    }

    /// Writes a member with a string or null.
    public mutating func member(_ name: StaticString, _ text: String?) {
        key(name)
        value(text)
    }

    /// Writes a member with a whole number or null.
    public mutating func member(_ name: StaticString, _ number: Int?) {
        key(name)
        value(number)
    }

    /// Writes a member with a number or null.
    public mutating func member(_ name: StaticString, _ number: Double?) {
        key(name)
        value(number)
    }

    /// Writes a member with a truth value or null.
    public mutating func member(_ name: StaticString, _ flag: Bool?) {
        key(name)
        value(flag)
    }

    /// Writes a member with a parsed value as it was written, or null.
    public mutating func member(_ name: StaticString, _ value: JSONValue?) {
        key(name)
        self.value(value)
    }

    /// Writes a member whose value is passed on as it is.
    public mutating func member(_ name: StaticString, raw text: [UInt8]) {
        key(name)
        value(raw: text)
    }

    /// Writes a member whose value is passed on as it is, from a part of something longer.
    public mutating func member(_ name: StaticString, raw text: ArraySlice<UInt8>) {
        key(name)
        value(raw: text)
    }

    /// Writes a member with an object.
    public mutating func object<E: Error>(
        _ name: StaticString, _ members: (inout JSONWriter) throws(E) -> Void
    )
        throws(E)
    {
        key(name)
        try object(members)
    }

    /// Writes a member with an array.
    public mutating func array<E: Error>(
        _ name: StaticString, _ elements: (inout JSONWriter) throws(E) -> Void
    )
        throws(E)
    {
        key(name)
        try array(elements)
    }

    /// Passes on the members of an object that was written elsewhere, without its braces.
    ///
    /// `text` is the object with its braces: `{"a":1}` adds `"a":1`.
    public mutating func members(of text: [UInt8]) { members(of: text[...]) }

    /// Passes on the members of an object that is a part of something longer.
    public mutating func members(of text: ArraySlice<UInt8>) {
        let inner = text.dropFirst().dropLast()
        if !inner.isEmpty { value(raw: inner) }
    }

    /// Empties the buffer and keeps its room.
    public mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    // MARK: Bytes

    private mutating func comma() {
        if needsComma { bytes.append(0x2C) }
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        comma()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func append(_ text: StaticString) {
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func digits(_ number: Int) {
        if number >= 0 && number < 10 { return bytes.append(0x30 + UInt8(number)) }
        bytes.append(contentsOf: String(number).utf8)
    }

    /// Line separators are legal inside JSON strings but split lines in naive readers; nothing else is changed.
    private mutating func appendRaw(_ text: UnsafeBufferPointer<UInt8>) {
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
            unsafe bytes.append(contentsOf: text[copied..<found])
            append(unsafe text[found + 2] == 0xA8 ? "\\u2028" : "\\u2029")
            at = found + 3
            copied = at
        }
        unsafe bytes.append(contentsOf: text[copied...])
    }

    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
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
            unsafe bytes.append(contentsOf: text[copied..<at])
            switch byte {
            case 0x22: append("\\\"")
            case 0x5C: append("\\\\")
            case 0x0A: append("\\n")
            case 0x0D: append("\\r")
            case 0x09: append("\\t")
            case 0xE2: append(unsafe text[at + 2] == 0xA8 ? "\\u2028" : "\\u2029")
            default:
                append("\\u00")
                bytes.append(Self.hex(byte >> 4))
                bytes.append(Self.hex(byte & 15))
            }
            at += isSeparator ? 3 : 1
            copied = at
        }
        unsafe bytes.append(contentsOf: text[copied...])
    }

    private static func hex(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x57 + digit }
}
