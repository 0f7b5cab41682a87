import JSON
import Text

/// What is looked through, and what is looked for, as the words of the index.
enum SearchText {
    /// Between what no phrase may reach across: two texts, or two runs of characters without spaces.
    ///
    /// It is no character of any word.
    private static let gap = Array("\u{FFFE} ".utf8)

    /// The words of an item, each followed by a space.
    static func words(title: JSONValue?, subtitle: JSONValue?, blocks: JSONValue) -> String {
        var all: [UInt8] = []
        func add(_ text: JSONValue?) {
            guard let text = text?.string else { return }
            if !all.isEmpty { all += gap }
            var isBehindIdeograph = false
            for word in Words(of: text) {
                if word.isIdeograph, isBehindIdeograph, !word.continuesRun { all += gap }
                isBehindIdeograph = word.isIdeograph
                all += word.text
                all.append(0x20)
            }
        }
        add(title)
        add(subtitle)
        Blocks.texts(of: blocks, add)
        return String(decoding: all, as: UTF8.self)
    }

    /// The query in the language of the index: each run of words must occur, the last word may go on.
    ///
    /// Empty if there is no word in it. No word has a quote in it, so nothing in a text is an operator.
    static func expression(_ query: String) -> String {
        var phrases: [[UInt8]] = []
        for word in Words(of: query) {
            if word.continuesRun {
                phrases[phrases.count - 1] += [0x20] + word.text
            } else {
                phrases.append(Array(word.text))
            }
        }
        guard let last = phrases.popLast() else { return "" }
        var seen: Set<[UInt8]> = []
        let all = phrases.filter { seen.insert($0).inserted }.map {
            #""\#(String(decoding: $0, as: UTF8.self))""#
        }
        return (all + [#""\#(String(decoding: last, as: UTF8.self))" *"#]).joined(separator: " ")
    }
}
