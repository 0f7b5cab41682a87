import Shared

/// The items that match, taken from the index some at a time.
struct Matches {
    private let store: Store
    private let query: WordQuery
    private let ranges: [WordTable.Range]
    private var stage: Stage
    private var rest: [WordTable.Range]
    private var candidates: [Int] = []
    /// Items that were found, none twice.
    private(set) var keys: [Int] = []
    /// The same.
    private(set) var set = KeySet()
    /// There are no others.
    private(set) var isComplete = false

    /// What matches in a category, or in a catalog.
    init(_ query: WordQuery, _ store: Store, _ catalog: CatalogRow, _ category: CategoryRow?) throws(RPCError)
    {
        (self.query, self.store) = (query, store)
        let categories =
            if let category { [category.key...category.key] } else {
                try store.categories.keys(of: catalog.key)
            }
        ranges = categories.map { WordTable.Range(categories: $0) }
        rest = ranges.reversed()
        stage = query.isEndIndexed ? .all : .few
    }

    /// What begins with a long word is collected anew at each question, which takes long if it is much.
    private enum Stage {
        /// If only few begin with its first letters, their words are looked through.
        case few
        /// If the word itself is there often enough to tell that there are many, no more is needed.
        case whole
        /// Else there is no way round it.
        case all
    }

    private var expression: String {
        switch stage {
        case .few: query.widerExpression
        case .whole: query.wholeExpression
        case .all: query.expression
        }
    }

    /// Takes some more.
    mutating func collect(count: Int) throws(RPCError) {
        guard let range = rest.popLast() else { return try finishStage() }
        let count = stage == .few ? Limits.candidatesMax + 1 : count
        let found = try store.words.matches(expression, in: range, count: count)
        if stage == .few {
            candidates += found
            if candidates.count > Limits.candidatesMax { begin(.whole) }
            return
        }
        for row in found { add(WordTable.item(of: row)) }
        guard let last = found.last, found.count == count else { return }
        rest.append(range.from(last + 1))
    }

    private mutating func finishStage() throws(RPCError) {
        switch stage {
        case .few:
            for row in candidates {
                let item = WordTable.item(of: row)
                if query.matches(try store.items.words(item)) { add(item) }
            }
            isComplete = true
        case .whole: begin(.all)
        case .all: isComplete = true
        }
    }

    private mutating func begin(_ stage: Stage) {
        self.stage = stage
        rest = ranges.reversed()
    }

    private mutating func add(_ item: Int) { if set.insert(item) { keys.append(item) } }
}
