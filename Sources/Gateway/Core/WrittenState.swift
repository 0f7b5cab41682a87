import Glibc
import Shared

// The selection service writes the members of a state always in the same order. So what differs from one state to the
// next is found without parsing it, and what does not is known from when it was parsed.

/// The text of a state, taken apart where it names its session and its revision.
///
/// ```json
/// {"session":"default","catalog":"recipes","revision":3,"category":"breakfast", ... ,"canGoForward":false}
/// ```
struct WrittenState {
    /// The id of the session, in which nothing is escaped.
    let session: ArraySlice<UInt8>
    let revision: Int
    let place: Place

    /// All else that it says: as long as that is the same, the session is in the same place.
    struct Place: Hashable {
        /// The catalog, as JSON.
        let catalog: Bytes
        /// What follows the revision.
        let rest: Bytes

        /// The same in memory of its own, so that the line it came in can go.
        var copy: Place {
            Place(
                catalog: Bytes(ArraySlice(Array(catalog.bytes))), rest: Bytes(ArraySlice(Array(rest.bytes))))
        }

        /// How many bytes it has.
        var count: Int { catalog.bytes.count + rest.bytes.count }
    }

    /// Takes a state apart; nil if it is written in another way.
    ///
    /// What `place` holds is not looked at.
    init?(_ text: ArraySlice<UInt8>) {
        var scanner = TextScanner(text)
        guard scanner.skip(#"{"session":"#), let session = scanner.string(),
            scanner.skip(#","catalog":"#), let catalog = scanner.string(),
            scanner.skip(#","revision":"#), let revision = scanner.number()
        else { return nil }
        (self.session, self.revision) = (session, revision)
        place = Place(catalog: Bytes(catalog), rest: Bytes(scanner.rest))
    }

    /// Whether it is the state of this session.
    func isOf(_ id: Identifier) -> Bool {
        var text = id.text
        return text.withUTF8 { id in
            unsafe session.withUnsafeBytes { session in
                guard let start = session.baseAddress, let other = id.baseAddress else { return id.isEmpty }
                return unsafe session.count == id.count && memcmp(start, other, id.count) == 0
            }
        }
    }
}

/// What the selection service says of a session.
struct SessionAnswer {
    let state: SessionState
    /// Where that is, unless it was written in an unusual way.
    let whereabouts: Whereabouts?
    /// Whether an event has changed something; nil if there was none.
    let changed: Bool?
}

extension SessionAnswer {
    /// Takes the text of a result apart: `{"changed":true,"state":{...}}`, or without `changed`.
    static func split(_ result: ArraySlice<UInt8>) -> (state: WrittenState, changed: Bool?)? {
        var scanner = TextScanner(result)
        var changed: Bool?
        if scanner.skip(#"{"changed":true,"#) {
            changed = true
        } else if scanner.skip(#"{"changed":false,"#) {
            changed = false
        } else if !scanner.skip("{") {
            return nil
        }
        guard scanner.skip(#""state":"#), scanner.skipLast("}"), let state = WrittenState(scanner.rest) else {
            return nil
        }
        return (state, changed)
    }

    /// Takes an event apart that tells of a change: `{"subscription":"s1","seq":7,"state":{...},"cause":...}`.
    static func split(event line: ArraySlice<UInt8>) -> WrittenState? {
        var scanner = TextScanner(line)
        guard
            scanner.skip(#"{"jsonrpc":"2.0","method":"selection.changed","params":{"subscription":"#),
            scanner.string() != nil, scanner.skip(#","seq":"#), scanner.number() != nil,
            scanner.skip(#","state":"#),
            scanner.skipLast(#","cause":"explicitRequest","deleted":false}}"#)
                || scanner.skipLast(#","cause":"contentChange","deleted":false}}"#)
        else { return nil }
        return WrittenState(scanner.rest)
    }
}
