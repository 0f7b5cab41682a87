import Shared

extension Limits {
    /// Rows of a list in a view, unless the front end says otherwise: more than a screen shows.
    static let rowsDefault = 50
    /// Rows of a list in a view at most: what `catalog.items` gives at once.
    static let rowsMax = 500
    /// Bytes of an outgoing line that are not the view's: the envelope with the longest usual id, and
    /// `changed`.
    static let viewEnvelopeBytes = 2_048
    /// How often a view is begun anew because the catalog or the session changed while it was read.
    ///
    /// Each further time is a change within one round trip: after this many in a row nobody could look at it
    /// anyway.
    static let viewRoundsMax = 16
    /// Lines after which no other connection gets its share of a turn: views of 16 connections with 16 requests each are
    /// some megabytes, which the system takes while most of that is in the processor's cache.
    static let linesPerTurnMax = 256
    /// Sessions whose last state is kept for the time when the selection service is down.
    static let sessionsKeptMax = 4_096
    /// Bytes of those states in all: a usual one takes less than 1 KiB, one with all that a session may have 200 KiB.
    static let sessionsKeptBytesMax = 8_388_608
    /// Answers of the catalog that are kept for the time when it is down.
    static let answersKeptMax = 1_024
    /// Bytes of those answers in all, with what is made of them at once.
    static let answersKeptBytesMax = 33_554_432
    /// Views of windows that are drawn in one turn, unasked: a few milliseconds, so that nobody waits for
    /// them.
    static let windowsPerTurnMax = 64
    /// Windows that take over one view from the window it was drawn for.
    ///
    /// So what is drawn and taken over in a turn stays in a bound, too.
    static let twinsPerViewMax = 31
    /// Bytes of the views that are kept for windows, so that changes can be told as patches.
    ///
    /// As many windows as there may be subscriptions, with views of 8 KiB each.
    static let windowViewsBytesMax = 134_217_728
    /// How soon a window that was drawn without a silent peer is drawn again, in milliseconds.
    static let windowRetryMs: UInt64 = 1_000
    /// Queued output of a connection above which its windows tell nothing more until it has caught up: some
    /// views.
    static let windowOutputBytesMax = 262_144
    /// How often it is looked whether a slow subscriber has caught up, in milliseconds.
    static let windowDrainMs: UInt64 = 10
    /// Composed views that are kept: the windows of as many sessions as there may be connections, some times
    /// over.
    static let viewsKeptMax = 4_096
    /// Bytes of those views in all.
    static let viewsKeptBytesMax = 33_554_432
    /// Bytes of the places where sessions were, and of what is shown there: half of what views may take, some 1,000 places.
    static let placesKnownBytesMax = 16_777_216
    /// Bytes of a state without its session and revision above which it is read each time: some tens of ids.
    ///
    /// Sessions and requests remember their places, also when nothing that is shown there is known any more.
    static let placeBytesMax = 1_024
    /// In how many ways one place may be looked at without being composed again: as many as front ends have row limits.
    static let looksPerPlaceMax = 8
    /// Params longer than this are read each time: no usual ones are, and they are kept beside the view.
    static let viewParamsBytesMax = 512
    /// In how many ways one view may be asked for without reading the params: front ends write theirs in one
    /// way each.
    static let viewSpellingsMax = 4
    /// Revisions of sessions and catalogs that are remembered of what a busy connection was shown, before those that no
    /// request under way asks about are forgotten: some more than there may be requests under way.
    static let shownRevisionsMax = 512
    /// For how long a peer that has said something counts as alive, in nanoseconds; twice as long after each turn of a rush, up
    /// to `patienceNanoseconds`.
    ///
    /// Some round trips: for a client that asks for one view after the other the peers are asked beside the views when half of
    /// it is over; and a peer that hangs is noticed by every view that is asked for later than that.
    static let lifeNanoseconds: UInt64 = 200_000
    /// Views that are answered at once from which on a turn belongs to a rush.
    static let rushViewsMin = 4
    /// How long after such a turn the rush is over, in nanoseconds.
    static let lullNanoseconds: UInt64 = 1_000_000
    /// How long a peer that was asked so may take before views wait for it, in nanoseconds: it may be writing to the disk, or
    /// wait for a processor.
    static let patienceNanoseconds: UInt64 = 5_000_000
    /// How much earlier than a view's deadline the ping may end that it waits for together with others, in
    /// milliseconds.
    static let pingSlackMs: UInt64 = 50
    /// What is kept of a caller's time for a view without the session's state: some calls of the catalog.
    static let viewWithoutStateMs: UInt64 = 200
}
