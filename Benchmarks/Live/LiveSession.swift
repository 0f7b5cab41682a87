import JSON
import UV

/// Sends the events of one session, one after the other, and knows what must have become of it.
///
/// What is selected also depends on the catalog; requests of presentation depend on nothing else, so an event
/// of them that was acknowledged must be seen for ever after.
final class LiveSession {
    /// What only events change.
    struct Presentation: Equatable {
        var visibility = "automatic"
        var style = "automatic"
        var sort = "position"
        var width: Int?
    }

    private(set) var sent = 0
    private(set) var acknowledged = 0
    private(set) var refused = 0
    private(set) var inDoubt = 0
    private(set) var failures: [String] = []
    var isIdle: Bool { !isBusy && unsure == nil }
    let name: String
    let catalog: String
    private let gateway: LiveConnection
    private let selection: LiveConnection
    private var random: LiveRandom
    private var presentation = Presentation()
    private var revision = 0
    private var isBusy = false
    private var unsure: (after: Presentation, since: UInt64)?

    init(number: Int, seed: UInt64, gateway: String, selection: String, loop: Loop) {
        name = "soak-\(number)"
        catalog = LiveWriter.catalogs[number % 2]
        random = LiveRandom(seed: seed, party: 2_000 + number)
        self.gateway = LiveConnection(path: gateway, loop: loop)
        self.selection = LiveConnection(path: selection, loop: loop)
        self.gateway.start()
        self.selection.start()
    }

    func close() {
        gateway.close()
        selection.close()
    }

    /// Sends the next event, or looks up the last one; nothing while it waits.
    func step(now: UInt64, maySend: Bool) {
        guard !isBusy else { return }
        if let unsure {
            // What a gateway that was killed has handed on is carried out by then.
            if now >= unsure.since + 300 { look(also: unsure.after) }
        } else if maySend, gateway.isUp, selection.isUp {
            send(now: now)
        }
    }

    private func send(now: UInt64) {
        var after = presentation
        let event = event(&after)
        let isThroughGateway = random.below(2) == 0
        sent += 1
        isBusy = true
        let params = #"{"session":"\#(name)","catalog":"\#(catalog)","event":\#(event)}"#
        let then: (LiveConnection.Reply) -> Void = { [weak self] reply in
            guard let self else { return }
            self.isBusy = false
            switch reply {
            case .result(let result):
                self.acknowledged += 1
                self.presentation = after
                let place = isThroughGateway ? result["view"] : result["state"]
                self.see(place?["revision"]?.int ?? -1, "the answer to \(event)")
            case .refusal(let error):
                switch error["code"]?.int {
                case 1001, 1002, 1004: self.refused += 1
                case -32602: self.failures.append("\(event): \(String(decoding: error.raw, as: UTF8.self))")
                default: self.doubt(after, now)
                }
            case .lost: self.doubt(after, now)
            }
        }
        if isThroughGateway {
            gateway.call("view.send", params, then: then)
        } else {
            selection.call("selection.send", params, then: then)
        }
    }

    private func doubt(_ after: Presentation, _ now: UInt64) {
        inDoubt += 1
        unsure = (after, now)
    }

    private func see(_ new: Int, _ what: String) {
        if new < revision { failures.append("\(name): \(what) has revision \(new) after \(revision)") }
        revision = max(revision, new)
    }

    private func event(_ after: inout Presentation) -> String {
        let category = random.one(LiveWriter.categories)
        func item() -> String { "w\(random.below(8))-\(random.below(20))" }
        switch random.below(16) {
        case 0, 1, 2:
            return catalog == "soak-2"
                ? #"{"type":"select","column":"sidebar","id":"\#(item())"}"#
                : #"{"type":"select","column":"sidebar","id":"\#(category)"}"#
        case 3, 4: return #"{"type":"open","item":"\#(item())"}"#
        case 5: return #"{"type":"open","item":"\#(item())","query":{"text":"lem","scope":"catalog"}}"#
        case 6: return #"{"type":"push","column":"detail","id":"\#(item())"}"#
        case 7: return #"{"type":"back","collapsed":\#(random.below(2) == 0)}"#
        case 8: return #"{"type":"historyBack"}"#
        case 9: return #"{"type":"historyForward"}"#
        case 10: return #"{"type":"search","text":"\#(random.one(["", "le", "ecl", "number 5", "豆"]))"}"#
        case 11:
            after.sort = random.one(["position", "title", "date"])
            return #"{"type":"sort","by":"\#(after.sort)","descending":false}"#
        case 12:
            after.visibility = random.one(["automatic", "all", "doubleColumn", "detailOnly"])
            return #"{"type":"setVisibility","visibility":"\#(after.visibility)"}"#
        case 13:
            after.style = random.one(["automatic", "balanced", "prominentDetail"])
            return #"{"type":"setStyle","style":"\#(after.style)"}"#
        case 14:
            let width = 200 + random.below(200)
            after.width = width
            return #"{"type":"setWidth","column":"sidebar","width":\#(width)}"#
        default: return #"{"type":"showColumn","column":"sidebar","collapsed":true}"#
        }
    }

    // MARK: Looking up

    private func look(also after: Presentation?, then: @escaping () -> Void = {}) {
        guard selection.isUp else { return then() }
        isBusy = true
        selection.call("selection.get", #"{"session":"\#(name)"}"#) { [weak self] reply in
            guard let self else { return }
            self.isBusy = false
            defer { then() }
            guard let state = reply.value?["state"] else {
                if after == nil { self.failures.append("\(self.name): its state can't be read") }
                return
            }
            self.unsure = nil
            self.see(state["revision"]?.int ?? -1, "the state")
            let found = Presentation(
                visibility: state["visibility"]?.string ?? "", style: state["style"]?.string ?? "",
                sort: state["sort"]?["by"]?.string ?? "", width: state["widths"]?["sidebar"]?.int)
            if found == after {
                self.presentation = found
            } else if found != self.presentation {
                self.failures.append("\(self.name): an event is lost: \(self.presentation) is \(found)")
            }
        }
    }

    /// Compares what is there with what must be there.
    func verify(then: @escaping () -> Void) { look(also: nil, then: then) }
}
