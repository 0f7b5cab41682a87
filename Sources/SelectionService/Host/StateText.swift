import JSON
import Shared

/// A session's state as JSON, written once for all who are told of it: inside of the result that answers its change.
struct StateText {
    /// The head, the state and a brace.
    let result: [UInt8]
    private let headBytes: Int

    /// Writes a state; `head` begins an object that the state ends.
    init(_ state: SessionState, after head: StaticString = #"{"state":"#) {
        var json = JSONWriter(capacity: 1_024)
        json.verbatim(head)
        state.write(to: &json)
        json.verbatim("}")
        (result, headBytes) = (json.bytes, head.utf8CodeUnitCount)
    }

    /// The state alone.
    var state: ArraySlice<UInt8> { result[headBytes..<result.count - 1] }
}
