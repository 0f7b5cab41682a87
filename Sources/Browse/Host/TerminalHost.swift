import Curses
import JSON
import Shared
import UV

/// Carries out what the core says: it has the terminal, the gateway and the clock.
final class TerminalHost {
    private let options: BrowseOptions
    private let loop: Loop
    private let client: Client
    private let screen: Screen
    private let askAgain: Timer
    private var core: BrowseCore
    private var keys: Poll?
    private var turnEnd: TurnEnd?
    private var signals: [Signal] = []
    private var subscription: String?
    /// Counts the calls to subscribe, so that the answer to an older one is known.
    private var subscriptions = 0
    private var isDrawingDue = true
    private var isEnding = false

    /// Takes the terminal over.
    ///
    /// - Throws: `StartFailure` if it can't be.
    init(_ options: BrowseOptions) throws(StartFailure) {
        self.options = options
        let isUTF8 = Locale.adopt()
        loop = try Loop.ofProgram()
        client = Client(
            name: "gateway", path: options.socket, loop: loop,
            log: Log(service: "triptych-browse", least: .error))
        do throws(Screen.Failure) {
            screen = try Screen(hasColours: Paths.environment("NO_COLOR") == nil)
        } catch {
            throw StartFailure(
                .unavailable,
                "no screen can be drawn on a terminal of this TERM: set it to what the terminal is, such as xterm"
            )
        }
        askAgain = Timer(on: loop)
        let size = screen.size
        core = BrowseCore(
            size: .init(columns: size.columns, rows: size.rows), cellPoints: options.cellPoints,
            charset: isUTF8 ? .unicode : .ascii)
    }

    /// Runs until the person quits; gives why it could not go on, if so.
    func run() -> UVError? {
        var failure: UVError?
        do throws(UVError) {
            // Standard input is the terminal: its end, or an error, says that it has gone.
            keys = try Poll(descriptor: 0, on: loop) { [weak self] in self?.readKeys() }
        } catch {
            failure = error
        }
        for number in [Signal.Number.interrupt, .terminate, .hangUp] { listen(number) { $0.end() } }
        listen(.windowChange) { $0.measure() }
        turnEnd = TurnEnd(on: loop) { [weak self] in self?.turnEnded() }
        client.onUp = { [weak self] in self?.take(.connected) }
        client.onDown = { [weak self] in self?.lose() }
        client.onEvent = { [weak self] _, params in self?.hear(params) }
        if failure == nil { client.start() } else { end() }
        loop.run()
        screen.end()
        return failure
    }

    private func listen(_ number: Signal.Number, _ then: @escaping (TerminalHost) -> Void) {
        let signal = try? Signal(number, on: loop) { [weak self] in self.map(then) }
        if let signal { signals.append(signal) }
    }

    private func end() {
        guard !isEnding else { return }
        isEnding = true
        keys?.close()
        askAgain.close()
        client.close()
        turnEnd?.close()
        for signal in signals { signal.close() }
    }

    // MARK: The terminal

    private func readKeys() {
        let (count, effects) = core.takeKeys { screen.nextKey() }
        isDrawingDue = true
        // A terminal that can be read and has nothing to say has gone.
        if count == 0, screen.isGone { return end() }
        carryOut(effects)
    }

    private func measure() {
        let size = screen.size
        take(.resized(.init(columns: size.columns, rows: size.rows)))
    }

    private func turnEnded() {
        if isDrawingDue, !isEnding {
            isDrawingDue = false
            screen.show(core.grid)
        }
        client.flush()
    }

    // MARK: Effects

    private func take(_ event: BrowseCore.Event) {
        isDrawingDue = true
        carryOut(core.handle(event))
    }

    private func carryOut(_ effects: [BrowseCore.Effect]) {
        for (index, effect) in effects.enumerated() {
            guard !isEnding else { return }
            switch effect {
            case .search where effects[(index + 1)...].contains(where: \.isSearch): continue
            case .subscribe(let window, let around): subscribe(window, around: around)
            case .resize(let window):
                call("view.resize") { json in window.write(to: &json) }
            case .scroll(let place):
                call("view.scroll") { json in
                    place.write(to: &json)
                } then: { [weak self] result in
                    self?.take(.scrolled(isChanged: result["changed"]?.bool == true))
                }
            case .send(let event), .search(let event):
                call("view.send") { json in
                    json.key("event")
                    json.value(event)
                }
            case .askLater:
                askAgain.start(milliseconds: Limits.askAgainMs) { [weak self] in
                    guard let self, client.isUp else { return }
                    take(.askAgain)
                }
            case .redraw: screen.forget()
            case .suspend:
                screen.suspend()
                measure()
            case .quit: end()
            }
        }
    }

    // MARK: The gateway

    private func subscribe(_ window: BrowseCore.Window, around: Identifier?) {
        if subscription != nil { call("view.unsubscribe") { _ in } }
        subscription = nil
        subscriptions += 1
        let number = subscriptions
        client.call("view.subscribe", deadline: deadline) { [options] json in
            if let session = options.session { json.member("session", session) }
            if let catalog = options.catalog { json.member("catalog", catalog) }
            window.write(to: &json)
            json.member("format", "patch")
            json.member("limit", Limits.rowsPerWindow)
            if let around { json.member("around", around.text) }
        } then: { [weak self] answer in
            guard let self, client.isUp, number == subscriptions else { return }
            switch answer {
            case .success(let result):
                guard let id = result["subscription"]?.string, let view = result["view"] else {
                    return take(
                        .subscribeRefused(
                            "the gateway answered without a view: is it this version?", isRetryable: false))
                }
                subscription = id
                take(.subscribed(JSONTree(view)))
            case .failure(let error):
                take(.subscribeRefused(error.message, isRetryable: error.reason.isRetryable))
            }
        }
    }

    private var deadline: UInt64 { loop.now + Limits.answerMsMax }

    /// Calls a method of the subscription; a refusal is said in the last row.
    private func call(
        _ method: String, params: (inout JSONWriter) -> Void, then: @escaping (JSONValue) -> Void = { _ in }
    ) {
        guard let subscription else { return }
        client.call(method, deadline: deadline) { json in
            json.member("subscription", subscription)
            params(&json)
        } then: { [weak self] answer in
            guard let self, client.isUp, self.subscription == subscription else { return }
            switch answer {
            case .success(let result): then(result)
            case .failure(let error):
                take(.scrolled(isChanged: false))
                take(.refused(error.message))
            }
        }
    }

    private func hear(_ params: JSONValue) {
        guard let subscription, params["subscription"]?.string == subscription else { return }
        if let reason = params["ended"]?.string {
            self.subscription = nil
            take(.ended(reason))
        } else if let view = params["view"] {
            take(.changed(JSONTree(view)))
        } else if let patch = params["patch"] {
            take(.patched(JSONTree(patch)))
        }
    }

    private func lose() {
        subscription = nil
        guard !isEnding else { return }
        take(.lost)
    }
}

extension BrowseCore.Effect {
    fileprivate var isSearch: Bool { if case .search = self { true } else { false } }
}

extension BrowseCore.Window {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("width", width)
        json.member("height", height)
    }
}

extension BrowseCore.Place {
    fileprivate func write(to json: inout JSONWriter) {
        switch self {
        case .around(let id): json.member("around", id.text)
        case .before(let cursor): json.member("before", cursor)
        case .after(let cursor): json.member("after", cursor)
        }
    }
}
