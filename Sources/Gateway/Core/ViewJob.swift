import Shared

// One view on its way: which answers it needs, which it has, and whether they belong together.

/// A view that is being drawn.
///
/// The core is its one owner. It is no value because it is looked at many times on its way, and a copy of all it
/// holds costs more than what is done with it.
final class ViewJob {
    /// What becomes of the view.
    enum Kind {
        /// It answers `view.get` or `view.send`.
        case reply
        /// It is the first one of a subscription.
        case opening(ViewRequest.Stream)
        /// It is told to a subscriber, if it differs from what he has; `wish` is what he has asked for, if he
        /// has.
        case window(SubscriptionID, WindowRequest.Wish?)
    }

    /// What it is known by; later ones have larger numbers.
    var id = GatewayCore.JobID(0)
    let kind: Kind
    /// Whom to answer; nil if nobody has asked.
    let token: RequestToken?
    /// What else of its connection is under way.
    let lane: GatewayCore.Lane
    let deadline: UInt64
    /// When it was asked for, in nanoseconds: a peer that has said something since is alive.
    let since: UInt64
    var request: ViewRequest

    /// How often catalogs had changed when this was begun.
    var catalogNews = 0
    /// The catalog of a session that has none: the one asked for, or the default one once it is known.
    var catalog: Identifier?
    /// Whether the event has changed something; nil for looking.
    var changed: Bool?
    /// Where the session is, once that is known.
    var state: SessionState?
    var knowledge = ViewInput.StateKnowledge.unknown
    /// Where that is, if it is a known place and its owner has just said so.
    var whereabouts: Whereabouts?
    /// What the window showed before.
    var change = WindowChange()
    /// Where its rows are held.
    var hold: ListHold?
    /// An item that was just selected.
    var chosen: Identifier?
    /// What the catalog has answered.
    var answers = AnswerSheet()
    /// What it was found to ask for, if it is a line that came before.
    var known: KnownSend?
    /// What it is drawn from, when everything was found.
    var sources: Sources?
    /// Why the state isn't fresh.
    var selectionFailure: RPCError?
    /// Why the catalog isn't asked any more.
    var catalogFailure: RPCError?
    /// Peers that must be asked, whatever is known of them.
    var distrusts = PerPeer(false)
    /// Where its view is kept, as soon as that was looked up.
    var slot: ViewCache.Slot?
    /// Requests for the same view that came later.
    var followers: [GatewayCore.Lookup] = []
    /// Other windows that wait for the same view.
    var twins: [SubscriptionID] = []
    /// Calls under way.
    var pending = 0
    /// It has all that it needs, and waits for an earlier answer.
    var isParked = false
    /// Its time is over: it may be answered before earlier ones.
    var mayOvertake = false
    /// How often it was begun anew.
    var rounds = 0
    /// Rows at most; less than asked for if they don't fit a line.
    var limit: Int
    /// What the connection had been shown of the session when its state was asked for.
    var stateFloorAsked = 0

    init(
        _ kind: Kind, _ request: ViewRequest, token: RequestToken?, lane: GatewayCore.Lane,
        deadline: UInt64, since: UInt64
    ) {
        (self.kind, self.request) = (kind, request)
        (self.token, self.lane, self.deadline, self.since) = (token, lane, deadline, since)
        catalog = request.catalog
        limit = request.window.limit
        if request.send?.cause == .explicitRequest { change.cause = .explicitRequest }
    }

    /// Whether it is known where the session is; asked so, the state is not copied.
    var hasState: Bool { if case .some = state { true } else { false } }

    /// Whether the catalog isn't asked any more; asked so, the reason is not copied.
    var isWithoutCatalog: Bool { if case .some = catalogFailure { true } else { false } }

    /// The event that is still to be applied.
    var eventToSend: ViewRequest.Send? { changed == nil ? request.send : nil }

    /// Whose it is.
    var connection: ConnectionID { lane.connection }

    /// The window that it draws.
    var window: SubscriptionID? { if case .window(let id, _) = kind { id } else { nil } }

