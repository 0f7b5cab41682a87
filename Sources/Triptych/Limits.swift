import Shared

// The bounds of the command-line client.

extension Limits {
    /// How long a command waits for an answer: a little longer than a service may take.
    static let answerMsMax = UInt64(deadlineMsMax) + 5_000

    // MARK: Drawing

    /// Characters a line: below, nothing can be read; above, it is no terminal.
    static let textColumns = 20...1_000
    /// Points of a window that stand for one character: about the width of a character at 13 points.
    static let pointsPerTextColumn = 8

    // MARK: Import

    /// A catalog file, which is read as a whole; NDJSON and package indexes are streamed and have no bound.
    static let catalogFileBytesMax = 67_108_864
    /// A line of NDJSON: a change set with this one change must still fit a line of the wire.
    static let importLineBytesMax = incomingLineBytesMax - 1_024
    /// Changes of a set.
    ///
    /// Measured with 64,864 packages while another client asked for pages: twice as many are not quicker, and double
    /// the longest time that the other one waits.
    static let changesPerSetMax = 64
    /// Bytes of a set: what a Unix socket takes at once, so that writing never waits.
    static let changeSetBytesMax = 65_536
    /// Sets of independent rows on their way: one is carried out while others are read and written.
    static let changeSetsInFlightMax = 8

    // MARK: Debian's packages, cut to what a catalog takes

    /// A title, subtitle or label.
    static let titleBytesMax = 1_024
    /// The title of a category.
    static let categoryTitleBytesMax = 256
    /// The title of a group of categories.
    static let sectionBytesMax = 128
    /// Categories of a catalog.
    static let categoriesMax = 500
    /// The description of a package: a quarter of what all blocks of an item may have.
    static let descriptionBytesMax = 65_536
    /// The value of a field of a package.
    static let fieldBytesMax = 4_096
    /// The links of one kind of a package: with three kinds, description and fields below 256 KiB.
    static let linksBytesMax = 49_152
}
