/// The words of a text, folded.
///
/// A word is a run of letters, digits and symbols with the marks, joiners and variation selectors that follow them.
/// Chinese and Japanese are written without spaces: there each character is a word, and neighbours belong together.
public struct Words: Sequence, IteratorProtocol {
    /// One word.
    public struct Word: Equatable {
        /// Folded UTF-8.
        public let text: [UInt8]
        /// Whether it stands right behind the word before it, both being single characters of one run.
        public let continuesRun: Bool
    }

    private var rest: Substring.UnicodeScalarView
    private var isBehindIdeograph = false

    /// Splits a text.
    public init(of text: String) {
        rest = Substring(String(decoding: Folding.folded(text), as: UTF8.self)).unicodeScalars
    }

    /// The next word.
    public mutating func next() -> Word? {
        while let first = rest.first {
            let start = rest
            rest.removeFirst()
            let role = CharacterRole(first)
            guard role == .letter || role == .ideograph else {
                isBehindIdeograph = false
                continue
            }
            while let scalar = rest.first, CharacterRole(scalar).continues(role) { rest.removeFirst() }
            defer { isBehindIdeograph = role == .ideograph }
            return Word(
                text: Array(Substring(start[..<rest.startIndex]).utf8),
                continuesRun: role == .ideograph && isBehindIdeograph)
        }
        return nil
    }
}
