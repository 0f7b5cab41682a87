import JSON
import Shared

// What a list of items has, wherever it stands: the content column of three columns, the sidebar of two.

extension ViewComposer {
    /// Writes the page, the search, the order, and whether the search hides the selected item.
    func writeListControls(of page: ItemPage?, to json: inout JSONWriter) {
        let state = input.state
        json.key("page")
        if let page {
            json.object { json in
                json.member("total", page.total)
                json.member("totalCapped", page.value["totalCapped"])
                json.member("first", page.first)
                json.member("before", page.value["before"])
                json.member("after", page.value["after"])
                json.member("selectedIndex", selectedIndex(in: page))
            }
        } else {
            json.null()
        }
        json.object("search") { json in
            json.member("text", state.query.text)
            json.member("scope", state.query.scope.rawValue)
            json.object("event") { json in
                json.member("type", fixed: "search")
                json.member("scope", state.query.scope.rawValue)
            }
        }
        json.object("sort") { json in
            json.member("by", state.sort.by.rawValue)
            json.member("descending", state.sort.descending)
            json.member("options", written: Self.sortOptions)
        }
        json.member("hiddenByFilter", page.map { isHiddenByFilter(in: $0) } ?? false)
    }

    /// The orders that a person can choose, with their titles.
    private static let sortOptions: [UInt8] = {
        let all = [
            ("Position", Sort()), ("Title", Sort(by: .title)),
            ("Title, Z to A", Sort(by: .title, descending: true)),
            ("Newest First", Sort(by: .date, descending: true)), ("Oldest First", Sort(by: .date)),
        ]
        var json = JSONWriter()
        json.array { json in for (title, sort) in all { writeSortOption(title, sort, to: &json) } }
        return json.bytes
    }()

    private static func writeSortOption(_ title: String, _ sort: Sort, to json: inout JSONWriter) {
        json.object { json in
            json.member("title", title)
            json.object("event") { json in
                json.member("type", "sort")
                json.member("by", sort.by.rawValue)
                json.member("descending", sort.descending)
            }
        }
    }

    // MARK: The selected item

    /// The index of the first selected item in the whole filtered list; nil if it isn't there or not known.
    private func selectedIndex(in page: ItemPage) -> Int? {
        guard let selected = input.state.items.first else { return nil }
        if let index = page.index(of: selected) {
            return input.pageCenter == selected ? page.aroundIndex : page.first.map { $0 + index }
        }
        return input.location?.value?.aroundIndex
    }

    private func isHiddenByFilter(in page: ItemPage) -> Bool {
        guard screen.isSearching, let selected = input.state.items.first, page.index(of: selected) == nil
        else { return false }
        if let location = input.location?.value { return location.index(of: selected) == nil }
        return input.pageCenter == selected || page.isWhole
    }

    // MARK: Rows

    /// Writes the rows of a list: what the catalog said, whether it is selected, and the event that selects
    /// it.
    func writeRows(_ rows: some Sequence<JSONValue>, column: Column, to json: inout JSONWriter) {
        let selection = RowSelection(isCollapsed ? [] : input.state.items)
        json.array("rows") { json in
            for row in rows {
                guard let id = row["id"] else { continue }
                json.object { json in
                    if row["category"] == nil {
                        json.members(of: row.raw)
                    } else {
                        for member in row.members where !member.isNamed("category") {
                            json.key(member.name)
                            json.value(member.value)
                        }
                    }
                    json.member("selected", selection.contains(id))
                    json.event("select", column: column, id: id)
                }
            }
        }
    }
}

/// The selected ids, looked up by the bytes of a row's id.
private struct RowSelection {
    private let only: Identifier?
    private let all: Set<Identifier>

    init(_ ids: [Identifier]) {
        only = ids.count == 1 ? ids[0] : nil
        all = ids.count > 1 ? Set(ids) : []
    }

    func contains(_ id: JSONValue) -> Bool {
        // Most lists have one selected row: no text is made of the ids of all others.
        if let only { return id.stringBytes.map { only.text.utf8.elementsEqual($0) } ?? false }
        guard !all.isEmpty, let text = id.string else { return false }
        return all.contains(Identifier(text))
    }
}
