import Curses
import JSON
import Shared
import TestSupport
import Testing

@testable import Browse

/// What is sent: the events that the view has handed out, and the text of a search.
@Suite struct SendingTests {
    private func event(_ json: String) throws -> ViewEvent { try ViewFixture.tree(json) }

    @Test func enterSendsTheEventOfTheRow() throws {
        var core = try ViewFixture().core()
        core.press(.down)
        #expect(core.press(.enter) == [.send(try event(#"{"type":"select","column":"sidebar","id":"b"}"#))])
        #expect(core.state.focus == .sidebar)
        // What is chosen already is sent again, and one goes on.
        core.press(.up)
        #expect(core.press(.enter) == [.send(try event(#"{"type":"select","column":"sidebar","id":"a"}"#))])
        #expect(core.state.focus == .content)
    }

    @Test func categoriesFoldByTheirOwnEvents() throws {
        var core = try ViewFixture().core()
        let collapse = BrowseCore.Effect.send(try event(#"{"type":"collapse","id":"a"}"#))
        let expand = BrowseCore.Effect.send(try event(#"{"type":"expand","id":"c"}"#))
        #expect(core.press(.character(" ")) == [collapse])
        #expect(core.press(.left) == [collapse])
        #expect(core.press(.end, .right) == [expand])
        #expect(core.press(.left) == [])
        #expect(core.press(.up, .character(" ")) == [])
    }

    @Test func everyButtonHasAKeyIfTheViewHasIt() throws {
        var view = ViewFixture()
        let keys: [Key] = [
            .escape, .backspace, .character("x"), .character("t"), .character("["), .altLeft, .alt("b"),
            .character("]"), .altRight, .alt("f"),
        ]
        (view.toggle, view.history) = ("null", #"{"back":null,"forward":null}"#)
        var core = try view.core()
        for key in keys { #expect(core.press(key) == []) }
        view.toggle = #"{"icon":"sidebar","event":{"n":1}}"#
        view.back = #"{"title":"T","event":{"n":2}}"#
        view.history = #"{"back":{"event":{"n":3}},"forward":{"event":{"n":4}}}"#
        core = try view.core()
        func sent(_ key: Key) -> Int? {
            guard case .send(let event)? = core.press(key).first else { return nil }
            return event["n"]?.int
        }
        #expect(keys.map { sent($0) } == [2, 2, nil, 1, 3, 3, 3, 4, 4, 4])
        view.dismiss = #"{"event":{"n":5}}"#
        core = try view.core()
        #expect([Key.escape, .backspace, .character("x")].map { sent($0) } == [5, 2, 5])
    }

    @Test func theLeftArrowLeadsToWhatIsHiddenAtTheLeft() throws {
        var view = ViewFixture()
        var core = try view.core()
        #expect(core.press(.down, .left) == [])
        view.frames.removeFirst()
        core = try view.core()
        #expect(core.press(.left) == [.send(try event(#"{"type":"toggle"}"#))])
        view.frames.removeLast()
        view.toggle = "null"
        core = try view.core()
        #expect(core.press(.left) == [])
        view.back = #"{"title":"Categories","event":{"type":"back"}}"#
        core = try view.core()
        #expect(core.press(.left) == [.send(try event(#"{"type":"back"}"#))])
    }

    @Test func aSearchIsSentAsItIsTyped() throws {
        var core = try ViewFixture().core()
        func search(_ text: String) throws -> BrowseCore.Effect {
            .search(try event(#"{"type":"search","scope":"category","text":"\#(text)"}"#))
        }
        #expect(core.press(.character("/")) == [])
        #expect(
            core.type("né q") == [try search("n"), try search("né"), try search("né "), try search("né q")])
        #expect(core.screen.contains(" Search: né q"))
        #expect(core.grid.caret != nil)
        #expect(core.press(.backspace) == [try search("né ")])
        #expect(core.press(.control("w")) == [try search("")])
        #expect(core.type("ab") == [try search("a"), try search("ab")])
        #expect(core.press(.control("u")) == [try search("")])
        #expect(core.press(.backspace) == [])
        #expect(core.state.mode == .browsing)
        core.press(.character("/"))
        core.type("leek")
        // Escape brings back what was searched for before, enter keeps what was typed and goes to the list.
        #expect(core.press(.escape) == [try search("")])
        core.press(.character("/"))
        core.type("x")
        #expect(core.press(.enter) == [])
        #expect(core.state.focus == .content)
    }

    @Test(arguments: [(255, 255), (256, 256), (257, 256)])
    func soManyKeysAreTakenBeforeTheScreenIsDrawn(pasted: Int, taken: Int) throws {
        var core = try ViewFixture().core()
        var left = pasted
        let (count, effects) = core.takeKeys {
            left -= 1
            return left >= 0 ? .control("l") : nil
        }
        #expect(count == taken && effects.count == taken)
        #expect(max(left, 0) == pasted - taken)
    }

    @Test func aSearchHasABound() throws {
        var core = try ViewFixture().core()
        core.press(.character("/"))
        core.type(String(repeating: "x", count: Limits.searchBytesMax))
        #expect(core.type("y") == [])
        #expect(core.press(.backspace).count == 1)
    }

    @Test func anOrderIsChosenInAMenu() throws {
        var core = try ViewFixture().core()
        #expect(core.press(.character("s"), .escape, .character("s"), .up, .down, .down) == [])
        #expect(
            core.press(.enter) == [.send(try event(#"{"type":"sort","by":"title","descending":false}"#))])
        #expect(core.state.mode == .browsing)
    }

    @Test func nothingIsSentWithoutAGateway() throws {
        var core = try ViewFixture().core()
        #expect(core.handle(.lost) == [])
        #expect(core.screen.contains("gateway is away, trying again…"))
        #expect(core.screen.contains("Shakshuka"))
        #expect(core.press(.enter, .character("t"), .character("["), .character("/")) == [])
        #expect(core.handle(.connected) == [.subscribe(core.window, around: nil)])
        _ = core.handle(.subscribed(try ViewFixture().tree()))
        #expect(!core.screen.contains("away"))
        #expect(core.press(.enter).count == 1)
    }

    @Test func theEndOfASessionIsSaidAndEnterBeginsItAgain() throws {
        var core = try ViewFixture().core()
        _ = core.handle(.ended("session deleted"))
        #expect(core.screen.contains("session deleted: Enter begins again, q quits"))
        #expect(core.press(.character("t")) == [])
        // A gateway that comes back brings no session back.
        #expect(core.handle(.lost) + core.handle(.connected) == [])
        #expect(core.screen.contains("session deleted"))
        #expect(core.press(.enter) == [.subscribe(core.window, around: nil)])
        #expect(core.press(.character("q")) == [.quit])
    }

    @Test func aRefusalIsSaidUntilTheNextKey() throws {
        var core = try ViewFixture().core()
        _ = core.handle(.refused("That can't be."))
        #expect(core.screen.contains("That can't be."))
        core.press(.down)
        #expect(!core.screen.contains("That can't be."))
        #expect(core.handle(.subscribeRefused("Later.", isRetryable: true)) == [.askLater])
        #expect(core.handle(.askAgain) == [.subscribe(core.window, around: nil)])
        #expect(core.handle(.subscribeRefused("Never.", isRetryable: false)) == [])
        #expect(core.screen.contains("Never."))
    }

    @Test func theGatewayIsToldTheSizeInPoints() throws {
        var core = try ViewFixture().core(100, 30)
        #expect(core.window == .init(width: 800, height: 480))
        #expect(core.handle(.resized(.init(columns: 100, rows: 30))) == [])
        #expect(
            core.handle(.resized(.init(columns: 40, rows: 10))) == [.resize(.init(width: 320, height: 160))])
        _ = core.handle(.lost)
        #expect(core.handle(.resized(.init(columns: 41, rows: 10))) == [])
    }

    @Test func patchesMakeTheViewAndAWrongOneAsksForAllOfIt() throws {
        var core = try ViewFixture().core()
        let patch = #"[{"op":"replace","path":"/content/rows/0/title","value":"Other"}]"#
        #expect(core.handle(.patched(try event(patch))) == [])
        #expect(core.screen.contains("▌Other"))
        let wrong = #"[{"op":"replace","path":"/content/rows/9/title","value":"Other"}]"#
        #expect(core.handle(.patched(try event(wrong))) == [.subscribe(core.window, around: nil)])
    }

    @Test func clicksAreOnWhatIsSeen() throws {
        var view = ViewFixture()
        var core = try view.core(120, 24)
        func select(_ column: String, _ id: String) throws -> [BrowseCore.Effect] {
            [.send(try event(#"{"type":"select","column":"\#(column)","id":"\#(id)"}"#))]
        }
        #expect(core.press(.press(row: 5, column: 10)) == (try select("sidebar", "b")))
        #expect(core.press(.press(row: 4, column: 2)) == [.send(try event(#"{"type":"collapse","id":"a"}"#))])
        #expect(core.press(.press(row: 4, column: 6)) == (try select("sidebar", "a")))
        #expect(core.press(.press(row: 4, column: 40)) == (try select("content", "x")))
        #expect(core.state.focus == .content)
        #expect(core.press(.press(row: 13, column: 75)) == [.send(try event(#"{"type":"push","id":"b"}"#))])
        #expect(core.press(.press(row: 14, column: 75)) == [])
        #expect(core.press(.press(row: 20, column: 40)) == [])
        #expect(core.press(.press(row: 0, column: 1)) == [.send(try event(#"{"type":"toggle"}"#))])
        #expect(core.press(.press(row: 0, column: 118)) == [.send(try event(#"{"type":"historyBack"}"#))])
        #expect(core.press(.press(row: 500, column: 500)) == [])
        view.frames.append(("sidebar", 10, 200, true))
        view.dismiss = #"{"event":{"type":"dismiss"}}"#
        core = try view.core(120, 24)
        #expect(core.press(.press(row: 4, column: 100)) == [.send(try event(#"{"type":"dismiss"}"#))])
    }

    @Test func whateverIsPressedOnlyWhatTheViewHandedOutIsSent() throws {
        let seed = SeededGenerator.newSeed()
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<25 {
            let view = RandomView(&generator)
            let text = try view.tree()
            let handedOut = Self.events(in: text)
            var core = BrowseCore(
                size: .init(
                    columns: .random(in: 1...130, using: &generator),
                    rows: .random(in: 1...40, using: &generator)),
                cellPoints: 8, charset: .unicode)
            _ = core.handle(.connected)
            _ = core.handle(.subscribed(text))
            for _ in 0..<80 {
                for effect in core.press(RandomView.key(&generator)) {
                    switch effect {
                    case .send(let event): #expect(handedOut.contains(event), "seed \(seed)")
                    case .search(let event):
                        let text = try #require(event["text"]?.string)
                        #expect(
                            handedOut.contains { $0.with("text", .string(text)) == event }, "seed \(seed)")
                    default: break
                    }
                }
                _ = core.grid
            }
        }
    }

    /// All that is called `event` somewhere in a value.
    private static func events(in tree: JSONTree) -> [JSONTree] {
        switch tree {
        case .object(let members):
            members.flatMap { $0.name == "event" ? [$0.value] : events(in: $0.value) }
        case .array(let elements): elements.flatMap { events(in: $0) }
        default: []
        }
    }
}
