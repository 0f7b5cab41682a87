import Shared
import Text

/// The bytes by which an item stands in a list.
///
/// Every order, also a descending one, is one of ascending keys, with ties by ascending id: so each list is walked
/// along one index, in either direction.
struct SortKeys: Equatable {
    let title: [UInt8]
    let titleDown: [UInt8]
    let date: [UInt8]
    let dateDown: [UInt8]

    init(title: String, date: String?) {
        self.init(title: Folding.folded(title), date: date.flatMap { Moment($0.utf8)?.key } ?? Self.undated)
    }

    /// Takes the keys that were stored.
    init(title: [UInt8], date: [UInt8]) {
        (self.title, titleDown) = (title, Self.reversed(title))
        (self.date, dateDown) = (date, date == Self.undated ? date : Self.reversed(date))
    }

    /// The keys in the list of a category, where the item has a place, or of a catalog.
    func keys(at place: Place?) -> [(order: Order, key: [UInt8])] {
        let keys: [(order: Order, key: [UInt8])] = [
            (.title, title), (.titleDown, titleDown), (.date, date), (.dateDown, dateDown),
        ]
        return place.map { [(.position, $0.bytes)] + keys } ?? keys
    }

    /// Behind every date, in either direction.
    private static let undated: [UInt8] = [0xFF, 0xFF]

    /// Sorts the other way round.
    ///
    /// No byte of a key is 0xFF; so the end, which is, sorts behind whatever goes on.
    private static func reversed(_ key: [UInt8]) -> [UInt8] { key.map { 0xFE - $0 } + [0xFF] }
}

/// An order of which there is an index; the numbers are stored.
enum Order: Int, CaseIterable {
    case position = 0
    case title = 1
    case titleDown = 2
    case date = 3
    case dateDown = 4

    /// The order of a list, and whether it is walked backwards.
    ///
    /// No two rows have the same position, so that its index serves both directions.
    static func of(_ sort: Sort, inCategory: Bool) -> (order: Order, isBackwards: Bool) {
        switch sort.by {
        case .position where inCategory: (.position, sort.descending)
        case .position, .title: (sort.descending ? .titleDown : .title, false)
        case .date: (sort.descending ? .dateDown : .date, false)
        }
    }
}
