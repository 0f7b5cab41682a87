import JSON
import Shared

// The peers tell of every change, before they answer whoever made it. So an answer is as good as new until its catalog
// has another revision, and a state until its session's next event – while the subscription lives and all that was
// told has been read. Older ones are shown, as stale, while their owner can't be asked.

/// What is known of the other services' data, and whether it is current.
struct PeerKnowledge {
    /// A state, and in which life of the subscription it was told.
    private struct KnownState {
        let state: SessionState
        let life: Int
    }

    /// Peers of which the host can't be sure that all they have told is read.
    var unsure: Set<GatewayCore.Peer> = []
    private var live: Set<GatewayCore.Peer> = []
    private var selectionLife = 0
    private var states = LastKnown<Identifier, KnownState>(countMax: Limits.sessionsKeptMax)
    private var answers = LastKnown<CatalogQuestion, CatalogAnswer>(
        countMax: Limits.answersKeptMax, bytesMax: Limits.answersKeptBytesMax)
    /// The catalogs' revisions.
    private var revisions: [Identifier: Int] = [:]
    private var isListCurrent = false

    /// How many answers and states are kept.
    var counts: (answers: Int, states: Int) { (answers.count, states.count) }

    /// Whether the peer tells of its changes.
    func isLive(_ peer: GatewayCore.Peer) -> Bool { live.contains(peer) }

    private func isTrusted(_ peer: GatewayCore.Peer) -> Bool { live.contains(peer) && !unsure.contains(peer) }

    /// The peer can't be heard any more.
    mutating func lose(_ peer: GatewayCore.Peer) {
        live.remove(peer)
        switch peer {
        case .catalog: (revisions, isListCurrent) = ([:], false)
        case .selection: selectionLife += 1
        }
    }

    // MARK: States

    /// The peer tells of sessions from now on.
    mutating func hearSelection() { live.insert(.selection) }

    /// Keeps what a session's owner has just said.
    mutating func keep(_ state: SessionState) {
        states.keep(KnownState(state: state, life: selectionLife), for: state.session)
    }

    /// The state of a session, if it is known to be current.
    mutating func currentState(_ session: Identifier) -> SessionState? {
        guard isTrusted(.selection), let known = states[session], known.life == selectionLife else {
            return nil
        }
        return known.state
    }

    /// The last known state of a session.
    mutating func lastState(_ session: Identifier) -> SessionState? { states[session]?.state }

    /// Whether a session was there when it was last heard of.
    func wasThere(_ session: Identifier) -> Bool { states.peek(session)?.state.catalog != nil }

    // MARK: Answers

    /// The peer tells of catalogs from now on; `result` is what it answered to `catalog.subscribe`.
    mutating func hearCatalog(_ result: JSONValue) {
        live.insert(.catalog)
        revisions = [:]
        for member in result["revisions"].map({ Array($0.members) }) ?? [] {
            if let revision = member.value.int { revisions[Identifier(member.name)] = revision }
        }
    }

    /// Takes the news of a catalog.
    mutating func hearChange(of catalog: Identifier, revision: Int?, isDropped: Bool) {
        revisions[catalog] = isDropped ? nil : revision
        isListCurrent = false
    }

    /// The revision of a catalog, if it is known to be current.
    func revision(of catalog: Identifier?) -> Int? {
        guard isTrusted(.catalog) else { return nil }
        return catalog.flatMap { revisions[$0] }
    }

    /// Keeps what the catalog's owner has just said.
    mutating func keep(_ answer: CatalogAnswer, to question: CatalogQuestion) {
        answers.keep(answer, for: question, bytes: answer.bytes)
        if question == .list { isListCurrent = isLive(.catalog) }
    }

    /// Forgets an answer that does not hold any more.
    mutating func forget(_ question: CatalogQuestion) { answers.forget(question) }

    /// The answer to a question, if it is known to be current.
    mutating func currentAnswer(_ question: CatalogQuestion) -> CatalogAnswer? {
        if question == .list { return isTrusted(.catalog) && isListCurrent ? answers[question] : nil }
        guard let revision = revision(of: question.catalog), let answer = answers[question],
            answer.revision == revision
        else { return nil }
        return answer
    }

    /// The last known answer to a question.
    mutating func lastAnswer(_ question: CatalogQuestion) -> CatalogAnswer? { answers[question] }

    /// Whether a catalog had two columns when it was last described: a guess that saves a round trip.
    func wasTwoColumn(_ catalog: Identifier?) -> Bool {
        guard let catalog, case .description(let description)? = answers.peek(.describe(catalog)) else {
            return false
        }
        return description.columns == 2
    }
}
