import JSON
import UV

/// One window on a connection of its own: resized, scrolled, sometimes slow, subscribed again when its gateway
/// dies.
final class LiveSubscriber {
    /// What one more look has shown.
    enum Look { case equal, different(String) }

    private(set) var events = 0
    private(set) var patches = 0
    private(set) var lagged = 0
    private(set) var subscribed = 0
    private(set) var failures: [String] = []
    private let connection: LiveConnection
    private let parser = JSONParser(depthMax: 64)
    private let session: String
    private let catalog: String
    private let isPatch: Bool
    private let isSlow: Bool
    private var width: Int
    private var random: LiveRandom
    private var subscription: String?
    private var seq = 0
    private var view: LiveTree?
    /// The last whole view of a subscriber of whole views, not looked into yet.
    private var whole: JSONValue?
    private var isPaused = false
    private var isSubscribing = false
    private var nextStep: UInt64 = 0

    init(number: Int, sessions: Int, seed: UInt64, path: String, loop: Loop) {
        random = LiveRandom(seed: seed, party: 10_000 + number)
        let session = random.below(sessions)
        self.session = "soak-\(session)"
        catalog = LiveWriter.catalogs[session % 2]
        isPatch = random.below(4) != 0
        isSlow = random.below(5) == 0
        width = Self.width(&random)
        connection = LiveConnection(path: path, loop: loop)
        connection.onUp = { [weak self] in self?.subscribe() }
        connection.onDown = { [weak self] in self?.forget() }
        connection.onEvent = { [weak self] in self?.take($0) }
        connection.start()
    }

    func close() { connection.close() }

    /// Any width, or one that others have, too.
    private static func width(_ random: inout LiveRandom) -> Int {
        random.below(3) == 0 ? 300 + random.below(1_300) : random.one([400, 800, 1_024])
    }

    private var window: String { #""session":"\#(session)","catalog":"\#(catalog)","width":\#(width)"# }

    private func subscribe() {
        guard connection.isUp, subscription == nil, !isSubscribing else { return }
        isSubscribing = true
        let format = isPatch ? "patch" : "full"
        let limit = random.below(2) == 0 ? 50 : 5 + random.below(60)
        let more = #","format":"\#(format)","limit":\#(limit)"#
        connection.call("view.subscribe", "{\(window)\(more)}") { [weak self] reply in
            guard let self else { return }
            self.isSubscribing = false
            switch reply {
            case .result(let result):
                self.subscribed += 1
                self.seq = 0
                self.subscription = result["subscription"]?.string
                self.whole = result["view"]
                if self.isPatch { self.view = result["view"].map { LiveTree($0) } }
            case .refusal(let error):
                // Both peers may be away for a moment.
                guard error["data"]?["retryable"]?.bool == true else {
                    return self.fail("no subscription: \(String(decoding: error.raw, as: UTF8.self))")
                }
            case .lost: break
            }
        }
    }

    private func forget() {
        (subscription, view, whole) = (nil, nil, nil)
        isPaused = false
    }

    private func fail(_ sentence: String) {
        failures.append("\(session) \(width) \(isPatch ? "patch" : "full"): \(sentence)")
    }

    // MARK: Events

    private func take(_ params: JSONValue) {
        guard let subscription, params["subscription"]?.string == subscription else {
            return fail("an event comes before its subscription")
        }
        events += 1
        seq += 1
        if params["seq"]?.int != seq { fail("event \(seq) has seq \(params["seq"]?.int ?? 0)") }
        if params["lagged"]?.bool == true { lagged += 1 }
        if let new = params["view"] {
            whole = new
            if isPatch { view = LiveTree(new) }
            if isPatch, params["lagged"] == nil { fail("a whole view instead of a patch") }
        } else if let patch = params["patch"] {
            patches += 1
            do { try view?.apply(patch) } catch { fail(error.sentence) }
        } else {
            fail("it ended: \(params["ended"]?.string ?? "?")")
        }
    }

    // MARK: What it does

    /// Does something now and then.
    func step(now: UInt64) {
        guard now >= nextStep, connection.isUp else { return }
        if isPaused {
            isPaused = false
            connection.resume()
        }
        let wait = 100 + random.below(1_500)
        nextStep = now + UInt64(wait)
        let choice = random.below(10)
        guard let subscription else { return subscribe() }
        switch choice {
        case 0:
            width = Self.width(&random)
            wish("view.resize", #"{"subscription":"\#(subscription)","width":\#(width)}"#)
        case 1:
            let limit = 5 + random.below(60)
            let around = random.below(2) == 0 ? "" : #","around":"w\#(random.below(8))-\#(random.below(20))""#
            wish("view.scroll", #"{"subscription":"\#(subscription)","limit":\#(limit)\#(around)}"#)
        case 2:
            let item = "w\(random.below(8))-\(random.below(20))"
            let event = #"{"type":"select","column":"content","id":"\#(item)"}"#
            wish("view.send", #"{"subscription":"\#(subscription)","event":\#(event)}"#)
        case 3, 4, 5:
            guard isSlow else { return }
            isPaused = true
            connection.pause()
        default: break
        }
    }

    private func wish(_ method: String, _ params: String) {
        connection.call(method, params) { [weak self] reply in
            guard case .refusal(let error) = reply else { return }
            // The item may not be there, or a peer be away; but the window must be known.
            if error["data"]?["path"]?.string == "/subscription" {
                self?.fail("\(method): \(String(decoding: error.raw, as: UTF8.self))")
            }
        }
    }

    /// Reads on without rest.
    func calm() {
        isPaused = false
        connection.resume()
    }

    // MARK: Looking

    /// Compares what it has with what the gateway says that it has, and with a view that is drawn anew.
    func look(then: @escaping (Look) -> Void) {
        guard connection.isUp else { return then(.different("it is not connected")) }
        guard let subscription else {
            subscribe()
            return then(.different("it is not subscribed"))
        }
        connection.call("view.get", #"{"subscription":"\#(subscription)"}"#) { [weak self] reply in
            guard let self else { return }
            guard let kept = reply.value?["view"].map({ LiveTree($0) }) else {
                return then(.different("view.get of its subscription has no view"))
            }
            let own = self.isPatch ? self.view : self.whole.map { LiveTree($0) }
            if let difference = own?.difference(from: kept) { return then(.different(difference)) }
            self.connection.call("view.get", "{\(self.window)}") { reply in
                guard let fresh = reply.value?["view"].map({ LiveTree($0) }) else {
                    return then(.different("view.get has no view"))
                }
                // The list is held and the layout has a past; all else is as in any other window.
                let parts = ["revision", "catalog", "detail", "history"]
                for part in parts + (self.catalog == "soak-2" ? [] : ["sidebar"]) {
                    guard let a = kept[part], let b = fresh[part] else { continue }
                    if let difference = a.difference(from: b, path: part) {
                        return then(.different("is not current: \(difference)"))
                    }
                }
                then(.equal)
            }
        }
    }
}
