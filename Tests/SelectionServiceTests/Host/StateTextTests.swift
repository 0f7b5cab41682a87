import JSON
import Shared
import Testing

@testable import SelectionService

@Suite struct StateTextTests {
    private func text(items count: Int) -> StateText {
        var state = SessionState(session: "s", catalog: "c")
        let long = String(repeating: "x", count: 112)
        state.items = (0..<count).map { Identifier("\(long)\($0)") }
        var json = JSONWriter()
        return StateText(state, with: &json)
    }

    @Test func anAnswerSaysWhatTheEventSaysWhateverWasAnsweredBefore() {
        var result: [UInt8] = []
        for count in [0, 100, 1, 100, 0] {
            let text = text(items: count)
            text.write(after: #"{"state":"#, to: &result)
            #expect(result == Array(#"{"state":"#.utf8) + text.state + Array("}".utf8))
        }
    }

    @Test func anAnswerBehindALongOneTakesNoMoreRoomThanItNeeds() {
        var result: [UInt8] = []
        text(items: 1_000).write(after: #"{"state":"#, to: &result)
        let sent = [result]  // a long one is not copied, but kept until it is written
        text(items: 20).write(after: #"{"state":"#, to: &result)
        #expect(result.capacity < 4 * result.count)
        #expect(sent[0].count > 100_000)
    }
}
