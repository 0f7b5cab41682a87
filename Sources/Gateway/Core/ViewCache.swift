import JSON
import Shared

// Composed views, ready to be sent again. What a view shows is what it is because of the state of its session and its
// catalog; it is kept until one of the two is told to have changed, and laid out once for each window that looks at it.

/// The scenes that were composed last, and their views.
struct ViewCache {
    /// What tells one view from another, beside what it shows.
    struct Key: Hashable {
        let session: Identifier
        /// The catalog that was asked for, which a session that does not exist yet shows.
        let catalog: Identifier?
        let window: ViewWindow

        /// What tells its scene from another.
        fileprivate var scene: SceneKey {
            SceneKey(session: session, catalog: catalog, look: window.look)
        }
    }

    fileprivate struct SceneKey: Hashable {
        let session: Identifier
        let catalog: Identifier?
        let look: ViewWindow.Look
    }

    /// Where a scene is kept: what its key says stays, the scene comes and goes.
    fileprivate final class Stage {
        let key: SceneKey
        var scene: Scene?
        var slots: [Slot] = []

        init(_ key: SceneKey) { self.key = key }
    }

    /// Where the view of one window is kept.
    final class Slot {
        fileprivate let key: Key
        fileprivate let stage: Stage
        /// Whose view it is.
        var session: Identifier { key.session }
        /// What was asked for.
        var request: ViewRequest {
            ViewRequest(session: key.session, catalog: key.catalog, window: key.window)
        }
        /// What the result of `view.get` has before the rest of the scene, for as long as that is the same.
        fileprivate var opening: [UInt8]?
        /// Its last layout, and what that depends on: from one scene to the next it is mostly the same.
        fileprivate var layout: (frame: Scenery.Frame, json: [UInt8], resolved: Layout.Resolved?)?
        fileprivate var bytes: Int { (opening?.count ?? 0) + (layout?.json.count ?? 0) }
        fileprivate var use: UInt64 = 0
        /// Whether it is still in the cache.
        fileprivate var isThere = true
        /// The job that composes it.
        var composer: GatewayCore.JobID?
        /// The params that were found to ask for it.
        fileprivate var params: [Bytes] = []

        fileprivate init(_ key: Key, _ stage: Stage) { (self.key, self.stage) = (key, stage) }
    }

    private let bytesMax: Int
    private var stages: [SceneKey: Stage] = [:]
    private var stagesOfSession: [Identifier: [Stage]] = [:]
    private var slots: [Key: Slot] = [:]
    private var slotOfParams: [Bytes: Slot] = [:]
    private var bytes = 0
    private var lastUse: UInt64 = 0
    /// How many views were laid out of scenes that were there.
    private(set) var laidOut = 0

    /// Makes an empty cache; one without room keeps nothing.
    init(bytesMax: Int = Limits.viewsKeptBytesMax) { self.bytesMax = bytesMax }

    /// Whether anything is kept at all.
    var isOpen: Bool { bytesMax > 0 }

    /// How many views can be shown, laid out or not, and the bytes of them and their scenes.
    var size: (views: Int, bytes: Int) { (slots.values.count { $0.stage.scene != nil }, bytes) }

    // MARK: Looking

    /// Where the view is kept that a request asks for, byte for byte, if that is known; nothing of its params is read.
    mutating func find(_ request: Request) -> Slot? {
        if let slot = request.recurrence?.found as? Slot, slot.isThere {
            touch(slot)
            return slot
        }
        let slot = find(params: request.params)
        request.recurrence?.found = slot
        return slot
    }

    /// The same, if nobody remembers what was found for such a request.
    mutating func find(params: JSONValue?) -> Slot? {
        guard isOpen, let slot = slotOfParams[Bytes(params?.raw ?? [])] else { return nil }
        touch(slot)
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
        touch(slot)
        return slot
    }

    /// The result of `view.get` for a slot, and what it shows: laid out now if only the scene was there.
    mutating func view(in slot: Slot) -> (result: Reply, scene: Scene)? {
        // Somebody who has waited may hold one that was removed meanwhile.
        guard slot.isThere, let scene = slot.stage.scene else { return nil }
        if let opening = slot.opening { return (Reply(opening: opening, rest: scene.scenery.tail), scene) }
        let view = layOut(scene, in: slot)
        guard view.fitsLine else { return nil }
        laidOut += 1
        let result = view.result()
        slot.opening = result.opening
        bytes += result.opening.count
        if bytes > bytesMax { makeRoom() }
        return (result, scene)
    }

