import Shared

// The bounds of sessions and of what this service keeps in memory.

extension Limits {
    // MARK: One session

    /// Selected items: what a person selects by hand, with room for "select all" in a long list.
    static let itemsMax = 1_000
    /// Unfolded categories: twice what a catalog can have, for those of catalogs to come.
    static let expandedMax = 1_000
    /// Elements of a navigation stack; nobody finds back through more.
    static let pathElementsMax = 64
    /// The text of a search, in bytes of JSON without its quotes: whatever a session holds the catalog can be
    /// asked.
    static let queryBytesMax = 1_024
    /// The least and the greatest width that a person can give to a column, in points.
    static let widthPoints = 1.0...10_000.0
    /// Places that history remembers, with the current one.
    static let placesMax = 100
    /// What the places of a session may take together, in bytes as `Place.weightBytes` counts them.
    static let placesBytesMax = 262_144

    // MARK: In memory

    /// Sessions that are kept loaded, by what their places take, in bytes.
    static let loadedBytesMax = 33_554_432
    /// Facts about ids in one of the two generations that are kept: more than one session can hold.
    static let factsMax = 32_768
    /// Changes of a catalog that sessions have not been told of yet; beyond, all their ids are looked up.
    static let changesMax = 64

    // MARK: The journal

    /// Pages of the file that the journal fills before the rows of its sessions are written: some 40,000 events.
    ///
    /// As many may come in meanwhile, and what one turn fills before and after.
    static let journalPagesMax = 2_048
    /// The same where the rows of few sessions tell as much: pages that are written over soon are moved into the file seldom.
    static let journalPagesFew = 256
    /// Pages for each session from which on its rows are the smaller part of the work.
    static let journalPagesPerSession = 8
    /// What is in a page of the journal, so that its row fills a page of the file, which has 4 KiB.
    static let journalPageBytes = 4_032
    /// What the sessions take whose rows are not written, before they are; what comes in meanwhile adds as much at most, and
    /// what one turn does.
    static let unwrittenBytesMax = 16_777_216
    /// Sessions that one commit changes at most without the journal, which is cheaper from two on.
    static let directChangesMax = 1
    /// Sessions in the journal with which idle ones are not looked for: first their rows go.
    static let expiredSessionsUnwrittenMax = 1_024
    /// Sessions whose rows are written with one commit, as many more as it has new ones, and what follows for each page that
    /// it fills: some milliseconds of work, if each has twenty new places.
    static let movedSessionsPerTurn = 32
    /// The least number of sessions whose rows are written for each page that a commit fills; more, if otherwise the journal
    /// got longer meanwhile than it was: at most as many sessions as there are for each of `journalPagesMax`.
    static let movedSessionsPerPage = 4
    /// Revisions that are left out after a start that has found pages of the journal missing, or their heads or the counter
    /// damaged: more than these can have had.
    static let revisionsSkipped = 1_000_000
    /// How long rows wait for more to be done to their sessions, at most, unless there is much to do.
    static let journalRestMs: UInt64 = 5_000

    /// Pages of the file in memory: as many as the journal has at its longest; mostly half of them are for rows.
    static let cacheKiB = 16_384
    /// Pages of 4 KiB in the log at which they are moved into the file, while changes wait.
    static let logPagesMax = 1_000

    // MARK: The catalog

    /// Ids that one `catalog.locate` asks for: its answer fits a line even with 64 long categories an item.
    static let locateIdsMax = 100
    /// Times that a question is asked again because the answer was older than a change: a catalog that keeps
    /// its order needs none.
    static let staleAnswersMax = 8
    /// How long an answer of the catalog is waited for: as long as any caller does, each by its own deadline.
    static let catalogAnswerMs = UInt64(deadlineMsMax)
    /// How long the answer to `catalog.subscribe` is waited for before sessions work without the catalog.
    static let subscribeAnswerMs: UInt64 = 1_000
    /// The pause before `catalog.subscribe` is tried again on a connection where it was not answered, and
    /// before sessions that could not be brought up to date, or the store, are tried again.
    static let retryMs: UInt64 = 1_000

    // MARK: Steps

    /// Sessions that one step of a sweep or of expiry looks at: a millisecond or two of work.
    static let sweepSessionsMax = 64
    /// The time that sweeps may take of a turn, apart from the step under way.
    static let sweepNanosecondsMax: UInt64 = 3_000_000
    /// How far the wall clock may get ahead of a steady one between two looks without having jumped: far more than it
    /// drifts, and little beside a day.
    static let clockJumpMs = 3_600_000
    /// How often idle sessions are looked for.
    static let expiryCheckMs: UInt64 = 3_600_000
    /// Days after which an idle session goes, unless `--expire-days` says otherwise.
    static let expireDaysDefault = 30
    /// The most days that `--expire-days` takes: a hundred years, which is never.
    static let expireDaysMax = 36_500
}
