import JSON
import Shared
import Testing

@testable import SelectionService

/// A catalog as plain values, for tests of the pure core.
struct Catalog {
    var columns = 3
    var categories: Set<Identifier> = []
    var items: [Identifier: [Identifier]] = [:]

    /// Two lists with items of their own, one item that is in both, and folders `A1` in `A` and `A2` in `A1`.
    static let sample = Catalog(
        categories: ["A", "A1", "A2", "B"],
        items: [
            "a1": ["A"], "a2": ["A"], "a3": ["A"], "b1": ["B"], "b2": ["B"], "both": ["A", "B"],
            "f1": ["A1"], "f2": ["A2"],
        ])

    func fact(_ thing: Thing) -> Fact? {
        switch thing.kind {
        case .category: categories.contains(thing.id) ? Fact(created: 1) : nil
        case .item: items[thing.id].map { Fact(created: 1, categories: $0) }
        }
    }

    func facts(about things: [Thing]) -> Facts {
        var facts = Facts(columns: columns)
        for thing in things { facts.learn(fact(thing), about: thing) }
        return facts
    }
}

extension NavigationEvent {
    /// The things that must be known before it can be applied.
    func needs(of session: Session, columns: Int) -> [Thing] {
        var things: [Thing] = []
        needs(of: session, columns: columns) { things.append($0) }
        return things
    }
}

extension Session {
    /// Applies an event, or refuses it; tells whether the session is different now, or a request for a presentation was
    /// accepted.
    mutating func reduce(_ event: NavigationEvent, _ facts: Facts) throws(RPCError) -> Bool {
        guard let next = try reduced(by: event, facts) else { return false }
        self = next
        return true
    }
}

/// A session that takes events as they are written on the wire.
struct Window: Equatable {
    var session: Session
    let catalog: Catalog

    static func == (a: Window, b: Window) -> Bool { a.session == b.session }

    init(_ catalog: Catalog = .sample, _ events: String...) throws {
        self.catalog = catalog
        session = Session("s", catalog: "c")
        for event in events { try send(event) }
    }

    var state: SessionState { session.state }

    /// Applies an event such as `{"type":"back"}`; returns whether it changed something.
    @discardableResult
    mutating func send(_ event: String) throws -> Bool {
        let event = try Window.read(event)
        let facts = catalog.facts(about: event.needs(of: session, columns: catalog.columns))
        return try session.reduce(event, facts)
    }

    /// Reads an event from its JSON text.
    static func read(_ event: String) throws -> NavigationEvent {
        let document = try JSONParser(depthMax: 64).parse(Array(#"{"event":\#(event)}"#.utf8))
        var params = try ObjectReader(document.root)
        return try NavigationEvent(reading: &params)
    }

    /// The refusal of an event; nil if it was accepted.
    mutating func refusal(of event: String) -> RPCError? {
        do { try send(event) } catch { return error as? RPCError }
        return nil
    }

    /// Compares the whole state with the empty one after `differences`.
    func expect(
        _ differences: (inout SessionState) -> Void, _ sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var expected = SessionState(session: "s", catalog: "c")
        differences(&expected)
        #expect(state == expected, sourceLocation: sourceLocation)
    }
}

/// The events that most tests use.
enum Say {
    static func category(_ id: String) -> String { #"{"type":"select","column":"sidebar","id":"\#(id)"}"# }
    static func item(_ id: String) -> String { #"{"type":"select","column":"content","id":"\#(id)"}"# }
    static func items(_ ids: String...) -> String {
        #"{"type":"select","column":"content","ids":["\#(ids.joined(separator: #"",""#))"]}"#
    }
    static func push(_ id: String, _ column: String = "detail") -> String {
        #"{"type":"push","column":"\#(column)","id":"\#(id)"}"#
    }
    static func search(_ text: String, _ scope: String = "category") -> String {
        #"{"type":"search","text":"\#(text)","scope":"\#(scope)"}"#
    }
    static func top(_ column: String) -> String {
        #"{"type":"showColumn","column":"\#(column)","collapsed":true}"#
    }
    static let back = #"{"type":"back"}"#
    static let collapsedBack = #"{"type":"back","collapsed":true}"#
    static let historyBack = #"{"type":"historyBack"}"#
    static let historyForward = #"{"type":"historyForward"}"#
    static let noCategory = #"{"type":"select","column":"sidebar","id":null}"#
    static let noItem = #"{"type":"select","column":"content","ids":[]}"#
}
