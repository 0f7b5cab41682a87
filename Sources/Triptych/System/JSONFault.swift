import JSON
import Shared

// The parser says only that a text is no JSON, because on the wire nobody reads more. Who wrote a file by
// hand wants to know where: this looks for it, and is used only when the parser has refused.

/// Where a text stops being JSON, and what was expected there.
struct JSONFault: Equatable {
    /// The line, from 1.
    let line: Int
    /// The character in the line, from 1.
    let column: Int
    /// What is wrong.
    let message: String

    /// Finds the first fault of a text that the parser refused.
    static func find(in text: [UInt8]) -> JSONFault {
        var scanner = Scanner(text: text)
        var message = "it is no JSON"
        do throws(Found) {
            try scanner.value()
            scanner.spaces()
            message = scanner.at < text.count ? "there is more behind the end of the value" : message
        } catch {
            message = error.message
        }
        let before = text[..<min(scanner.at, text.count)]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return JSONFault(
            line: 1 + before.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) },
            column: 1 + String(decoding: before[lineStart...], as: UTF8.self).count, message: message)
    }

    private struct Found: Error { let message: String }

    private struct Scanner {
        let text: [UInt8]
        var at = 0
        var level = 0

        var next: UInt8? { at < text.count ? text[at] : nil }

        mutating func spaces() {
            while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { at += 1 }
        }

        mutating func value() throws(Found) {
            spaces()
            level += 1
            defer { level -= 1 }
            guard level <= Limits.nestingLevelsMax else {
                throw Found(message: "it is nested deeper than \(Limits.nestingLevelsMax) levels")
            }
            switch next {
            case UInt8(ascii: "{"): try list(closing: UInt8(ascii: "}"), isObject: true)
            case UInt8(ascii: "["): try list(closing: UInt8(ascii: "]"), isObject: false)
            case UInt8(ascii: "\""): try string()
            case nil: throw Found(message: "the text ends too early")
            default: try scalar()
            }
        }

        mutating func list(closing: UInt8, isObject: Bool) throws(Found) {
            at += 1
            spaces()
            if next == closing { return at += 1 }
            while true {
                if isObject {
                    spaces()
                    guard next == UInt8(ascii: "\"") else {
                        throw Found(message: "a name in quotes is expected")
                    }
                    try string()
                    spaces()
                    guard next == UInt8(ascii: ":") else { throw Found(message: "a colon is expected") }
                    at += 1
                }
                try value()
                spaces()
                if next == closing { return at += 1 }
                guard next == UInt8(ascii: ",") else {
                    throw Found(message: "a comma or \"\(Character(Unicode.Scalar(closing)))\" is expected")
                }
                at += 1
            }
        }

        mutating func string() throws(Found) {
            at += 1
            while let byte = next {
                switch byte {
                case UInt8(ascii: "\""): return at += 1
                case UInt8(ascii: "\\"): at += 2
                case 0..<0x20: throw Found(message: "a text may not contain a line end or another control")
                default: at += 1
                }
            }
            throw Found(message: "the text ends inside quotes")
        }

        mutating func scalar() throws(Found) {
            let start = at
            while let byte = next, !" \t\r\n,:]}[{\"".utf8.contains(byte) { at += 1 }
            guard (try? JSONParser(depthMax: 1).parse(text[start..<at])) == nil else { return }
            at = start
            throw Found(message: "a value is expected")
        }
    }
}
