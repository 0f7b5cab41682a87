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
        options: Window.options
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
        options: Window.options
    ) { arguments throws(StartFailure) in
        let window = try Window(arguments)
        let operands = try arguments.operands(1...1, of: "send EVENT [options]")
        let event = try JSONText.object(operands[0], called: "EVENT")
        return try window.draw(arguments, by: "send", event: event)
    }
}
