import JSON
import Shared
import UV

extension Command {
    /// `triptych watch`: the screen of a session, drawn again whenever it changes.
    static let watch = Command(
        name: "watch", operands: "[options]",
        summary: "Draws the screen of a session and draws it again whenever it changes.",
        details: """
            It goes on until Ctrl-C, follows the size of the terminal, and connects again when the gateway was away.

              triptych watch
              triptych watch --session left --json | jq .revision
            """,
        options: Window.options
    ) { arguments throws(StartFailure) in
        let window = try Window(arguments)
        guard arguments.operands.isEmpty else { throw StartFailure(.usage, "watch takes no operands") }
        let watching = try Watching(
            window, path: arguments.socket(of: "gateway"), isJSON: arguments.has("json"),
            followsTerminal: !arguments.has("width"))
        return watching.run()
    }
}

/// A subscription to one window's view, for as long as the command runs.
private final class Watching {
    private let window: Window
    private let isJSON: Bool
    private let followsTerminal: Bool
    private let loop: Loop
    private let client: Client
    private let turnEnd: TurnEnd
    private var signals: [Signal] = []
    private var columns: Int
    private var subscription: String?
    private var lastDrawing: String?
    private var status: Int32 = 0
    private var isLost = false

    init(_ window: Window, path: String, isJSON: Bool, followsTerminal: Bool) throws(StartFailure) {
        (self.window, self.isJSON, self.followsTerminal) = (window, isJSON, followsTerminal)
        columns = window.columns
        loop = try Loop.ofProgram()
        let client = Client(
            name: "gateway", path: path, loop: loop, log: Log(service: "triptych", least: .error))
        self.client = client
        turnEnd = TurnEnd(on: loop) { client.flush() }
    }

    /// Runs until Ctrl-C, or until there is nothing to watch any more, and gives the exit status.
    func run() -> Int32 {
        for number in [Signal.Number.interrupt, .terminate] { listen(number) { $0.end(0) } }
        if followsTerminal { listen(.windowChange) { $0.resize() } }
        client.onUp = { [weak self] in self?.subscribe() }
        client.onDown = { [weak self] in self?.lose() }
        client.onEvent = { [weak self] _, params in self?.take(params) }
        client.start()
        loop.run()
        return status
    }

    private func listen(_ number: Signal.Number, _ then: @escaping (Watching) -> Void) {
        let signal = try? Signal(number, on: loop) { [weak self] in self.map(then) }
        if let signal { signals.append(signal) }
    }

    private func end(_ status: Int32, _ message: String? = nil) {
        self.status = status
        if let message { StandardError.writeLine("triptych watch: \(message)") }
        client.close()
        turnEnd.close()
        for signal in signals { signal.close() }
    }

    // MARK: The subscription

    private func subscribe() {
        call("view.subscribe") { [window, columns] json in
            window.write(to: &json, columns: columns)
        } then: { result in
            guard let view = result["view"], let id = result["subscription"]?.string else {
                return self.end(1, "the gateway answered without a view: is it this version?")
            }
            self.subscription = id
            self.isLost = false
            self.show(view)
        }
    }

    private func resize() {
        guard let subscription, Terminal.columns != columns else { return }
        columns = Terminal.columns
        call("view.resize") { [columns] json in
            json.member("subscription", subscription)
            json.member("width", columns * Limits.pointsPerTextColumn)
        } then: { _ in
        }
    }

    private func call(
        _ method: String, params: (inout JSONWriter) -> Void, then: @escaping (JSONValue) -> Void
    ) {
        client.call(method, deadline: loop.now + Limits.answerMsMax, params: params) { [weak self] answer in
            guard let self, client.isUp else { return }
            switch answer {
            case .success(let result): then(result)
            case .failure(let error): end(1, error.message)
            }
        }
    }

    private func take(_ params: JSONValue) {
        guard params["subscription"]?.string == subscription else { return }
        if let reason = params["ended"]?.string {
            return end(1, "there is nothing to watch any more: \(reason)")
        }
        if let view = params["view"] { show(view) }
    }

    private func lose() {
        subscription = nil
        guard !turnEnd.isClosing, !isLost else { return }
        isLost = true
        StandardError.writeLine(
            "triptych watch: the gateway can't be reached; trying again (start it with deploy/run-all.sh)")
    }

    // MARK: Drawing

    private func show(_ view: JSONValue) {
        if isJSON { return StandardOutput.writeLine(JSONText.compact(view)) }
        let lines = TextView(view, columns: columns).lines
        let drawing = lines.joined(separator: "\n")
        guard drawing != lastDrawing else { return }
        lastDrawing = drawing
        guard Terminal.isOutputSeen else { return StandardOutput.writeLine(drawing + "\n") }
        // Home, then each line with the rest of it cleared, then all below: nothing flickers.
        StandardOutput.writeLine(
            "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n") + "\u{1B}[J")
    }
}
