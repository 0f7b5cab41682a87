import JSON
import Shared

// Composed views, ready to be sent again. A view is what it is because of its window, the state of its session
// and its catalog; it is kept until one of the two is told to have changed.

/// The views that were composed last, each with everything it depends on.
struct ViewCache {
    /// What tells one view from another, beside what it shows.
    struct Key: Hashable {
        let session: Identifier
        /// The catalog that was asked for, which a session that does not exist yet shows.
        let catalog: Identifier?
        let window: ViewWindow
    }

    /// A view that was composed.
    struct View {
        /// The result of `view.get`, with the view in it.
        let result: [UInt8]
        let session: Identifier
        let revision: Int
        let catalog: Identifier
        let catalogRevision: Int
    }

    /// Where a view is kept: what its key says stays, the view comes and goes.
    final class Slot {
        fileprivate let key: Key
        /// Whose view it is.
        var session: Identifier { key.session }
        /// The view, for as long as it holds.
        fileprivate(set) var view: View?
        fileprivate var use: UInt64 = 0
        /// The job that composes it.
        var composer: GatewayCore.JobID?
        /// The params that were found to ask for it.
        fileprivate var params: [Bytes] = []

        fileprivate init(_ key: Key) { self.key = key }
    }

    private let bytesMax: Int
    private var slots: [Key: Slot] = [:]
    private var slotOfParams: [Bytes: Slot] = [:]
    private var slotsOfSession: [Identifier: [Slot]] = [:]
    private var bytes = 0
    private var lastUse: UInt64 = 0

    /// Makes an empty cache; one without room keeps nothing.
    init(bytesMax: Int = Limits.viewsKeptBytesMax) { self.bytesMax = bytesMax }

    /// Whether anything is kept at all.
    var isOpen: Bool { bytesMax > 0 }

    /// How many views are kept, and their bytes.
    var size: (views: Int, bytes: Int) { (slots.values.count { $0.view != nil }, bytes) }

    // MARK: Looking

    /// Where the view is kept that params ask for, byte for byte, if that is known; nothing of them is read.
    mutating func find(params: JSONValue?) -> Slot? {
        guard isOpen, let slot = slotOfParams[Bytes(params?.raw ?? [])] else { return nil }
        lastUse += 1
        slot.use = lastUse
        return slot
    }

    /// Where the view with this key is kept, or will be; params that ask for it will find it, too.
    mutating func find(_ key: Key, params: JSONValue?) -> Slot? {
        guard isOpen else { return nil }
        let slot = slots[key] ?? add(key)
        // What `_meta` says differs from request to request.
        let raw = params?.raw ?? []
        if raw.count <= Limits.viewParamsBytesMax, params?["_meta"] == nil {
            link(Bytes(ArraySlice(Array(raw))), to: slot)
        }
        lastUse += 1
        slot.use = lastUse
        return slot
    }

    /// The view with this key, without using it.
    func peek(_ key: Key) -> View? { slots[key]?.view }

    // MARK: Keeping

    /// Keeps a view.
    mutating func keep(_ view: View, for key: Key) {
        guard view.result.count <= bytesMax else { return }
        let slot = slots[key] ?? add(key)
        drop(slot)
        bytes += view.result.count
        slot.view = view
        lastUse += 1
        slot.use = lastUse
        if bytes > bytesMax { makeRoom() }
    }

    private mutating func add(_ key: Key) -> Slot {
        if slots.count >= Limits.viewsKeptMax { makeRoom() }
        let slot = Slot(key)
        slots[key] = slot
        slotsOfSession[key.session, default: []].append(slot)
        return slot
    }

    private mutating func link(_ params: Bytes, to slot: Slot) {
        guard slotOfParams[params] == nil else { return }
        if slot.params.count >= Limits.viewSpellingsMax { slotOfParams[slot.params.removeFirst()] = nil }
        slotOfParams[params] = slot
        slot.params.append(params)
    }

    // MARK: Forgetting

    /// Forgets the views of a session.
    mutating func drop(session: Identifier) {
        for slot in slotsOfSession[session] ?? [] { drop(slot) }
    }

    /// Forgets the views of a catalog.
    mutating func drop(catalog: Identifier) {
        for slot in slots.values where slot.view?.catalog == catalog { drop(slot) }
    }

    /// Forgets all views.
    mutating func dropAll() { for slot in slots.values { drop(slot) } }

    private mutating func drop(_ slot: Slot) {
        guard let view = slot.view else { return }
        bytes -= view.result.count
        slot.view = nil
    }

    /// Forgets the eighth that was not used for longest, and more while there are too many bytes: so the
    /// order of use is looked at seldom.
    private mutating func makeRoom() {
        let countKept = Limits.viewsKeptMax - Limits.viewsKeptMax / 8
        let bytesKept = bytesMax - bytesMax / 8
        for slot in slots.values.sorted(by: { $0.use < $1.use }) {
            guard slots.count > countKept || bytes > bytesKept else { return }
            remove(slot)
        }
    }

    private mutating func remove(_ slot: Slot) {
        drop(slot)
        slots[slot.key] = nil
        for params in slot.params { slotOfParams[params] = nil }
        slotsOfSession[slot.key.session]?.removeAll { $0 === slot }
        if slotsOfSession[slot.key.session]?.isEmpty == true { slotsOfSession[slot.key.session] = nil }
    }
}
