import JSON
import UV

/// Changes its own items of a catalog, one set after the other, and knows what must be there.
///
/// A change whose answer was lost is looked up: it was carried out wholly or not at all.
final class LiveWriter {
    /// What is known of an item.
    struct Item: Equatable {
        var title: String
        var categories: Set<String>
    }

    static let catalogs = ["soak-3", "soak-2"]
    static let categories = (0..<8).map { "k\($0)" }

    private(set) var sent = 0
    private(set) var acknowledged = 0
    private(set) var inDoubt = 0
    private(set) var items: [String: Item?] = [:]
    /// What is not as it must be.
    private(set) var failures: [String] = []
    var isIdle: Bool { !isBusy && unsure == nil }
    let catalog: String
    private let connection: LiveConnection
    private let number: Int
    private var random: LiveRandom
    private var isBusy = false
    private var unsure: (before: [String: Item?], after: [String: Item?], since: UInt64)?

    init(number: Int, seed: UInt64, path: String, loop: Loop) {
        self.number = number
        catalog = Self.catalogs[number % 2]
        random = LiveRandom(seed: seed, party: 1_000 + number)
        connection = LiveConnection(path: path, loop: loop)
        for item in 0..<20 { items["w\(number)-\(item)"] = Item?.none }
        connection.start()
    }

    func close() { connection.close() }

    /// Sends the next change, or looks up the last one; nothing while it waits.
    func step(now: UInt64, maySend: Bool) {
        guard !isBusy, connection.isUp else { return }
        if let unsure {
            if now >= unsure.since + 300 { look(unsure.before, unsure.after) }
        } else if maySend {
            send(now: now)
        }
    }

    private func send(now: UInt64) {
        var (before, after): ([String: Item?], [String: Item?]) = ([:], [:])
        var changes: [String] = []
        let ids = items.keys.sorted().shuffled(using: &random).prefix(1 + random.below(3))
        for id in ids {
            let old = items[id] ?? nil
            before[id] = old
            let (new, change) = change(id, old)
            after[id] = new
            changes.append(change)
        }
        sent += 1
        isBusy = true
        let params = #"{"catalog":"\#(catalog)","changes":[\#(changes.joined(separator: ","))]}"#
        connection.call("catalog.apply", params) { [weak self] reply in
            guard let self else { return }
            self.isBusy = false
            switch reply {
            case .result:
                self.acknowledged += 1
                self.items.merge(after) { $1 }
            case .refusal(let error):
                self.failures.append("a change was refused: \(String(decoding: error.raw, as: UTF8.self))")
            case .lost:
                self.inDoubt += 1
                self.unsure = (before, after, now)
            }
        }
    }

    private func change(_ id: String, _ old: Item?) -> (Item?, String) {
        if var item = old {
            let from = item.categories.sorted()[0]
            switch random.below(4) {
            case 0: return (nil, #"{"op":"deleteItem","id":"\#(id)"}"#)
            case 1:
                let to = random.one(Self.categories)
                item.categories.remove(from)
                item.categories.insert(to)
                let at = random.one(["first", "last"])
                return (
                    item, #"{"op":"moveItem","id":"\#(id)","from":"\#(from)","to":"\#(to)","at":"\#(at)"}"#
                )
            default: break
            }
        }
        let title =
            "\(random.one(["Lemon", "Éclair", "Tom/ato~", "Zwiebel", "豆腐"])) \(number) \(random.below(1 << 40))"
        let categories = Self.categories.shuffled(using: &random).prefix(1 + random.below(2))
        let names = categories.map { #""\#($0)""# }.joined(separator: ",")
        let link = "w\(random.below(8))-\(random.below(20))"
        let blocks =
            #"[{"kind":"text","text":"of \#(title)"},{"kind":"links","links":[{"title":"also","item":"\#(link)"}]}]"#
        let subtitle = random.below(2) == 0 ? "null" : #""number \#(random.below(1_000))""#
        return (
            Item(title: title, categories: Set(categories)),
            #"{"op":"putItem","item":{"id":"\#(id)","title":"\#(title)","subtitle":\#(subtitle),"#
                + #""date":"2026-01-0\#(1 + random.below(9))T00:00:00Z","categories":[\#(names)],"blocks":\#(blocks)},"#
                + #""at":"\#(random.one(["first", "last"]))"}"#
        )
    }

    // MARK: Looking up

    private func look(_ before: [String: Item?], _ after: [String: Item?]) {
        isBusy = true
        read(before.keys.sorted()) { [weak self] found in
            guard let self else { return }
            self.isBusy = false
            guard let found else { return }  // lost again: it is looked up later
            self.unsure = nil
            if found == after {
                self.items.merge(after) { $1 }
            } else if found != before {
                self.failures.append("a set was carried out in part: \(before) -> \(after), found \(found)")
            }
        }
    }

    /// Compares all that is there with all that must be there.
    func verify(then: @escaping () -> Void) {
        isBusy = true
        read(items.keys.sorted()) { [weak self] found in
            guard let self else { return }
            self.isBusy = false
            if found != self.items {
                self.failures.append("\(self.catalog): \(self.items) is \(found ?? [:])")
            }
            then()
        }
    }

    private func read(_ ids: [String], then: @escaping ([String: Item?]?) -> Void) {
        var found: [String: Item?] = [:]
        var open = ids.count
        var isLost = false
        for id in ids {
            connection.call("catalog.item", #"{"catalog":"\#(catalog)","id":"\#(id)"}"#) { reply in
                open -= 1
                switch reply {
                case .result(let value):
                    let item = value["item"]
                    found[id] = Item(
                        title: item?["title"]?.string ?? "",
                        categories: Set(item?["categories"]?.elements.compactMap(\.string) ?? []))
                case .refusal(let error):
                    if error["code"]?.int == 1001 { found[id] = Item?.none } else { isLost = true }
                case .lost: isLost = true
                }
                if open == 0 { then(isLost ? nil : found) }
            }
        }
    }
}
