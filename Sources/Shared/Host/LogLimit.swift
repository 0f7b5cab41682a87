/// Lets so many lines of one kind into the log in a second, and counts the others.
///
/// For what anybody can cause at will: it must be told, and must not fill the disk.
struct LogLimit {
    private var second: UInt64?
    private var written = 0
    private var leftOut = 0

    /// Decides about a line.
    ///
    /// - Parameter now: milliseconds of the loop.
    /// - Returns: how many lines were left out since the last one that was written; nil if this one is to be left out, too.
    mutating func pass(now: UInt64) -> Int? {
        if second != now / 1_000 { (second, written) = (now / 1_000, 0) }
        guard written < Limits.logLinesPerSecondMax else {
            leftOut += 1
            return nil
        }
        written += 1
        defer { leftOut = 0 }
        return leftOut
    }
}
