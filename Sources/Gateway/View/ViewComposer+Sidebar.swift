import JSON
import Shared

extension ViewComposer {
    func writeSidebar(to json: inout JSONWriter) {
        if screen.isTwoColumn { writeItemSidebar(to: &json) } else { writeCategorySidebar(to: &json) }
    }

    private func writeSidebarHead(_ status: Status, to json: inout JSONWriter) {
        json.member("status", status.rawValue)
        json.key("title")
        CatalogString.sidebarTitle.write(strings, isTwoColumn: screen.isTwoColumn, to: &json)
        json.member("header", strings?["sidebarHeader"])
    }

    // MARK: Categories

    private func writeCategorySidebar(to json: inout JSONWriter) {
        let list = input.categories.value
        let status: Status
        var placeholder: Placeholder?
        if let list, !list.roots.isEmpty || shown(isStale: input.categories.isStale) == .stale {
            status = shown(isStale: input.categories.isStale)
        } else if case .unavailable = input.categories {
            (status, placeholder) = (.unavailable, .unavailable)
        } else {
            (status, placeholder) = (.empty, .emptyCatalog)
        }
        json.object("sidebar") { json in
            writeSidebarHead(status, to: &json)
            if let list, let template = list.template {
                let selected = isCollapsed ? nil : input.state.category.flatMap { list.rowIndex($0) }
                json.key("sections")
                template.write(selecting: selected.map { [$0] } ?? [], to: &json)
            } else {
                json.array("sections") { json in
                    for section in list?.sections ?? [] { writeSection(section, list, to: &json) }
                }
            }
            writePlaceholder(placeholder, to: &json)
        }
    }

    private func writeSection(_ section: CategorySection, _ list: CategoryList?, to json: inout JSONWriter) {
        let expanded = Set(input.state.expanded)
        let isOutline = input.description.value?.isDrillDown != true
        json.object { json in
            json.member("title", section.title)
            json.array("rows") { json in
                // Children follow their parent; depth first, without recursion.
                var rows = section.roots.reversed().map { (category: $0, depth: 0) }
                while let (category, depth) = rows.popLast() {
                    let children = isOutline ? list?.children(of: category.id) ?? [] : []
                    let isExpanded = children.isEmpty ? nil : expanded.contains(category.id)
                    writeCategory(category, depth: depth, isExpanded: isExpanded, to: &json)
                    if isExpanded == true {
                        rows += children.reversed().map { (category: $0, depth: depth + 1) }
                    }
                }
            }
        }
    }

    private func writeCategory(
        _ category: CategoryList.Category, depth: Int, isExpanded: Bool?, to json: inout JSONWriter
    ) {
        guard let id = category.value["id"] else { return }
        json.object { json in
            category.writeMembers(depth: depth, to: &json)
            json.key("disclosure")
            if let isExpanded {
                json.object { json in
                    json.member("expanded", isExpanded)
                    json.object("event") { json in
                        json.member("type", isExpanded ? "collapse" : "expand")
                        json.member("id", id)
                    }
                }
            } else {
                json.null()
            }
            json.member("selected", !isCollapsed && category.id == input.state.category)
            json.event("select", column: .sidebar, id: id)
        }
    }

    // MARK: Items

    private func writeItemSidebar(to json: inout JSONWriter) {
        // Without the categories the sections would have no titles.
        let page = input.categories.value == nil ? nil : input.page?.value
        let status: Status
        var placeholder: Placeholder?
        if let page {
            let known = shown(isStale: input.page?.isStale == true || input.categories.isStale)
            if page.total == 0, known == .ready {
                (status, placeholder) = (.empty, screen.isSearching ? .noResults : .emptyCatalog)
            } else {
                status = known
            }
        } else {
            (status, placeholder) = (.unavailable, .unavailable)
        }
        json.object("sidebar") { json in
            writeSidebarHead(status, to: &json)
            json.array("sections") { json in
                if let page { writeItemSections(of: page, to: &json) }
            }
            writeListControls(of: page, to: &json)
            writePlaceholder(placeholder, to: &json)
        }
    }

    /// One section for each run of rows of a category.
    private func writeItemSections(of page: ItemPage, to json: inout JSONWriter) {
        var rows: [JSONValue] = []
        var category: JSONValue?
        func writeSection(to json: inout JSONWriter) {
            guard !rows.isEmpty else { return }
            json.object { json in
                json.member("title", category?.string.flatMap { categoryTitle(Identifier($0)) })
                writeRows(rows, column: .sidebar, to: &json)
            }
        }
        for row in page.rows.elements {
            let next = row["category"]
            if !rows.isEmpty, next?.stringBytes != category?.stringBytes {
                writeSection(to: &json)
                rows = []
            }
            category = next
            rows.append(row)
        }
        writeSection(to: &json)
    }
}
