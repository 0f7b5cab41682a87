import JSON
import Shared
import Testing

@testable import Triptych

/// A reader of a text that arrives in pieces of `pieceBytes`.
func reader(of text: String, pieceBytes: Int = 1_000_000, name: String = "test") -> LineReader {
    var rest = Array(text.utf8)[...]
    return LineReader(name: name) { buffer throws(StartFailure) in
        buffer.append(contentsOf: rest.prefix(pieceBytes))
        rest = rest.dropFirst(pieceBytes)
        return !rest.isEmpty
    }
}

/// What a closure refuses to do.
func failure(_ body: () throws(StartFailure) -> Void) -> String? {
    do throws(StartFailure) {
        try body()
        return nil
    } catch {
        return error.message
    }
}

/// A parsed text.
func json(_ text: String) throws -> JSONValue { try JSONParser(depthMax: 64).parse(Array(text.utf8)).root }

/// The text of a change.
func text(_ change: Change) -> String { String(decoding: change.json, as: UTF8.self) }
