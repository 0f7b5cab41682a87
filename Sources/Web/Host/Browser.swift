import JSON
import Shared
import UV
import WebSockets

/// Performs what a bridge says, on a WebSocket and a pipe to the gateway.
final class Browser {
    /// The session for no catalog: what its log lines and its share of the bounds go by.
    let session: String
    private(set) var socket: WebSocket?
    private var bridge: Bridge
    private let gatewayPath: String
    private let loop: Loop
    private let log: Log
    private var pipe: Pipe?
    private var decoder = LineDecoder(lineBytesMax: Limits.outgoingLineBytesMax)
    private let onEnd: (Browser) -> Void

    init(
        _ bridge: Bridge, session: String, gatewayPath: String, loop: Loop, log: Log,
        onEnd: @escaping (Browser) -> Void
    ) {
        (self.bridge, self.session, self.gatewayPath) = (bridge, session, gatewayPath)
        (self.loop, self.log, self.onEnd) = (loop, log, onEnd)
    }

    /// The WebSocket of this browser; asked for once.
    func makeSocket() -> WebSocket {
        let socket = WebSocket(messageBytesMax: Limits.messageBytesMax) { [weak self] event in
            self?.take(event)
        }
        self.socket = socket
        return socket
    }

    /// Looks whether the browser is too slow.
    func look() { perform(.look(now: loop.now)) }

    /// Says good-bye.
    func stop() { perform(.stop) }

    private func take(_ event: WebSocket.Event) {
        switch event {
        case .opened: perform(.browserOpened)
        case .message(let bytes): perform(.message(bytes))
        case .sent: perform(.browserQueue(bytes: socket?.queuedBytes ?? 0, now: loop.now))
        case .closed:
            perform(.browserEnded)
            onEnd(self)
        }
    }

    private func perform(_ event: Bridge.Event) {
        for effect in bridge.handle(event) { perform(effect) }
    }

    private func perform(_ effect: Bridge.Effect) {
        switch effect {
        case .connectGateway: connect()
        case .sendToGateway(let bytes):
            guard let pipe else { return }
            pipe.write(bytes) { [weak self] _ in self?.lookAtGatewayQueue() }
            lookAtGatewayQueue()
        case .sendToBrowser(let bytes):
            guard let socket else { return }
            socket.send(bytes)
            perform(.browserQueue(bytes: socket.queuedBytes, now: loop.now))
        case .readBrowser(let isReading): socket?.isReading = isReading
        case .readGateway(let isReading): if isReading { pipe?.resumeReading() } else { pipe?.pauseReading() }
        case .closeBrowser(let code, let reason): socket?.close(code, reason)
        case .cutBrowser:
            log.write(.warning, "browser cut") { json in
                json.member("session", session)
                json.member("why", "it takes nothing")
            }
            socket?.cut()
        case .closeGateway:
            pipe?.close()
            pipe = nil
        }
    }

    // MARK: The gateway

    private func connect() {
        let pipe = Pipe(on: loop)
        self.pipe = pipe
        pipe.connect(to: gatewayPath) { [weak self] error in
            guard let self, self.pipe === pipe, !pipe.isClosing else { return }
            guard error == nil else { return self.perform(.gatewayEnded) }
            pipe.startReading(
                onBytes: { [weak self] bytes in self?.received(bytes) },
                onEnd: { [weak self] _ in self?.perform(.gatewayEnded) })
            self.perform(.gatewayOpened)
        }
    }

    private func received(_ bytes: RawSpan) {
        decoder.append(bytes)
        while let line = decoder.next() {
            guard case .text(let text) = line else { return perform(.gatewayEnded) }
            perform(.line(Array(text)))
        }
    }

    private func lookAtGatewayQueue() {
        if let pipe { perform(.gatewayQueue(bytes: pipe.queuedBytes)) }
    }
}
