// What people and programs do with the services.

extension World {
    /// The catalog that everything is checked in, and one that comes and goes.
    static let catalogs = ["recipes", "notes"]
    static let categories = ["A", "B", "C"]
    static let items = ["i1", "i2", "i3", "i4", "i5", "i6"]

    /// A session stays in its catalog.
    static func catalog(of session: String) -> String { session == "n1" ? catalogs[1] : catalogs[0] }

    /// Whether nothing has happened that would end a session or a service.
    func isCalm(_ service: String) -> Bool { temper.oneFaultIn == 0 }
    func mayEnd(_ session: String) -> Bool {
        ledger.sessionsMayBeGone || ledger.mayBeGone.contains(session)
    }

    /// A title that tells what it is of, and which change has made it.
    func serial() -> Int {
        lastSerial += 1
        return lastSerial
    }
}

extension Client {
    func act() {
        guard isConnected else { return leave() }
        if hasOutput { return flush() }
        if world.fate.isOne(in: 60) { return sayEnd() }
        if world.fate.isOne(in: 30) { return ask("rpc.health", "{}") }
        if world.fate.isOne(in: world.temper.sleepsOneIn) {
            sleepsUntil = world.clock + UInt64(world.fate.number(1...3_000)) * 1_000_000
        }
        guard world.fate.isOne(in: 12) else { return use() }
        askInBatch { for _ in 0..<world.fate.number(1...4) { use() } }
    }

    private func use() {
        switch service {
        case "gateway": useGateway()
        case "selection": useSelection()
        default: useCatalog()
        }
    }

