import JSON
import Shared

/// An event for one subscriber.
typealias Notice = (subscription: SubscriptionID, method: StaticString, params: [UInt8])

/// Who wants to hear of which session.
struct Subscribers {
    private var ofAll: Set<SubscriptionID> = []
    private var ofSession: [Identifier: Set<SubscriptionID>] = [:]
    private var sessions: [SubscriptionID: Identifier] = [:]

    /// Adds one; nil is every session.
    mutating func add(_ subscription: SubscriptionID, of session: Identifier?) {
        guard let session else {
            ofAll.insert(subscription)
            return
        }
        ofSession[session, default: []].insert(subscription)
        sessions[subscription] = session
    }

    /// Removes one.
    mutating func remove(_ subscription: SubscriptionID) {
        ofAll.remove(subscription)
        guard let session = sessions.removeValue(forKey: subscription) else { return }
        ofSession[session]?.remove(subscription)
        if ofSession[session]?.isEmpty ?? false { ofSession[session] = nil }
    }

    /// The events of a change: the state, as JSON text, is the same for all.
    func notices(
        of session: Identifier, state: [UInt8], cause: ChangeCause, isDeleted: Bool = false
    ) -> [Notice] {
        let own = ofSession[session] ?? []
        guard !own.isEmpty || !ofAll.isEmpty else { return [] }
        var json = JSONWriter(capacity: state.count + 64)
        json.object { json in
            json.member("state", written: state)
            json.member("cause", cause.rawValue)
            json.member("deleted", isDeleted)
        }
        let params = json.bytes
        return (Array(own) + Array(ofAll)).map { ($0, "selection.changed", params) }
    }
}
