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
    var expression: String { isEmpty ? "" : "\(Self.joined(phrases)) *" }

    private static func joined(_ phrases: [[UInt8]]) -> String {
        phrases.map { "\"\(String(decoding: $0, as: UTF8.self))\"" }.joined(separator: " ")
    }

    /// The same, but of the last word only as much must be there as the index has a list of.
    var widerExpression: String {
        guard let last = phrases.last else { return "" }
        let wider =
            Array(phrases.dropLast()) + [Array(last.dropLast(end.count) + Self.indexed(end))]
        return "\(Self.joined(wider)) *"
    }

    /// Whether the index has a list of what begins with the last word; else it has to be made each time.
    var isEndIndexed: Bool { Self.indexed(end).count == end.count }

    /// Whether one word is all that is looked for.
    var isOneWord: Bool { phrases.count == 1 && phrases[0].count == end.count }

    /// The last word, which may go on.
    var lastWord: String { String(decoding: end, as: UTF8.self) }

    private var end: ArraySlice<UInt8> {
        guard let last = phrases.last else { return [] }
        return last[(last.lastIndex(of: 0x20).map { $0 + 1 } ?? 0)...]
    }

    /// The first three characters of a word.
    private static func indexed(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var characters = 0
        return word.prefix { byte in
            if byte & 0xC0 != 0x80 { characters += 1 }
            return characters <= 3
        }
    }

    /// Whether the words of an item, as `SearchText` gives them, are such.
    func matches(_ words: String) -> Bool {
        // No word has a zero byte in it.
        unsafe words.withCString { words in
            sought.allSatisfy { sought in unsafe strstr(words, sought) != nil }
        }
    }
}
