import UV

// What a peer may have kept for later, because its socket was full.

extension Client {
    /// Whether what was read from a peer at once, with so many beginnings of lines, is surely all that it had to say.
    ///
    /// A service whose socket is full keeps the rest. Its socket takes `Limits.sentBytesUnread`, at least what is counted
    /// here; and what Linux counts for something written, which is no less than a line or its end, is never more than this:
    /// the fewest are 768 for up to 192 bytes, the most, for their length, 4,352 for 1,729.
    static func isSurelyAll(bytes: Int, lines: Int) -> Bool {
        bytes < Loop.readBytesMax && bytes * 5 / 2 + lines * 1_280 < socketRoomMin
    }

    /// Twice what Linux allows to be asked for unless it is told otherwise.
    private static let socketRoomMin = 425_984
}
