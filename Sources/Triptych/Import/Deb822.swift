import Shared

/// A paragraph of Debian's control format: fields with a name and a value that may have several lines.
struct Paragraph: Equatable {
    /// The line of its first field, from 1.
    let line: Int
    private var fields: [Field] = []

    private struct Field: Equatable {
        let name: String
        var value: String
    }

    init(line: Int) { self.line = line }

    /// The value of a field, whose name is given in lower case; nil if there is none or it is empty.
    subscript(name: String) -> String? {
        guard let field = fields.first(where: { $0.name == name }), !field.value.isEmpty else { return nil }
        return field.value
    }

    var isEmpty: Bool { fields.isEmpty }

    fileprivate mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    fileprivate mutating func extend(_ text: String) {
        guard !fields.isEmpty else { return }
        fields[fields.count - 1].value += "\n" + text
    }
}

/// Reads paragraphs of Debian's control format (deb822): package indexes and dpkg's status file.
///
/// ```
/// Package: hello
/// Description: example package
///  The long description goes on in lines
///  .
///  that begin with a space.
/// ```
struct Deb822 {
    private var lines: LineReader
    private let wanted: Set<String>

    /// Reads lines; fields that are not `wanted` (in lower case) are left out.
    init(_ lines: LineReader, wanted: Set<String>) { (self.lines, self.wanted) = (lines, wanted) }

    /// What the lines are called in messages.
    var name: String { lines.name }

    /// The next paragraph that has any field, or nil at the end.
    ///
    /// - Throws: `StartFailure` that names a line which is no field.
    mutating func next() throws(StartFailure) -> Paragraph? {
        var paragraph: Paragraph?
        var isWanted = false
        while let text = try lines.next() {
            switch text.first {
            case nil:
                if let paragraph { return paragraph }
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                // A line of spaces alone ends a paragraph, too.
                if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                    if let paragraph { return paragraph }
                    continue
                }
                guard paragraph != nil else { throw failure("a line goes on that has not begun") }
                if isWanted { paragraph?.extend(Self.trimmedEnd(text.dropFirst())) }
            case UInt8(ascii: "#"): continue
            default:
                guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex else {
                    throw failure("no field: a name, a colon and a value are expected")
                }
                paragraph = paragraph ?? Paragraph(line: lines.line)
                let name = String(decoding: text[..<colon], as: UTF8.self).lowercased()
                isWanted = wanted.contains(name)
                if isWanted {
                    let value = text[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
                    paragraph?.append(name, Self.trimmedEnd(value))
                }
            }
        }
        return paragraph
    }

    private static func trimmedEnd(_ text: ArraySlice<UInt8>) -> String {
        var text = text
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
    }

    private func failure(_ what: String) -> StartFailure {
        StartFailure(.data, "\(lines.name):\(lines.line): \(what)")
    }
}
