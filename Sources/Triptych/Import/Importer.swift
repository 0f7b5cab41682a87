import JSON
import Shared

/// Sends changes to the catalog service, in sets, some of them ahead of the answers.
///
/// Sets of rows follow each other without waiting. A set with a change that builds on earlier ones (a move, a
/// deletion) is sent when all before it is answered: after a refusal nothing that builds on it is done.
final class Importer {
    /// What was done so far.
    struct Totals: Equatable {
        /// Changes that were applied.
        var changes = 0
        /// The revision of the last set.
        var revision = 0
        /// The catalogs that were changed, in their order.
        var catalogs: [String] = []

        /// One line for the person who asked for it.
        func summary(seconds: Double) -> String {
            let tenths = Int(seconds * 10)
            return "\(catalogs.joined(separator: ", ")): \(Progress.grouped(changes)) changes in "
                + "\(tenths / 10).\(tenths % 10) s, revision \(revision)"
        }
    }

    /// What was applied.
    private(set) var totals = Totals()
    private let peer: Peer
    private let replaces: Bool
    private var open: ChangeSet?
    private var source = ""
    private var setsInFlight = 0
    private var isAlone = false
    private var refused: (set: ChangeSet, error: RPCError)?

    /// Makes an importer; with `replaces` each catalog is dropped before its first change.
    init(_ peer: Peer, replaces: Bool) { (self.peer, self.replaces) = (peer, replaces) }

    /// What follows is read from here.
    ///
    /// - Throws: `StartFailure` if an earlier set was refused.
    func begin(_ source: String) throws(StartFailure) {
        try flush()
        self.source = source
    }

    /// Takes a change.
    ///
    /// - Throws: `StartFailure` if an earlier set was refused.
    func add(_ change: Change) throws(StartFailure) {
        if let open, !open.hasRoom(for: change) { try flush() }
        open = open ?? ChangeSet(catalog: change.catalog, source: source)
        open?.append(change)
    }

    /// Waits until all that was taken is applied.
    ///
    /// - Throws: `StartFailure` if a set was refused.
    func finish() throws(StartFailure) {
        try flush()
        try settle(atMost: 0)
    }

    private func flush() throws(StartFailure) {
        guard let set = open else { return }
        open = nil
        try settle(atMost: set.areRows && !isAlone ? Limits.changeSetsInFlightMax - 1 : 0)
        if !totals.catalogs.contains(set.catalog) {
            totals.catalogs.append(set.catalog)
            if replaces { try drop(set.catalog) }
        }
        setsInFlight += 1
        isAlone = !set.areRows
        peer.send(
            "catalog.apply",
            params: { json in
                json.member("catalog", set.catalog)
                json.key("changes")
                json.array { json in if !set.json.isEmpty { json.value(raw: set.json) } }
                Self.writePatience(to: &json)
            },
            then: { [self] answer in
                setsInFlight -= 1
                switch answer {
                case .success(let result):
                    totals.changes += set.lines.count
                    totals.revision = result["revision"]?.int ?? totals.revision
                case .failure(let error): refused = refused ?? (set, error)
                }
            })
    }

    /// Waits until there are no more than `count` sets on their way; all of them after a refusal.
    private func settle(atMost count: Int) throws(StartFailure) {
        while setsInFlight > (refused == nil ? count : 0) { peer.wait() }
        if let refused { throw failure(of: refused.set, refused.error) }
    }

    private func drop(_ catalog: String) throws(StartFailure) {
        try settle(atMost: 0)
        let answer = peer.call("catalog.drop") { json in
            json.member("catalog", catalog)
            Self.writePatience(to: &json)
        }
        if case .failure(let error) = answer, error.reason != .notFound {
            throw StartFailure(.unavailable, "can't drop the catalog \(catalog): \(error.message)")
        }
    }

    /// A large catalog takes its time, and nobody waits for us.
    private static func writePatience(to json: inout JSONWriter) {
        json.object("_meta") { json in json.member("deadlineMs", Limits.deadlineMsMax) }
    }

    /// What the person is told, who must know how much of it is done.
    private func failure(of set: ChangeSet, _ error: RPCError) -> StartFailure {
        let isOfData =
            switch error.reason {
            case .notFound, .notPossible, .invalidParams, .conflict: true
            default: false
            }
        let applied =
            switch totals.changes {
            case 0: "Nothing is applied"
            case 1: "1 change is applied, no other"
            case let count: "\(Progress.grouped(count)) changes are applied, no others"
            }
        return StartFailure(
            isOfData ? .data : .unavailable,
            "\(set.describe(error)) \(applied): "
                + (isOfData ? "mend it, then import again." : "import again."))
    }
}
