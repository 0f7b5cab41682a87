/// What the terminal says of its keys.
enum Help {
    /// All keys, and what they do.
    static let keys: [(keys: String, what: String)] = [
        ("Up Down  j k", "move, or scroll the detail"),
        ("PgUp PgDn  Ctrl-u Ctrl-d", "move by a screen, by half of one"),
        ("Home End  g G", "to the beginning, to the end"),
        ("Enter", "choose; again: on to the next column"),
        ("Space", "fold or unfold"),
        ("Left Right  h l", "fold or unfold, else to the next column"),
        ("Tab  Shift-Tab", "to the next column, to the one before"),
        ("Esc  Backspace", "back, or put away what lies over"),
        ("[ ]  Alt-Left Alt-Right", "back and forward in the history"),
        ("/", "search"),
        ("s", "order of the list"),
        ("t", "show or hide the sidebar"),
        ("x", "put away what lies over"),
        ("Ctrl-l", "draw everything again"),
        ("Ctrl-z", "suspend"),
        ("?", "these keys"),
        ("q  Ctrl-c", "quit"),
    ]

    /// The keys of the last row, the most important ones first.
    static func hints(_ view: ViewModel?, isUnicode: Bool) -> [(String, String)] {
        var hints = [("?", "help"), ("q", "quit")]
        guard let view else { return hints }
        hints.append((isUnicode ? "↵" : "Enter", "choose"))
        if view.dismiss != nil {
            hints.append(("Esc", "put away"))
        } else if view.back != nil {
            hints.append(("Esc", "back"))
        }
        if view.frames.count > 1 { hints.append(("Tab", "column")) }
        if view.list?.column.search != nil { hints.append(("/", "search")) }
        if view.list?.column.sort?.options.isEmpty == false { hints.append(("s", "order")) }
        if view.toggle != nil { hints.append(("t", "sidebar")) }
        if view.historyBack != nil || view.historyForward != nil { hints.append(("[ ]", "history")) }
        return hints
    }
}
