import JSON
import Shared

extension Command {
    /// `triptych view`: the screen of a session as text.
    static let view = Command(
        name: "view", operands: "[options]",
        summary: "Draws the screen of a session as text.",
        details: """
            The screen is asked for at 8 points a character, so that a narrow terminal gets a stack.

              triptych view
              triptych view --session left --catalog bands --width 60
            """,
        options: windowOptions
    ) { arguments throws(StartFailure) in
        let window = try Window(arguments)
        guard arguments.operands.isEmpty else {
            throw StartFailure(.usage, "view takes no operands; to send an event: triptych send EVENT")
        }
        return try window.draw(arguments, by: "view")
    }

    /// `triptych send`: an event, and the screen that it leads to.
    static let send = Command(
        name: "send", operands: "EVENT [options]",
        summary: "Sends an event to a session and draws the screen that it leads to.",
        details: """
            EVENT is a JSON object: an "event" that a view contains, completed by what a person typed.

              triptych send '{"type":"select","column":"sidebar","id":"breakfast"}'
              triptych send '{"type":"search","scope":"catalog","text":"egg"}'
            """,
        options: windowOptions
    ) { arguments throws(StartFailure) in
        let window = try Window(arguments)
        let operands = try arguments.operands(1...1, of: "send EVENT [options]")
        let event = try JSONText.object(operands[0], called: "EVENT")
        return try window.draw(arguments, by: "send", event: event)
    }

    private static let windowOptions: [Arguments.Option] = [
        .init("session", value: "ID", "the session (default: default)"),
        .init("catalog", value: "ID", "the catalog of a session that has none yet (default: the first one)"),
        .init("width", value: "N", "characters a line (default: $COLUMNS, else the terminal's, else 80)"),
        .init("json", "print the answer as JSON instead of drawing it"),
    ]
}

/// What `view` and `send` have in common: a session seen in a window of text.
private struct Window {
    let session: String?
    let catalog: String?
    let columns: Int

    init(_ arguments: Arguments) throws(StartFailure) {
        (session, catalog) = (arguments["session"], arguments["catalog"])
        guard let text = arguments["width"] else {
            columns = Terminal.columns
            return
        }
        guard let number = Int(text), Limits.textColumns.contains(number) else {
            let (least, most) = (Limits.textColumns.lowerBound, Limits.textColumns.upperBound)
            throw StartFailure(.usage, "--width is a whole number of characters from \(least) to \(most)")
        }
        columns = number
    }

    /// Asks for the screen and prints it.
    func draw(
        _ arguments: Arguments, by command: String, event: JSONValue? = nil
    ) throws(StartFailure) -> Int32 {
        try Peer.with("gateway", path: arguments.socket(of: "gateway")) { peer throws(StartFailure) in
            let answer = peer.call(event == nil ? "view.get" : "view.send") { json in
                if let session { json.member("session", session) }
                if let catalog { json.member("catalog", catalog) }
                if let event {
                    json.key("event")
                    JSONText.write(event, to: &json)
                }
                json.member("width", columns * Limits.pointsPerTextColumn)
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
