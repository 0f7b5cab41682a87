import JSON
import Shared

// The rows of a list are the same in every view but for which of them are selected. They are written once, when
// the catalog's answer comes.

/// An array of rows, or of sections of rows, none of which is selected.
struct RowTemplate {
    /// The JSON array.
    private let bytes: [UInt8]
    /// Where the `false` of `selected` stands, for each row.
    private let marks: [Int]

    /// Bytes of memory that it takes.
    var memoryBytes: Int { bytes.capacity + marks.capacity * MemoryLayout<Int>.stride }

    private static let unselected = Array("false".utf8)
    private static let selected = ArraySlice("true".utf8)

    /// Writes the array with some rows selected; `indices` ascend.
    func write(selecting indices: [Int], to json: inout JSONWriter) {
        json.value(written: bytes[..<(indices.first.map { marks[$0] } ?? bytes.count)])
        for (place, index) in indices.enumerated() {
            json.more(written: Self.selected)
            let end = place + 1 < indices.count ? marks[indices[place + 1]] : bytes.count
            json.more(written: bytes[(marks[index] + Self.unselected.count)..<end])
        }
    }

    /// The rows of a list of items in the content column; nil if they have sections.
    init?(items rows: JSONValue) {
        var marks: [Int] = []
        var json = JSONWriter(capacity: 2 * rows.raw.count + 256)
        var hasSections = false
        json.array { json in
            for row in rows.elements {
                guard let id = row["id"] else { continue }
                if row["category"] != nil { hasSections = true }
                json.object { json in
                    json.members(of: row.raw)
                    json.key("selected")
                    marks.append(json.count)
                    json.value(false)
                    json.event("select", column: .content, id: id)
                }
            }
        }
        guard !hasSections, marks.count == rows.count else { return nil }
        (bytes, self.marks) = (json.bytes, marks)
    }

    /// The sections of categories none of which has children; `marks` are in the order of the rows.
    init?(sections: [CategorySection]) {
        var marks: [Int] = []
        var json = JSONWriter(capacity: 4_096)
        json.array { json in
            for section in sections {
                json.object { json in
                    json.member("title", section.title)
                    json.array("rows") { json in
                        for category in section.roots {
                            guard let id = category.value["id"] else { continue }
                            json.object { json in
                                category.writeMembers(depth: 0, to: &json)
                                json.key("disclosure")
                                json.null()
                                json.key("selected")
                                marks.append(json.count)
                                json.value(false)
                                json.event("select", column: .sidebar, id: id)
                            }
                        }
                    }
                }
            }
        }
        guard marks.count == sections.reduce(0, { $0 + $1.roots.count }) else { return nil }
        (bytes, self.marks) = (json.bytes, marks)
    }
}

/// Root categories with the same title of their section.
struct CategorySection {
    let title: JSONValue?
    var roots: [CategoryList.Category] = []

    /// The sections in the order of first appearance.
    static func all(_ roots: [CategoryList.Category]) -> [CategorySection] {
        var sections: [CategorySection] = []
        var indices: [Identifier?: Int] = [:]
        for root in roots {
            let title = root.value["section"]
            let key = title?.string.map { Identifier($0) }
            let index = indices[key] ?? sections.count
            if index == sections.count {
                indices[key] = index
                sections.append(CategorySection(title: title))
            }
            sections[index].roots.append(root)
        }
        return sections
    }
}

extension CategoryList.Category {
    /// Writes what every row of a category begins with.
    func writeMembers(depth: Int, to json: inout JSONWriter) {
        json.member("id", value["id"])
        json.member("title", value["title"])
        json.member("icon", value["icon"])
        json.member("badge", value["badge"])
        json.member("count", value["itemCount"])
        json.member("depth", depth)
    }
}
