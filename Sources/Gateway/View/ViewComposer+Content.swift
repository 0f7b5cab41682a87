import JSON
import Shared

extension ViewComposer {
    func writeContent(to json: inout JSONWriter) {
        json.key("content")
        guard !screen.isTwoColumn else { return json.null() }
        let folders = self.folders
        let (status, page, placeholder) = contentStatus(hasFolders: !folders.isEmpty)
        json.object { json in
            json.member("status", status.rawValue)
            json.key("title")
            writeListTitle(status, to: &json)
            json.array("folders") { json in for folder in folders { writeFolder(folder, to: &json) } }
            if let page, let template = page.template {
                let selected = isCollapsed ? [] : input.state.items.compactMap { page.index(of: $0) }
                json.key("rows")
                template.write(selecting: selected.sorted(), to: &json)
            } else if let page {
                writeRows(page.rows.elements, column: .content, to: &json)
            } else {
                json.array("rows") { _ in }
            }
            writeListControls(of: page, to: &json)
            json.array("path") { json in
                for id in input.state.contentPath {
                    json.object { json in
                        json.member("id", id.text)
                        json.member("title", categoryTitle(id))
                    }
                }
            }
            writePlaceholder(placeholder, to: &json)
        }
    }

    private func contentStatus(hasFolders: Bool) -> (Status, ItemPage?, Placeholder?) {
        guard input.knowledge != .unknown else { return (.unavailable, nil, .unavailable) }
        guard screen.hasContent else { return (.noSelection, nil, .noCategory) }
        guard let categories = input.categories.value else {
            if case .missing = input.categories { return (.missing, nil, .noCategory) }
            return (.unavailable, nil, .unavailable)
        }
        if !screen.isCatalogWide, let category = screen.state.listCategory, categories[category] == nil {
            return (.missing, nil, .noCategory)
        }
        switch input.page {
        case .missing: return (.missing, nil, .noCategory)
        case nil, .unavailable: return (.unavailable, nil, .unavailable)
        case .fresh(let page), .stale(let page):
            let known = shown(isStale: input.page?.isStale == true || input.categories.isStale)
            if page.total == 0, !hasFolders, known == .ready {
                return (.empty, page, screen.isSearching ? .noResults : .emptyCategory)
            }
            return (known, page, nil)
        }
    }

    private func writeListTitle(_ status: Status, to json: inout JSONWriter) {
        if status == .noSelection {
            json.null()
        } else if screen.isCatalogWide {
            CatalogString.searchTitle.write(strings, isTwoColumn: false, to: &json)
        } else {
            json.value(screen.state.listCategory.flatMap { categoryTitle($0) })
        }
    }

    // MARK: Folders

    /// The categories in the shown one, which a person can go into.
    private var folders: [CategoryList.Category] {
        guard input.knowledge != .unknown, input.description.value?.isDrillDown == true, !screen.isSearching,
            let category = screen.state.listCategory
        else { return [] }
        return input.categories.value?.children(of: category) ?? []
    }

    private func writeFolder(_ folder: CategoryList.Category, to json: inout JSONWriter) {
        guard let id = folder.value["id"] else { return }
        json.object { json in
            folder.writeMembers(depth: 0, to: &json)
            json.key("disclosure")
            json.null()
            json.member("selected", false)
            json.event("push", column: .content, id: id)
        }
    }
}
