import Glibc
import Text

/// What is looked for: runs of words that must occur, the last of which may go on.
struct WordQuery: Equatable {
    /// Each is words with a space between them; neighbours of a script without spaces belong together.
    private let phrases: [[UInt8]]
    /// The same as they stand among the words of an item.
    private let sought: [String]

    /// Takes what a person has typed.
    init(_ query: String) {
        var phrases: [[UInt8]] = []
        for word in Words(of: query) {
            if word.continuesRun {
                phrases[phrases.count - 1] += [0x20] + word.text
            } else {
                phrases.append(Array(word.text))
            }
        }
        let last = phrases.popLast()
        var seen: Set<[UInt8]> = []
        phrases = phrases.filter { seen.insert($0).inserted } + (last.map { [$0] } ?? [])
        self.phrases = phrases
        sought = phrases.enumerated().map { index, phrase in
            String(decoding: [0x20] + phrase + (index < phrases.count - 1 ? [0x20] : []), as: UTF8.self)
        }
    }

    /// There is no word in it: nothing is looked for.
    var isEmpty: Bool { phrases.isEmpty }

    /// The same in the language of the index.
    ///
    /// Empty if there is no word in it. No word has a quote in it, so nothing in a text is an operator.
    var expression: String { isEmpty ? "" : "\(wholeExpression) *" }

    /// The same, but of the last word, too, all must be there.
    var wholeExpression: String {
        phrases.map { "\"\(String(decoding: $0, as: UTF8.self))\"" }.joined(separator: " ")
    }

    /// Whether the index has a list of what begins with the last word; else it has to be made each time.
    var isEndIndexed: Bool {
        guard let last = phrases.last else { return true }
        return last.count(where: { $0 & 0xC0 != 0x80 }) <= 3
    }

    /// Whether the words of an item, as `SearchText` gives them, are such.
    func matches(_ words: String) -> Bool {
        // No word has a zero byte in it.
        unsafe words.withCString { words in
            sought.allSatisfy { sought in unsafe strstr(words, sought) != nil }
        }
    }
}
