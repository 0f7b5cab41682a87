import JSON

/// What a caller says about a request beside its params, in `params._meta`.
///
/// ```json
/// {"deadlineMs":5000,"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}
/// ```
/// Members that nobody knows are ignored: callers' tools put their own there.
struct Meta {
    /// How long the caller waits, in milliseconds.
    var deadlineMs: Int?

    init(_ params: JSONValue?) throws(RPCError) {
        guard let meta = params?["_meta"], !meta.isNull else { return }
        guard meta.kind == .object else { throw .invalidParams("/_meta", "/_meta must be an object.") }
        guard let deadline = meta["deadlineMs"], !deadline.isNull else { return }
        guard let milliseconds = deadline.int, (0...Limits.deadlineMsMax).contains(milliseconds) else {
            throw .invalidParams(
                "/_meta/deadlineMs",
                "/_meta/deadlineMs must be a whole number from 0 to \(Limits.deadlineMsMax).")
        }
        deadlineMs = milliseconds
    }
}
