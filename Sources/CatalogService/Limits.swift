import Shared

// The bounds of catalogs. Texts are measured in bytes of JSON as it is written, without the quotes: what counts is how
// much of a line of the wire they take.

extension Limits {
    /// Titles but a category's, subtitles, labels and hints.
    static let titleBytesMax = 1_024
    /// The title of a category: 500 of them must fit a line together.
    static let categoryTitleBytesMax = 256
    /// Names of icons.
    static let iconBytesMax = 128
    /// Sections of categories.
    static let sectionBytesMax = 128
    /// Badges: they stand beside a title.
    static let badgeBytesMax = 64
    /// Dates: room for more digits than any clock has.
    static let dateBytesMax = 128
    /// The blocks of an item together: a quarter of a line.
    static let blocksBytesMax = 262_144
    /// Categories of a catalog: they are sent in one piece.
    static let categoriesMax = 500
    /// Categories of an item.
    static let categoriesPerItemMax = 64
    /// Ids named in an event; beyond, it says only that much has changed.
    static let changedIdsMax = 1_000
    /// The query of a list, as it is written.
    static let queryBytesMax = 1_024

    /// Rows of a page.
    static let pageRowsMax = 500
    /// Rows of a page if the caller doesn't say.
    static let pageRowsDefault = 50
    /// Rows that are counted for the index of one row: some milliseconds.
    ///
    /// They are ever so many only while a list is divided into stretches for the first time.
    static let countedRowsMax = 16_384
    /// Changes of lists that one change set notes before they are counted in: some MiB.
    static let notedChangesMax = 16_384

    /// Pages of the file in memory, for each of the two connections.
    static let cacheKiB = 16_384
    /// Pages of 4 KiB in the log at which they are moved into the file, while changes wait.
    static let logPagesMax = 1_000
    /// Items whose words wait for the commit; a change set with more of them writes them at once.
    static let keptWordEntriesMax = 2_048

    /// Rows of the run that takes new ones: so few that all of its pages are small change for a commit.
    static let openRunRowsMax = 8_192
    /// Runs of one size that are moved together: with a factor of 16 a million rows are moved twice.
    static let runsPerLevelMax = 16
    /// Rows of a run that are moved in a step: as many times the number of runs take a millisecond.
    static let movedRowsPerStep = 64
    /// Rows moved at once, between two looks at the clock.
    static let movedRowsPerLook = 256
    /// Rows moved for each new one: as many as there are levels, so that moving keeps pace.
    static let movedRowsPerNewRow = 3
    /// Milliseconds without a change after which the runs are moved together into one.
    static let idleMs: UInt64 = 1_000
    /// Rows moved in a turn then: about a millisecond.
    static let movedRowsPerIdleTurn = 256
    /// Milliseconds between two such turns, so that whoever reads meanwhile hardly notices.
    static let idlePauseMs: UInt64 = 1
    /// Matches are counted up to this.
    static let matchesMax = 10_000
    /// The index of a row among matches is counted up to this.
    static let matchIndexMax = 1_000

    /// Matches that are taken from the index at once, between two looks at the clock.
    static let matchesPerStep = 4_096
    /// Rows that are taken at once where each comes with its word, which takes ten times as long.
    static let wordRowsPerStep = 512
    /// Rows whose words are looked through before all matches are taken from the index instead: some 20 ms.
    static let triedRowsMax = 8_192
    /// Matches whose places in a list are looked up at once.
    static let placesPerStep = 64
    /// Rows that are walked in the time in which one match is looked up in a list, as measured.
    static let walkedRowsPerPlace = 8
    /// Rows of a list that are walked at once: few at first, which may be enough, then twice as many each time.
    static let walkRowsPerStep = 64...512
    /// Items of which the words are looked through rather than to go through all words that begin with one.
    static let candidatesMax = 1_024
    /// Items whose words are looked through at once.
    static let lookedThroughPerStep = 128
    /// How often a search begins anew because its catalog has changed; after that it runs to its end at once.
    static let searchRestartsMax = 8

    // The shares of a turn, which has 10 ms together with what is received and sent.

    /// Time for changes; a longer change set goes on in the next turn.
    static let changeNanosecondsPerTurn: UInt64 = 4_000_000
    /// How long changes are gathered for one commit while others wait: each costs a sync of the disk.
    static let gatherNanosecondsMax: UInt64 = 30_000_000
    /// Time for what can be written ahead of a commit, behind the time for changes.
    static let prepareNanosecondsPerTurn: UInt64 = 1_000_000
    /// Time for searches that take longer.
    static let searchNanosecondsPerTurn: UInt64 = 3_000_000
    /// Time that one search gets before the next one does.
    static let searchSliceNanoseconds: UInt64 = 1_000_000
    /// Time for clearing up dropped catalogs: it can wait.
    static let purgeNanosecondsPerTurn: UInt64 = 2_000_000
    /// A place beyond which the rows around it are spread anew; ordinary ones have five bytes.
    static let placeBytesMax = 256
    /// Rows that are spread anew at once.
    static let spreadRowsMax = 1_024
}
