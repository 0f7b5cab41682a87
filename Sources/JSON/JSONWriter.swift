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
@safe public struct JSONWriter: ~Copyable {
    // A buffer of its own: an array would look at each append whether somebody else holds it, and a view has some
    // thousand of them. Nothing is written before `room` has made sure that it fits.
    private var start: UnsafeMutablePointer<UInt8>
    private(set) var capacity: Int
    /// How many bytes were written so far.
    public private(set) var count = 0
    var needsComma = false

    /// Makes an empty writer, with room for `capacity` bytes.
    public init(capacity: Int = 256) {
        self.capacity = max(capacity, 64)
        unsafe start = .allocate(capacity: self.capacity)
    }

    deinit { unsafe start.deallocate() }

    /// What was written so far, copied.
    public var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: start, count: count)) }

    /// Hands over what was written so far; it must be taken before `body` returns.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe body(UnsafeRawBufferPointer(start: start, count: count))
    }

    // MARK: Values

    /// Writes an object; the closure writes its members.
    public mutating func object<E: Error>(_ members: (inout JSONWriter) throws(E) -> Void) throws(E) {
        open(0x7B)
        try members(&self)
        close(0x7D)
    }

    // Most closures throw nothing: for those there is a form that is not generic, which saves handing a type around.

    /// Writes an object; the closure writes its members.
    public mutating func object(_ members: (inout JSONWriter) -> Void) {
        open(0x7B)
        members(&self)
        close(0x7D)
    }

    /// Writes an array; the closure writes its elements.
    public mutating func array(_ elements: (inout JSONWriter) -> Void) {
        open(0x5B)
        elements(&self)
        close(0x5D)
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
        put(0x22)
        text.withUTF8 { unsafe escape($0) }
        put(0x22)
    }

    /// Writes UTF-8 bytes as a string.
    public mutating func value(utf8 text: some Collection<UInt8>) {
        comma()
        put(0x22)
        if text.withContiguousStorageIfAvailable({ unsafe escape($0) }) == nil {
            unsafe Array(text).withUnsafeBufferPointer { unsafe escape($0) }
        }
        put(0x22)
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
        comma()
        // Most lengths are whole points or halves.
        let size = number.magnitude
        guard size < 0x1p53, size * 2 == (size * 2).rounded(.down) else { return append(number.description) }
        if number < 0 { put(0x2D) }
        digits(Int(size))
        if size != size.rounded(.down) { append(".5") }
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

    /// Passes on JSON text that a `JSONWriter` has written, in which there is nothing left to escape.
    public mutating func value(written text: [UInt8]) { value(written: text[...]) }

    /// Passes on a part of what a `JSONWriter` has written.
    public mutating func value(written text: ArraySlice<UInt8>) {
        comma()
        append(text)
    }

    /// Appends a part of what a `JSONWriter` has written to the part before it, with nothing between them.
    public mutating func more(written text: ArraySlice<UInt8>) { append(text) }

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

    /// Empties the buffer and keeps its room, unless that is more than `roomKeptMax`.
    public mutating func reset() {
        count = 0
        needsComma = false
        guard capacity > Self.roomKeptMax else { return }
        self = JSONWriter()
    }

    /// The most bytes of room that a writer keeps when it is emptied.
    public static let roomKeptMax = 131_072

    // MARK: Bytes

    /// Makes sure that so many bytes more fit.
    mutating func room(_ bytes: Int) { if capacity - count < bytes { grow(bytes) } }

    private mutating func grow(_ bytes: Int) {
        capacity = max(capacity * 2, count + bytes)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        unsafe larger.update(from: start, count: count)
        unsafe start.deallocate()
        unsafe start = larger
    }

    mutating func put(_ byte: UInt8) {
        room(1)
        unsafe putUnchecked(byte)
    }

    /// Writes a byte for which `room` was made.
    @unsafe mutating func putUnchecked(_ byte: UInt8) {
        unsafe start[count] = byte
        count += 1
    }

    /// Writes bytes for which `room` was made.
    @unsafe mutating func copy(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
        unsafe (start + count).update(from: bytes, count: length)
        count += length
    }

    /// Has so many bytes written in place.
    mutating func withRoom(_ bytes: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Void) {
        room(bytes)
        unsafe write(start + count)
        count += bytes
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let from = bytes.baseAddress else { return }
        room(bytes.count)
        unsafe copy(from, bytes.count)
    }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append($0) }
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { unsafe append($0) }
    }

    mutating func append(_ text: StaticString) {
        unsafe append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
