import Curses
import JSON
import TestSupport

@testable import Browse

/// A view of random words, statuses and columns, and all words that its columns say.
struct RandomView {
    /// What a column shows, word by word in the order of reading.
    private(set) var words: [ViewModel.Name: [String]] = [:]
    private(set) var fixture = ViewFixture()
    private var next = 0

    func tree() throws -> JSONTree { try fixture.tree() }

    init(_ generator: inout SeededGenerator) {
        let names = ["sidebar", "content", "detail"].filter { _ in .random(using: &generator) }
        fixture.frames = names.enumerated().map { ($1, Double($0 * 320), 320, false) }
        fixture.toggle = Bool.random(using: &generator) ? fixture.toggle : "null"
        fixture.back = Bool.random(using: &generator) ? #"{"title":"B","event":{"type":"back"}}"# : "null"
        fixture.sidebar = column(.sidebar, &generator)
        fixture.content = column(.content, &generator)
        fixture.detail = column(.detail, &generator)
    }

    /// A word that stands nowhere else.
    private mutating func word(_ name: ViewModel.Name, _ generator: inout SeededGenerator) -> String {
        next += 1
        let letters = ["a", "é", "ß", "日", "本", "👍", "я", "x", "🇫🇷", "e\u{301}"]
        let word = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
            letters[Int.random(in: 0..<letters.count, using: &generator)]
        }
        let text = "<\(word.joined())\(next)>"
        words[name, default: []].append(text)
        return text
    }

    private mutating func column(_ name: ViewModel.Name, _ generator: inout SeededGenerator) -> String {
        let statuses = ["ready", "empty", "noSelection", "multiple", "missing", "stale", "unavailable"]
        let status = statuses[Int.random(in: 0..<statuses.count, using: &generator)]
        let title = word(name, &generator)
        if status == "multiple", name == .detail {
            words[name]?.append("2 items selected")
            return #"{"status":"multiple","title":"\#(title)","selectedCount":2,"blocks":[]}"#
        }
        guard ["ready", "stale", "multiple"].contains(status) else {
            let (head, hint) = (word(name, &generator), word(name, &generator))
            return #"""
                {"status":"\#(status)","title":"\#(title)","rows":[],"sections":[],"blocks":[],
                "placeholder":{"title":"\#(head)","hint":"\#(hint)"}}
                """#
        }
        return name == .detail ? detail(status, title, &generator) : list(name, status, title, &generator)
    }

    private mutating func list(
        _ name: ViewModel.Name, _ status: String, _ title: String, _ generator: inout SeededGenerator
    ) -> String {
        let rows = (0..<Int.random(in: 0...7, using: &generator)).map { index in
            let (title, subtitle) = (word(name, &generator), word(name, &generator))
            let disclosure =
                Bool.random(using: &generator)
                ? "null" : #"{"expanded":true,"event":{"type":"fold","n":\#(next)}}"#
            return #"""
                {"id":"\#(next)","title":"\#(title)","subtitle":"\#(subtitle)","depth":\#(index % 3),
                "selected":\#(Bool.random(using: &generator)),"disclosure":\#(disclosure),
                "event":{"type":"select","n":\#(next)}}
                """#
        }.joined(separator: ",")
        let all = name == .sidebar ? #""sections":[{"title":null,"rows":[\#(rows)]}]"# : #""rows":[\#(rows)]"#
        return #"""
            {"status":"\#(status)","title":"\#(title)",\#(all),
            "search":{"text":"","scope":"category","event":{"type":"search"}},
            "sort":{"by":"a","descending":false,"options":[{"title":"A","event":{"type":"sort","by":"a",
            "descending":false}},{"title":"B","event":{"type":"sort","by":"b","descending":false}}]}}
            """#
    }

    private mutating func detail(
        _ status: String, _ title: String, _ generator: inout SeededGenerator
    ) -> String {
        let blocks = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            let (one, other) = (word(.detail, &generator), word(.detail, &generator))
            return switch Int.random(in: 0...3, using: &generator) {
            case 0: #"{"kind":"text","text":"\#(one)\n\#(other)"}"#
            case 1: #"{"kind":"fields","fields":[{"label":"\#(one)","value":"\#(other)"}]}"#
            case 2: #"{"kind":"text","text":"\#(one) \#(other)"}"#
            default:
                #"""
                {"kind":"links","links":[{"title":"\#(one)","item":"i","event":{"type":"push","n":\#(next)}},
                {"title":"\#(other)","item":"j","event":null}]}
                """#
            }
        }.joined(separator: ",")
        return #"{"status":"\#(status)","id":"d","title":"\#(title)","blocks":[\#(blocks)]}"#
    }

    static func key(_ generator: inout SeededGenerator) -> Key {
        let keys: [Key] = [
            .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .enter, .escape, .backspace, .tab,
            .backTab,
            .altLeft, .altRight, .control("d"), .control("u"), .character("s"), .character("/"),
            .character("?"),
            .character("t"), .character("x"), .character(" "), .character("["), .character("j"),
            .character("é"),
        ]
        let place = (Int.random(in: 0..<40, using: &generator), Int.random(in: 0..<130, using: &generator))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .press(row: place.0, column: place.1)
        case 1: return .wheel(isUp: .random(using: &generator), row: place.0, column: place.1)
        default: return keys[Int.random(in: 0..<keys.count, using: &generator)]
        }
    }
}
