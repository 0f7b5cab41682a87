import Shared

/// A window that is kept current: what it is, what it shows, and what has happened to it since.
struct Window {
    let subscription: SubscriptionID
    let connection: ConnectionID
    let session: Identifier
    let isPatch: Bool
    /// Its size, and how many rows it shows.
    var frame: ViewWindow
    /// Where its session is, as of the last event.
    var state: SessionState
    /// Whether every change of the session has been told since `state` was.
    var isStateCurrent: Bool
    /// The catalog it shows.
    var catalog: Identifier?
    var isTwoColumn: Bool
    /// What its columns do as of `state`; nil while it is collapsed.
    var resolved: Layout.Resolved?
    /// Where its rows are held.
    var hold: ListHold?
    /// The item that was selected since it was last drawn.
    var chosen: Identifier?
    /// The view that its subscriber has.
    var shown: KeptView
    /// When it changed last: later is more.
    var changedAt = 0
    /// Whether it has to be drawn again.
    var isDirty = false
    /// Whether it waits for `Effect.wake` to be drawn again.
    var isWaiting = false
    /// The job that draws it.
    var drawing: GatewayCore.JobID?
    /// Its subscriber reads too slowly: it is told the whole view when it has caught up.
    var isLagging = false
    /// He has caught up, and the view that he is owed is being drawn.
    var hasCaughtUp = false
    /// Its session is gone; why is being asked.
    var isEnding = false

    /// Takes what has become of the session: each change moves the columns on from what they were.
    mutating func apply(_ new: SessionState, cause: LayoutCause) {
        let before = Set(state.items)
        let chosen = new.items.first { !before.contains($0) }
        state = new
        if let chosen { self.chosen = chosen }
        resolve(cause, isChoice: chosen != nil)
    }

    /// Takes another size; a window that was collapsed expands as if it had shown nothing before.
    mutating func resize(_ resize: ViewWindow.Resize) {
        frame = frame.resized(resize)
        self.resolve(.resize, isChoice: false)
    }

    private mutating func resolve(_ cause: LayoutCause, isChoice: Bool) {
        guard !frame.isCollapsed else {
            resolved = nil
            return
        }
        let change = WindowChange(cause: cause, previous: resolved, isChoice: isChoice)
        resolved = Layout(state, frame, isTwoColumn: isTwoColumn, change).resolved
    }

    /// How it is drawn: as it is, since `resolved` has all that has happened.
    var change: WindowChange { WindowChange(cause: .contentChange, previous: resolved) }
}
