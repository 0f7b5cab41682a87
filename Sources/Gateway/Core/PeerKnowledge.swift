import Shared

// What the other services have said. An answer of the catalog is as good as a new one while its catalog has
// the same revision, which every view asks for; so a view costs its catalog one small question unless
// something has changed. Whatever is older is shown, as stale, while its owner can't be asked.

/// The last answers of the other services.
struct PeerKnowledge {
    private var states = LastKnown<Identifier, SessionState>(countMax: Limits.sessionsKeptMax)
    private var answers = LastKnown<CatalogQuestion, CatalogAnswer>(
        countMax: Limits.answersKeptMax, bytesMax: Limits.answersKeptBytesMax)

    /// How many answers and states are kept.
    var counts: (answers: Int, states: Int) { (answers.count, states.count) }

    // MARK: States

    /// Keeps what a session's owner has just said.
    mutating func keep(_ state: SessionState) { states.keep(state, for: state.session) }

    /// The last known state of a session.
    mutating func lastState(_ session: Identifier) -> SessionState? { states[session] }

    /// The catalog of a session when it was last heard of; nil if it was not there.
    func lastCatalog(of session: Identifier) -> Identifier? { states.peek(session)?.catalog }

    // MARK: Answers

    /// Keeps what the catalog's owner has just said.
    mutating func keep(_ answer: CatalogAnswer, to question: CatalogQuestion) {
        answers.keep(answer, for: question, bytes: answer.bytes)
    }

    /// Forgets an answer that does not hold any more.
    mutating func forget(_ question: CatalogQuestion) { answers.forget(question) }

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
