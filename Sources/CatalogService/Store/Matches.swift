import Shared

/// The items that match, taken from the index some at a time.
struct Matches {
    private let store: Store
    private let query: WordQuery
    private let ranges: [WordTable.Range]
    private var expression: String
    private var rest: [WordTable.Range]
    /// Items that were found, none twice.
    private(set) var keys: [Int] = []
    /// The same.
    private(set) var set = KeySet()
    /// There are no others.
    private(set) var isComplete = false

    /// What matches in a category, or in a catalog.
    init(_ query: WordQuery, _ store: Store, _ catalog: CatalogRow, _ category: CategoryRow?) throws(RPCError) {
        (self.query, self.store) = (query, store)
        let categories =
            if let category { [category.key...category.key] } else { try store.categories.keys(of: catalog.key) }
        ranges = categories.map { WordTable.Range(categories: $0) }
        rest = ranges.reversed()
        // What begins with a long word is collected anew at each step. If the whole word alone is there often enough
        // to tell that there are many, that is not needed.
        expression = query.isEndIndexed ? query.expression : query.wholeExpression
    }

    /// Takes some more.
    mutating func collect(count: Int) throws(RPCError) {
        guard var range = rest.popLast() else {
            guard expression != query.expression else { return isComplete = true }
            expression = query.expression
            rest = ranges.reversed()
            return
        }
        let found = try store.words.matches(expression, in: range, count: count)
        for row in found {
            let key = WordTable.item(of: row)
            if set.insert(key) { keys.append(key) }
        }
        guard let last = found.last, found.count == count else { return }
        range.first = last + 1
        rest.append(range)
    }
}
