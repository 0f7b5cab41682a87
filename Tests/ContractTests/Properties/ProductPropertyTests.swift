import Shared
import TestSupport
import Testing

/// What is promised of all services together, tried with random catalogs, events, windows and outages.
///
/// A failure prints its seed and what was said last: `SEED=… STEPS=… swift test --filter ProductPropertyTests`.
@Suite(.serialized) struct ProductPropertyTests {
    private static let steps = Paths.environment("STEPS").flatMap(Int.init)

    /// Runs steps in a new world; a violation is told with everything that is needed to see it again.
    private func run(_ steps: Int, _ step: (World, Int) throws -> Void) throws {
        let seed = SeededGenerator.newSeed()
        let world = try World(seed: seed)
        defer { world.harness.finish() }
        var index = 0
        do {
            try world.makeCatalog("recipes", columns: 3, isDrillDown: false)
            try world.makeCatalog("folders", columns: 3, isDrillDown: true)
            try world.makeCatalog("notes", columns: 2, isDrillDown: false)
            while index < Self.steps ?? steps {
                try step(world, index)
                index += 1
            }
        } catch {
            Issue.record(
                "SEED=\(seed), step \(index): \(error)\n\(world.log.suffix(14).joined(separator: "\n"))")
        }
    }

    /// One thing that a person does, or somebody who looks after a catalog.
    private func act(_ world: World) throws {
        let session = world.chance.one(of: World.sessionIds)
        switch world.chance.number(0...39) {
        case 0...3: try world.changeCatalog()
        case 4: try world.look(at: session)
        case 5:
            if world.chance.isOne(in: 3) { try world.copy(session, to: "copy") }
        case 6:
            try world.burst()
            if world.chance.isOne(in: 20) { try world.delete(session) }
        case 7:
            let event = world.chance.malformed()
            let answer = try world.ask(
                "view.send",
                ["session": .text(session), "event": event])
            try same("refusal of \(event.json)", .number(-32_602), answer["error"]["code"])
        case 8...18:
            if world.handedOut[session]?.isEmpty ?? true { try world.look(at: session) }
            guard var event = world.chance.maybe(world.handedOut[session] ?? []) else { return }
            if event["type"].string == "search", case .object(var members) = event {
                members["text"] = .string(world.chance.query())
                event = .object(members)
            }
            try world.send(event, to: session, isHandedOut: true)
        default:
            guard let model = world.sessions[session],
                let catalog = world.catalog(model.catalog) ?? world.catalogs.first
            else { return }
            try world.send(world.chance.event(model, catalog), to: session)
        }
    }

    @Test func whatIsShownIsWhatIsChosen() throws {
        try run(3_000) { world, index in
            try act(world)
            guard index % 50 == 49 else { return }
            try world.checkSessions()
            try world.checkNothingDangles()
            if index % 1_000 == 999 { try world.replaceCatalog() }
            if index % 500 == 499 { try world.tryEverything(of: world.chance.one(of: World.sessionIds)) }
        }
    }

    @Test func aListIsTheSameByWhateverPages() throws {
        try run(400) { world, _ in
            try world.changeCatalog()
            try world.checkCatalogs()
            try world.walkAList()
        }
    }

    @Test func aWindowIsKeptCurrent() throws {
        try run(700) { world, index in
            if world.subscribers.count < 6 { try world.subscribe() }
            if world.chance.isOne(in: 3) { try world.useAWindow() } else { try act(world) }
            try world.checkWindows()
            if index % 500 == 499 { try world.replaceCatalog() }
        }
    }

    @Test func collapsingAndExpandingChangesNothingButTheDrawing() throws {
        try run(60) { world, _ in
            for _ in 0..<3 { try act(world) }
            if world.subscribers.count < 4 { try world.subscribe() }
            try world.checkWindows()
            try world.checkSessions()
            guard let window = world.chance.maybe(world.subscribers) else { return }
            window.window.sizeClass = "regular"
            try window.ask("view.resize", ["width": .number(1_024), "sizeClass": .string("regular")])
            window.window.width = 1_024
            try world.checkWindows()
            let before = window.view
            try window.ask("view.resize", ["width": .number(320), "sizeClass": .string("compact")])
            window.window.width = 320
            window.window.sizeClass = "compact"
            try world.checkWindows()
            try window.ask("view.resize", ["width": .number(1_024), "sizeClass": .string("regular")])
            window.window.width = 1_024
            window.window.sizeClass = "regular"
            try world.checkWindows()
            try world.checkSessions()
            for name in ["session", "revision", "catalog", "sidebar", "content", "detail", "history"] {
                try same("\(name) after expanding", before[name], window.view[name])
            }
            for name in ["visibility", "style"] {
                let requested = before["layout"][name]["requested"]
                try same(name, requested, window.view["layout"][name]["requested"])
            }
        }
    }

    @Test func whatWasMissedIsMadeGood() throws {
        try run(30) { world, _ in
            for _ in 0..<world.chance.number(1...15) { try act(world) }
            if world.subscribers.count < 4 { try world.subscribe() }
            try world.checkWindows()
            switch world.chance.number(0...3) {
            case 0, 1:
                try world.restart("selection") {
                    for _ in 0..<world.chance.number(0...6) { try world.changeCatalog() }
                    if world.chance.isOne(in: 6) { try world.replaceCatalog() }
                }
            case 2: try world.restart("catalog") { try world.actWithoutCatalog() }
            default: try world.restart("gateway")
            }
            try world.checkCatalogs()
            for id in World.sessionIds { try world.look(at: id) }
            try world.checkWindows()
            try world.checkNothingDangles()
        }
    }
}
