import Shared

// What the other services have said. A service that tells of its changes tells of each before it answers
// whoever made it. So what it has said holds until it tells otherwise, for as long as the connection lasts, and
// is used as if it had just been asked for. Whatever is older is shown, as stale, while its owner can't be
// asked.

/// The last answers of the other services.
struct PeerKnowledge {
    /// Something that was said, and when: it holds if that was in this era.
    private struct Kept<Value> {
        let value: Value
        var era: Int
    }

    /// The state of a session, and where that is, unless nobody knows.
    private final class Sighting {
        let state: SessionState
        let whereabouts: Whereabouts?

        init(_ state: SessionState, _ whereabouts: Whereabouts?) {
            (self.state, self.whereabouts) = (state, whereabouts)
        }
    }

    private var states = LastKnown<Identifier, Kept<Sighting>>(
        countMax: Limits.sessionsKeptMax, bytesMax: Limits.sessionsKeptBytesMax)
    private var answers = LastKnown<CatalogQuestion, Kept<CatalogAnswer>>(
        countMax: Limits.answersKeptMax, bytesMax: Limits.answersKeptBytesMax)
    /// The time since a peer was last lost or found; 0 while it does not tell of its changes.
    private var eras = PerPeer(0)
    private var lastEra = 0

    /// How many answers and states are kept.
    var counts: (answers: Int, states: Int) { (answers.count, states.count) }
    /// Bytes of those answers and states.
    var bytes: (answers: Int, states: Int) { (answers.bytes, states.bytes) }

    // MARK: Eras

    /// Whether a peer tells of all its changes.
    func hears(_ peer: GatewayCore.Peer) -> Bool { eras[peer] > 0 }

    /// From now on a peer tells of its changes; what it said before may be old.
    mutating func beginHearing(_ peer: GatewayCore.Peer) {
        lastEra += 1
        eras[peer] = lastEra
        // Sessions have to be reconciled with a catalog that was away: their owner does that before it answers.
        if peer == .catalog, hears(.selection) { eras.selection = lastEra }
    }

    /// A peer was lost.
    mutating func endHearing(_ peer: GatewayCore.Peer) {
        lastEra += 1
        eras[peer] = 0
        if peer == .catalog, hears(.selection) { eras.selection = lastEra }
    }

    private func holds<Value>(_ kept: Kept<Value>, of peer: GatewayCore.Peer) -> Bool {
        kept.era > 0 && kept.era == eras[peer]
    }

    // MARK: States

    /// Keeps what a session's owner has just said; tells whether that is news.
    mutating func keep(_ state: SessionState, _ whereabouts: Whereabouts? = nil) -> Bool {
        let known = states.keep(
            Kept(value: Sighting(state, whereabouts), era: eras.selection), for: state.session,
            bytes: state.memoryBytes + (whereabouts?.bytes ?? 0))
        return known?.value.state.revision != state.revision
    }

    /// Whether a session was told to be at this revision, and nothing has changed since.
    func isCurrent(_ session: Identifier, _ revision: Int) -> Bool {
        guard let kept = states.peek(session), holds(kept, of: .selection) else { return false }
        return kept.value.state.revision == revision
    }

    /// Whether this is where a session was told to be, and nothing has changed since.
    func isCurrent(_ session: Identifier, _ revision: Int, _ place: WrittenState.Place) -> Bool {
        guard let kept = states.peek(session), holds(kept, of: .selection) else { return false }
        return kept.value.state.revision == revision && kept.value.whereabouts?.place == place
    }

    /// The last known state of a session.
    mutating func lastState(_ session: Identifier) -> SessionState? { states[session]?.value.state }

    /// The state of a session, if it was told and nothing has changed since.
    mutating func currentState(_ session: Identifier) -> SessionState? {
        guard let kept = states[session], holds(kept, of: .selection) else { return nil }
        return kept.value.state
    }

    /// The catalog of a session when it was last heard of; nil if it was not there.
    func lastCatalog(of session: Identifier) -> Identifier? { states.peek(session)?.value.state.catalog }

    // MARK: Answers

    /// Keeps what the catalog's owner has just said.
    ///
    /// A window that is its whole list is kept once, for whatever item it is asked around.
    mutating func keep(_ answer: CatalogAnswer, to question: CatalogQuestion) {
        if let (list, _) = question.listAround, case .page(let page) = answer, page.isWhole {
            let whole = CatalogAnswer.page(page.whole(around: nil))
            answers.keep(Kept(value: whole, era: eras.catalog), for: list, bytes: whole.bytes)
            if question != list { answers.forget(question) }
        } else {
            answers.keep(Kept(value: answer, era: eras.catalog), for: question, bytes: answer.bytes)
        }
    }

    /// Forgets an answer that does not hold any more.
    mutating func forget(_ question: CatalogQuestion) {
        answers.forget(question)
        if let (list, _) = question.listAround { answers.forget(list) }
    }

    /// The last known answer to a question.
    mutating func lastAnswer(_ question: CatalogQuestion) -> CatalogAnswer? {
        guard let (list, id) = question.listAround, case .page(let whole)? = answers[list]?.value,
            whole.isWhole
        else { return answers[question]?.value }
        // The list may have been longer than a window since.
        if list != question, let exact = answers[question]?.value, exact.revision ?? 0 > whole.revision {
            return exact
        }
        return .page(whole.whole(around: id))
    }

    /// What a catalog is, or which there are, if nothing was told to have changed since.
    ///
    /// All other answers hold while they are of the same revision as their catalog.
    mutating func currentAnswer(_ question: CatalogQuestion) -> CatalogAnswer? {
        guard !question.isLasting, let kept = answers[question], holds(kept, of: .catalog) else { return nil }
        return kept.value
    }

    /// Whether there is a current answer, without using it.
    func hasCurrentAnswer(_ question: CatalogQuestion) -> Bool {
        guard !question.isLasting, let kept = answers.peek(question) else { return false }
        return holds(kept, of: .catalog)
    }

    /// A catalog was told to have changed.
    mutating func changed(_ catalog: Identifier) {
        #if !CANARY_GATEWAY_KEEPS_OLD_ANSWERS
            answers.change(.describe(catalog)) { $0.era = 0 }
            answers.change(.list) { $0.era = 0 }
        #endif
    }

    /// Whether a catalog had two columns when it was last described: a guess that saves a round trip.
    func wasTwoColumn(_ catalog: Identifier?) -> Bool {
        guard let catalog, case .description(let description)? = answers.peek(.describe(catalog))?.value
        else { return false }
        return description.columns == 2
    }
}

/// One value for each peer.
struct PerPeer<Value> {
    var catalog: Value
    var selection: Value

    init(_ value: Value) { (catalog, selection) = (value, value) }

    subscript(peer: GatewayCore.Peer) -> Value {
        get { peer == .catalog ? catalog : selection }
        set { if peer == .catalog { catalog = newValue } else { selection = newValue } }
    }
}

extension SessionState {
    /// Bytes of memory that it takes, about: itself, and what does not lie within it.
    fileprivate var memoryBytes: Int {
        var bytes = 512 + query.text.utf8.count
        for id in items { bytes += id.memoryBytes }
        for id in contentPath { bytes += id.memoryBytes }
        for id in detailPath { bytes += id.memoryBytes }
        for id in expanded { bytes += id.memoryBytes }
        return bytes
    }
}

extension Identifier {
    fileprivate var memoryBytes: Int { MemoryLayout<Identifier>.stride + text.utf8.count }
}
