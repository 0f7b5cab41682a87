import CSQLite

/// Decides whether the next commit may happen: for tests, where a disk is full or a process ends just then.
final class CommitQuestion {
    let mayCommit: () -> Bool

    init(_ mayCommit: @escaping () -> Bool) { self.mayCommit = mayCommit }
}

extension Database {
    /// Has each commit that writes something ask first; one that may not happen fails, and nothing of it was done.
    func askBeforeCommits(_ mayCommit: @escaping () -> Bool) {
        let question = CommitQuestion(mayCommit)
        commitQuestion = question
        unsafe sqlite3_commit_hook(
            connection,
            { raw in
                guard let raw = unsafe raw else { return 0 }
                return unsafe Unmanaged<CommitQuestion>.fromOpaque(raw).takeUnretainedValue().mayCommit()
                    ? 0 : 1
            }, Unmanaged.passUnretained(question).toOpaque())
    }
}
