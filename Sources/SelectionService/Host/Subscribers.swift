import Shared

/// An event for one subscriber.
typealias Notice = (subscription: SubscriptionID, method: StaticString, params: [UInt8])

/// What is told of a change, and to whom.
struct News {
    let text: StateText
    let subscribers: [SubscriptionID]

    /// Makes an event for each subscriber, over whatever is in `notices`.
    func write(to notices: inout [Notice]) {
        // Mostly there is one, for which `removeAll(keepingCapacity:)` does far more than to take it out.
        while notices.popLast() != nil {}
        for subscriber in subscribers { notices.append((subscriber, "selection.changed", text.event)) }
    }
}

/// Who wants to hear of which session.
struct Subscribers {
    private var ofAll = Group<SubscriptionID>()
    private var ofSession: [Identifier: Group<SubscriptionID>] = [:]
    private var sessions: [SubscriptionID: Identifier] = [:]

    /// Adds one; nil is every session.
    mutating func add(_ subscription: SubscriptionID, of session: Identifier?) {
        guard let session else { return ofAll.add(subscription) }
        ofSession[session, default: Group()].add(subscription)
        sessions[subscription] = session
    }

    /// Removes one that was added.
    mutating func remove(_ subscription: SubscriptionID) {
        guard let session = sessions.removeValue(forKey: subscription) else {
            return ofAll.remove(subscription)
        }
        ofSession[session]?.remove(subscription)
        if ofSession[session]?.isEmpty ?? false { ofSession[session] = nil }
    }

    /// Those who hear of a session.
    func of(_ session: Identifier) -> [SubscriptionID] {
        guard !ofSession.isEmpty, let own = ofSession[session] else { return ofAll.members }
        return own.members + ofAll.members
    }
}

/// Members in the order in which they came.
///
/// Thousands may go in one turn, so none is looked for: those that have gone are only noted, and taken out when they are half
/// of all.
struct Group<Member: Hashable> {
    private var all: [Member] = []
    private var gone: Set<Member> = []

    var isEmpty: Bool { all.isEmpty }

    var members: [Member] { gone.isEmpty ? all : all.filter { !gone.contains($0) } }

    mutating func add(_ member: Member) { all.append(member) }

    /// Removes one of them, which never comes again.
    mutating func remove(_ member: Member) {
        gone.insert(member)
        guard gone.count * 2 >= all.count else { return }
        all = members
        gone = []
    }
}
