import JSON
import Shared
import UV

/// A session's state as JSON, written once for all who are told of it: inside of the event that tells of its change.
struct StateText {
    /// The params of the event: `{"state":{...},"cause":"contentChange","deleted":false}`.
    let event: [UInt8]
    private let stateEnd: Int

    private static let head: StaticString = #"{"state":"#

    /// Writes a state with `json`, which is empty before and after.
    init(
        _ state: SessionState, cause: ChangeCause = .contentChange, isDeleted: Bool = false,
        with json: inout JSONWriter
    ) {
        json.verbatim(Self.head)
        state.write(to: &json)
        stateEnd = json.count
        json.verbatim(
            cause == .contentChange ? #","cause":"contentChange""# : #","cause":"explicitRequest""#)
        json.verbatim(isDeleted ? #","deleted":true}"# : #","deleted":false}"#)
        event = json.bytes
        json.reset()
    }

    /// The state alone.
    var state: ArraySlice<UInt8> { event[Self.head.utf8CodeUnitCount..<stateEnd] }

    /// Writes what is answered to who asked for the change, over whatever is in `result`: an object that ends with the state,
    /// and begins with `head`.
    func write(after head: StaticString, to result: inout [UInt8]) {
        // A long one is kept until it is written: new memory is taken then anyway, and need not be as much.
        result.removeAll(keepingCapacity: result.count < SplicedBytes.splicedBytesMin)
        unsafe result.append(
            contentsOf: UnsafeBufferPointer(start: head.utf8Start, count: head.utf8CodeUnitCount))
        result.append(contentsOf: state)
        result.append(0x7D)
    }

    /// What is answered to who asks for a state; `json` is empty before and after.
    static func result(
        of state: SessionState, after head: StaticString = head, with json: inout JSONWriter
    ) -> [UInt8] {
        defer { json.reset() }
        json.verbatim(head)
        state.write(to: &json)
        json.verbatim("}")
        return json.bytes
    }
}
