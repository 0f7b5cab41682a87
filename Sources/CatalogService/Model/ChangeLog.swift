import JSON
import Shared

/// What a change set did, as subscribers are told.
struct ChangeLog {
    private var categories = Touched()
    private var items = Touched()
    /// There are too many ids to name them.
    private var isAll = false

    /// Ids of one kind.
    private struct Touched {
        var put = OrderedIds()
        var deleted = OrderedIds()

        mutating func delete(_ id: Identifier) {
            put.remove(id)
            deleted.insert(id)
        }

        var count: Int { put.count + deleted.count }
    }

    mutating func put(category id: Identifier) { note { $0.categories.put.insert(id) } }
    mutating func put(item id: Identifier) { note { $0.items.put.insert(id) } }
    mutating func deleted(category id: Identifier) { note { $0.categories.delete(id) } }
    mutating func deleted(item id: Identifier) { note { $0.items.delete(id) } }

    /// A deletion moves an id from one list to the other: so the count never falls, and once it is too large the ids
    /// are not needed any more.
    private mutating func note(_ change: (inout ChangeLog) -> Void) {
        guard !isAll else { return }
        change(&self)
        guard categories.count + items.count > Limits.changedIdsMax else { return }
        self = ChangeLog()
        isAll = true
    }

    /// The params of `catalog.changed` but what the host adds.
    func event(catalog: Identifier, revision: Int) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("catalog", catalog.text)
            json.member("revision", revision)
            if isAll {
                json.member("all", true)
            } else {
                categories.put.write(as: "categories", to: &json)
                items.put.write(as: "items", to: &json)
                categories.deleted.write(as: "deletedCategories", to: &json)
                items.deleted.write(as: "deletedItems", to: &json)
            }
            json.member("dropped", false)
        }
        return json.bytes
    }

    /// The same for a catalog that was dropped.
    static func dropped(catalog: Identifier, revision: Int) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("catalog", catalog.text)
            json.member("revision", revision)
            json.member("dropped", true)
        }
        return json.bytes
    }
}

/// Ids in the order in which they came, none twice.
private struct OrderedIds {
    private var numbers: [Identifier: Int] = [:]
    private var last = 0

    var count: Int { numbers.count }

    mutating func insert(_ id: Identifier) {
        guard numbers[id] == nil else { return }
        last += 1
        numbers[id] = last
    }

    mutating func remove(_ id: Identifier) { numbers[id] = nil }

    func write(as name: StaticString, to json: inout JSONWriter) {
        json.array(name) { json in
            for (id, _) in numbers.sorted(by: { $0.value < $1.value }) { json.value(id.text) }
        }
    }
}
