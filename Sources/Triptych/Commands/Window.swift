import JSON
import Shared

/// What `view`, `send` and `watch` have in common: a session seen in a window of text.
struct Window {
    /// The options that say which window.
    static let options: [Arguments.Option] = [
        .init("session", value: "ID", "the session (default: default)"),
        .init("catalog", value: "ID", "the catalog of a session that has none yet (default: the first one)"),
        .init("width", value: "N", "characters a line (default: $COLUMNS, else the terminal's, else 80)"),
        .init("json", "print the answer as JSON instead of drawing it"),
    ]

    let session: String?
    let catalog: String?
    let columns: Int

    init(_ arguments: Arguments) throws(StartFailure) {
        (session, catalog) = (arguments["session"], arguments["catalog"])
        columns = try arguments.number("width", Limits.textColumns, of: "characters") ?? Terminal.columns
    }

    /// Writes the params that say which window it is.
    func write(to json: inout JSONWriter, columns: Int) {
        if let session { json.member("session", session) }
        if let catalog { json.member("catalog", catalog) }
        json.member("width", columns * Limits.pointsPerTextColumn)
    }

    /// Asks for the screen and prints it.
    func draw(
        _ arguments: Arguments, by command: String, event: JSONValue? = nil
    ) throws(StartFailure) -> Int32 {
        try Peer.with("gateway", path: arguments.socket(of: "gateway")) { peer throws(StartFailure) in
            let answer = peer.call(event == nil ? "view.get" : "view.send") { json in
                write(to: &json, columns: columns)
                if let event {
                    json.key("event")
                    JSONText.write(event, to: &json)
                }
            }
            switch answer {
            case .success(let result):
                guard let view = result["view"] else {
                    throw StartFailure(
                        .unavailable, "the gateway answered without a view: is it this version?")
                }
                let drawing = TextView(view, columns: columns).lines.joined(separator: "\n")
                StandardOutput.writeLine(arguments.has("json") ? JSONText.compact(result) : drawing)
                return 0
            case .failure(let error):
                StandardError.writeLine("triptych \(command): \(error.message)")
                return 1
            }
        }
    }
}
