import JSON
import Shared

// What a view says in words: a catalog's own strings, else English ones.

/// What a column says instead of content, so that it is never blank.
enum Placeholder {
    case emptyCatalog
    case noCategory
    case noItem
    case emptyCategory
    case noResults
    case missingItem
    case unavailable

    /// Its member among the strings of a catalog.
    private var name: StaticString {
        switch self {
        case .emptyCatalog: "emptyCatalog"
        case .noCategory: "noCategory"
        case .noItem: "noItem"
        case .emptyCategory: "emptyCategory"
        case .noResults: "noResults"
        case .missingItem: "missingItem"
        case .unavailable: "unavailable"
        }
    }

    private var defaults: (title: String, hint: String, icon: String) {
        switch self {
        case .emptyCatalog: ("Nothing Here Yet", "Import a catalog to fill this list.", "tray")
        case .noCategory: ("No Category Selected", "Choose a category from the list.", "sidebar")
        case .noItem: ("Nothing Selected", "Choose an item from the list.", "document")
        case .emptyCategory: ("No Items", "Choose another category, or add an item to this one.", "tray")
        case .noResults: ("No Results", "Check the spelling, or search for something else.", "search")
        case .missingItem: ("No Longer There", "It was removed. Choose something else.", "warning")
        case .unavailable: ("Not Available", "Try again in a moment.", "warning")
        }
    }

    /// Writes `{title, hint, icon}`; what the catalog leaves out is the default.
    func write(_ strings: JSONValue?, to json: inout JSONWriter) {
        let own = strings?[name]
        json.object { json in
            json.member("title", own?["title"], orElse: defaults.title)
            json.member("hint", own?["hint"], orElse: defaults.hint)
            json.member("icon", own?["icon"], orElse: defaults.icon)
        }
    }
}

/// A title that a catalog can give.
enum CatalogString {
    case sidebarTitle
    case searchTitle

    /// Writes the catalog's own text, else the default.
    func write(_ strings: JSONValue?, isTwoColumn: Bool, to json: inout JSONWriter) {
        switch self {
        case .sidebarTitle:
            json.value(strings?["sidebarTitle"], orElse: isTwoColumn ? "Items" : "Categories")
        case .searchTitle: json.value(strings?["searchTitle"], orElse: "Search Results")
        }
    }
}

extension JSONWriter {
    /// Writes a string that was parsed, else another one.
    mutating func value(_ value: JSONValue?, orElse other: String) {
        if let value, value.kind == .string { self.value(value) } else { self.value(other) }
    }

    /// Writes a member with a string that was parsed, else with another one.
    mutating func member(_ name: StaticString, _ value: JSONValue?, orElse other: String) {
        key(name)
        self.value(value, orElse: other)
    }

    /// Writes a member with an event that names a thing in a column.
    mutating func event(_ type: StaticString, column: Column, id: JSONValue) {
        object("event") { json in
            json.member("type", fixed: type)
            json.member("column", column.rawValue)
            json.member("id", id)
        }
    }

    /// Writes a member with an event that has nothing to say but its type.
    mutating func event(_ type: StaticString) {
        object("event") { json in json.member("type", fixed: type) }
    }
}
