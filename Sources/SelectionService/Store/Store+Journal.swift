import JSON
import SQLite
import Shared

// An entry of the journal: a JSON object for a session that a turn has changed, without what is false or empty.
//
//     {"deleted":"s","revision":8}
//     {"state":{...},"position":3,"nextPosition":4,"seen":7,"updated":1700000000000,"isOther":true,
//      "lost":[0],"left":2,"added":[{"position":1,"place":{...}}]}
//
// The position is there only if it is not that of the newest place; `left` is that of the place where the session was before,
// if it is a part of history now. A start takes the id out of the beginning, where the entry's frame is damaged.

extension Store {
    /// Writes what a turn did to a session, as the journal keeps it, and gives where its id stands; `revision` is that of
    /// the turn.
    func writeEntry(_ change: Change, _ revision: Int, to json: inout JSONWriter) -> Range<Int> {
        var name = 0..<0
        json.object { json in
            if let after = change.after {
                name = write(after, change, to: &json)
            } else {
                json.key("deleted")
                let start = json.count
                json.value(change.id.text)
                name = start..<json.count
                json.member("revision", revision)
            }
        }
        return name
    }

    private func write(_ kept: Kept, _ change: Change, to json: inout JSONWriter) -> Range<Int> {
        let before = change.isReplaced ? nil : change.before
        let difference = kept.difference(from: before)
        json.key("state")
        let name =
            change.told.flatMap(ToldState.init)?.writeBriefly(to: &json)
            ?? kept.session.state.writeBriefly(to: &json)
        let (position, nextPosition) = (kept.session.history.position, kept.session.history.nextPosition)
        if position != nextPosition - 1 { json.member("position", position) }
        json.member("nextPosition", nextPosition)
        json.member("seen", kept.session.seen)
        json.member("updated", kept.updatedMs)
        if change.isReplaced { json.member("isOther", true) }
        if !difference.lost.isEmpty {
            json.array("lost") { json in for entry in difference.lost { json.value(entry.position) } }
        }
        var added = difference.added
        if let before, let left = added.firstIndex(where: before.isExactly(at:)) {
            json.member("left", before.session.history.position)
            added.remove(at: left)
        }
        if !added.isEmpty {
            json.key("added")
            History.Entry.write(added, to: &json)
        }
        return name
    }
}

extension Store.Kept {
    /// How its history differs from that of an earlier one, which need not be there; nothing is copied for that.
    func difference(from before: Store.Kept?) -> History.Difference {
        guard let before else { return session.history.difference(from: History()) }
        return session.history.difference(from: before.session.history)
    }

    /// Whether a place is the one where the session is, and written in the same way: two places are equal whatever the order of
    /// their items.
    fileprivate func isExactly(at entry: History.Entry) -> Bool {
        entry.position == session.history.position && entry.place.items == session.state.items
            && entry.place.category == session.state.category
            && entry.place.contentPath == session.state.contentPath
            && entry.place.detailPath == session.state.detailPath
            && entry.place.query == session.state.query
    }
}

// What the indexes don't tell of sessions that are in the journal.

extension Store {
    /// The sessions of a catalog whose rows are not written.
    func unwrittenSessions(of catalog: Identifier) -> [Identifier] {
        journal.unwritten.compactMap { id, change in
            change.after?.session.state.catalog == catalog ? id : nil
        }
    }

    /// Whether a session holds one of some things that its rows don't name, by their digests; nil stands for all things.
    func isConcerned(_ id: Identifier, by things: Set<Int>?) -> Bool {
        guard let things else { return true }
        // What is written meanwhile is found by the index, which is asked later.
        guard let change = journal.unwritten[id], let after = change.after, case let session = after.session,
            let catalog = session.state.catalog
        else { return false }
        let before = change.isReplaced ? nil : change.before
        return session.place.digests(in: catalog).contains(where: things.contains)
            || session.state.expanded.contains { things.contains(Digest.of(.category($0), in: catalog)) }
            || after.difference(from: before).added.contains { entry in
                entry.digests(in: catalog).contains(where: things.contains)
            }
    }
}
