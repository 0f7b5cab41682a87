import JSON
import TestSupport
import Testing

@testable import Gateway
@testable import Shared

/// Views that are kept: as good as composed anew, never older, and shown only while the peers live.
@Suite struct KeptViewTests {
    /// Both peers tell of their changes, and the first view was composed.
    private func start(_ keepsViews: Bool = true) throws -> (driver: CoreDriver, peers: TestPeers) {
        let peers = TestPeers()
        peers.at(category: "A", items: ["a1"])
        var driver = CoreDriver()
        driver.core = GatewayCore(keepsViews: keepsViews)
        try driver.connect(peers)
        _ = try driver.view(peers)
        driver.made = []
        return (driver, peers)
    }

    @Test func aViewThatHoldsIsAnsweredAtOnceWithoutACall() throws {
        var (driver, peers) = try start()
        let number = try driver.ask("view.get")
        #expect(driver.made.isEmpty && driver.calls.isEmpty)
        #expect(try driver.view(number).written == view(peers).written)
        #expect(driver.core.counters.views == 1 && driver.core.counters.keptViews == 1)
        #expect(driver.core.jobs.isEmpty && driver.core.lanes.isEmpty)
    }

    @Test func withoutTheCacheWhatIsKnownIsComposedAnew() throws {
        var (driver, peers) = try start(false)
        #expect(try driver.view(peers).written == view(peers).written)
        #expect(driver.made.isEmpty)
        #expect(driver.core.counters.views == 2 && driver.core.views.size.views == 0)
    }

