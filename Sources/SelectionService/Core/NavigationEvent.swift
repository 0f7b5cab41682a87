import Shared

/// What a person did, as a front end says it in `event`.
enum NavigationEvent: Equatable {
    /// Chooses in a column.
    case select(Column, Choice)
    /// Goes somewhere in one step; what is nil is cleared.
    case open(category: Identifier?, item: Identifier?, path: [Identifier], query: Query)
    /// Puts one more on a column's navigation stack.
    case push(Column, Identifier)
    /// Takes some off a column's navigation stack.
    case pop(Column, count: Int)
    /// Replaces a column's navigation stack; with nothing, it is back at its root.
    case setPath(Column, [Identifier])
    /// Goes to what stands behind, by structure.
    case back(collapsed: Bool)
    /// Goes to where the session was before.
    case historyBack
    /// Goes to where the session was before it went back.
    case historyForward
    /// Asks for columns.
    case setVisibility(Visibility)
    /// Asks for a style.
    case setStyle(Style)
    /// Asks for a column to be seen; in a collapsed window, on top.
    case showColumn(Column, collapsed: Bool)
    /// Gives a column a width, or takes it back.
    case setWidth(Column, Double?)
    /// Filters what is listed.
    case search(Query)
    /// Orders what is listed.
    case sort(Sort)
    /// Unfolds a category of an outline.
    case expand(Identifier)
    /// Folds a category of an outline.
    case collapse(Identifier)
    /// Goes back to the empty state.
    case reset

    /// Whether it asks for a presentation, so that it is accepted even when that is asked for already.
    var isPresentationRequest: Bool {
        switch self {
        case .setVisibility, .setStyle, .showColumn: true
        default: false
        }
    }

    /// Why the session changes by it, as subscribers are told.
    var cause: ChangeCause {
        if case .reset = self { return .explicitRequest }
        return isPresentationRequest ? .explicitRequest : .contentChange
    }

    /// Refuses what no session of a catalog with so many columns can do.
    ///
    /// - Throws: `not_possible`.
    func check(columns: Int) throws(RPCError) {
        switch self {
        case .select(.detail, _):
            throw .notPossible("/event/column", "Nothing is selected in the detail column: push there.")
        case .select(.sidebar, let choice) where columns == 3 && choice.ids.count > 1:
            throw .notPossible("/event/ids", "Only one category can be selected: send one id.")
        case .push(.sidebar, _), .pop(.sidebar, _), .setPath(.sidebar, _):
            throw .notPossible("/event/column", "The sidebar has no navigation stack: name another column.")
        case .select(.content, _), .push(.content, _), .pop(.content, _), .setPath(.content, _),
            .showColumn(.content, _), .setWidth(.content, _):
            guard columns == 3 else {
                throw .notPossible("/event/column", "A two-column catalog has no content column.")
            }
        case .open(.some, _, _, _) where columns == 2:
            throw .notPossible(
                "/event/category", "In a two-column catalog no category is chosen: leave it out.")
        default: break
        }
    }

    /// Tells of the things that must be known before it can be applied to the session: those that it names and whose
    /// existence, or categories, don't follow from what the session holds.
    ///
    /// A thing that it names twice may be told twice.
    func needs(of session: Session, columns: Int, _ tell: (Thing) -> Void) {
        func tellUnheld(_ thing: Thing) { if !session.holds(thing) { tell(thing) } }
        switch self {
        case .select(.sidebar, let choice) where columns == 3:
            for id in choice.ids { tellUnheld(.category(id)) }
        case .select(_, let choice):
            // What is selected is in the list that is shown; only a catalog-wide search may leave that list.
            let held = OneOf(session.state.items)
            let isLeaving =
                choice.ids.count > 1 && columns == 3 && session.state.query.isCatalogWide
                && choice.ids.contains { !held.contains($0) }
            for id in choice.ids where isLeaving || !held.contains(id) { tell(.item(id)) }
        case .open(let category, let item, let path, _):
            if let category { tellUnheld(.category(category)) }
            for id in path { tellUnheld(.item(id)) }
            if let item { tell(.item(item)) }
        case .push(.content, let id), .expand(let id), .collapse(let id): tellUnheld(.category(id))
        case .push(_, let id): tellUnheld(.item(id))
        case .setPath(.content, let ids): for id in ids { tellUnheld(.category(id)) }
        case .setPath(_, let ids): for id in ids { tellUnheld(.item(id)) }
        case .pop, .back, .historyBack, .historyForward, .setVisibility, .setStyle, .showColumn, .setWidth,
            .search, .sort, .reset:
            break
        }
    }
}

/// What is chosen: one thing, several, or with no ids nothing.
struct Choice: Equatable {
    /// The ids in the order of the event, none twice.
    var ids: [Identifier]
    /// Whether they were sent as `ids`, not as `id`.
    var isList = false

    /// The pointer to one of them.
    func path(_ index: Int) -> String { isList ? "/event/ids/\(index)" : "/event/id" }
}

extension RPCError {
    /// The refusal of what is against a rule or a bound.
    static func notPossible(_ path: String, _ message: String) -> RPCError {
        RPCError(.notPossible, message, path: path)
    }
}
