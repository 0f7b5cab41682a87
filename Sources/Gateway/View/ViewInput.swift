import Shared

/// What is known of one thing.
enum Known<Value> {
    /// Its owner has just said so.
    case fresh(Value)
    /// Its owner once said so and can't be asked now.
    case stale(Value)
    /// There is no such thing.
    case missing
    /// Its owner can't be asked, and never was.
    case unavailable

    /// The value, fresh or not.
    var value: Value? {
        switch self {
        case .fresh(let value), .stale(let value): value
        case .missing, .unavailable: nil
        }
    }

    /// Whether the value is an old one.
    var isStale: Bool { if case .stale = self { true } else { false } }
}

/// Everything that a view is composed of.
struct ViewInput {
    /// Where the session is; a new session's state if it was never known.
    var state: SessionState
    /// How the state is known.
    var knowledge: StateKnowledge
    /// The window it is drawn for.
    var window: ViewWindow
    /// What that window showed before, and why it is drawn.
    var change = WindowChange()
    /// The catalog that is shown; nil if there is none, or none is known.
    var catalog: Identifier?
    /// What that catalog is.
    var description: Known<CatalogDescription>
    /// Its categories.
    var categories: Known<CategoryList>
    /// The rows of the list; nil if no list is shown.
    var page: Known<ItemPage>?
    /// Which item those rows lie around, if they were asked for so.
    var pageCenter: Identifier?
    /// Where the first selected item is in the list, if the rows don't tell.
    var location: Known<ItemPage>?
    /// Where the shown rows are held if the window is kept current.
    var hold: ListHold?
    /// The items whose title or detail is shown.
    var items: [Identifier: Known<CatalogItem>] = [:]

    /// How a state is known.
    enum StateKnowledge {
        /// The selection service has just said so.
        case fresh
        /// It once said so, and can't be asked now.
        case stale
        /// It can't be asked, and never was.
        case unknown
    }
}

/// Why a window is drawn, and what it showed before.
struct WindowChange: Equatable {
    /// Why.
    var cause = LayoutCause.initialAppearance
    /// What the same window showed before; nil for a new one, or one that was collapsed.
    var previous: Layout.Resolved?
    /// Whether an item was chosen that was not: what lies over the detail goes.
    var isChoice = false
}
