import Glibc
import JSON
import Shared
import UV

/// The sessions that are asked for: each has another item selected.
struct Sessions {
    private let answerBytes: Int
    private let count: Int

    /// Makes them with the events that the views hand out, as a front end would.
    init(run: String, count: Int) throws(StartFailure) {
        let gateway = try Caller(path: "\(run)/gateway.sock")
        defer { gateway.close() }
        self.count = count
        var bytes = 0
        for number in 0..<count {
            var params = #""session":"bench-\#(number)""#
            var view = try gateway.call("view.get", params)["view"]
            for column in [Column.sidebar, .content] {
                let rows = column == .sidebar ? view?["sidebar"]?["sections"] : view?["content"]?["rows"]
                let all = rows.map { Self.rows($0) } ?? []
                guard !all.isEmpty, let event = all[(number / 2) % all.count]["event"] else {
                    throw StartFailure(.data, "the default catalog has nothing to select")
                }
                let raw = String(decoding: event.raw, as: UTF8.self)
                view = try gateway.call("view.send", params + #","event":"# + raw)["view"]
            }
            params = #""session":"bench-\#(number)""#
            _ = try gateway.call("view.get", params)
            bytes += gateway.lineBytes
        }
        answerBytes = bytes
    }

    /// What is asked for a session, from behind the id to the LF.
    struct Session {
        let get: [UInt8]
        /// Two events that select one item each.
        let send: [[UInt8]]
        /// The same events for the session's owner, without a view.
        var event: [[UInt8]] = []
    }

    /// The sessions that were made before.
    static func made(run: String, count: Int) throws(StartFailure) -> [Session] {
        let gateway = try Caller(path: "\(run)/gateway.sock")
        defer { gateway.close() }
        var all: [Session] = []
        for number in 0..<count {
            let session = #""session":"bench-\#(number)""#
            let view = try gateway.call("view.get", session)["view"]
            let events = view?["content"]?["rows"].map { rows($0) }?.compactMap { $0["event"] } ?? []
            guard let first = events.first, let last = events.last else {
                throw StartFailure(.data, "session bench-\(number) has nothing to select")
            }
            all.append(
                Session(
                    get: Array((#","method":"view.get","params":{"# + session + "}}\n").utf8),
                    send: [first, last].map { Self.line("view.send", session, $0) },
                    event: [first, last].map { Self.line("selection.send", session, $0) }))
        }
        return all
    }

    private static func line(_ method: String, _ session: String, _ event: JSONValue) -> [UInt8] {
        let params = session + #","event":"# + String(decoding: event.raw, as: UTF8.self)
        return Array((#","method":"\#(method)","params":{"# + params + "}}\n").utf8)
    }

    /// The mean size of a view, with its envelope and LF.
    func answerBytesMean() -> Int { answerBytes / count }

    /// The rows of sections, or rows themselves.
    private static func rows(_ value: JSONValue) -> [JSONValue] {
        value.elements.flatMap { element in element["rows"].map { Array($0.elements) } ?? [element] }
    }

    /// The processes of the services.
    static func processes(run: String) throws(StartFailure) -> [(name: String, id: Int)] {
        var all: [(name: String, id: Int)] = []
        for name in ["gateway", "catalog", "selection"] {
            let caller = try Caller(path: "\(run)/\(name).sock")
            defer { caller.close() }
            guard let id = try caller.call("rpc.info", "")["pid"]?.int else {
                throw StartFailure(.data, "\(name) does not tell its process")
            }
            all.append((name, id))
        }
        return all
    }
}
