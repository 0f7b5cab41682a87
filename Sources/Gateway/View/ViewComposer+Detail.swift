import JSON
import Shared

extension ViewComposer {
    func writeDetail(to json: inout JSONWriter) {
        let (status, item, placeholder) = detailStatus
        json.object("detail") { json in
            json.member("status", status.rawValue)
            json.member("id", input.knowledge == .unknown ? nil : screen.state.shownItem?.text)
            json.value(written: item?.detail ?? Self.noDetail)
            json.array("path") { json in
                for id in input.state.detailPath {
                    json.object { json in
                        json.member("id", id.text)
                        json.member("title", input.items[id]?.value?.value["title"])
                    }
                }
            }
            json.member("selectedCount", input.state.items.count)
            writePlaceholder(placeholder, to: &json)
        }
    }

    /// Writes what the column shows of an item: what stands between the braces of an object.
    static func detail(of item: JSONValue?) -> [UInt8] {
        var json = JSONWriter(capacity: 256 + 2 * (item?.raw.count ?? 0))
        json.member("title", item?["title"])
        json.member("subtitle", item?["subtitle"])
        json.member("icon", item?["icon"])
        json.member("badge", item?["badge"])
        json.member("date", item?["date"])
        json.array("blocks") { json in
            guard let blocks = item?["blocks"] else { return }
            for block in blocks.elements { writeBlock(block, to: &json) }
        }
        return json.bytes
    }

    private static let noDetail = detail(of: nil)

    private var detailStatus: (Status, CatalogItem?, Placeholder?) {
        guard input.knowledge != .unknown else { return (.unavailable, nil, .unavailable) }
        guard let id = screen.state.shownItem else {
            return input.state.items.isEmpty ? (.noSelection, nil, .noItem) : (.multiple, nil, nil)
        }
        switch input.items[id] {
        case .fresh(let item): return (shown(isStale: false), item, nil)
        case .stale(let item): return (.stale, item, nil)
        case .missing: return (.missing, nil, .missingItem)
        case nil, .unavailable: return (.unavailable, nil, .unavailable)
        }
    }

    private static func writeBlock(_ block: JSONValue, to json: inout JSONWriter) {
        guard let links = block["links"], block["kind"]?.string == "links" else { return json.value(block) }
        json.object { json in
            json.member("kind", "links")
            json.array("links") { json in
                for link in links.elements { writeLink(link, to: &json) }
            }
        }
    }

    private static func writeLink(_ link: JSONValue, to json: inout JSONWriter) {
        json.object { json in
            json.member("title", link["title"])
            json.member("item", link["item"])
            if let item = link["item"], link["known"]?.bool != false {
                json.event("push", column: .detail, id: item)
            } else {
                json.key("event")
                json.null()
            }
        }
    }
}
