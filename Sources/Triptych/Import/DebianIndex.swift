import JSON
import Shared

/// Makes one catalog of Debian package indexes: sections are its categories, packages its items.
///
/// A package that several indexes have (an update, another architecture) is taken in its newest version. Indexes of
/// translations, which have the long descriptions, come before those of packages.
struct DebianIndex {
    private let catalog: String
    private var newest: [String: DebianVersion] = [:]
    /// The categories that were put, by the key of their order.
    private var sections: [(key: String, id: String)] = []
    private var categoryIds: [String: String] = [:]
    /// Long descriptions by the checksum that packages name them by.
    private var descriptions: [String: String] = [:]
    private var hasCatalog = false

    /// Makes an empty one that fills `catalog`.
    init(catalog: String) { self.catalog = catalog }

    /// Gives the changes that an index brings.
    ///
    /// - Throws: `StartFailure` that names the line which is wrong, and what `sink` throws.
    mutating func changes(from lines: LineReader, to sink: ChangeSink) throws(StartFailure) {
        var index = Deb822(lines, wanted: DebianPackage.fields.union([Self.translation]))
        if !hasCatalog {
            hasCatalog = true
            try sink(Change(catalog: catalog, json: Array(Self.head.utf8), line: 1, isRow: true))
        }
        while let paragraph = try index.next() {
            if let text = paragraph[Self.translation], let checksum = paragraph["description-md5"] {
                let parts = text.split(separator: "\n", maxSplits: 1)
                if parts.count == 2 { descriptions[checksum] = String(parts[1]) }
                continue
            }
            guard let package = DebianPackage(paragraph) else {
                throw StartFailure(
                    .data, "\(index.name):\(paragraph.line): a paragraph without a package's name")
            }
            let version = package.version
            if let known = newest[package.name], known >= version { continue }
            newest[package.name] = version
            let category = try category(of: package, line: paragraph.line, to: sink)
            var json = JSONWriter(capacity: 2_048)
            package.write(
                to: &json, category: category,
                translation: package.descriptionChecksum.flatMap { descriptions[$0] })
            try sink(Change(catalog: catalog, json: json.bytes, line: paragraph.line, isRow: true))
        }
    }

    /// The category of a package, which is put before its first package.
    private mutating func category(
        of package: DebianPackage, line: Int, to sink: ChangeSink
    ) throws(StartFailure) -> String {
        let field = package.section
        if let id = categoryIds[field ?? ""] { return id }
        // The last one that a catalog can have is kept for all further sections.
        let isLast = sections.count >= Limits.categoriesMax - 1
        let section =
            isLast ? (id: "other", title: "Other Sections", area: nil) : DebianSections.category(of: field)
        let id = section.id.utf8.count <= Limits.idBytesMax ? section.id : "other"
        categoryIds[field ?? ""] = id
        guard !sections.contains(where: { $0.id == id }) else { return id }
        // In alphabetical order, the areas beside main behind it.
        let key = "\(section.area ?? "")\u{0}\(section.title)"
        let position = sections.firstIndex { $0.key > key } ?? sections.count
        let next = position < sections.count ? sections[position].id : nil
        sections.insert((key, id), at: position)
        var json = JSONWriter()
        json.object { json in
            json.member("op", "putCategory")
            json.object("category") { json in
                json.member("id", id)
                json.member("title", section.title.shortened(toJSONBytes: Limits.categoryTitleBytesMax))
                if let area = section.area {
                    json.member("section", area.shortened(toJSONBytes: Limits.sectionBytesMax))
                }
            }
            json.key("at")
            if let next {
                json.object { json in json.member("before", next) }
            } else {
                json.value("last")
            }
        }
        try sink(Change(catalog: catalog, json: json.bytes, line: line, isRow: true))
        return id
    }

    private static let translation = "description-en"

    private static let head = """
        {"op":"putCatalog","title":"Debian Packages","columns":3,"nesting":"outline","strings":{\
        "sidebarTitle":"Sections","searchTitle":"All Packages",\
        "noCategory":{"title":"No Section Selected","hint":"Choose a section in the sidebar.",\
        "icon":"archive"},\
        "noItem":{"title":"No Package Selected","hint":"Choose a package in the list.","icon":"package"},\
        "missingItem":{"title":"No Such Package","hint":"The index does not have it any more.",\
        "icon":"package"}}}
        """
}
