import Curses
import JSON
import Shared

// What a terminal front end knows and does, without a terminal and without a gateway: keys and views go in, what is
// to be sent comes out. It decides nothing about the view: what it sends, the view handed out.

/// The state of the front end.
struct BrowseCore {
    /// What happened.
    enum Event {
        /// The terminal has this size.
        case resized(Scene.Size)
        case key(Key)
        /// The gateway can be asked.
        case connected
        /// The connection to the gateway is lost; it is tried again.
        case lost
        /// The answer to `subscribe`.
        case subscribed(JSONTree)
        /// `subscribe` was refused, and is worth another try or not.
        case subscribeRefused(String, isRetryable: Bool)
        /// It is time to try again.
        case askAgain
        /// The view is another one.
        case changed(JSONTree)
        /// The view is another one by this patch.
        case patched(JSONTree)
        /// There is no view any more.
        case ended(String)
        /// The answer to `scroll`.
        case scrolled(isChanged: Bool)
        /// Something that was sent was refused.
        case refused(String)
    }

    /// A window, in points.
    struct Window: Equatable {
        let width: Int
        let height: Int
    }

    /// Which rows of the list to show.
    enum Place: Equatable {
        case around(Identifier)
        case before(String)
        case after(String)
    }

    /// What to do.
    enum Effect: Equatable {
        /// Ask for the view and its changes; replaces what was asked for before.
        case subscribe(Window, around: Identifier?)
        case resize(Window)
        case scroll(Place)
        /// Send an event that the view has handed out.
        case send(ViewEvent)
        /// Send a search; of several in a row the last one is enough.
        case search(ViewEvent)
        case askLater
        /// Send all of the screen to the terminal again.
        case redraw
        case suspend
        case quit
    }

    /// Where to go in a list when its other rows are there.
    enum Landing { case first, last }

    let cellPoints: Int
    let charset: Charset
    private(set) var size: Scene.Size
    private(set) var document: JSONTree?
    private(set) var scene: Scene
    var state = Browsing()
    /// Whether other rows were asked for and are not there yet.
    var isScrolling = false
    var landing: Landing?
    /// Lines to go on by when the rows are there that were asked for; at most a screen.
    var owedLines = 0

    init(size: Scene.Size, cellPoints: Int, charset: Charset) {
        (self.size, self.cellPoints, self.charset) = (size, cellPoints, charset)
        scene = Scene(nil, size: size, cellPoints: cellPoints, charset: charset)
    }

    /// What the terminal shows.
    var grid: Grid { Painter.draw(scene, state) }

    var view: ViewModel? { scene.view }

    /// The size of the terminal as the gateway is told it.
    var window: Window {
        func clamped(_ points: Int) -> Int {
            min(max(points, Limits.windowPoints.lowerBound), Limits.windowPoints.upperBound)
        }
        return Window(
            width: clamped(size.columns * cellPoints),
            height: clamped(size.rows * cellPoints * Limits.cellHeightInWidths))
    }

    // MARK: Events

    /// Takes an event, and says what is to be done.
    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .resized(let size): return resize(size)
        case .key(let key): return take(key)
        case .connected, .askAgain: return isEnded ? [] : [subscription]
        case .lost:
            (isScrolling, owedLines) = (false, 0)
            if state.link != .connecting, !isEnded { state.link = .away }
        case .subscribed(let view):
            state.link = .live
            owedLines = 0
            return show(view)
        case .subscribeRefused(let message, let isRetryable):
            state.link = .refused(message)
            return isRetryable ? [.askLater] : []
        case .changed(let view): return show(view)
        case .patched(let patch):
            guard var view = document else { return [subscription] }
            do throws(JSONTree.PatchFailure) {
                try view.apply(patch)
            } catch {
                // Something was missed: the whole view makes it good.
                return [subscription]
            }
            return show(view)
        case .ended(let reason): state.link = .ended(reason)
        case .scrolled(let isChanged):
            if !isChanged { (isScrolling, landing, owedLines) = (false, nil, 0) }
        case .refused(let message): state.message = message
        }
        return []
    }

    /// Whether there is nothing to look at any more, which no new connection changes.
    private var isEnded: Bool { if case .ended = state.link { true } else { false } }

    /// Asks for the view; of a list that is longer than what was shown of it the same part again.
    var subscription: Effect {
        guard let list = view?.list, let page = list.column.page, page.before != nil || page.after != nil,
            let cursor = state[list.name].cursor, cursor.kind == .row
        else { return .subscribe(window, around: nil) }
        return .subscribe(window, around: cursor.id)
    }

    private mutating func resize(_ size: Scene.Size) -> [Effect] {
        guard size != self.size else { return [] }
        self.size = size
        rebuild(view)
        return state.link == .live ? [.resize(window)] : []
    }

    private mutating func show(_ view: JSONTree) -> [Effect] {
        document = view
        isScrolling = false
        rebuild(ViewModel(view))
        return goOn()
    }

    private mutating func rebuild(_ view: ViewModel?) {
        let before = scene
        scene = Scene(view, size: size, cellPoints: cellPoints, charset: charset)
        reconcile(with: before)
        landing = nil
    }
}
