import JSON
import TestSupport
import Testing

@testable import Gateway
@testable import Shared

/// Places where a session was before: what is shown there is not composed again, and never what was there once.
@Suite struct FamiliarPlaceTests {
    /// Both peers tell of their changes; a session has been at each of two items.
    private func start() throws -> (driver: CoreDriver, peers: TestPeers) {
        let peers = TestPeers()
        peers.at(category: "A", items: ["a1"])
        peers.apply = { state, event in
            state.items = event["id"]?.string.map { [Identifier($0)] } ?? []
            state.canGoBack = true
            return true
        }
        var driver = CoreDriver()
        try driver.connect(peers)
        for item in ["a1", "a2", "a1"] { _ = try driver.view(peers, event(item), method: "view.send") }
        return (driver, peers)
    }

    private func event(_ item: String, session: String = "default") -> String {
        #"{"session":"\#(session)","event":{"type":"select","column":"content","id":"\#(item)"}}"#
    }

    @Test func whoGoesToAndFroIsShownWhatWasComposedBefore() throws {
        var (driver, peers) = try start()
        let before = driver.core.counters
        for item in ["a2", "a1", "a2"] {
            let sent = try driver.view(peers, event(item), method: "view.send")
            #expect(try sent.written == view(peers).written)
            #expect(try driver.view(peers).written == sent.written)
        }
        #expect(driver.core.counters.familiarViews == before.familiarViews + 3)
        #expect(driver.core.counters.keptViews == before.keptViews + 3)
        #expect(driver.echoes == 6)
    }

    @Test func anotherSessionInTheSamePlaceIsShownTheSame() throws {
        var (driver, peers) = try start()
        peers.changeState("other") { $0.category = "A" }
        try driver.settle(peers)
        let before = driver.core.counters
        let sent = try driver.view(peers, event("a2", session: "other"), method: "view.send")
        #expect(try sent.written == view(peers, #"{"session":"other"}"#).written)
        #expect(sent["session"]?.string == "other")
        #expect(driver.core.counters.familiarViews == before.familiarViews + 1)
    }

