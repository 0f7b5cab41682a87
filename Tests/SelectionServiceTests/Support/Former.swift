import JSON
import Shared

@testable import SelectionService

/// What earlier versions wrote: states as everyone is told them.
enum Former {
    /// An entry of the journal that makes a session anew.
    static func entry(_ session: Session) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("state")
            session.state.write(to: &json)
            json.member("position", session.history.position)
            json.member("nextPosition", session.history.nextPosition)
            json.member("seen", session.seen)
            json.member("updated", 1)
            json.key("added")
            History.Entry.write(session.history.others, to: &json)
        }
        return json.bytes
    }

    /// The record of a session's row.
    static func record(_ session: Session) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("version", 1)
            json.member("position", session.history.position)
            json.member("nextPosition", session.history.nextPosition)
            json.key("state")
            session.state.write(to: &json)
        }
        return json.bytes
    }
}
