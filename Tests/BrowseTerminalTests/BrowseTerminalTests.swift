import Glibc
import TestSupport
import Testing

/// The front end in a real terminal, against real services.
@Suite(.serialized, .enabled(if: Terminal.isThere, "needs tmux"))
struct BrowseTerminalTests {
    private func with(
        columns: Int, rows: Int, locale: String = "C.UTF-8", books: Int = 40,
        _ body: (Terminal) throws -> Void
    ) throws {
        let terminal = try Terminal(rows: books)
        defer { terminal.finish() }
        try terminal.open(columns: columns, rows: rows, locale: locale)
        try body(terminal)
    }

    @Test func aPersonFindsTheirWayAndTheTerminalIsGivenBack() throws {
        try with(columns: 120, rows: 24) { terminal in
            try terminal.browse()
            try terminal.until("the catalog is there") { $0.contains("Library") && $0.contains("Novels") }
            try terminal.keys("Enter")
            try terminal.until("its books are there") { $0.contains("Book 1 ") && $0.contains("▌Novels") }
            try terminal.keys("Right j Enter")
            try terminal.until("a book is there") { $0.contains("About book 2.") }
            try terminal.keys("'['")
            try terminal.until("it goes back in the history") { !$0.contains("About book 2.") }
            try terminal.keys("M-Right")
            try terminal.until("and forward") { $0.contains("About book 2.") }
            try terminal.type("/book 17")
            try terminal.until("a search is typed") {
                $0.contains("Search: book 17") && !$0.contains("Book 3 ")
            }
            try terminal.keys("Enter")
            try terminal.until("it is kept") { $0.contains("/ book 17") && !$0.contains("Search:") }
            try terminal.keys("q")
            try terminal.until("the shell is back") { $0.contains("ready>") && !$0.contains("Library") }
            try terminal.type("stty -a; echo status $?")
            try terminal.keys("Enter")
            try terminal.until("the terminal is as it was") {
                $0.contains("status 0") && $0.contains("isig icanon iexten echo echoe")
            }
        }
    }

    @Test func itFollowsTheSizeOfTheTerminal() throws {
        try with(columns: 120, rows: 24) { terminal in
            try terminal.browse()
            try terminal.until("the catalog is there") { $0.contains("Novels") }
            try terminal.keys("Enter")
            try terminal.until("its books are there") { $0.contains("Book 1 ") }
            try terminal.keys("Right Enter")
            try terminal.until("a book is there") { $0.contains("About book 1.") && $0.contains("Novels") }
            try terminal.resize(columns: 80, rows: 24)
            try terminal.until("the sidebar has no room") {
                $0.contains("About book 1.") && !$0.contains("Categories")
            }
            try terminal.resize(columns: 40, rows: 12)
            try terminal.until("one column is left") {
                $0.contains("‹ Novels") && $0.contains("About book 1.")
            }
            try terminal.keys("Escape")
            try terminal.until("the way back") { $0.contains("‹ Categories") && $0.contains("Book 3") }
            try terminal.resize(columns: 20, rows: 5)
            try terminal.until("a tiny terminal") { $0.contains("← Novels") && $0.contains("Book 1") }
            try terminal.resize(columns: 1, rows: 1)
            try terminal.resize(columns: 120, rows: 24)
            try terminal.until("all is back") { $0.contains("Categories") && $0.contains("Book 20") }
        }
    }