    /// Asks what everything that it follows is now.
    func askForAll() {
        switch service {
        case "gateway":
            for name in windows {
                ask("view.get", #"{"subscription":"\#(name)"}"#) { $0.stream = name }
                guard let view = streams[name]?.view, let session = view["session"]?.text,
                    let width = view["layout"]?["width"]?.text
                else { continue }
                let catalog = World.catalog(of: session)
                ask(
                    "view.get", #"{"session":"\#(session)","catalog":"\#(catalog)","width":\#(width)}"#
                ) { $0.likeWindow = name }
            }
        case "selection":
            for session in world.temper.sessions {
                ask("selection.get", #"{"session":"\#(session)"}"#) { $0.isLast = true }
            }
        case "catalog":
            ask("catalog.describe", #"{"catalog":"recipes"}"#) { $0.isLast = true }
        default: break
        }
    }

    private var windows: [String] { streams.filter { $0.value.kind == .window }.keys.sorted() }

    private func useGateway() {
        let fate = world.fate.number(0...15)
        let session = world.fate.one(of: world.temper.sessions)
        switch fate {
        case 0...3: ask("view.get", window(session))
        case 4...8:
            if let name = world.fate.maybe(windows), world.fate.isOne(in: 2) {
                ask("view.send", #"{"subscription":"\#(name)","event":\#(event(sessionOf(name)))}"#) {
                    $0.stream = name
                }
            } else {
                ask("view.send", window(session, #","event":\#(event(session))"#))
            }
        case 9, 10:
            guard windows.count < 3 else { return }
            let isPatch = !world.fate.isOne(in: 3)
            let format = isPatch ? "patch" : "full"
            ask("view.subscribe", window(session, #","format":"\#(format)""#)) { $0.isPatch = isPatch }
        default:
            guard let name = world.fate.maybe(windows) else { return ask("view.get", window(session)) }
            useWindow(name, fate)
        }
    }

    private func useWindow(_ name: String, _ fate: Int) {
        switch fate {
        case 11: ask("view.resize", #"{"subscription":"\#(name)","width":\#(width())}"#)
        case 12:
            let limit = world.fate.isOne(in: 2) ? #","limit":\#(world.fate.number(1...4))"# : ""
            ask("view.scroll", #"{"subscription":"\#(name)"\#(limit)}"#)
        case 13 where world.fate.isOne(in: 3):
            ask("view.unsubscribe", #"{"subscription":"\#(name)"}"#) { $0.stream = name }
        default: ask("view.get", #"{"subscription":"\#(name)"}"#) { $0.stream = name }
        }
    }

    private func useSelection() {
        let session = world.fate.one(of: world.temper.sessions)
        switch world.fate.number(0...12) {
        case 0...2: ask("selection.get", #"{"session":"\#(session)"\#(patience())}"#)
        case 3...9:
            ask(
                "selection.send",
                #"{"session":"\#(session)","catalog":"\#(World.catalog(of: session))","event":\#(event(session))\#(patience())}"#
            )
        case 10:
            guard streams.count < 2 else { return }
            ask("selection.subscribe", "{}")
        case 11:
            let other = world.fate.one(of: world.temper.sessions)
            if other != session, World.catalog(of: other) == World.catalog(of: session) {
                ask("selection.copy", #"{"from":"\#(session)","to":"\#(other)"}"#)
            }
        default:
            guard world.fate.isOne(in: 4) else { return ask("selection.list", "{}") }
            world.ledger.mayBeGone.insert(session)
            ask("selection.delete", #"{"session":"\#(session)"}"#)
        }
    }

    private func useCatalog() {
        let category = world.fate.one(of: World.categories)
        switch world.fate.number(0...12) {
        case 0...5: changeItem(category)
        case 6: ask("catalog.describe", #"{"catalog":"recipes"}"#)
        case 7: ask("catalog.categories", #"{"catalog":"recipes"}"#)
        case 8: ask("catalog.items", #"{"catalog":"recipes","category":"\#(category)"}"#)
        case 9: ask("catalog.items", #"{"catalog":"recipes","query":"i"}"#)
        case 10:
            guard streams.isEmpty else { return }
            ask("catalog.subscribe", "{}")
        case 11: useNotes()
        default:
            ask("catalog.list", "{}")
        }
    }

    /// The other catalog comes and goes.
    private func useNotes() {
        if world.fate.isOne(in: 3) {
            world.ledger.mayBeGone.formUnion(["n1", "notes"])
            return ask("catalog.drop", #"{"catalog":"notes"}"#)
        }
        let id = world.fate.one(of: World.items)
        let title = "\(id) \(world.serial())"
        ask(
            "catalog.apply",
            #"{"catalog":"notes","changes":[{"op":"putCatalog","title":"Notes","columns":2},{"op":"putCategory","category":{"id":"N","title":"N 0"}},{"op":"putItem","item":{"id":"\#(id)","title":"\#(title)","categories":["N"],"blocks":[]}}]}"#
        )
    }

    private func changeItem(_ category: String) {
        let id = world.fate.one(of: World.items)
        let serial = world.serial()
        let isDeletion = world.fate.isOne(in: 4)
        let item = ItemChange(id: id, serial: isDeletion ? nil : serial, openId: serial)
        let change =
            isDeletion
            ? #"{"op":"deleteItem","id":"\#(id)"}"#
            : #"{"op":"putItem","item":{"id":"\#(id)","title":"\#(id) \#(serial)","subtitle":"\#(category)","categories":["\#(category)"],"blocks":[{"kind":"text","text":"\#(id) \#(serial)"}]}}"#
        let before = asked.count
        ask("catalog.apply", #"{"catalog":"recipes","changes":[\#(change)]\#(patience())}"#) {
            $0.item = item
        }
        if asked.count > before { world.ledger.begin(item) }
    }

    // MARK: Params

    private func width() -> Int { world.fate.one(of: [320, 700, 1_024, 1_400]) }

    /// Now and then a client has hardly any time.
    private func patience() -> String {
        guard world.fate.isOne(in: 8) else { return "" }
        return #","_meta":{"deadlineMs":\#(world.fate.number(0...60))}"#
    }

    private func window(_ session: String, _ more: String = "") -> String {
        #"{"session":"\#(session)","catalog":"\#(World.catalog(of: session))","width":\#(width())\#(more)\#(patience())}"#
    }

    private func sessionOf(_ window: String) -> String { streams[window]?.view?["session"]?.text ?? "" }

    private func event(_ session: String) -> String {
        let category = world.fate.one(of: World.categories)
        let item = world.fate.one(of: World.items)
        if World.catalog(of: session) == "notes", world.fate.isOne(in: 2) {
            return #"{"type":"select","column":"sidebar","id":"\#(item)"}"#
        }
        switch world.fate.number(0...11) {
        case 0...2: return #"{"type":"select","column":"sidebar","id":"\#(category)"}"#
        case 3...5: return #"{"type":"select","column":"content","id":"\#(item)"}"#
        case 6: return #"{"type":"open","item":"\#(item)"}"#
        case 7: return #"{"type":"push","column":"detail","id":"\#(item)"}"#
        case 8: return world.fate.one(of: [#"{"type":"back"}"#, #"{"type":"historyBack"}"#])
        case 9: return #"{"type":"historyForward"}"#
        case 10:
            let (text, scope) = (
                world.fate.one(of: ["i", "", "i1"]), world.fate.one(of: ["category", "catalog"])
            )
            return #"{"type":"search","text":"\#(text)","scope":"\#(scope)"}"#
        default:
            return #"{"type":"setVisibility","visibility":"\#(world.fate.one(of: ["all", "detailOnly"]))"}"#
        }
    }
}
