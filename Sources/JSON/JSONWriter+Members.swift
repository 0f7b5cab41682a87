// The members of objects: a name, and whatever follows it.

extension JSONWriter {
    /// Writes a member's name; its value must follow.
    public mutating func key(_ name: StaticString) {
        let length = name.utf8CodeUnitCount
        room(length + 4)
        if needsComma { unsafe putUnchecked(0x2C) }
        unsafe putUnchecked(0x22)
        unsafe copy(name.utf8Start, length)
        unsafe putUnchecked(0x22)
        unsafe putUnchecked(0x3A)
        needsComma = false
    }

    /// Writes a member's name that isn't known beforehand; its value must follow.
    @_disfavoredOverload  // a literal is a fixed name, for which nothing has to be escaped
    public mutating func key(_ name: String) {
        value(name)
        put(0x3A)
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

    /// Writes a member whose value a `JSONWriter` has written.
    public mutating func member(_ name: StaticString, written text: [UInt8]) {
        key(name)
        value(written: text)
    }

    /// Writes a member whose value is a fixed text that needs no escapes.
    public mutating func member(_ name: StaticString, fixed text: StaticString) {
        key(name)
        put(0x22)
        append(text)
        put(0x22)
        needsComma = true
    }

    /// Writes a member with an object.
    public mutating func object(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
        key(name)
        object(members)
    }

    /// Writes a member with an array.
    public mutating func array(_ name: StaticString, _ elements: (inout JSONWriter) -> Void) {
        key(name)
        array(elements)
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

    /// Passes on the members of an object that a `JSONWriter` has written.
    public mutating func members(written text: [UInt8]) {
        let inner = text.dropFirst().dropLast()
        if !inner.isEmpty { value(written: inner) }
    }

    /// Passes on the members of an object that is a part of something longer.
    public mutating func members(of text: ArraySlice<UInt8>) {
        let inner = text.dropFirst().dropLast()
        if !inner.isEmpty { value(raw: inner) }
    }
}
