import Shared

// What the gateway remembers of the view that a subscriber has: all of it, so that a change can be told as a
// patch, or, where too many are remembered, only what tells it from another one.

/// The view that the subscriber of a window has.
enum KeptView {
    case whole([UInt8])
    /// A digest, seeded anew for each process.
    case digest(Int)

    /// Bytes of memory that grow with the view.
    var bytes: Int { if case .whole(let view) = self { view.count } else { 0 } }

    /// The view, if all of it is kept.
    var view: [UInt8]? { if case .whole(let view) = self { view } else { nil } }

    /// Whether it is this view.
    func isSame(as view: [UInt8]) -> Bool {
        switch self {
        case .whole(let kept): kept == view
        case .digest(let digest): digest == Self.digest(view)
        }
    }

    /// The same with less memory.
    var shortened: KeptView {
        if case .whole(let view) = self { .digest(Self.digest(view)) } else { self }
    }

    private static func digest(_ view: [UInt8]) -> Int {
        var hasher = Hasher()
        unsafe view.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}

extension GatewayCore {
    /// Notes what the subscriber of a window has now.
    mutating func keep(_ view: [UInt8], of id: SubscriptionID) {
        guard let before = windows[id]?.shown.bytes else { return }
        windowViewsBytes += view.count - before
        lastNumber += 1
        windows[id]?.shown = .whole(view)
        windows[id]?.changedAt = lastNumber
        if windowViewsBytes > windowViewsBytesMax { shortenViews() }
    }

    /// Shortens the views that have not changed for longest, until there is room for an eighth.
    private mutating func shortenViews() {
        let oldest = windows.values.filter { $0.shown.bytes > 0 }
            .map { (id: $0.subscription, changedAt: $0.changedAt) }.sorted { $0.changedAt < $1.changedAt }
        for (id, _) in oldest {
            guard windowViewsBytes > windowViewsBytesMax - windowViewsBytesMax / 8 else { return }
            guard let shown = windows[id]?.shown else { continue }
            windows[id]?.shown = shown.shortened
            windowViewsBytes -= shown.bytes
        }
    }
}
