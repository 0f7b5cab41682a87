import Shared

extension RPCError {
    /// Whether it says that the service can't do its work now, not that there is something wrong with the
    /// question.
    var isOutage: Bool {
        switch reason {
        case .upstreamUnavailable, .deadlineExceeded, .draining, .storage, .internal: true
        default: false
        }
    }

    /// Whether its sender has looked at the question: he lives.
    var isAnswer: Bool {
        switch reason {
        case .notFound, .conflict, .notPossible, .invalidParams, .responseTooLarge: true
        default: false
        }
    }
}
