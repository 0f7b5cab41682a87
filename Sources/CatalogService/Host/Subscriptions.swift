import Shared

/// Who hears of changes of which catalog.
final class Subscriptions {
    private var catalogs: [SubscriptionID: Identifier?] = [:]

    var count: Int { catalogs.count }

    /// Adds a subscriber of one catalog, or with nil of all.
    func add(_ id: SubscriptionID, of catalog: Identifier?) { catalogs[id] = .some(catalog) }

    func remove(_ id: SubscriptionID) { catalogs[id] = nil }

    /// The subscribers of a catalog.
    func subscribers(of catalog: Identifier) -> [SubscriptionID] {
        catalogs.filter { $0.value == nil || $0.value == catalog }.map(\.key)
    }
}
