// Every bound of the wire and of the processes, with its unit in its name and the reason for its value.
// Bounds of one service's own data are in a `Limits` extension of that service.

/// The bounds that all services share.
public enum Limits {
    // MARK: Lines

    /// An incoming line without its LF.
    ///
    /// NATS and ubus draw the line at 1 MiB, too.
    public static let incomingLineBytesMax = 1_048_576
    /// An outgoing line: what the line readers of common clients (aiorpcX) take.
    public static let outgoingLineBytesMax = 1_000_000
    /// Levels of nesting, the outermost value being 1.
    ///
    /// Nothing of the contract needs more than 12.
    public static let nestingLevelsMax = 64
    /// Lines above `incomingLineBytesMax` within `oversizeWindowMs`: at this one the connection is closed.
    public static let oversizeLinesMax = 3
    /// See `oversizeLinesMax`.
    public static let oversizeWindowMs: UInt64 = 60_000
    /// How long a line may be incomplete: a writer that takes longer is lost or hostile.
    public static let partialLineMs: UInt64 = 30_000

    // MARK: Envelope

    /// Items of a batch.
    public static let batchItemsMax = 100
    /// A request id that is a string, in bytes of its decoded text.
    ///
    /// SPDK has the same bound.
    public static let requestIdBytesMax = 128
    /// A request id as it is written: any string of `requestIdBytesMax`, escaped throughout, and then some for numbers.
    ///
    /// It is echoed, so that an answer's line could not be bounded without it.
    public static let requestIdBytesWrittenMax = 1_024
    /// An id of a thing, in bytes.
    public static let idBytesMax = 128
    /// Members that an object of params may have; no shape of the contract has more than 12.
    public static let paramMembersMax = 64
    /// The time a caller gives us unless it says otherwise.
    public static let deadlineMsDefault = 5_000
    /// The longest time a caller can give us.
    public static let deadlineMsMax = 300_000

    /// Requests that are remembered so that they need no parser: four of each of as many clients as there may be.
    ///
    /// With their lines and what they were parsed to, 24 bytes for each value in them, they are 24 MiB at most, and some
    /// 2 MiB where they are what front ends ask.
    static let recurringRequestsMax = 4_096
    /// A line of such a request: views are asked for with less than half of it.
    static let recurringRequestBytesMax = 512

    // MARK: One connection

    /// Requests under way; beyond, the connection isn't read any more until some are answered.
    public static let requestsInFlightMax = 256
    /// Bytes of params of the requests under way; beyond, the connection isn't read any more until some are answered.
    ///
    /// Four of the longest lines, and more than 256 ordinary requests have.
    public static let paramBytesInFlightMax = 4_194_304
    /// Subscriptions.
    public static let subscriptionsPerConnectionMax = 128
    /// Messages handled in a turn, so that one connection can't hold the loop.
    public static let messagesPerTurnMax = 100
    /// Time that one connection gets in a turn, and what is not new of all connections together.
    public static let nanosecondsPerTurnMax: UInt64 = 10_000_000
    /// Received bytes that are not handled yet; beyond, the connection isn't read until they are.
    public static let receivedBytesPause = 262_144
    /// Queued output above which the connection isn't read any more: it shall first take its answers.
    public static let outputBytesPause = 1_048_576
    /// Output that the system may hold for a connection that has not read it yet: what a turn has for one, mostly.
    ///
    /// Linux gives 208 KiB unless it is asked, and twice what it is asked for; it allows at least 208 KiB to be asked for.
    public static let sentBytesUnread = 262_144
    /// Queued output that a connection may have for `outputSlowMs` at most.
    public static let outputBytesSlow = 8_388_608
    /// See `outputBytesSlow`.
    public static let outputSlowMs: UInt64 = 10_000
    /// Queued output above which a connection is cut at once.
    public static let outputBytesMax = 16_777_216

    // MARK: One process

    /// Connections in all.
    public static let connectionsMax = 1_024
    /// Connections of one user: three quarters, as in systemd's varlink.
    public static let connectionsPerUserMax = 768
    /// Descriptors kept for files, peers and libuv itself.
    ///
    /// Redis reserves as many.
    public static let descriptorsReserved = 32
    /// Refused connections that stay until their client has read why, at most; others are closed at once.
    ///
    /// Half of the descriptors in reserve.
    static let refusedLingeringMax = 16
    /// How long a refused connection stays at most, in milliseconds.
    ///
    /// nginx waits 5 s for its `lingering_timeout`, across a network; here both ends are on one machine.
    static let refusedLingerMs: UInt64 = 1_000
    /// Lines of one kind in the log, in a second, of what anybody can cause at will.
    static let logLinesPerSecondMax = 10
    /// Subscriptions in all.
    public static let subscriptionsMax = 16_384
    /// Queued output in all; above it the connection with most of it is cut.
    public static let outputBytesPerProcessMax = 268_435_456
    /// What a turn may write; beyond, the connections that were not served yet are served in the next turn.
    ///
    /// So many small turns would otherwise come before the bound on queued output is looked at.
    public static let outputBytesPerTurnMax = 33_554_432
    /// Written output whose room is kept for the next turn's: of as many connections as are busy at once, mostly.
    static let outputSparesMax = 16
    /// The most room that is kept of each.
    static let outputSpareBytesMax = 131_072
    /// Freed memory that a process keeps for its next turn: what 16 connections with 16 views of 14 KB each take, four
    /// times over.
    public static let freedBytesKept = 16_777_216
    /// How often freed memory is given back to the system, also what lies between things that stay, in milliseconds.
    ///
    /// That takes less than a millisecond, and some more until pages that are needed again are there: seldom enough not to
    /// be noticed. What a service has freed in the meantime can't be more than it has used in it.
    public static let giveBackMs: UInt64 = 60_000
    /// How long a listener rests for which the system has no descriptor.
    public static let listenAgainMs: UInt64 = 100
    /// How long a stopping service waits for what is in flight.
    ///
    /// Redis and NATS give 10 s, too.
    public static let drainMs: UInt64 = 10_000
    /// How long a service waits at its start for a manager that is behind with its messages.
    static let readySecondsMax = 1

    // MARK: A peer

    /// Calls under way at one peer.
    public static let pendingPerPeerMax = 4_096
    /// The first wait before a lost peer is tried again; it doubles up to `reconnectMsMax`.
    public static let reconnectMsMin: UInt64 = 20
    /// The longest wait before a lost peer is tried again.
    public static let reconnectMsMax: UInt64 = 1_000
}
