import Glibc
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

    /// A view that holds now.
    struct View {
        /// The result of `view.get`, with the view in it.
        let result: [UInt8]
        let session: Identifier
        let revision: Int
        let catalog: Identifier
        let catalogRevision: Int
    }

    private struct Slot {
        let key: Key
        var view: View?
        var use: UInt64 = 0
        /// The params that were found to ask for it.
        var params: [Params] = []
    }

    private let bytesMax: Int
    private var slots: [Slot?] = []
    private var free: [Int] = []
    private var slotOfKey: [Key: Int] = [:]
    private var slotOfParams: [Params: Int] = [:]
    private var slotsOfSession: [Identifier: Set<Int>] = [:]
    private var bytes = 0
    private var lastUse: UInt64 = 0

    /// Makes an empty cache; one without room keeps nothing.
    init(bytesMax: Int = Limits.viewsKeptBytesMax) { self.bytesMax = bytesMax }

    /// Whether anything is kept at all.
    var isOpen: Bool { bytesMax > 0 }

    /// How many views are kept, and their bytes.
    var size: (views: Int, bytes: Int) { (slots.reduce(0) { $0 + ($1?.view == nil ? 0 : 1) }, bytes) }

    // MARK: Looking

    /// The view that params ask for, byte for byte; nothing of them is read.
    mutating func view(params: JSONValue?) -> View? {
        guard let slot = slotOfParams[Params(params?.raw ?? [])] else { return nil }
        return use(slot)
    }

    /// The view with this key; params that ask for it will find it, too.
    mutating func view(_ key: Key, params: JSONValue?) -> View? {
        guard bytesMax > 0 else { return nil }
        let slot = slotOfKey[key] ?? add(key)
        // What `_meta` says differs from request to request.
        let raw = params?.raw ?? []
        if raw.count <= Limits.viewParamsBytesMax, params?["_meta"] == nil {
            link(Params(ArraySlice(Array(raw))), to: slot)
        }
        return use(slot)
    }

    private mutating func use(_ slot: Int) -> View? {
        lastUse += 1
        slots[slot]?.use = lastUse
        return slots[slot]?.view
    }

    // MARK: Keeping

    /// Keeps a view.
    mutating func keep(_ view: View, for key: Key) {
        guard view.result.count <= bytesMax else { return }
        let slot = slotOfKey[key] ?? add(key)
        drop(slot)
        bytes += view.result.count
        slots[slot]?.view = view
        _ = use(slot)
        if bytes > bytesMax || slotOfKey.count > Limits.viewsKeptMax { makeRoom() }
    }

    private mutating func add(_ key: Key) -> Int {
        if slotOfKey.count >= Limits.viewsKeptMax { makeRoom() }
        let slot = free.popLast() ?? slots.count
        if slot == slots.count { slots.append(nil) }
        slots[slot] = Slot(key: key)
        slotOfKey[key] = slot
        slotsOfSession[key.session, default: []].insert(slot)
        return slot
    }

    private mutating func link(_ params: Params, to slot: Int) {
        guard slotOfParams[params] == nil, let linked = slots[slot]?.params else { return }
        if linked.count >= Limits.viewSpellingsMax {
            slotOfParams[linked[0]] = nil
            slots[slot]?.params.removeFirst()
        }
        slotOfParams[params] = slot
        slots[slot]?.params.append(params)
    }

    // MARK: Forgetting

    /// Forgets the views of a session.
    mutating func drop(session: Identifier) {
        for slot in slotsOfSession[session] ?? [] { drop(slot) }
    }

    /// Forgets the views of a catalog.
    mutating func drop(catalog: Identifier) {
        for slot in slots.indices where slots[slot]?.view?.catalog == catalog { drop(slot) }
    }

    /// Forgets all views.
    mutating func dropAll() { self = ViewCache(bytesMax: bytesMax) }

    private mutating func drop(_ slot: Int) {
        guard let view = slots[slot]?.view else { return }
        bytes -= view.result.count
        slots[slot]?.view = nil
    }

    /// Forgets the eighth that was not used for longest, and more while there are too many bytes: so the
    /// order of use is looked at seldom.
    private mutating func makeRoom() {
        let oldest = slotOfKey.values.sorted { (slots[$0]?.use ?? 0) < (slots[$1]?.use ?? 0) }
        let countKept = Limits.viewsKeptMax - Limits.viewsKeptMax / 8
        let bytesKept = bytesMax - bytesMax / 8
        for slot in oldest {
            guard slotOfKey.count > countKept || bytes > bytesKept else { return }
            remove(slot)
        }
    }

    private mutating func remove(_ slot: Int) {
        drop(slot)
        guard let old = slots[slot] else { return }
        slots[slot] = nil
        free.append(slot)
        slotOfKey[old.key] = nil
        for params in old.params { slotOfParams[params] = nil }
        slotsOfSession[old.key.session]?.remove(slot)
        if slotsOfSession[old.key.session]?.isEmpty == true { slotsOfSession[old.key.session] = nil }
    }
}

/// Params as they were written.
///
/// An array of bytes would be hashed and compared byte by byte.
private struct Params: Hashable {
    let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    static func == (a: Params, b: Params) -> Bool {
        unsafe a.bytes.withUnsafeBytes { a in
            unsafe b.bytes.withUnsafeBytes { b in
                guard a.count == b.count else { return false }
                guard let start = a.baseAddress, let other = b.baseAddress else { return true }
                return unsafe memcmp(start, other, a.count) == 0
            }
        }
    }

    func hash(into hasher: inout Hasher) {
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}
