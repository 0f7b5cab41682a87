import SQLite
import Shared

/// Moves runs together, some rows at a time: many small ones into a large one, so that there are never many of them.
///
/// A row is moved once for each level, and next to its neighbours, so that little is written for it. All steps are ordinary
/// changes inside a transaction: whenever it ends, after a crash too, each row is in one run and the move goes on.
struct RunMover {
    private let selectMove: Query
    private let selectFullLevel: Query
    private let insertTarget: Query
    private let assign: Query
    private let selectLargest: Query
    private let assignAll: Query
    private let selectSources: Query
    private let selectBound: Query
    private let copyBelow: Query
    private let deleteBelow: Query
    private let copyRest: Query
    private let deleteRest: Query
    private let deleteSources: Query
    private let addRows: Query

    init(_ database: Database) throws(SQLiteError) {
        selectMove = try Query(
            database, "SELECT target FROM run WHERE target IS NOT NULL ORDER BY level LIMIT 1")
        selectFullLevel = try Query(
            database,
            """
            SELECT level, sum(rows) FROM run WHERE target IS NULL AND number <> ?1 GROUP BY level
            HAVING count(*) >= ?2 ORDER BY level LIMIT 1
            """)
        insertTarget = try Query(
            database, "INSERT INTO run(level, rows) VALUES(?1, ?2) RETURNING number")
        assign = try Query(
            database,
            "UPDATE run SET target = ?1 WHERE level = ?2 AND target IS NULL AND number NOT IN (?1, ?3)")
        selectLargest = try Query(
            database,
            """
            SELECT number FROM run WHERE target IS NULL AND number <> ?1 AND rows > 0 ORDER BY rows DESC
            LIMIT 1
            """)
        assignAll = try Query(
            database, "UPDATE run SET target = ?1 WHERE target IS NULL AND number NOT IN (?1, ?2)")
        selectSources = try Query(database, "SELECT number, rows FROM run WHERE target = ?1")
        selectBound = try Query(
            database,
            """
            SELECT list, sort, key, id FROM entry WHERE run = ?1 ORDER BY list, sort, key, id LIMIT 1 OFFSET ?2
            """)
        let copy = "INSERT INTO entry SELECT ?1, list, sort, key, id, item FROM entry WHERE run = ?2"
        let below = "AND (list, sort, key, id) <="
        copyBelow = try Query(database, "\(copy) \(below) (?3, ?4, ?5, ?6)")
        deleteBelow = try Query(database, "DELETE FROM entry WHERE run = ?1 \(below) (?2, ?3, ?4, ?5)")
        copyRest = try Query(database, copy)
        deleteRest = try Query(database, "DELETE FROM entry WHERE run = ?1")
        deleteSources = try Query(database, "DELETE FROM run WHERE target = ?1")
        addRows = try Query(database, "UPDATE run SET rows = rows + ?2 WHERE number = ?1")
    }

    /// Moves about as many rows as `count`, or more if little is missing to the end of a move.
    ///
    /// With `isIdle` all closed runs are moved into the largest one; else only when there are too many of one size.
    /// To be called in a transaction.
    ///
    /// Returns whether something may be left to do.
    func move(rows count: Int, openRun: Int, isIdle: Bool) throws(RPCError) -> Bool {
        try planFullLevel(openRun)
        var moved = 0
        while moved < count {
            let target: Int
            guard let current = try selectMove.first(read: { $0.int(0) }) else {
                guard isIdle, try planAll(openRun) else { return false }
                continue
            }
            target = current
            let sources = try selectSources.all(target) { (number: $0.int(0), rows: $0.int(1)) }
            while moved < count {
                guard let step = try step(from: sources.map(\.number), to: target) else { break }
                moved += step
            }
            guard moved < count else { break }
            for source in sources {
                try copyRest.run(target, source.number)
                try deleteRest.run(source.number)
                try addRows.run(target, source.rows)
            }
            try deleteSources.run(target)
        }
        return true
    }

    private func planFullLevel(_ openRun: Int) throws(RPCError) {
        let full = try selectFullLevel.first(openRun, Limits.runsPerLevelMax) { $0.int(0) }
        guard let level = full, let target = try insertTarget.first(level + 1, 0, read: { $0.int(0) }) else {
            return
        }
        try assign.run(target, level, openRun)
    }

    /// Whether there is something to be moved.
    private func planAll(_ openRun: Int) throws(RPCError) -> Bool {
        guard let largest = try selectLargest.first(openRun, read: { $0.int(0) }) else { return false }
        try assignAll.run(largest, openRun)
        return try !selectSources.all(largest) { $0.int(0) }.isEmpty
    }

    /// The first rows of all sources up to one of them, so that no source has to give many; nil if each has only few.
    private func step(from sources: [Int], to target: Int) throws(RPCError) -> Int? {
        var bound: Bound?
        for source in sources {
            let found = try selectBound.first(source, Limits.movedRowsPerStep - 1) { row in
                Bound(list: row.int(0), sort: row.int(1), key: row.bytes(2), id: row.text(3))
            }
            if let found, bound.map({ found.precedes($0) }) ?? true { bound = found }
        }
        guard let bound else { return nil }
        var moved = 0
        for source in sources {
            try copyBelow.run(target, source, bound.list, bound.sort, bound.key, bound.id)
            moved += try deleteBelow.change(source, bound.list, bound.sort, bound.key, bound.id)
        }
        return moved
    }

    /// A row, by what it is sorted by.
    private struct Bound {
        let list: Int
        let sort: Int
        let key: [UInt8]
        let id: String

        func precedes(_ other: Bound) -> Bool {
            if (list, sort) != (other.list, other.sort) { return (list, sort) < (other.list, other.sort) }
            if key != other.key { return key.lexicographicallyPrecedes(other.key) }
            return id.utf8.lexicographicallyPrecedes(other.id.utf8)
        }
    }
}
