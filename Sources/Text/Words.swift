/// The words of a text, folded.
///
/// A word is a run of letters, digits and symbols with the marks, joiners and variation selectors that follow them.
/// Chinese and Japanese are written without spaces: there each character is a word, and neighbours belong together.
public struct Words: Sequence, IteratorProtocol {
    /// One word.
    public struct Word {
        /// Folded UTF-8.
        public let text: ArraySlice<UInt8>
        /// Whether it is a single character of a script that is written without spaces.
        public let isIdeograph: Bool
        /// Whether it stands right behind the word before it, both being single characters of one run.
        public let continuesRun: Bool
    }

    private let text: [UInt8]
    private var index = 0
    private var isBehindIdeograph = false

    /// Splits a text.
    public init(of text: String) { self.text = Folding.folded(text) }

    /// The next word.
    public mutating func next() -> Word? {
        while index < text.count {
            let start = index
            let role = takeRole()
            guard role == .letter || role == .ideograph else {
                isBehindIdeograph = false
                continue
            }
            var end = index
            while end < text.count, takeRole().continues(role) { end = index }
            index = end
            defer { isBehindIdeograph = role == .ideograph }
            return Word(
                text: text[start..<end], isIdeograph: role == .ideograph,
                continuesRun: role == .ideograph && isBehindIdeograph)
        }
        return nil
    }

    /// Takes one character, which is valid UTF-8.
    private mutating func takeRole() -> CharacterRole {
        let first = text[index]
        index += 1
        if first < 0x80 { return CodePoint.role(Int32(first)) }
        let more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
        var point = Int32(first) & (0x3F >> Int32(more))
        for byte in text[index..<index + more] { point = point << 6 | Int32(byte & 0x3F) }
        index += more
        return CodePoint.role(point)
    }
}
