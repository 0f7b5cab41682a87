import Shared
import Text

/// A search as a person types it: any bytes that came through as a string.
func fuzzWords(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    let folded = Folding.folded(text)
    guard let again = String(validating: folded, as: UTF8.self) else {
        fatalError("a folded text is no UTF-8")
    }
    must(Folding.folded(again) == folded, "folding twice is not folding once")

    let words = Array(Words(of: text))
    must(words.allSatisfy { !$0.text.isEmpty }, "a word is empty")
    must(words.reduce(0) { $0 + $1.text.count } <= folded.count, "words have more bytes than their text")
    must(words.first?.continuesRun != true, "the first word continues nothing")
    for word in words {
        // A word is found by itself.
        let alone = Array(Words(of: String(decoding: word.text, as: UTF8.self)))
        must(alone.count == 1 && alone[0].text == word.text, "a word alone is \(alone.count) words")
        must(alone[0].isIdeograph == word.isIdeograph, "a word alone is of another kind")
    }
    for word in words where word.continuesRun { must(word.isIdeograph, "only ideographs make runs") }
}
