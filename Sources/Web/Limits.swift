import Shared
import WebSockets

// Every bound of the bridge, with its unit in its name and the reason for its value. What a browser's requests cost
// beyond the bridge is bounded by the gateway: each WebSocket is one connection there.

extension Limits {
    /// The bounds of the whole bridge; tests have smaller ones.
    struct Web {
        /// WebSockets in all; each is a connection of this user at the gateway, which takes 768.
        var socketsMax = 256
        /// WebSockets of one navigation session: more than the tabs that a person looks at.
        var socketsPerSessionMax = 32
        /// Bytes of messages that a browser has not taken; beyond, the gateway isn't read for it until they are half.
        ///
        /// So what is queued for a browser is at most this, one read and one line.
        var outputBytesPause = Limits.outputBytesPause
        /// How long a browser may take nothing while more than that waits for it; then it is cut off.
        var slowMs = Limits.outputSlowMs
        /// Bytes of requests that the gateway has not taken; beyond, the browser isn't read until they are half.
        var inputBytesPause = Limits.outputBytesPause
        /// How often slow browsers are looked for.
        var lookMs: UInt64 = 1_000
        /// How long a stopping bridge waits for its browsers to take what is queued for them.
        var drainMs: UInt64 = 2_000
    }

    /// A message of a browser: a line of the gateway.
    static let messageBytesMax = incomingLineBytesMax
    /// What the bridge asks of HTTP.
    static let webServer = WebServer.Bounds(
        // A browser sends some 1 KiB; many have 8 KiB as their own bound.
        headerBytesMax: 8_192,
        // Twice the WebSockets: a page is fetched over some more connections.
        connectionsMax: 512,
        requestSecondsMax: 10, idleSecondsMax: 10,
        // Two pings may get lost before a laptop that went to sleep is given up.
        pingSeconds: 20, deadSeconds: 60)
    /// Random bits of a browser's cookie.
    static let cookieBytes = 32
    /// How long a browser keeps its cookie without a visit: as long as its session is kept (30 days).
    static let cookieSeconds = 2_592_000
}