    @Test func whatOthersDoIsSeen() throws {
        try with(columns: 120, rows: 24) { terminal in
            try terminal.browse()
            try terminal.until("the catalog is there") { $0.contains("Novels") }
            let gateway = try terminal.harness.connect("gateway")
            defer { gateway.close() }
            _ = try gateway.call(
                "view.send", #"{"session":"s","catalog":"c","event":{"type":"open","item":"a3"}}"#)
            try terminal.until("somebody opened a book") { $0.contains("About book 3.") }
            let catalog = try terminal.harness.connect("catalog")
            defer { catalog.close() }
            try terminal.tmux("pipe-pane -O 'cat > \(terminal.directory)/written'")
            let change =
                #"{"op":"putItem","item":{"id":"a5","title":"Another Title","categories":["A"],"blocks":[]}}"#
            _ = try catalog.call("catalog.apply", #"{"catalog":"c","changes":[\#(change)]}"#)
            try terminal.until("somebody changed a book") { $0.contains("Another Title") }
            // Only what differs was written: the words of one row.
            var written = ""
            try terminal.harness.until("what was written is there", seconds: 20) {
                written = (try? Contracts.read("\(terminal.directory)/written")) ?? ""
                return written.contains("Another")
            }
            #expect(written.utf8.count < 200, "\(written.utf8.count) bytes")
            _ = try gateway.call("view.send", #"{"session":"s","event":{"type":"reset"}}"#)
            try terminal.until("the beginning") { $0.contains("No Category Selected") }
            _ = try catalog.call("catalog.drop", #"{"catalog":"c"}"#)
            try terminal.until("the end") { $0.contains("catalog dropped: Enter begins again, q quits") }
        }
    }

    @Test func aGatewayThatGoesAwayIsWaitedFor() throws {
        try with(columns: 120, rows: 24) { terminal in
            try terminal.browse()
            try terminal.until("the catalog is there") { $0.contains("Novels") }
            try terminal.keys("Enter")
            try terminal.until("its books are there") { $0.contains("Book 3") }
            try terminal.stop("gateway")
            try terminal.until("it is said, and all stays on the screen") {
                $0.contains("gateway is away, trying again…") && $0.contains("Book 3")
            }
            try terminal.start("gateway")
            try terminal.until("it is there again") {
                !$0.contains("gateway is away") && $0.contains("Book 3")
            }
            try terminal.keys("Right Enter")
            try terminal.until("it can be used") { $0.contains("About book 1.") }
        }
    }

    @Test func keysOfTheTerminalStopAndEndIt() throws {
        try with(columns: 100, rows: 24) { terminal in
            try terminal.browse()
            try terminal.until("the catalog is there") { $0.contains("Library") }
            try terminal.keys("C-z")
            try terminal.until("the shell has the terminal") {
                $0.contains("Stopped") && $0.contains("ready>")
            }
            try terminal.type("fg")
            try terminal.keys("Enter")
            try terminal.until("it goes on") { $0.contains("Library") && !$0.contains("Stopped") }
            try terminal.keys("C-c")
            try terminal.until("the shell is back") { $0.contains("ready>") && !$0.contains("Library") }
        }
    }

    @Test func theMouseChoosesAndScrolls() throws {
        try with(columns: 120, rows: 24) { terminal in
            try terminal.browse()
            try terminal.until("the catalog is there") { $0.contains("Novels") }
            // Button 1 at row 4, column 6, as terminals of this kind tell it: both from 1, plus 32.
            try terminal.type("\u{1B}[M &$")
            try terminal.until("a click chooses") { $0.contains("Book 1 ") }
            try terminal.type("\u{1B}[MaP*")
            try terminal.until("the wheel scrolls") { !$0.contains("Book 1 ") && $0.contains("Book 22") }
        }
    }

    @Test func whatACatalogSaysNeverReachesTheTerminalAsIs() throws {
        try with(columns: 120, rows: 24) { terminal in
            try terminal.tmux("pipe-pane -O 'cat > \(terminal.directory)/written'")
            try terminal.browse()
            try terminal.until("the title is there") { $0.contains("Poems \u{FFFD}[31m日本 👍") }
            let written = try Contracts.read("\(terminal.directory)/written")
            #expect(!written.contains("Poems \u{1B}"))
        }
    }

    @Test func aTerminalWithoutUTF8GetsASCII() throws {
        try with(columns: 120, rows: 24, locale: "C") { terminal in
            try terminal.browse()
            try terminal.until("the title is there") { $0.contains("Poems ?[31m?? ?") }
            #expect(terminal.screen.utf8.allSatisfy { $0 < 0x80 })
        }
    }

    @Test func aLongListIsScrolledThrough() throws {
        try with(columns: 120, rows: 24, books: 900) { terminal in
            try terminal.browse()
            try terminal.until("the catalog is there") { $0.contains("Novels") }
            try terminal.keys("Enter Right")
            try terminal.until("its books are there") { $0.contains("1/900") }
            for place in [200, 300, 400, 500, 600, 700, 800, 900] {
                try terminal.until("row \(place)") { screen in
                    guard !screen.contains(" \(place)/900") else { return true }
                    _ = try? terminal.keys("NPage")
                    return Self.place(screen) >= place
                }
            }
            try terminal.until("the end") { $0.contains("Book 900") && $0.contains("900/900") }
        }
    }

    /// The number before `/900` on the screen.
    private static func place(_ screen: String) -> Int {
        guard let end = screen.firstRange(of: "/900") else { return 0 }
        let digits = screen[..<end.lowerBound].reversed().prefix { $0.isNumber }
        return Int(String(digits.reversed())) ?? 0
    }
}
