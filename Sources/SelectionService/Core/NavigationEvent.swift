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

    /// The things that must be known before it can be applied to the session: those that it names and whose
    /// existence, or categories, don't follow from what the session holds.
    ///
    /// A thing that it names twice may be there twice.
    func needs(of session: Session, columns: Int) -> [Thing] {
        let state = session.state
        switch self {
        case .select(.sidebar, let choice) where columns == 3:
            return unheld(choice.ids.map(Thing.category), session)
        case .select(_, let choice):
            // What is selected is in the list that is shown; only a catalog-wide search may leave that list.
            if choice.ids.count == 1 {
                return state.items.contains(choice.ids[0]) ? [] : [.item(choice.ids[0])]
            }
            let held = OneOf(state.items)
            let others = choice.ids.filter { !held.contains($0) }
            let isWide = columns == 3 && state.query.isCatalogWide && !others.isEmpty
            return (isWide ? choice.ids : others).map(Thing.item)
        case .open(let category, let item, let path, _):
            let held = unheld((category.map { [.category($0)] } ?? []) + path.map(Thing.item), session)
            return item.map { held + [.item($0)] } ?? held
        case .push(.content, let id): return unheld([.category(id)], session)
        case .push(_, let id): return unheld([.item(id)], session)
        case .setPath(.content, let ids): return unheld(ids.map(Thing.category), session)
        case .setPath(_, let ids): return unheld(ids.map(Thing.item), session)
        case .expand(let id), .collapse(let id): return unheld([.category(id)], session)
        case .pop, .back, .historyBack, .historyForward, .setVisibility, .setStyle, .showColumn, .setWidth,
            .search, .sort, .reset:
            return []
        }
    }

    private func unheld(_ things: [Thing], _ session: Session) -> [Thing] {
        things.filter { !session.holds($0) }
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
