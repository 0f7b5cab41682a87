import Shared

/// An event for one subscriber.
typealias Notice = (subscription: SubscriptionID, method: StaticString, params: [UInt8])

/// What is told of a change, and to whom.
struct News {
    let text: StateText
    let subscribers: [SubscriptionID]

    /// Makes an event for each subscriber, over whatever is in `notices`.
    func write(to notices: inout [Notice]) {
        while notices.popLast() != nil {}
        for subscriber in subscribers { notices.append((subscriber, "selection.changed", text.event)) }
    }
}

/// Who wants to hear of which session.
struct Subscribers {
    private var ofAll: [SubscriptionID] = []
    private var ofSession: [Identifier: [SubscriptionID]] = [:]
    private var sessions: [SubscriptionID: Identifier] = [:]

    /// Adds one; nil is every session.
    mutating func add(_ subscription: SubscriptionID, of session: Identifier?) {
        guard let session else { return ofAll.append(subscription) }
        ofSession[session, default: []].append(subscription)
        sessions[subscription] = session
    }

    /// Removes one.
    mutating func remove(_ subscription: SubscriptionID) {
        guard let session = sessions.removeValue(forKey: subscription) else {
            return ofAll.removeAll { $0 == subscription }
        }
        ofSession[session]?.removeAll { $0 == subscription }
        if ofSession[session]?.isEmpty ?? false { ofSession[session] = nil }
    }

    /// Those who hear of a session.
    func of(_ session: Identifier) -> [SubscriptionID] {
        guard !ofSession.isEmpty, let own = ofSession[session] else { return ofAll }
        return own + ofAll
    }
}
