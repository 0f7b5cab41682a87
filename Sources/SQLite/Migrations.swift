// A schema is a list of steps that only grows; `user_version` of the file says how many of them it has been through.

/// Why a file's schema can't be brought up to date.
public enum MigrationFailure: Error, Equatable, CustomStringConvertible {
    /// A later version of the program has made or changed the file.
    case newer(found: Int, known: Int)
    /// A step failed; the file is as it was before that step.
    case failed(SQLiteError)

    /// What is wrong.
    public var description: String {
        switch self {
        case .newer(let found, let known):
            "its schema is version \(found), but this program knows only up to version \(known)"
        case .failed(let error): "\(error)"
        }
    }
}

extension Database {
    /// How many steps the schema has been through.
    ///
    /// - Throws: `SQLiteError`, also if the file is no database.
    public func schemaVersion() throws(SQLiteError) -> Int {
        try prepare("PRAGMA user_version").first { $0.int(0) } ?? 0
    }

    /// Does the steps that the file has not been through yet, each in a transaction of its own.
    ///
    /// - Throws: `MigrationFailure`.
    public func migrate(_ steps: [String]) throws(MigrationFailure) {
        let version: Int
        do throws(SQLiteError) { version = try schemaVersion() } catch { throw .failed(error) }
        guard version <= steps.count else { throw .newer(found: version, known: steps.count) }
        for (index, step) in steps.enumerated().dropFirst(version) {
            do throws(SQLiteError) {
                try transaction { () throws(SQLiteError) in
                    try execute(step)
                    try execute("PRAGMA user_version=\(index + 1)")
                }
            } catch {
                throw .failed(error)
            }
        }
    }
}
