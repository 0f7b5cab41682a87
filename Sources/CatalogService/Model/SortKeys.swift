import Shared
import Text

/// The bytes by which an item stands in a list.
struct SortKeys: Equatable {
    let title: [UInt8]
    let date: [UInt8]

    init(title: String, date: String?) {
        self.init(title: Folding.folded(title), date: date.flatMap { Moment($0.utf8)?.key } ?? Self.undated)
    }

    /// Takes the keys that were stored.
    init(title: [UInt8], date: [UInt8]) {
        (self.title, self.date) = (title, date)
    }

    /// The keys in the list of a category, where the item has a place, or of a catalog.
    func keys(at place: Place?) -> [(order: Order, key: [UInt8])] {
        let keys: [(order: Order, key: [UInt8])] = [(.title, title), (.date, date)]
        return place.map { [(.position, $0.bytes)] + keys } ?? keys
    }

    /// Behind every date; in a list that is sorted by descending dates the rows with it come last all the same.
    static let undated: [UInt8] = [0xFF, 0xFF]
}

/// An order of which there is an index; the numbers are stored.
enum Order: Int, CaseIterable {
    case position = 0
    case title = 1
    case date = 2

    /// The index of a list, and whether the largest key comes first.
    ///
    /// Ties are by ascending id either way.
    static func of(_ sort: Sort, inCategory: Bool) -> (order: Order, isDescending: Bool) {
        switch sort.by {
        case .position where inCategory: (.position, sort.descending)
        case .position, .title: (.title, sort.descending)
        case .date: (.date, sort.descending)
        }
    }
}
