import JSON
import SQLite
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

    /// Puts the row of a session of the catalog `c` into a database, as number 7; its places are rows of their own.
    static func insert(_ session: Session, into database: Database) throws {
        let record = record(session)
        try database.prepare("INSERT INTO sessions VALUES(7, ?1, 'c', 1, 1, 0, ?2, ?3, 0)").run(
            session.state.session.text, record, Digest.of(record))
    }

    /// The record of a session's row.
    private static func record(_ session: Session) -> [UInt8] {
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