    @Test func theSameViewIsFoundHoweverItIsAskedFor() throws {
        var (driver, peers) = try start()
        for params in [
            "{}", #"{"width":1024}"#, #"{ "session" : "default" }"#, #"{"_meta":{"traceparent":"x"}}"#,
        ] {
            for _ in 0..<2 { _ = try driver.view(peers, params) }
        }
        #expect(driver.core.counters.views == 1 && driver.core.views.size.views == 1)
        _ = try driver.view(peers, #"{"width":1025}"#)
        #expect(driver.core.views.size.views == 2)
    }

    @Test func aViewIsComposedOnceForWindowsOfAllWidths() throws {
        var (driver, peers) = try start()
        let composed = driver.core.counters.views
        for width in [600, 820.5, 1_280, 5_000] {
            let params = #"{"width":\#(width)}"#
            #expect(try driver.view(peers, params).written == view(peers, params).written)
        }
        #expect(driver.core.counters.views == composed)
        // Collapsed windows show it otherwise, and so do those that show other rows.
        for params in [#"{"width":599}"#, #"{"limit":3}"#, #"{"after":"0"}"#] {
            #expect(try driver.view(peers, params).written == view(peers, params).written)
        }
        #expect(driver.core.counters.views == composed + 3)
    }

    @Test func theViewThatAnEventLedToIsKept() throws {
        var (driver, peers) = try start()
        peers.apply = { state, event in
            state.items = ["a2"]
            return true
        }
        let event = #"{"event":{"type":"select","column":"content","id":"a2"}}"#
        let sent = try driver.view(peers, event, method: "view.send")
        let composed = driver.core.counters.views
        #expect(try driver.view(peers).written == sent.written)
        #expect(driver.core.counters.views == composed)
    }

    // MARK: What it forgets

    @Test func onlyTheEventsThatNameItDropAView() throws {
        var (driver, peers) = try start()
        _ = try driver.view(peers, #"{"session":"other"}"#)
        #expect(driver.core.views.size.views == 2)
        peers.changeState { $0.items = ["a2"] }
        try driver.hear(peers)
        #expect(driver.core.views.size.views == 1)
        #expect(try driver.view(peers).at("detail", "id")?.string == "a2")
        try driver.take(
            .told(.catalog, parse(#"{"subscription":"c","catalog":"another","revision":9,"dropped":false}"#)))
        #expect(driver.core.views.size.views == 2)
        peers.changeCatalog { $0.items[1].title = "Renamed" }
        try driver.hear(peers)
        #expect(driver.core.views.size.views == 0)
        #expect(try driver.view(peers).at("detail", "title")?.string == "Renamed")
        peers.deleteState()
        try driver.hear(peers)
        #expect(try driver.view(peers).at("detail", "status")?.string == "noSelection")
    }

    @Test(arguments: GatewayCore.Peer.allCases)
    func aPeerThatWasAwayIsAskedForEverythingAgain(_ peer: GatewayCore.Peer) throws {
        var (driver, peers) = try start()
        try driver.take(.down(peer))
        #expect(driver.core.views.size.views == 0)
        // Nobody was told of these.
        if peer == .selection {
            peers.states["default"]?.revision = 9
            peers.states["default"]?.items = ["a3"]
        } else {
            peers.catalog.items[0].title = "Renamed"
            peers.catalog.revision = 9
        }
        try driver.take(.up(peer))
        try driver.settle(peers)
        let title = peer == .selection ? "Title a3" : "Renamed"
        #expect(try driver.view(peers).at("detail", "title")?.string == title)
        // Sessions are reconciled with a catalog that was away, so their owner is asked in either case.
        #expect(driver.made.contains(#"selection.get {"session":"default"}"#))
    }

    @Test func paramsAreRememberedUpTo512BytesAndInFourWays() throws {
        var cache = ViewCache()
        let key = ViewCache.Key(session: "s", catalog: nil, window: ViewWindow())
        func params(_ bytes: Int, _ letter: Character = "x") throws -> JSONValue {
            let text = #"{"a":""# + String(repeating: letter, count: bytes - 8) + #""}"#
            #expect(text.utf8.count == bytes)
            return try parse(text)
        }
        for bytes in [Limits.viewParamsBytesMax, Limits.viewParamsBytesMax + 1] {
            _ = cache.find(key, params: try params(bytes))
            #expect((cache.find(params: try params(bytes)) != nil) == (bytes == Limits.viewParamsBytesMax))
        }
        let ways = try (0...Limits.viewSpellingsMax).map { try params(10 + $0, "y") }
        for (index, way) in ways.enumerated() {
            _ = cache.find(key, params: way)
            let known = ways[...index].map { cache.find(params: $0) != nil }
            #expect(known == ways[...index].indices.map { $0 > index - Limits.viewSpellingsMax })
        }
    }

    @Test func theCacheIsBoundedInBytesAndCountAndForgetsWhatIsNotUsed() {
        var cache = ViewCache(bytesMax: 10_000)
        func key(_ number: Int) -> ViewCache.Key {
            ViewCache.Key(session: Identifier("s\(number)"), catalog: nil, window: ViewWindow())
        }
        func keep(_ number: Int, bytes: Int) {
            let session = key(number).session
            let scenery = Scenery(
                screen: Screen(state: SessionState(session: session), isTwoColumn: false),
                isCollapsed: false, catalog: "c", catalogRevision: 1, rows: 0, opening: [], back: [],
                tail: [])
            let head = Scene(scenery, session: session, revision: 1).bytes
            let padded = Scenery(
                screen: scenery.screen, isCollapsed: false, catalog: "c", catalogRevision: 1, rows: 0,
                opening: [], back: [], tail: [UInt8](repeating: 0x20, count: max(0, bytes - head)))
            guard let slot = cache.find(key(number), params: nil) else { return }
            cache.keep(Scene(padded, session: session, revision: 1), in: slot)
        }
        func hasView(_ number: Int) -> Bool {
            cache.find(key(number), params: nil).flatMap { cache.view(in: $0) } != nil
        }
        for number in 0..<100 {
            keep(number, bytes: 500)
            #expect(cache.size.bytes <= 10_000 && cache.size.bytes == cache.size.views * 500)
            _ = cache.find(key(0), params: nil)
        }
        #expect(hasView(0) && hasView(99) && !hasView(50))
        keep(1_000, bytes: 10_001)
        #expect(!hasView(1_000))
        // What is laid out counts, too.
        for number in 2_000..<2_100 {
            keep(number, bytes: 500)
            #expect(hasView(number) && cache.size.bytes <= 10_000)
        }
        for number in 0..<Limits.viewsKeptMax + 10 { keep(number, bytes: 0) }
        #expect(cache.size.views <= Limits.viewsKeptMax)
        cache.dropAll()
        // Layouts stay, because the next scene mostly has the same.
        #expect(cache.size.views == 0 && cache.size.bytes < 10_000)
    }

    @Test func aViewThatMakesRoomByItsOwnEndLeavesNothingBehind() throws {
        func scene(bytes: Int) -> Scene {
            let screen = Screen(state: SessionState(session: "s"), isTwoColumn: false)
            let scenery = Scenery(
                screen: screen, isCollapsed: false, catalog: "c", catalogRevision: 1, rows: 0, opening: [],
                back: [], tail: [UInt8](repeating: 0x20, count: bytes))
            return Scene(scenery, session: "s", revision: 1)
        }
        let (one, another) = (scene(bytes: 4_000), scene(bytes: 5_000))
        // Its layout does not fit any more.
        var cache = ViewCache(bytesMax: one.bytes + another.bytes + 10)
        func slot(_ session: Identifier) throws -> ViewCache.Slot {
            let key = ViewCache.Key(session: session, catalog: nil, window: ViewWindow())
            let found = cache.find(key, params: nil)
            return try #require(found)
        }
        let (waiting, other) = (try slot("waiting"), try slot("other"))
        cache.keep(one, in: waiting)
        cache.keep(another, in: other)
        #expect(cache.view(in: waiting) != nil)
        #expect(cache.view(in: waiting) == nil && cache.size.bytes == another.bytes)
    }

    @Test func whatWasFoundForARequestIsNotUsedWhenItIsForgotten() throws {
        var cache = ViewCache()
        let key = ViewCache.Key(session: "s", catalog: nil, window: ViewWindow())
        let recurrence = Recurrence()
        let request = Request(
            token: RequestToken(1), connection: ConnectionID(1), method: "view.get",
            params: try parse(#"{"session":"s"}"#), deadline: 0, recurrence: recurrence)
        #expect(cache.find(request) == nil)
        let slot = cache.find(key, params: request.params)
        #expect(cache.find(request) === slot && recurrence.found === slot)
        #expect(cache.find(request) === slot)
        for number in 0..<Limits.viewsKeptMax + 1 {
            let other = ViewCache.Key(session: Identifier("\(number)"), catalog: nil, window: ViewWindow())
            _ = cache.find(other, params: nil)
        }
        #expect(cache.find(request) == nil && recurrence.found == nil)
        let again = cache.find(key, params: request.params)
        #expect(again !== slot && cache.find(request) === again)
    }

    // MARK: Order

    @Test func anEventThatWasSentBeforeOnTheSameConnectionIsSeen() throws {
        var (driver, peers) = try start()
        peers.apply = { state, _ in
            state.items = ["a2"]
            return true
        }
        let event = #"{"event":{"type":"select","column":"content","id":"a2"}}"#
        let sent = try driver.ask("view.send", event)
        let behind = try (0..<3).map { _ in try driver.ask("view.get") }
        let beside = try driver.ask("view.get", connection: 2)
        #expect(driver.order.last == beside, "nobody else has to wait")
        try driver.settle(peers)
        #expect(try driver.view(sent).at("detail", "id")?.string == "a2")
        for number in behind { #expect(try driver.view(number).written == driver.view(sent).written) }
        #expect(driver.made.filter { $0.hasPrefix("selection.") }.count == 1)
        #expect(driver.core.jobs.isEmpty && driver.core.lanes.isEmpty)
    }

    @Test func anEventThatIsNotAnsweredDoesNotHoldAViewForEver() throws {
        var (driver, peers) = try start()
        peers.silent = [.selection]
        let sent = try driver.ask("view.send", #"{"event":{"type":"reset"}}"#)
        let behind = try driver.ask("view.get", patience: 100)
        driver.now += 100
        // First it is begun without the event, then it may overtake it.
        for _ in 0..<2 {
            try driver.take(.wake)
            try driver.settle(peers)
        }
        #expect(try driver.view(behind).at("content", "status")?.string == "stale")
        try driver.runOut()
        #expect(driver.error(sent)?.reason == .deadlineExceeded)
        #expect(driver.core.jobs.isEmpty && driver.core.lanes.isEmpty)
    }

    // MARK: Life

    @Test func onePingOfEachPeerIsEnoughForAllViewsOfATurn() throws {
        var (driver, peers) = try start()
        driver.later = Limits.lifeNanoseconds
        let numbers = try (0..<5).map { try driver.ask("view.get", connection: $0) }
        #expect(driver.made.sorted() == ["rpc.ping {}", "rpc.ping {}"] && driver.results[numbers[0]] == nil)
        try driver.settle(peers)
        for number in numbers { #expect(try driver.view(number).at("content", "status")?.string == "ready") }
        #expect(driver.core.counters.views == 1)
        try driver.endTurn()
        driver.later += Limits.lifeNanoseconds / 2 - 1
        let next = try driver.ask("view.get")
        #expect(try driver.view(next).at("content", "status")?.string == "ready")
        try driver.endTurn()
        #expect(driver.made.count == 2, "they have just been heard of")
        for connection in 1...2 { _ = try driver.ask("view.get", connection: connection) }
        #expect(driver.made.count == 2)
        driver.later += 1
        try driver.endTurn()
        #expect(driver.made.count == 4, "the next views will need it")
    }

    @Test func aSignOfLifeIsRenewedBeforeAViewHasToWaitForIt() throws {
        var (driver, peers) = try start()
        driver.later = Limits.lifeNanoseconds / 2
        for _ in 0..<10 {
            for _ in 0..<3 {
                #expect(driver.results[try driver.ask("view.get")] != nil, "it has not waited")
            }
            try driver.endTurn()
            try driver.settle(peers)
            driver.later += Limits.lifeNanoseconds - 1
        }
        #expect(driver.made.count == 20 && driver.core.pings.catalog == nil)
        // One that is not answered is not asked again and again, and in the end views wait for it.
        peers.silent = [.catalog]
        for _ in 0..<3 { #expect(driver.results[try driver.ask("view.get")] != nil) }
        try driver.endTurn()
        driver.later += Limits.patienceNanoseconds - 1
        #expect(driver.results[try driver.ask("view.get")] != nil, "it may be busy")
        try driver.settle(peers)
        driver.later += 1
        let late = try driver.ask("view.get")
        try driver.settle(peers)
        #expect(driver.results[late] == nil)
        #expect(driver.made.filter { $0.hasPrefix("rpc.ping") }.count <= 24)
    }

    @Test func manyViewsTurnAfterTurnShareASignOfLife() throws {
        var (driver, peers) = try start()
        driver.later = 1
        func turn(views: Int) throws -> Int {
            let asked = try (0..<views).map { try driver.ask("view.get", inSameTurn: $0 > 0) }
            let answered = asked.count { driver.results[$0] != nil }
            try driver.endTurn()
            return answered
        }
        func pings() -> Int { driver.made.count { $0.hasPrefix("rpc.ping") } }
        let step = Limits.lullNanoseconds - 1
        let life = Limits.patienceNanoseconds
        // It lasts twice as long after each turn.
        var lasts = Limits.lifeNanoseconds
        while lasts < life {
            #expect(try turn(views: Limits.rushViewsMin) == Limits.rushViewsMin)
            lasts *= 2
        }
        #expect(pings() == 0)
        // No peer is asked before half of it is over, and then no view waits.
        var since = driver.later - 1
        for _ in 0..<100 {
            driver.later += step
            #expect(try turn(views: Limits.rushViewsMin) == Limits.rushViewsMin)
            let wasDue = driver.later - since >= life / 2
            #expect((driver.core.pings.catalog != nil) == wasDue)
            if wasDue { since = driver.later }
            try driver.settle(peers)
        }
        #expect(pings() <= 2 * 100 / 3)
        // A peer that hangs is noticed in a rush, too: when it has been asked and has had its time.
        peers.silent = [.catalog]
        let lastHeard = driver.core.heardAt.catalog
        var shownUntil = lastHeard
        for _ in 0..<3 * life / step {
            driver.later += step
            if try turn(views: Limits.rushViewsMin) == Limits.rushViewsMin {
                shownUntil = max(shownUntil, driver.now * 1_000_000 + driver.later)
            }
            try driver.settle(peers)
        }
        #expect(shownUntil - lastHeard <= life / 2 + Limits.lullNanoseconds + Limits.patienceNanoseconds)
        let late = try driver.ask("view.get")
        try driver.settle(peers)
        #expect(driver.results[late] == nil)
    }

    @Test(arguments: [true, false])
    func aRushIsOverWithOneQuietTurnOrWithNone(_ isQuietTurn: Bool) throws {
        var (driver, peers) = try start()
        driver.later = 1
        for _ in 0..<10 {
            for view in 0..<Limits.rushViewsMin { try driver.ask("view.get", inSameTurn: view > 0) }
            try driver.endTurn()
        }
        if isQuietTurn {
            for view in 0..<Limits.rushViewsMin - 1 { try driver.ask("view.get", inSameTurn: view > 0) }
            try driver.endTurn()
        }
        driver.later += isQuietTurn ? Limits.lifeNanoseconds : Limits.lullNanoseconds
        let next = try driver.ask("view.get")
        #expect(driver.results[next] == nil && driver.made == ["rpc.ping {}", "rpc.ping {}"])
        try driver.settle(peers)
        #expect(driver.results[next] != nil)
    }

    @Test func onlyWhoWasAskedBeforehandMayTakeItsTime() throws {
        var (driver, peers) = try start()
        driver.later = Limits.lifeNanoseconds
        peers.silent = [.catalog]
        let first = try driver.ask("view.get")
        let second = try driver.ask("view.get", connection: 2)
        try driver.settle(peers)
        #expect(driver.results[first] == nil && driver.results[second] == nil)
        peers.silent = []
        try driver.settle(peers)
        #expect(driver.results[first] != nil && driver.results[second] != nil)
    }

    @Test func whatAPeerHasSaidSinceAnEventCameIsEnough() throws {
        var (driver, peers) = try start()
        driver.later = Limits.lifeNanoseconds
        let sent = try driver.ask("view.send", #"{"event":{"type":"reset"}}"#)
        #expect(driver.made.sorted().first == "rpc.ping {}" && driver.made.count == 2)
        while driver.calls.first?.call.peer == .selection { driver.calls.append(driver.calls.removeFirst()) }
        try driver.answerNext(peers)
        // Its commit takes long; the catalog need not be asked again.
        driver.later += 100 * Limits.lifeNanoseconds
        try driver.answerNext(peers)
        #expect(try driver.view(sent).at("content", "status")?.string != nil)
        #expect(driver.made.count == 2)
    }

    @Test func aCatalogThatWasAliveWhenAnEventCameNeedNotBeAskedForIt() throws {
        var (driver, peers) = try start()
        driver.later = Limits.lifeNanoseconds - 1
        let sent = try driver.ask("view.send", #"{"event":{"type":"reset"}}"#)
        driver.later += 100 * Limits.lifeNanoseconds
        try driver.settle(peers)
        #expect(try driver.view(sent).at("sidebar", "status")?.string == "ready")
        #expect(driver.made.count == 1 && driver.made[0].hasPrefix("selection.send"))
    }

    @Test(arguments: GatewayCore.Peer.allCases)
    func aPeerThatHangsIsNoticed(_ peer: GatewayCore.Peer) throws {
        var (driver, peers) = try start()
        driver.now += 1
        peers.silent = [peer]
        let number = try driver.ask("view.get", patience: 500)
        try driver.settle(peers)
        #expect(driver.results[number] == nil)
        try driver.runOut()
        try driver.settle(peers)
        #expect(driver.now <= 1_501)
        #expect(try driver.view(number).at("content", "status")?.string == "stale")
        peers.silent = []
        let later = try driver.ask("view.get")
        try driver.settle(peers)
        #expect(try driver.view(later).at("content", "status")?.string == "ready")
        #expect(driver.core.jobs.isEmpty && driver.core.calls.isEmpty)
    }

    @Test(arguments: GatewayCore.Peer.allCases, [true, false])
    func aPeerThatWasAliveWhenAViewWasAskedForIsNotBlamedForTheOther(
        _ peer: GatewayCore.Peer, _ isKept: Bool
    ) throws {
        var (driver, peers) = try start(isKept)
        driver.later = Limits.lifeNanoseconds
        peers.silent = [peer]
        // The other one has said something just before that does not concern it.
        try driver.take(.told(peer == .catalog ? .selection : .catalog, parse("{}")))
        driver.later += Limits.lifeNanoseconds - 1
        let number = try driver.ask("view.get", patience: 300)
        try driver.settle(peers)
        #expect(driver.results[number] == nil)
        // What is asked when there is no time left is late at once.
        for _ in 0..<3 { try driver.runOut() }
        #expect(try driver.view(number).at("sidebar", "status")?.string == "stale")
        #expect(driver.core.jobs.isEmpty && driver.core.calls.isEmpty && driver.core.lanes.isEmpty)
    }

    @Test func whatChangesDuringAPingIsSeen() throws {
        var (driver, peers) = try start()
        driver.now += 1
        let number = try driver.ask("view.get")
        peers.changeState { $0.items = ["a4"] }
        try driver.settle(peers)
        #expect(try driver.view(number).at("detail", "id")?.string == "a4")
    }

    @Test(arguments: GatewayCore.Peer.allCases)
    func whatAPeerMayHaveKeptBackComesBeforeTheAnswerToAPing(_ peer: GatewayCore.Peer) throws {
        var (driver, peers) = try start()
        // A ping that was sent before says nothing of it.
        driver.later = Limits.lifeNanoseconds / 2
        let first = try driver.ask("view.get")
        try driver.endTurn()
        #expect(driver.results[first] != nil && driver.made == ["rpc.ping {}", "rpc.ping {}"])
        driver.core.behind[peer] = true
        let behind = try (0..<3).map { try driver.ask("view.get", connection: $0) }
        driver.core.behind[peer] = false
        #expect(driver.made.count == 5, "each of them came in a turn of its own")
        for _ in 0..<2 { try driver.answerNext(peers) }
        #expect(behind.allSatisfy { driver.results[$0] == nil })
        switch peer {
        case .selection: peers.changeState { $0.items = ["a5"] }
        case .catalog: peers.changeCatalog { $0.items[0].title = "Kept back" }
        }
        try driver.settle(peers)
        for number in behind { #expect(try driver.view(number).written == view(peers).written) }
        #expect(driver.core.jobs.isEmpty && driver.core.lanes.isEmpty && driver.core.pings[peer] == nil)
    }

    @Test func aViewThatIsNotKeptIsComposedOfWhatAPeerSaysThatMayHaveKeptSomethingBack() throws {
        var (driver, peers) = try start()
        peers.states["default"]?.revision = 4
        peers.states["default"]?.items = ["a5"]
        driver.core.behind.selection = true
        let view = try driver.view(peers, #"{"limit":3}"#)
        #expect(view.at("detail", "id")?.string == "a5")
        #expect(driver.made.contains(#"selection.get {"session":"default"}"#))
    }

    // MARK: Whatever happens

    @Test(arguments: 0..<20) func aKeptViewEqualsOneThatIsComposedNow(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (driver, peers) = try start()
        peers.apply = { state, event in
            state.items = event["id"]?.string.map { [Identifier($0)] } ?? []
            return true
        }
        let windows = [
            "{}", #"{"width":400}"#, #"{"limit":2}"#, #"{"session":"other"}"#, #"{"width":1280}"#,
            #"{"width":701.3,"scale":1}"#, #"{"width":1280,"sizeClass":"compact"}"#,
            #"{"width":400,"sizeClass":"regular"}"#,
        ]
        for _ in 0..<200 {
            let item = "a\(Int.random(in: 1...5, using: &random))"
            switch Int.random(in: 0..<16, using: &random) {
            case 0: peers.changeState { $0.items = [Identifier(item)] }
            case 1: peers.changeState("other") { $0.category = "B" }
            case 2: peers.changeCatalog { $0.items[0].title = "Title \(item)" }
            case 3: peers.deleteState("other")
            case 4: driver.now += 1
            case 7:
                peers.changeState {
                    $0.visibility = Visibility.allCases.randomElement(using: &random) ?? .all
                }
            case 8: peers.changeState { $0.widths[.sidebar] = Double.random(in: 200...400, using: &random) }
            case 5, 9, 10:
                let session = ["default", "other"].randomElement(using: &random) ?? ""
                let params = #"{"session":"\#(session)","event":{"type":"select","id":"\#(item)"}}"#
                let sent = try driver.view(peers, params, method: "view.send")
                let shown = try view(peers, #"{"session":"\#(session)"}"#)
                #expect(sent.written == shown.written, "seed \(seed)")
            case 6:
                let peer = GatewayCore.Peer.allCases.randomElement(using: &random) ?? .catalog
                try driver.take(.down(peer))
                try driver.take(.up(peer))
            default: break
            }
            try driver.settle(peers)
            let window = windows.randomElement(using: &random) ?? "{}"
            #expect(try driver.view(peers, window).written == view(peers, window).written, "seed \(seed)")
        }
        #expect(driver.core.counters.keptViews > 0 && driver.core.views.laidOut > 0)
        #expect(driver.core.counters.familiarViews > 0 && driver.echoes > 0)
        #expect(driver.core.lanes.isEmpty && driver.core.jobs.isEmpty)
    }
}
