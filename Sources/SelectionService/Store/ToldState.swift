import Glibc
import JSON
import Shared

/// The text of a state as everyone is told it, of which mostly the beginning is the state as it is kept.
struct ToldState {
    /// All up to the chosen items, without the closing brace.
    let beginning: ArraySlice<UInt8>
    /// Where the session's id stands in it.
    let name: Range<Int>

    /// How texts end of states in which all behind the items is as usual, by whether they can go back and forward.
    private static let usualEnds = [(true, false), (false, false), (true, true), (false, true)].map { flags in
        var state = SessionState(session: "s")
        (state.canGoBack, state.canGoForward) = flags
        var told = JSONWriter()
        state.write(to: &told)
        var brief = JSONWriter()
        brief.object { json in
            json.member("session", "s")
            json.member("catalog", nil as String?)
            json.member("revision", 0)
            json.member("category", nil as String?)
            json.member("items", [])
        }
        let beginning = brief.bytes.dropLast()
        precondition(told.bytes.starts(with: beginning), "a state is told in another order than it is kept")
        return told.bytes[beginning.count...]
    }

    /// Nil unless a state, as `SessionState.write` wrote it, is as usual behind its items.
    init?(_ text: ArraySlice<UInt8>) {
        guard let end = Self.usualEnds.first(where: { Self.ends(text, with: $0) }) else { return nil }
        beginning = text.dropLast(end.count)
        // In a string a quote stands behind a backslash.
        let start = text.startIndex + #"{"session":"#.utf8.count
        var at = start + 1
        while text[at] != 0x22 { at += text[at] == 0x5C ? 2 : 1 }
        name = start - text.startIndex..<at + 1 - text.startIndex
    }

    private static func ends(_ text: ArraySlice<UInt8>, with end: ArraySlice<UInt8>) -> Bool {
        guard text.count >= end.count else { return false }
        return unsafe text.withUnsafeBytes { text in
            unsafe end.withUnsafeBytes { end in
                guard let a = text.baseAddress, let b = end.baseAddress else { return false }
                return unsafe memcmp(a + (text.count - end.count), b, end.count) == 0
            }
        }
    }

    /// Writes the state as it is kept, and gives where the session's id stands.
    func writeBriefly(to json: inout JSONWriter) -> Range<Int> {
        let start = json.count
        json.value(written: beginning)
        json.more(written: Self.closing)
        return start + name.lowerBound..<start + name.upperBound
    }

    private static let closing: ArraySlice<UInt8> = [0x7D]
}
