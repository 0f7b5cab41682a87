import JSON
import Shared

/// What an imported file contains.
enum InputFormat: String, CaseIterable {
    /// A catalog with its categories and items.
    case catalog
    /// NDJSON of changes.
    case changes
    /// A Debian package index.
    case deb822

    /// How much of a text is looked at.
    static let detectedBytes = 65_536

    /// Tells by how a text begins.
    ///
    /// What is no JSON is taken for a package index; what the first line is decides between the others.
    static func detect(_ start: [UInt8]) -> InputFormat {
        let text = start.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard text.first == UInt8(ascii: "{") else { return text.isEmpty ? .changes : .deb822 }
        let line = text.prefix { $0 != 0x0A }
        guard let first = try? JSONParser(depthMax: Limits.nestingLevelsMax).parse(line).root else {
            // A change that is longer than what was looked at says so at its beginning.
            return text.starts(with: #"{"op":"#.utf8) ? .changes : .catalog
        }
        return first["op"] != nil || first["catalog"]?.kind == .string ? .changes : .catalog
    }
}
