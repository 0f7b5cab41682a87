import JSON
import Shared

@testable import SelectionService

/// A catalog as plain values; the events of the property tests are made from it.
struct Catalog {
    var columns: Int
    var categories: Set<Identifier> = ["A", "A1", "A2", "B"]
    var items: [Identifier: [Identifier]] = [
        "a1": ["A"], "a2": ["A"], "a3": ["A"], "b1": ["B"], "b2": ["B"], "both": ["A", "B"],
        "f1": ["A1"], "f2": ["A2"],
    ]

    func facts(about things: [Thing]) -> Facts {
        var facts = Facts(columns: columns)
        for thing in things {
            let fact: Fact? =
                switch thing.kind {
                case .category: categories.contains(thing.id) ? Fact(created: 1) : nil
                case .item: items[thing.id].map { Fact(created: 1, categories: $0) }
                }
            facts.learn(fact, about: thing)
        }
        return facts
    }
}

/// Takes its choices from the input, so that the fuzzer chooses the events.
private struct Choices: RandomNumberGenerator {
    var bytes: ArraySlice<UInt8>

    mutating func next() -> UInt64 {
        let byte = UInt64(bytes.popFirst() ?? 0)
        // The standard library takes numbers from the top bits and a truth value from bit 17, and tries
        // again when the low bits are few.
        return byte << 56 | 0x00FF_FFFF_FFFD_FFFF | (byte & 1) << 17
    }
}

/// Events that the bytes choose: a session is sound after each of them.
func fuzzNavigation(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let catalog = Catalog(columns: first & 1 == 0 ? 3 : 2)
    let events = RandomEvents(catalog)
    var choices = Choices(bytes: input.dropFirst())
    var session = Session("s", catalog: "c")
    while !choices.bytes.isEmpty {
        let event = events.next(&choices)
        var needed: [Thing] = []
        event.needs(of: session, columns: catalog.columns) { needed.append($0) }
        let facts = catalog.facts(about: needed)
        session = (try? session.reduced(by: event, facts)) ?? session
        check(session, catalog, event)
    }
    checkWriting(session.state)
}

private func check(_ session: Session, _ catalog: Catalog, _ event: NavigationEvent) {
    let state = session.state
    must(
        state.items.count <= Limits.itemsMax && Set(state.items).count == state.items.count, "items: \(event)"
    )
    must(state.expanded.count <= Limits.expandedMax, "expanded: \(event)")
    must(state.contentPath.count <= Limits.pathElementsMax, "content path: \(event)")
    must(state.detailPath.count <= Limits.pathElementsMax, "detail path: \(event)")
    must(session.history.others.count < Limits.placesMax, "places: \(event)")
    must(session.history.othersBytes <= Limits.placesBytesMax, "bytes of places: \(event)")
    must(state.contentPath.isEmpty || state.category != nil, "a content path without a category: \(event)")
    must(
        catalog.columns == 3
            || state.category == nil && state.contentPath.isEmpty && state.compactColumn != .content,
        "a content column where there is none: \(event)")
    for (flag, step) in [
        (state.canGoBack, NavigationEvent.historyBack), (state.canGoForward, .historyForward),
    ] {
        let moved = try? session.reduced(by: step, Facts(columns: catalog.columns))
        must((moved != nil) == flag, "after \(event) \(step) does not what the state says, which is \(flag)")
        must(moved?.place != session.place, "after \(event) \(step) goes nowhere")
    }
}

private func checkWriting(_ state: SessionState) {
    var json = JSONWriter()
    state.write(to: &json)
    let read = (try? JSONParser(depthMax: Limits.nestingLevelsMax).parse(json.bytes).root).flatMap {
        SessionState($0)
    }
    must(read == state, "a state is read as another one: \(state)")
}
