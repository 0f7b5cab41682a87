import Shared
import WebSockets

/// One browser's WebSocket and the gateway's connection that belongs to it: both live and end together.
///
/// What a browser sends passes the filter; what the gateway sends passes as it is. Whoever takes too slowly makes the
/// other one wait: the gateway then sends one whole view instead of many changes.
struct Bridge {
    /// What happened.
    enum Event {
        /// The WebSocket is open.
        case browserOpened
        /// A message of the browser.
        case message([UInt8])
        /// Bytes that the browser has not taken, after some were queued or taken.
        case browserQueue(bytes: Int, now: UInt64)
        /// The WebSocket is no more.
        case browserEnded
        /// The gateway is connected.
        case gatewayOpened
        /// A line of the gateway.
        case line([UInt8])
        /// Bytes that the gateway has not taken, after some were queued or taken.
        case gatewayQueue(bytes: Int)
        /// The gateway can't be reached, or has ended the connection.
        case gatewayEnded
        /// Some time has passed.
        case look(now: UInt64)
        /// The process ends.
        case stop
    }

    /// What to do.
    enum Effect: Equatable {
        case connectGateway
        case sendToGateway([UInt8])
        case sendToBrowser([UInt8])
        case readBrowser(Bool)
        case readGateway(Bool)
        /// With what is queued still sent.
        case closeBrowser(WebSocket.CloseCode, String)
        /// Whatever is queued.
        case cutBrowser
        case closeGateway
    }

    private enum State { case new, connecting, open, over }

    private let filter: RequestFilter
    private let bounds: Limits.Web
    private var state = State.new
    private var isBrowserHeld = true
    private var isGatewayHeld = false
    /// Whether the gateway has enough of the browser's requests for now.
    private var isInputFull = false
    /// When the browser last took something, or had nothing to take.
    private var lastTaken: UInt64 = 0
    private var browserQueue = 0

    init(session: @escaping (_ catalog: [UInt8]?) -> String, bounds: Limits.Web) {
        filter = RequestFilter(session: session)
        self.bounds = bounds
    }

    /// Says what to do about what happened.
    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .browserOpened where state == .new:
            state = .connecting
            return [.readBrowser(false), .connectGateway]
        case .gatewayOpened where state == .connecting:
            (state, isBrowserHeld) = (.open, false)
            return [.readBrowser(true)]
        case .message(let message) where state == .open:
            switch filter(message) {
            case .forward(let line): return [.sendToGateway(line + [0x0A])]
            case .answer(let line): return [.sendToBrowser(line)]
            case .nothing: return []
            }
        case .line(let line) where state == .open: return [.sendToBrowser(line)]
        case .browserQueue(let bytes, let now): return browserQueue(bytes, now)
        case .gatewayQueue(let bytes) where state == .open: return gatewayQueue(bytes)
        case .look(let now) where isGatewayHeld && now - lastTaken >= bounds.slowMs:
            return end([.cutBrowser, .closeGateway])
        case .gatewayEnded where state != .over:
            return end([.closeBrowser(.tryAgainLater, "The gateway can't be reached."), .closeGateway])
        case .browserEnded: return state == .over ? [] : end([.closeGateway])
        case .stop where state != .over:
            return end([.closeBrowser(.goingAway, "The server stops."), .closeGateway])
        default: return []
        }
    }

    private mutating func end(_ effects: [Effect]) -> [Effect] {
        (state, isGatewayHeld) = (.over, false)
        return effects
    }

    private mutating func browserQueue(_ bytes: Int, _ now: UInt64) -> [Effect] {
        if bytes < browserQueue || browserQueue == 0 { lastTaken = now }
        browserQueue = bytes
        guard state == .open else { return [] }
        if !isGatewayHeld, bytes > bounds.outputBytesPause {
            isGatewayHeld = true
            return [.readGateway(false)] + holdBrowser()
        }
        if isGatewayHeld, bytes <= bounds.outputBytesPause / 2 {
            isGatewayHeld = false
            return [.readGateway(true)] + holdBrowser()
        }
        return []
    }

    private mutating func gatewayQueue(_ bytes: Int) -> [Effect] {
        if bytes > bounds.inputBytesPause { isInputFull = true }
        if bytes <= bounds.inputBytesPause / 2 { isInputFull = false }
        return holdBrowser()
    }

    /// Does not read a browser whose requests the gateway doesn't take, or which doesn't take its answers: each request
    /// that is refused here makes another one.
    private mutating func holdBrowser() -> [Effect] {
        let isHeld = isInputFull || isGatewayHeld
        guard isHeld != isBrowserHeld else { return [] }
        isBrowserHeld = isHeld
        return [.readBrowser(!isHeld)]
    }
}
