import JSON
import Shared

/// What a person sees beside the view: where they are in it, and what the terminal says by itself.
struct Browsing: Equatable {
    /// Where one is in a column.
    struct Position: Equatable {
        /// The element that keys act on.
        var cursor: ColumnBody.Key?
        /// Lines above the first one that is seen.
        var offset = 0
    }

    /// What keys are for.
    enum Mode: Equatable {
        case browsing
        /// A search is typed; `before` is what was searched for before.
        case searching(text: String, before: String)
        /// One of the orders is chosen.
        case sorting(index: Int)
        /// The keys are listed, from a line on.
        case helping(offset: Int)
    }

    /// How it stands with the gateway.
    enum Link: Equatable {
        /// It was not reached yet.
        case connecting
        case live
        /// It went away; what is shown was so then.
        case away
        /// There is nothing to look at any more, because of this.
        case ended(String)
        /// It refuses to show anything.
        case refused(String)
    }

    var focus = ViewModel.Name.sidebar
    var positions: [ViewModel.Name: Position] = [:]
    var mode = Mode.browsing
    var link = Link.connecting
    /// What was said of the last key: gone with the next one.
    var message: String?

    subscript(name: ViewModel.Name) -> Position {
        get { positions[name] ?? Position() }
        set { positions[name] = newValue }
    }
}
