import JSON
import Shared

// What peers say again and again is known from its text, and nobody has to read it.

extension GatewayCore {
    /// What the text of an answer says, if it needs not be read for that.
    mutating func recognise(_ result: ArraySlice<UInt8>, of call: CallID) -> Recognised? {
        switch calls[call] {
        case .session(let job)?: recognise(result, job).map { .session($0) }
        case .ping?: Bytes(result) == Bytes(Self.emptyResult) ? .life : nil
        default: nil
        }
    }

    private static let emptyResult = ArraySlice("{}".utf8)

    private mutating func recognise(_ result: ArraySlice<UInt8>, _ id: JobID) -> SessionAnswer? {
        guard let job = jobs[id], let (state, changed) = SessionAnswer.split(result),
            (changed != nil) == (job.eventToSend != nil),
            state.isOf(job.request.session),
            let whereabouts = places.find(state.place, job.known?.whereabouts)
        else { return nil }
        job.known?.whereabouts = whereabouts
        return SessionAnswer(
            state: whereabouts.state(of: job.request.session, revision: state.revision),
            whereabouts: whereabouts, changed: changed)
    }

    /// Reads an answer, and gets to know where its session is.
    mutating func read(_ answer: JSONValue, _ job: ViewJob) -> SessionAnswer? {
        guard let value = answer["state"], let state = SessionState(value) else { return nil }
        let changed = answer["changed"]?.bool
        guard changed != nil || job.eventToSend == nil else { return nil }
        var whereabouts: Whereabouts?
        if let written = WrittenState(value.raw), written.isOf(state.session) {
            whereabouts = places.add(written, state)
        }
        return SessionAnswer(state: state, whereabouts: whereabouts, changed: changed)
    }

    /// Whether the line of an event says what the answer to this service's own call has just said, to the byte.
    ///
    /// Most events do. Nobody else has to hear of it if the session has no windows.
    mutating func isEcho(_ line: ArraySlice<UInt8>) -> Bool {
        guard let state = SessionAnswer.split(event: line) else { return false }
        let id = Identifier(String(decoding: state.session, as: UTF8.self))
        return windowsOfSession[id] == nil && state.isOf(id)
            && knowledge.isCurrent(id, state.revision, state.place)
    }
}
