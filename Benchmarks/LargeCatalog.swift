import Glibc
import Shared

/// A catalog of any size, the same each time: a list of changes for `triptych import`.
///
/// An item has about 200 bytes and 12 words, most of them from a vocabulary in which some words are frequent and most
/// are rare. All items are in the category `all`, each thousandth is in `few`, too. `even` is a word of every second item
/// but of none in `few`; `needle` is one of ten items; each odd item has a word of its own that begins with `numb`.
struct LargeCatalog {
    static let id = "large"
    private var random = Chance(0x5EED)
    private var vocabulary: [String] = []

    private init() {
        let syllables = ["ka", "lo", "mi", "ren", "tas", "vo", "shu", "pel", "dor", "ni", "gar", "zi"]
        for a in syllables {
            for b in syllables {
                for c in [""] + syllables { vocabulary += syllables.map { a + b + c + $0 } }
            }
        }
        for index in vocabulary.indices.reversed() { vocabulary.swapAt(index, random.next(below: index + 1)) }
    }

    /// The id of an item.
    static func item(_ number: Int) -> String {
        let digits = String(number)
        return "item-" + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
    }

    /// Writes the changes that make it.
    static func write(items: Int, to path: String) throws(StartFailure) {
        guard let file = unsafe fopen(path, "we") else {
            throw StartFailure(.cannotCreate, "can't write \(path)")
        }
        func write(_ text: String) { _ = unsafe fputs(text, file) }
        var catalog = LargeCatalog()
        write(#"{"catalog":"\#(id)"}"# + "\n" + #"{"op":"putCatalog","title":"Large"}"# + "\n")
        for category in ["all", "few"] {
            write(#"{"op":"putCategory","category":{"id":"\#(category)","title":"\#(category)"}}"# + "\n")
        }
        for number in 0..<items { write(catalog.change(number, of: items) + "\n") }
        guard unsafe fclose(file) == 0 else { throw StartFailure(.io, "can't write \(path)") }
    }

    private mutating func change(_ number: Int, of items: Int) -> String {
        var words = (0..<11).map { _ in word() }
        words.append(number.isMultiple(of: 2) ? "even" : "numb\(number)")
        if number % max(1, items / 10) == 5 { words[5] = "needle" }
        let categories = number % 1_000 == 1 ? #""all","few""# : #""all""#
        let date =
            "\(1980 + random.next(below: 45))-0\(1 + random.next(below: 9))-\(10 + random.next(below: 19))T12:00:00Z"
        return
            #"{"op":"putItem","item":{"id":"\#(Self.item(number))","title":"\#(words[..<3].joined(separator: " "))","#
            + #""date":"\#(date)","categories":[\#(categories)],"#
            + #""blocks":[{"kind":"text","text":"\#(words[3...].joined(separator: " "))"}]}}"#
    }

    /// A word; the n-th one is about n times as rare as the first.
    private mutating func word() -> String {
        let exponent = Double(random.next(below: 1 << 30)) / Double(1 << 30)
        return vocabulary[min(vocabulary.count - 1, Int(pow(Double(vocabulary.count), exponent)) - 1)]
    }

    /// Numbers by chance, the same each time: SplitMix64.
    struct Chance {
        private var state: UInt64

        init(_ seed: UInt64) { state = seed }

        mutating func next(below bound: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return Int((mixed ^ mixed >> 31) % UInt64(bound))
        }

        /// An item; with a step of 1,000 one of `few`.
        mutating func item(of items: Int, step: Int) -> String {
            LargeCatalog.item(next(below: max(1, items / step)) * step + (step > 1 ? 1 : 0))
        }
    }
}
