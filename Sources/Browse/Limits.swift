import Shared

// The bounds of the terminal front end.

extension Limits {
    /// Points of a window that stand for one cell, unless `--cell-width` says otherwise: about the width of a character
    /// at 13 points.
    static let cellPointsDefault = 8
    /// What `--cell-width` may say: a terminal of 80 cells is between 80 and 8,000 points.
    static let cellPoints = 1...100
    /// The height of a cell, in widths.
    static let cellHeightInWidths = 2
    /// Points that the gateway takes for a width or a height.
    static let windowPoints = 1...100_000
    /// Rows that are asked for at once: more than any terminal shows, so that moving does not wait for the gateway.
    static let rowsPerWindow = 200
    /// How long an event may take.
    static let answerMsMax = UInt64(deadlineMsMax) + 5_000
    /// How long it waits before it asks again what was refused for a while.
    static let askAgainMs: UInt64 = 1_000
    /// The text of a search, in bytes: what a session takes.
    static let searchBytesMax = 1_024
    /// Keys that are handled before the screen is drawn, so that a paste can't hold it.
    static let keysPerTurnMax = 256
    /// Marks on a character: ncurses has room for four beside it.
    static let marksPerGlyphMax = 4
    /// Rows that the wheel moves by.
    static let wheelRows = 3
    /// Cells of a column's labels at most, as a part of its width.
    static let labelPart = (of: 2, in: 5)
    /// Cells before a column at the left edge that are its margin: the gap of 10 points before a sidebar.
    static let marginCellsMax = 2
    /// Lines of a column below which rows have no second line.
    static let subtitleRowsMin = 6
    /// Cells of a column below which values stand below their labels.
    static let fieldColumnsMin = 18
}
