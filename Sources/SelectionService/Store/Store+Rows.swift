import JSON
import SQLite
import Shared

// The rows of one session: only the difference between what they say and what they should say is written.

extension Store {
    /// Writes the rows of a session to which something was done.
    func writeRows(_ change: Change, _ written: inout [(Kept, number: Int)]) throws(SQLiteError) {
        var number = try statements.row.first(change.id.text) { $0.int(0) }
        if change.isReplaced || change.after == nil, let before = change.before, let row = number {
            try remove(before, row)
            number = nil
        }
        guard let after = change.after else { return }
        let row = try write(after, change, over: number)
        written.append((after, number: row))
    }

    /// Gives the number of the row.
    private func write(_ kept: Kept, _ change: Change, over number: Int?) throws(SQLiteError) -> Int {
        let session = kept.session
        let state = session.state
        let record = SessionRecord(
            state: state, position: session.history.position, nextPosition: session.history.nextPosition
        ).bytes
        let hour = kept.updatedMs / Self.hourMs
        let before = number == nil ? nil : change.before
        let row: Int
        if let number {
            row = number
            try statements.update.run(
                row, state.revision, kept.updatedMs, session.seen, record, Digest.of(record))
            if before.map({ $0.updatedMs / Self.hourMs != hour }) ?? true {
                try statements.updateHour.run(row, hour)
            }
        } else {
            guard let catalog = state.catalog else { preconditionFailure("a session without a catalog") }
            try statements.insert.run(
                state.session.text, catalog.text, state.revision, kept.updatedMs, session.seen, record,
                Digest.of(record), hour)
            row = database.lastInsertedRow
        }
        let difference = kept.difference(from: before)
        try writePlaces(difference, of: session.history, row)
        try writeIndex(session, over: before?.session, difference, row)
        return row
    }

    /// Writes the pieces of history that have a place more or less.
    private func writePlaces(
        _ difference: History.Difference, of history: History, _ number: Int
    ) throws(SQLiteError) {
        var pieces: [Int] = []
        for entry in difference.added { pieces.add(entry.position / Self.placesPerPiece) }
        for entry in difference.lost { pieces.add(entry.position / Self.placesPerPiece) }
        guard !pieces.isEmpty else { return }
        for piece in pieces {
            let start = piece * Self.placesPerPiece
            let entries = history.others(at: start..<start + Self.placesPerPiece)
            if entries.isEmpty {
                try statements.deletePiece.run(number, piece)
            } else {
                let bytes = History.Entry.bytes(entries)
                try statements.putPlaces.run(number, piece, bytes, Digest.ofWords(bytes))
            }
        }
    }

    /// Places whose positions differ in less than this are in one row.
    private static let placesPerPiece = 8

    /// Writes what the session names now and did not before, and the other way round.
    ///
    /// Places that were left before, and still are, need not be looked at but to find out whether what came or went
    /// somewhere else is there as well. Most of what came and went is the same few things, so the ids are compared.
    private func writeIndex(
        _ session: Session, over before: Session?, _ difference: History.Difference, _ number: Int
    ) throws(SQLiteError) {
        guard let catalog = session.state.catalog else { return }
        var new: [Thing] = []
        var old: [Thing] = []
        session.place.forEachThing { new.add($0) }
        before?.place.forEachThing { old.add($0) }
        for entry in difference.added { entry.place.forEachThing { new.add($0) } }
        for entry in difference.lost { entry.place.forEachThing { old.add($0) } }
        if before?.state.expanded ?? [] != session.state.expanded {
            for id in session.state.expanded { new.add(.category(id)) }
            for id in before?.state.expanded ?? [] { old.add(.category(id)) }
        }
        var now: [Int] = []
        var was: [Int] = []
        if new.count + old.count > Self.thingsSearchedMax {
            let (all, allBefore) = (session.digests, before?.digests ?? [])
            now = all.without(allBefore)
            was = allBefore.without(all)
        } else {
            for thing in new where !old.contains(thing) && !(before?.names(thing) ?? false) {
                now.append(Digest.of(thing, in: catalog))
            }
            for thing in old where !new.contains(thing) && !session.names(thing) {
                let digest = Digest.of(thing, in: catalog)
                // Another thing may have the same digest.
                if !session.names(digest) { was.append(digest) }
            }
        }
        for thing in now { try statements.hold.run(thing, number) }
        for thing in was { try statements.letGo.run(thing, number) }
    }

    /// Things that are searched for one by one; for more a list of all is made.
    private static let thingsSearchedMax = 16

    private func remove(_ kept: Kept, _ number: Int) throws(SQLiteError) {
        for thing in kept.session.digests { try statements.letGo.run(thing, number) }
        try statements.deletePlaces.run(number)
        try statements.delete.run(number)
    }

    /// Moves a damaged session's bytes aside; what it held stays in the index, where nothing is found any
    /// more.
    func keepAside(_ number: Int, _ id: Identifier, nowMs: Int) throws(SQLiteError) {
        try statements.keepRecord.run(number, nowMs)
        try statements.keepPlaces.run(number, id.text, nowMs)
        try statements.deletePlaces.run(number)
        try statements.delete.run(number)
    }
}

extension Array where Element: Equatable {
    /// Adds what is not in it: of few, most of which come again.
    fileprivate mutating func add(_ one: Element) { if !contains(one) { append(one) } }
}

extension [Int] {
    /// The numbers that another list does not have, each once; both are in order.
    fileprivate func without(_ other: [Int]) -> [Int] {
        var left: [Int] = []
        var at = 0
        for number in self where left.last != number {
            while at < other.count, other[at] < number { at += 1 }
            if at == other.count || other[at] != number { left.append(number) }
        }
        return left
    }
}

extension Session {
    /// What stands in the index for what is unfolded.
    fileprivate var expandedDigests: [Int] {
        guard let catalog = state.catalog else { return [] }
        return state.expanded.map { Digest.of(.category($0), in: catalog) }
    }

    /// What stands in the index for all that it names, in order; what it names twice is there twice.
    fileprivate var digests: [Int] {
        guard let catalog = state.catalog else { return [] }
        var digests = place.digests(in: catalog) + expandedDigests
        for entry in history.back { digests += entry.digests(in: catalog) }
        for entry in history.forward { digests += entry.digests(in: catalog) }
        digests.sort()
        return digests
    }

    /// Whether it names the thing; what it was near of late is found first.
    fileprivate func names(_ thing: Thing) -> Bool {
        holds(thing) || history.back.reversed().contains { $0.place.names(thing) }
            || history.forward.reversed().contains { $0.place.names(thing) }
    }

    /// Whether it names what has this digest.
    fileprivate func names(_ digest: Int) -> Bool {
        guard let catalog = state.catalog else { return false }
        return history.back.reversed().contains { $0.digests(in: catalog).contains(digest) }
            || history.forward.reversed().contains { $0.digests(in: catalog).contains(digest) }
            || place.digests(in: catalog).contains(digest) || expandedDigests.contains(digest)
    }
}
