import CSimdJSON
import Glibc

// A parsed line. Values are views onto it: nothing is decoded before it is asked for, and each value
// is also known as the raw bytes it came from, so that it can be passed on as they are.

/// One strictly parsed JSON text, immutable, shared by the values that point into it.
public final class JSONDocument: Sendable {
    let text: [UInt8]
    let nodes: [CSimdJSON_node]
    let strings: [UInt8]

    init(text: [UInt8], nodes: [CSimdJSON_node], strings: [UInt8]) {
        self.text = text
        self.nodes = nodes
        self.strings = strings
    }

    /// Whether a string's decoded text is this one.
    func holds(_ text: StaticString, at node: CSimdJSON_node) -> Bool {
        guard Int(node.textLength) == text.utf8CodeUnitCount else { return false }
        let bytes = node.escaped == 0 ? self.text : strings
        return unsafe bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress else { return true }
            return unsafe memcmp(base + Int(node.text), text.utf8Start, Int(node.textLength)) == 0
        }
    }

    /// Bytes of memory that it takes.
    var memoryBytes: Int {
        text.capacity + nodes.capacity * MemoryLayout<CSimdJSON_node>.stride + strings.capacity
    }

    /// The outermost value.
    public var root: JSONValue { JSONValue(document: self, index: 0) }
}

/// Why a text was refused.
public enum JSONError: Error, Equatable {
    /// Not strict JSON (RFC 8259) in strict UTF-8, or with a lone surrogate.
    case invalid
    /// Nested deeper than the parser's bound; the outermost value is level 1, a scalar is a level too.
    case tooDeep
    /// There was no memory for the text.
    case noMemory
}

/// Parses JSON texts, one after the other, with buffers that it keeps.
@safe public final class JSONParser {
    private let raw: OpaquePointer
    private let depthMax: UInt32
    private let spaces: [UInt8]

    /// Makes a parser that refuses texts nested deeper than `depthMax` levels.
    public init(depthMax: Int) {
        guard let raw = unsafe CSimdJSON_new() else { preconditionFailure("no memory for a JSON parser") }
        unsafe self.raw = raw
        self.depthMax = UInt32(depthMax)
        spaces = Array(repeating: 0x20, count: CSimdJSON_padding())
    }

    deinit { unsafe CSimdJSON_free(raw) }

    /// Parses one JSON text.
    ///
    /// - Throws: `JSONError` if it is no strict JSON, nested too deep, or there is no memory.
    public func parse(_ text: [UInt8]) throws(JSONError) -> JSONDocument { try parse(text[...]) }

    /// Parses one JSON text that is a part of something longer.
    ///
    /// - Throws: `JSONError` if it is no strict JSON, nested too deep, or there is no memory.
    public func parse(_ text: ArraySlice<UInt8>) throws(JSONError) -> JSONDocument {
        let length = text.count
        var padded = [UInt8]()
        padded.reserveCapacity(length + spaces.count)
        padded.append(contentsOf: text)
        padded.append(contentsOf: spaces)
        return try parse(padded: padded, length: length)
    }

    private func parse(padded: [UInt8], length: Int) throws(JSONError) -> JSONDocument {
        var nodes: UnsafePointer<CSimdJSON_node>?
        var strings: UnsafePointer<UInt8>?
        var count = 0
        var stringBytes = 0
        let status = unsafe padded.withUnsafeBufferPointer { text in
            unsafe CSimdJSON_parse(
                raw, text.baseAddress, length, depthMax, &nodes, &count, &strings, &stringBytes)
        }
        switch status {
        case CSimdJSON_ok:
            return JSONDocument(
                text: padded,
                nodes: unsafe Array(UnsafeBufferPointer(start: nodes, count: count)),
                strings: unsafe Array(UnsafeBufferPointer(start: strings, count: stringBytes)))
        case CSimdJSON_too_deep: throw .tooDeep
        case CSimdJSON_no_memory: throw .noMemory
        default: throw .invalid
        }
    }
}
