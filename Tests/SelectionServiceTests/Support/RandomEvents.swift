import Shared

@testable import SelectionService

/// Random events over a catalog: mostly possible ones, some that are not.
struct RandomEvents {
    private let categories: [Identifier]
    private let items: [Identifier]

    init(_ catalog: Catalog) {
        categories = catalog.categories.sorted() + ["no"]
        items = catalog.items.keys.sorted() + ["no"]
    }

    func next(_ random: inout some RandomNumberGenerator) -> NavigationEvent {
        func one<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: 0..<values.count, using: &random)]
        }
        func some(_ ids: [Identifier], _ most: Int) -> [Identifier] {
            (0..<Int.random(in: 0...most, using: &random)).map { _ in one(ids) }
        }
        func flag() -> Bool { Bool.random(using: &random) }
        func choice(_ ids: [Identifier]) -> Choice {
            var taken: Set<Identifier> = []
            return Choice(ids: ids.filter { taken.insert($0).inserted }, isList: true)
        }
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: return .select(.sidebar, choice(some(categories + items, 1)))
        case 2, 3: return .select(.content, choice(some(items, 3)))
        case 4: return .select(.sidebar, choice(some(items, 2)))
        case 5:
            return .open(
                category: flag() ? one(categories) : nil, item: flag() ? one(items) : nil,
                path: some(items, 3),
                query: flag() ? Query() : Query(text: "x", scope: one(SearchScope.allCases)))
        case 6, 7: return .push(.detail, one(items))
        case 8: return .push(.content, one(categories))
        case 9: return .pop(one(Column.allCases), count: Int.random(in: 1...3, using: &random))
        case 10:
            let column = one(Column.allCases)
            return .setPath(column, some(column == .detail ? items : categories, 3))
        case 11: return .back(collapsed: flag())
        case 12, 13: return .historyBack
        case 14: return .historyForward
        case 15: return .search(Query(text: one(["", "x", "y", "-"]), scope: one(SearchScope.allCases)))
        case 16: return .sort(Sort(by: one(SortKey.allCases), descending: flag()))
        case 17: return flag() ? .expand(one(categories)) : .collapse(one(categories))
        case 18: return .showColumn(one(Column.allCases), collapsed: flag())
        default:
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return .setVisibility(one(Visibility.allCases))
            case 1: return .setStyle(one(Style.allCases))
            case 2: return .setWidth(one(Column.allCases), flag() ? 100 : nil)
            default: return Int.random(in: 0..<5, using: &random) == 0 ? .reset : .historyBack
            }
        }
    }
}