    /// Where the view of a job is kept, or will be.
    mutating func slot(of job: ViewJob) -> Slot? {
        guard isOpen, case .reply = job.kind else { return nil }
        let slot: Slot
        if let known = job.slot, known.isThere {
            slot = known
        } else {
            let key = job.request.key
            slot = slots[key] ?? add(key)
            job.slot = slot
        }
        touch(slot)
        return slot
    }

    /// The scene that is kept for a slot, if it is of this revision of its session.
    func scene(in slot: Slot, revision: Int) -> Scene? {
        guard slot.isThere, let scene = slot.stage.scene, scene.revision == revision else { return nil }
        return scene
    }

    /// The view of a scene in a slot's window.
    mutating func view(of scene: Scene, in slot: Slot) -> ComposedView {
        let view = layOut(scene, in: slot)
        if bytes > bytesMax { makeRoom() }
        return view
    }

    /// Lays out a scene for a window, or finds that it lies as the last one did.
    private mutating func layOut(_ scene: Scene, in slot: Slot) -> ComposedView {
        if let (frame, json, resolved) = slot.layout, frame == scene.scenery.frame {
            return ComposedView(scene: scene, layout: json, resolved: resolved)
        }
        let view = scene.view(in: slot.key.window)
        bytes += view.layout.count - (slot.layout?.json.count ?? 0)
        slot.layout = (scene.scenery.frame, view.layout, view.resolved)
        return view
    }

    // MARK: Keeping

    /// Keeps a scene for all windows that look at it as the one of this slot does.
    mutating func keep(_ scene: Scene, in slot: Slot) {
        guard scene.bytes <= bytesMax, slot.isThere else { return }
        drop(slot.stage)
        put(scene, on: slot.stage)
        touch(slot)
        if bytes > bytesMax { makeRoom() }
    }

    private mutating func put(_ scene: Scene, on stage: Stage) {
        bytes += scene.bytes
        stage.scene = scene
    }

    private mutating func touch(_ slot: Slot) {
        lastUse += 1
        slot.use = lastUse
    }

    private mutating func add(_ key: Key) -> Slot {
        if slots.count >= Limits.viewsKeptMax { makeRoom() }
        let stage = stages[key.scene] ?? add(key.scene)
        let slot = Slot(key, stage)
        stage.slots.append(slot)
        slots[key] = slot
        return slot
    }

    private mutating func add(_ key: SceneKey) -> Stage {
        let stage = Stage(key)
        stages[key] = stage
        stagesOfSession[key.session, default: []].append(stage)
        return stage
    }

    private mutating func link(_ params: Bytes, to slot: Slot) {
        guard slotOfParams[params] == nil else { return }
        if slot.params.count >= Limits.viewSpellingsMax { slotOfParams[slot.params.removeFirst()] = nil }
        slotOfParams[params] = slot
        slot.params.append(params)
    }

    // MARK: Forgetting

    /// Forgets the views of a session that is somewhere else now, and takes what is shown there, as far as that is known.
    mutating func move(
        _ session: Identifier, revision: Int, _ scenery: (ViewWindow.Look) -> Scenery?
    ) {
        // One may name any catalog beside a session that has one: each is a stage of its own.
        var room = Limits.looksPerPlaceMax
        for stage in stagesOfSession[session] ?? [] {
            drop(stage)
            guard room > 0, let scenery = scenery(stage.key.look) else { continue }
            room -= 1
            put(Scene(scenery, session: session, revision: revision), on: stage)
        }
        if bytes > bytesMax { makeRoom() }
    }

    /// Forgets the views of a catalog.
    mutating func drop(catalog: Identifier) {
        for stage in stages.values where stage.scene?.scenery.catalog == catalog { drop(stage) }
    }

    /// Forgets all views.
    mutating func dropAll() { for stage in stages.values { drop(stage) } }

    private mutating func drop(_ stage: Stage) {
        guard let scene = stage.scene else { return }
        bytes -= scene.bytes
        stage.scene = nil
        for slot in stage.slots {
            bytes -= slot.opening?.count ?? 0
            slot.opening = nil
        }
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
        bytes -= slot.bytes
        (slot.opening, slot.layout, slot.isThere) = (nil, nil, false)
        slots[slot.key] = nil
        for params in slot.params { slotOfParams[params] = nil }
        slot.stage.slots.removeAll { $0 === slot }
        if slot.stage.slots.isEmpty { remove(slot.stage) }
    }

    private mutating func remove(_ stage: Stage) {
        drop(stage)
        stages[stage.key] = nil
        stagesOfSession[stage.key.session]?.removeAll { $0 === stage }
        if stagesOfSession[stage.key.session]?.isEmpty == true { stagesOfSession[stage.key.session] = nil }
    }
}
