import JSON
import Shared

/// A package of a Debian index as an item: what it is, what it has, and what it needs.
struct DebianPackage {
    /// The fields that are read, in lower case.
    static let fields: Set<String> = [
        "package", "version", "section", "priority", "architecture", "source", "installed-size", "maintainer",
        "homepage", "description", "description-md5", "pre-depends", "depends", "recommends", "suggests",
    ]

    /// Its name.
    let name: String
    private let paragraph: Paragraph

    /// Takes a paragraph; nil if it names no package.
    init?(_ paragraph: Paragraph) {
        guard let name = paragraph["package"], (1...Limits.idBytesMax).contains(name.utf8.count) else {
            return nil
        }
        (self.name, self.paragraph) = (name, paragraph)
    }

    /// Its version; an empty one is older than all others.
    var version: DebianVersion { DebianVersion(paragraph["version"] ?? "") }
    /// Its `Section` field.
    var section: String? { paragraph["section"] }

    /// The checksum of its description, by which an index of translations knows it.
    var descriptionChecksum: String? { paragraph["description-md5"] }

    /// Writes the change that puts it in a category; `translation` is its long description, if that is elsewhere.
    func write(to json: inout JSONWriter, category: String, translation: String? = nil) {
        let description = (paragraph["description"] ?? "").split(
            separator: "\n", maxSplits: 1, omittingEmptySubsequences: false
        ).map(String.init)
        json.object { json in
            json.member("op", "putItem")
            json.object("item") { json in
                json.member("id", name)
                json.member("title", name)
                if let short = description.first, !short.isEmpty {
                    json.member("subtitle", short.shortened(toJSONBytes: Limits.titleBytesMax))
                }
                json.array("categories") { json in json.value(category) }
                json.array("blocks") { json in
                    if let long = description.count > 1 ? description[1] : translation {
                        writeText(Self.prose(long), to: &json)
                    }
                    writeFields(to: &json)
                    writeLinks("Depends on", ["pre-depends", "depends"], to: &json)
                    writeLinks("Recommends", ["recommends"], to: &json)
                    writeLinks("Suggests", ["suggests"], to: &json)
                }
            }
        }
    }

    // MARK: Blocks

    private func writeText(_ text: String, to json: inout JSONWriter) {
        json.object { json in
            json.member("kind", "text")
            json.member("text", text.shortened(toJSONBytes: Limits.descriptionBytesMax))
        }
    }

    private func writeFields(to json: inout JSONWriter) {
        let rows: [(String, String?)] = [
            ("Version", paragraph["version"]), ("Section", paragraph["section"]),
            ("Priority", paragraph["priority"]), ("Architecture", paragraph["architecture"]),
            ("Installed size", paragraph["installed-size"].flatMap { Int($0) }.map(Self.size)),
            ("Source", paragraph["source"]), ("Maintainer", paragraph["maintainer"]),
            ("Homepage", paragraph["homepage"]),
        ]
        json.object { json in
            json.member("kind", "fields")
            json.array("fields") { json in
                for case (let label, let value?) in rows {
                    json.object { json in
                        json.member("label", label)
                        json.member("value", value.shortened(toJSONBytes: Limits.fieldBytesMax))
                    }
                }
            }
        }
    }

    private func writeLinks(_ heading: String, _ fields: [String], to json: inout JSONWriter) {
        let all = Dependency.parse(fields.compactMap { paragraph[$0] }.joined(separator: ","))
        let links = all.filter { $0.package.utf8.count <= Limits.idBytesMax }
        guard !links.isEmpty else { return }
        writeText(heading, to: &json)
        var room = Limits.linksBytesMax
        var shown = 0
        json.object { json in
            json.member("kind", "links")
            json.array("links") { json in
                for link in links {
                    let title = link.title.shortened(toJSONBytes: Limits.titleBytesMax)
                    room -= title.jsonBytes + link.package.jsonBytes + #"{"title":"","item":""},"#.utf8.count
                    guard room >= 0 else { break }
                    shown += 1
                    json.object { json in
                        json.member("title", title)
                        json.member("item", link.package)
                    }
                }
            }
        }
        if shown < links.count { writeText("and \(links.count - shown) more", to: &json) }
    }

    // MARK: Texts

    /// A long description as prose: its lines are joined to paragraphs, those that are indented stay lines.
    static func prose(_ description: String) -> String {
        var text = ""
        var isInParagraph = false
        for line in description.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "." || line.isEmpty {
                if !text.isEmpty { text += text.hasSuffix("\n") ? "\n" : "\n\n" }
                isInParagraph = false
            } else if line.hasPrefix(" ") {
                text += (isInParagraph ? "\n" : "") + line.dropFirst() + "\n"
                isInParagraph = false
            } else {
                text += (isInParagraph ? " " : "") + line
                isInParagraph = true
            }
        }
        while text.hasSuffix("\n") { text.removeLast() }
        return text
    }

    /// A size of so many KiB for people.
    static func size(kibibytes: Int) -> String {
        guard kibibytes >= 1_024 else { return "\(kibibytes) KiB" }
        let isGiB = kibibytes >= 1_024 * 1_024
        let tenths = (kibibytes * 10) / (isGiB ? 1_024 * 1_024 : 1_024)
        return "\(tenths / 10).\(tenths % 10) \(isGiB ? "GiB" : "MiB")"
    }
}
