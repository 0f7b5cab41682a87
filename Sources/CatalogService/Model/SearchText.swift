import Text

/// What is looked through: the words of an item's texts.
struct SearchText {
    /// Between what no phrase may reach across: two texts, or two runs of characters without spaces.
    ///
    /// It is no character of any word.
    private static let gap = Array("\u{FFFE} ".utf8)

    private var bytes: [UInt8] = [0x20]

    /// Takes one of the texts of an item.
    mutating func add(_ text: String?) {
        guard let text else { return }
        if bytes.count > 1 { bytes += Self.gap }
        var isBehindIdeograph = false
        for word in Words(of: text) {
            if word.isIdeograph, isBehindIdeograph, !word.continuesRun { bytes += Self.gap }
            isBehindIdeograph = word.isIdeograph
            bytes += word.text
            bytes.append(0x20)
        }
    }

    /// All words, with a space on either side of each.
    var words: String { String(decoding: bytes, as: UTF8.self) }
}
