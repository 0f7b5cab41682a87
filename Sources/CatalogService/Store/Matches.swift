import Shared

/// The items that match, taken from the index some at a time.
struct Matches {
    private let store: Store
    private let query: WordQuery
    private let ranges: [WordTable.Range]
    private var stage: Stage
    private var rest: [WordTable.Range]
    private var candidates: [Int] = []
    private var hasTriedFew = false
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
        stage = query.isEndIndexed ? .all : .words(from: query.lastWord)
    }

    /// The index has no list of what begins with a long word; it would make one each time, which takes long if it is much.
    private enum Stage {
        /// There is a list.
        case all
        /// The words that begin with it are gone through, with the rows of each.
        case words(from: String)
        /// A word has many rows, which are gone through, range by range.
        case word(String)
        /// If only few have the other words, and one with its first letters, the words of these are looked through instead.
        case few
        /// These few.
        case looking
    }

    /// Takes some more.
    mutating func collect() throws(RPCError) {
        switch stage {
        case .all:
            guard let found = try next(query.expression, count: Limits.matchesPerStep) else {
                return isComplete = true
            }
            for row in found { add(WordTable.item(of: row)) }
        case .few:
            guard let found = try next(query.widerExpression, count: Limits.candidatesMax + 1) else {
                return stage = .looking
            }
            candidates += found
            if candidates.count > Limits.candidatesMax { stage = .words(from: query.lastWord) }
        case .looking:
            for row in candidates.suffix(Limits.lookedThroughPerStep) { try look(through: row) }
            candidates.removeLast(min(candidates.count, Limits.lookedThroughPerStep))
            isComplete = candidates.isEmpty
        case .words(let first): try goThroughWords(from: first)
        case .word(let word): try goThrough(word)
        }
    }

    /// The next rows of the ranges that match an expression; nil if there are no others.
    private mutating func next(_ expression: String, count: Int) throws(RPCError) -> [Int]? {
        guard let range = rest.popLast() else { return nil }
        let found = try store.words.matches(expression, in: range, count: count)
        if let last = found.last, found.count == count, let more = range.from(last + 1) { rest.append(more) }
        return found
    }

    private mutating func goThroughWords(from first: String) throws(RPCError) {
        let found = try store.words.rows(from: first, beginning: query.lastWord, count: count)
        for (_, row) in found { try add(row: row) }
        guard let last = found.last, found.count == count else { return isComplete = true }
        guard hasTriedFew else {
            (hasTriedFew, rest) = (true, ranges.reversed())
            return stage = .few
        }
        (stage, rest) = (.word(last.word), ranges.reversed().compactMap { $0.from(last.row) })
    }

    /// The index finds the rows of one word much more quickly, and only those of the categories that are looked in.
    private mutating func goThrough(_ word: String) throws(RPCError) {
        let many = query.isOneWord ? Limits.matchesPerStep : count
        guard let found = try next("\"\(word)\"", count: many) else {
            return stage = .words(from: word + "\u{1}")
        }
        for row in found { try add(row: row) }
    }

    /// How many rows are taken at once.
    private var count: Int { query.isOneWord ? Limits.wordRowsPerStep : Limits.lookedThroughPerStep }

    private mutating func add(row: Int) throws(RPCError) {
        guard ranges.contains(where: { $0.contains(row) }) else { return }
        if query.isOneWord { add(WordTable.item(of: row)) } else { try look(through: row) }
    }

    /// Adds the item of a row if its words are such.
    private mutating func look(through row: Int) throws(RPCError) {
        let item = WordTable.item(of: row)
        if query.matches(try store.items.words(item)) { add(item) }
    }

    private mutating func add(_ item: Int) { if set.insert(item) { keys.append(item) } }
}