    @Test func viewsAskedForInOtherWaysFollowAtOnce() throws {
        var (driver, peers) = try start()
        let windows = [#"{"width":400}"#, #"{"limit":2}"#, #"{"width":1280}"#]
        for item in ["a1", "a2"] {
            for window in windows {
                let params = String(event(item).dropLast()) + "," + window.dropFirst()
                _ = try driver.view(peers, params, method: "view.send")
            }
        }
        let before = driver.core.counters
        _ = try driver.view(peers, event("a1"), method: "view.send")
        for window in windows {
            #expect(try driver.view(peers, window).written == view(peers, window).written)
        }
        #expect(driver.core.counters.keptViews == before.keptViews + windows.count)
        #expect(driver.core.counters.views == before.views + 1)
    }

    @Test func aChangeOfTheCatalogIsSeenWhereverASessionGoes() throws {
        var (driver, peers) = try start()
        peers.changeCatalog { $0.items[1].title = "Another title" }
        let sent = try driver.view(peers, event("a2"), method: "view.send")
        #expect(sent.at("detail", "title")?.string == "Another title")
        #expect(try sent.written == view(peers).written)
        #expect(driver.core.places.count == 1)
    }

    @Test(arguments: GatewayCore.Peer.allCases)
    func whatWasShownBeforeAPeerWasLostIsNotShownAgain(_ peer: GatewayCore.Peer) throws {
        var (driver, peers) = try start()
        try driver.take(.down(peer))
        #expect(driver.core.places.count == 0)
        peers.catalog.items[1].title = "Changed meanwhile"
        peers.catalog.revision += 1
        try driver.take(.up(peer))
        try driver.take(.down(.catalog))
        try driver.take(.up(.catalog))
        try driver.settle(peers)
        let sent = try driver.view(peers, event("a2"), method: "view.send")
        #expect(sent.at("detail", "title")?.string == "Changed meanwhile")
    }

    @Test func whatTheCatalogMayHaveSaidIsAskedForInAFamiliarPlace() throws {
        var (driver, peers) = try start()
        driver.core.behind.catalog = true
        peers.catalog.items[1].title = "Not told yet"
        peers.catalog.revision += 1
        let sent = try driver.view(peers, event("a2"), method: "view.send")
        #expect(sent.at("detail", "title")?.string == "Not told yet")
    }

    @Test func aFamiliarPlaceIsShownOnlyWhileTheCatalogLives() throws {
        var (driver, peers) = try start()
        driver.now += 1
        peers.silent = [.catalog]
        let number = try driver.ask("view.send", event("a2"))
        try driver.settle(peers)
        #expect(driver.results[number] == nil)
        peers.silent = []
        try driver.settle(peers)
        #expect(try driver.view(number).written == view(peers).written)
        #expect(driver.core.jobs.isEmpty && driver.core.lanes.isEmpty)
    }

    @Test func anEventOfSomebodyElseIsNoEcho() throws {
        var (driver, peers) = try start()
        let echoes = driver.echoes
        peers.changeState { $0.items = ["a2"] }
        try driver.settle(peers)
        #expect(driver.echoes == echoes)
        #expect(try driver.view(peers).at("detail", "id")?.string == "a2")
    }

    @Test func windowsHearOfWhatAnAnswerHasSaid() throws {
        var (driver, peers) = try start()
        let (window, _) = try driver.open(peers)
        let echoes = driver.echoes
        _ = try driver.view(peers, event("a2"), method: "view.send")
        #expect(driver.echoes == echoes)
        #expect(driver.lastView(window)?.at("detail", "id")?.string == "a2")
    }

    // MARK: Bounds

    private func written(_ number: Int, bytes: Int? = nil) throws -> (WrittenState, SessionState) {
        var state = SessionState(session: "s", catalog: "c")
        state.category = Identifier("\(number)")
        func text() -> [UInt8] {
            var json = JSONWriter()
            state.write(to: &json)
            return json.bytes
        }
        let first = try #require(WrittenState(text()[...]))
        if let bytes {
            state.query.text = String(repeating: "x", count: bytes - first.place.count)
        }
        return (try #require(WrittenState(text()[...])), state)
    }

    private func scenery(bytes: Int) -> Scenery {
        Scenery(
            screen: Screen(state: SessionState(session: ""), isTwoColumn: false), isCollapsed: false,
            catalog: "c", catalogRevision: 1, rows: 0, opening: [], back: [],
            tail: [UInt8](repeating: 0x20, count: bytes))
    }

    @Test func placesWithLongTextsAreReadEachTime() throws {
        var places = KnownPlaces(bytesMax: 1_000_000)
        for bytes in [Limits.placeBytesMax, Limits.placeBytesMax + 1] {
            let (text, state) = try written(1, bytes: bytes)
            #expect(text.place.count == bytes)
            let added = places.add(text, state)
            #expect((added != nil) == (bytes == Limits.placeBytesMax))
        }
    }

    @Test func placesAreBoundedInBytes() throws {
        var places = KnownPlaces(bytesMax: 100_000)
        for number in 0..<500 {
            let (text, state) = try written(number)
            let added = places.add(text, state)
            let place = try #require(added)
            let again = places.add(text, state)
            #expect(again === place || places.count == 1)
            places.keep(scenery(bytes: 1_000), in: place, ViewWindow().look)
            #expect(places.bytes <= 100_000 && places.count < 100)
        }
        // Nothing is kept in a place that was forgotten.
        let (text, state) = try written(1)
        let added = places.add(text, state)
        let place = try #require(added)
        places.forget()
        places.keep(scenery(bytes: 1), in: place, ViewWindow().look)
        #expect(places.scenery(in: place, ViewWindow().look) == nil && places.bytes == 0)
        #expect(places.find(text.place, place) == nil)
    }

    @Test func whatWasShownInAForgottenPlaceTakesNoMemory() throws {
        var places = KnownPlaces(bytesMax: 1_000_000)
        let (text, state) = try written(1)
        let added = places.add(text, state)
        let place = try #require(added)
        weak var shown: Scenery?
        do {
            let scenery = scenery(bytes: 1)
            places.keep(scenery, in: place, ViewWindow().look)
            shown = scenery
        }
        #expect(shown != nil && places.scenery(in: place, ViewWindow().look) != nil)
        places.forget()
        #expect(shown == nil)
    }

    @Test func aPlaceIsKeptForEightLooks() throws {
        var places = KnownPlaces(bytesMax: 1_000_000)
        let (text, state) = try written(1)
        let added = places.add(text, state)
        let place = try #require(added)
        for limit in 1...Limits.looksPerPlaceMax + 1 {
            let look = ViewWindow.Look(limit: limit, rows: .selection, isCollapsed: false)
            places.keep(scenery(bytes: 1), in: place, look)
            #expect((places.scenery(in: place, look) != nil) == (limit <= Limits.looksPerPlaceMax))
        }
    }
}

/// A state's text, taken apart.
@Suite struct WrittenStateTests {
    private func text(_ state: SessionState) -> [UInt8] {
        var json = JSONWriter()
        state.write(to: &json)
        return json.bytes
    }

    private func state(_ random: inout SeededGenerator) -> SessionState {
        func id() -> Identifier {
            Identifier(["a", "b", "ü", "x\"y", "c\\d"].randomElement(using: &random) ?? "")
        }
        var state = SessionState(session: id(), catalog: Bool.random(using: &random) ? id() : nil)
        state.revision = Int.random(in: 0...20, using: &random)
        state.category = Bool.random(using: &random) ? id() : nil
        state.items = Bool.random(using: &random) ? [id()] : []
        state.canGoBack = Bool.random(using: &random)
        return state
    }

    @Test(arguments: 0..<20) func statesAreInOnePlaceIfTheyDifferInSessionAndRevisionOnly(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let (one, other) = (state(&random), state(&random))
            guard let first = WrittenState(text(one)[...]) else {
                #expect(one.catalog == nil || text(one).contains(0x5C), "\(one)")
                continue
            }
            #expect(first.isOf(one.session) && first.revision == one.revision)
            guard let second = WrittenState(text(other)[...]) else { continue }
            var moved = one
            (moved.session, moved.revision) = (other.session, other.revision)
            #expect((first.place == second.place) == (moved == other), "seed \(seed)")
            #expect(first.isOf(other.session) == (one.session == other.session))
        }
    }

    @Test(arguments: [
        "", "{", #"{"session":"s"}"#, #"{"session":"s","revision":1,"catalog":"c"}"#,
        #"{ "session":"s","catalog":"c","revision":1,"category":null}"#,
        #"{"session":"s","catalog":"c","revision":-1,"category":null}"#,
        #"{"session":"s","catalog":"c","revision":01,"category":null}"#,
        #"{"session":"s","catalog":"c","revision":1234567890123456789,"category":null}"#,
        #"{"session":"a\"b","catalog":"c","revision":1,"category":null}"#,
    ])
    func whatIsWrittenInAnotherWayIsNotTakenApart(_ text: String) {
        #expect(WrittenState(Array(text.utf8)[...]) == nil)
    }

    @Test func answersAndEventsAreTakenApart() throws {
        let state = String(decoding: text(SessionState(session: "s", catalog: "c")), as: UTF8.self)
        func answer(_ text: String) -> (WrittenState, Bool?)? {
            SessionAnswer.split(Array(text.utf8)[...]).map { ($0.state, $0.changed) }
        }
        #expect(answer(#"{"changed":true,"state":\#(state)}"#)?.1 == true)
        #expect(answer(#"{"changed":false,"state":\#(state)}"#)?.1 == false)
        #expect(answer(#"{"state":\#(state)}"#)?.0.isOf("s") == true)
        for other in ["{}", #"{"state":null}"#, #"{"changed":null,"state":\#(state)}"#, state] {
            #expect(answer(other) == nil, "\(other)")
        }
        let head =
            #"{"jsonrpc":"2.0","method":"selection.changed","params":{"subscription":"x","seq":7,"state":"#
        let tail = #","cause":"explicitRequest","deleted":false}}"#
        #expect(SessionAnswer.split(event: Array((head + state + tail).utf8)[...])?.isOf("s") == true)
        for line in [
            head + state, head + state + #","cause":"explicitRequest","deleted":true}}"#, state + tail,
            head.replacing("7", with: "x") + state + tail,
        ] {
            #expect(SessionAnswer.split(event: Array(line.utf8)[...]) == nil, "\(line)")
        }
    }
}
