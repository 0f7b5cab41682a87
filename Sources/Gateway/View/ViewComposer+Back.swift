import JSON
import Shared

extension ViewComposer {
    /// The button that leads back, or null.
    var back: [UInt8] {
        var json = JSONWriter()
        guard let destination = screen.back(isCollapsed: isCollapsed) else {
            json.null()
            return json.bytes
        }
        json.object { json in
            json.key("title")
            writeTitle(of: destination, to: &json)
            json.object("event") { json in
                json.member("type", fixed: "back")
                if isCollapsed { json.member("collapsed", true) }
            }
        }
        return json.bytes
    }

    private func writeTitle(of destination: Screen.Destination, to json: inout JSONWriter) {
        switch destination {
        case .item(let id): json.value(input.items[id]?.value?.value["title"])
        case .list(let id): json.value(categoryTitle(id))
        case .search: CatalogString.searchTitle.write(strings, isTwoColumn: false, to: &json)
        case .sidebar:
            CatalogString.sidebarTitle.write(strings, isTwoColumn: screen.isTwoColumn, to: &json)
        case .nowhere: json.null()
        }
    }

    /// The title of a category; nil if it isn't known.
    func categoryTitle(_ id: Identifier) -> JSONValue? { input.categories.value?[id]?.value["title"] }
}
