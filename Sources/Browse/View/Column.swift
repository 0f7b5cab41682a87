import JSON
import Shared

/// One column of a view.
struct Column: Equatable {
    struct Row: Equatable {
        let id: Identifier
        let title: String
        let subtitle: String
        let badge: String
        let date: String
        let count: Int?
        let depth: Int
        let isExpanded: Bool?
        let disclosure: ViewEvent?
        let isSelected: Bool
        let event: ViewEvent?

        init(_ row: JSONTree) {
            id = Identifier(row["id"]?.string ?? "")
            title = row["title"]?.string ?? ""
            subtitle = row["subtitle"]?.string ?? ""
            badge = row["badge"]?.string ?? ""
            date = row["date"]?.string ?? ""
            count = row["count"]?.int
            depth = row["depth"]?.int ?? 0
            isExpanded = row["disclosure"]?["expanded"]?.bool
            disclosure = row["disclosure"]?["event"]
            isSelected = row["selected"]?.bool == true
            event = row["event"]
        }
    }

    struct Section: Equatable {
        let title: String
        let rows: [Row]
    }

    struct Page: Equatable {
        let total: Int
        let isCapped: Bool
        let first: Int?
        let before: String?
        let after: String?
    }

    struct Search: Equatable {
        let text: String
        let isCatalogWide: Bool
        let event: ViewEvent
    }

    struct Sort: Equatable {
        struct Option: Equatable {
            let title: String
            let isCurrent: Bool
            let event: ViewEvent
        }

        let options: [Option]
    }

    /// What stands for a column's content.
    struct Placeholder: Equatable {
        let title: String
        let hint: String
    }

    enum Block: Equatable {
        struct Field: Equatable {
            let label: String
            let value: String
        }

        struct Link: Equatable {
            let title: String
            let item: Identifier
            let event: ViewEvent?
        }

        case text(String)
        case fields([Field])
        case image(label: String, source: String)
        case links([Link])
        /// One that this front end does not know.
        case other(String)
    }

    let status: String
    let title: String
    let header: String
    /// Categories to go into.
    let folders: [Row]
    /// Rows in sections; those of the content are one section without a title.
    let sections: [Section]
    let page: Page?
    let search: Search?
    let sort: Sort?
    let isHiddenByFilter: Bool
    let path: [String]
    let placeholder: Placeholder?
    // Of the detail.
    let id: Identifier
    let subtitle: String
    let badge: String
    let date: String
    let blocks: [Block]
    let selectedCount: Int
}

extension Column {
    init(_ part: JSONTree) {
        status = part["status"]?.string ?? ""
        title = part["title"]?.string ?? ""
        header = part["header"]?.string ?? ""
        folders = part["folders"]?.elements.map { Row($0) } ?? []
        let rows = part["rows"].map { [Section(title: "", rows: $0.elements.map { Row($0) })] }
        let sections = part["sections"]?.elements.map { section in
            Section(
                title: section["title"]?.string ?? "", rows: section["rows"]?.elements.map { Row($0) } ?? [])
        }
        self.sections = sections ?? rows ?? []
        page = part["page"].map { page in
            Page(
                total: page["total"]?.int ?? 0, isCapped: page["totalCapped"]?.bool == true,
                first: page["first"]?.int, before: page["before"]?.string, after: page["after"]?.string)
        }
        search = part["search"].flatMap { search in
            search["event"].map {
                Search(
                    text: search["text"]?.string ?? "", isCatalogWide: search["scope"]?.string == "catalog",
                    event: $0)
            }
        }
        sort = part["sort"].map { Sort($0) }
        isHiddenByFilter = part["hiddenByFilter"]?.bool == true
        path = part["path"]?.elements.map { $0["title"]?.string ?? "" } ?? []
        placeholder = part["placeholder"].map {
            Placeholder(title: $0["title"]?.string ?? "", hint: $0["hint"]?.string ?? "")
        }
        id = Identifier(part["id"]?.string ?? "")
        subtitle = part["subtitle"]?.string ?? ""
        badge = part["badge"]?.string ?? ""
        date = part["date"]?.string ?? ""
        blocks = part["blocks"]?.elements.map { Block($0) } ?? []
        selectedCount = part["selectedCount"]?.int ?? 0
    }

    /// How many rows of the list there are, folders aside.
    var rowCount: Int { sections.reduce(0) { $0 + $1.rows.count } }
}

extension Column.Sort {
    init(_ sort: JSONTree) {
        options = (sort["options"]?.elements ?? []).compactMap { option in
            guard let event = option["event"] else { return nil }
            return Option(
                title: option["title"]?.string ?? "",
                isCurrent: event["by"] == sort["by"] && event["descending"] == sort["descending"],
                event: event)
        }
    }
}

extension Column.Block {
    init(_ block: JSONTree) {
        switch block["kind"]?.string {
        case "text": self = .text(block["text"]?.string ?? "")
        case "fields":
            self = .fields(
                (block["fields"]?.elements ?? []).map {
                    Field(label: $0["label"]?.string ?? "", value: $0["value"]?.string ?? "")
                })
        case "image":
            self = .image(label: block["label"]?.string ?? "", source: block["source"]?.string ?? "")
        case "links":
            self = .links(
                (block["links"]?.elements ?? []).map {
                    Link(
                        title: $0["title"]?.string ?? "", item: Identifier($0["item"]?.string ?? ""),
                        event: $0["event"])
                })
        case let kind: self = .other(kind ?? "")
        }
    }
}