    /// Whether it changes the session.
    var isSend: Bool { request.send != nil }

    /// Whether the shown catalog was asked to describe itself, and that is over.
    var isDescribed: Bool { shownCatalog.map { answers[.describe($0)] != nil } ?? true }

    /// The revision of the shown catalog, if it has just described itself.
    var describedRevision: Int? {
        guard let catalog = shownCatalog, case .fresh(let answer)? = answers[.describe(catalog)] else {
            return nil
        }
        return answer.revision
    }

    // MARK: Whether it fits together

    /// Whether a state is older than what the connection has been shown, which is `floor`.
    ///
    /// A session that is deleted is at 0, but so was one before it was made: what was asked for before the connection was
    /// shown more does not tell which.
    func isBehind(_ revision: Int, floor: Int) -> Bool {
        revision < floor && (revision > 0 || floor > stateFloorAsked)
    }

    /// Forgets answers of an older revision of the catalog than the newest one, or than its connection has seen,
    /// which is `floor`.
    ///
    /// Returns whether there were any; `known` is the last revision that the catalog has told.
    func dropOutdatedAnswers(floor: Int, known: Int) -> Bool {
        guard let catalog = shownCatalog else { return false }
        guard !isWithoutCatalog else {
            // Of one revision they can't be had without the catalog; but what the connection was shown is known by now.
            let shown = answers[.describe(catalog)]?.value?.revision ?? 0
            guard shown < floor, shown < known else { return false }
            answers = AnswerSheet()
            rounds += 1
            return true
        }
        // What was believed to be shown, and is another catalog, has revisions of its own.
        answers.keep(about: catalog)
        var newest = floor
        var isMixed = false
        for case .fresh(let answer) in answers.values {
            guard let revision = answer.revision else { continue }
            newest = max(newest, revision)
        }
        for case .fresh(let answer) in answers.values {
            if let revision = answer.revision, revision < newest { isMixed = true }
        }
        guard isMixed else { return false }
        answers.keep { known in
            guard case .fresh(let answer) = known else { return false }
            return answer.revision.map { $0 == newest } ?? true
        }
        rounds += 1
        return true
    }

    /// Why there is nothing to show: neither service has said anything.
    var outage: RPCError? {
        guard let selectionFailure, let catalogFailure else { return nil }
        for case .fresh in answers.values { return nil }
        return selectionFailure.reason == .deadlineExceeded ? selectionFailure : catalogFailure
    }

    /// Begins anew from the state of the session.
    func startOver() {
        (state, whereabouts) = (nil, nil)
        answers = AnswerSheet()
        rounds += 1
    }
}

/// The answers that a view has been given: a handful, which are found faster by looking at each than by a hash
/// of everything in a question.
struct AnswerSheet {
    private var questions: [CatalogQuestion] = []
    private(set) var values: [Known<CatalogAnswer>] = []

    var isEmpty: Bool { questions.isEmpty }

    /// The answer to a question.
    subscript(question: CatalogQuestion) -> Known<CatalogAnswer>? {
        get { questions.firstIndex(of: question).map { values[$0] } }
        set {
            let index = questions.firstIndex(of: question)
            if let index {
                questions.remove(at: index)
                values.remove(at: index)
            }
            guard let newValue else { return }
            questions.append(question)
            values.append(newValue)
        }
    }

    /// Forgets answers about other catalogs.
    mutating func keep(about catalog: Identifier) {
        guard questions.contains(where: { $0.catalog ?? catalog != catalog }) else { return }
        let kept = zip(questions, values).filter { $0.0.catalog ?? catalog == catalog }
        (questions, values) = (kept.map(\.0), kept.map(\.1))
    }

    /// Forgets what is not wanted any more.
    mutating func keep(where isWanted: (Known<CatalogAnswer>) -> Bool) {
        let kept = zip(questions, values).filter { isWanted($0.1) }
        (questions, values) = (kept.map(\.0), kept.map(\.1))
    }
}
