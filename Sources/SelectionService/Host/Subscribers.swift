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
        of session: Identifier, state: ArraySlice<UInt8>, cause: ChangeCause, isDeleted: Bool = false
    ) -> [Notice] {
        let own = ofSession.isEmpty ? nil : ofSession[session]
        guard own != nil || !ofAll.isEmpty else { return [] }
        let tail: StaticString =
            switch (cause, isDeleted) {
            case (.contentChange, false): #","cause":"contentChange","deleted":false}"#
            case (.contentChange, true): #","cause":"contentChange","deleted":true}"#
            case (.explicitRequest, false): #","cause":"explicitRequest","deleted":false}"#
            case (.explicitRequest, true): #","cause":"explicitRequest","deleted":true}"#
            }
        let params = state.between(#"{"state":"#, tail)
        var notices: [Notice] = []
        notices.reserveCapacity((own?.count ?? 0) + ofAll.count)
        for subscription in own ?? [] { notices.append((subscription, "selection.changed", params)) }
        for subscription in ofAll { notices.append((subscription, "selection.changed", params)) }
        return notices
    }
}

extension ArraySlice<UInt8> {
    /// A text that was written between two fixed ones.
    fileprivate func between(_ head: StaticString, _ tail: StaticString) -> [UInt8] {
        let (start, end) = (head.utf8CodeUnitCount, tail.utf8CodeUnitCount)
        return unsafe [UInt8](unsafeUninitializedCapacity: start + count + end) { bytes, filled in
            guard let place = bytes.baseAddress else { return }
            unsafe place.update(from: head.utf8Start, count: start)
            unsafe withUnsafeBufferPointer { middle in
                if let from = middle.baseAddress { unsafe (place + start).update(from: from, count: count) }
            }
            unsafe (place + start + count).update(from: tail.utf8Start, count: end)
            filled = start + count + end
        }
    }
}
