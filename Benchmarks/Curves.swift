import Glibc
import Shared

/// How the product does when one thing grows and all else stays: connections, requests in flight, the rows of a view, sessions,
/// and items of a catalog.
struct Curves {
    /// One line of a picture.
    struct Line {
        let name: String
        /// What grows, and the requests a second.
        var points: [(at: Double, value: Double)] = []
    }

    private let product: Target
    private let composing: Target
    private let floor: Target
    private let run: String
    private let sessions: [Sessions.Session]
    private let milliseconds: Int
    private let rounds: Int

    init(
        product: Target, composing: Target, floor: Target, run: String, sessions: [Sessions.Session],
        rounds: Int,
        milliseconds: Int
    ) {
        (self.product, self.composing, self.floor, self.run) = (product, composing, floor, run)
        (self.sessions, self.rounds, self.milliseconds) = (sessions, rounds, milliseconds)
    }

    /// Measures everything, prints it, and draws it.
    func draw(to path: String) throws(StartFailure) {
        let charts = [
            Chart(
                title: "Connections, 16 requests in flight on each",
                lines: try lines([1, 2, 4, 8, 16, 32, 64, 128, 256, 512], floored: true) {
                    ($0, 16, sessions)
                }),
            Chart(
                title: "Requests in flight on one connection",
                lines: try lines([1, 2, 4, 8, 16, 32, 64, 128, 256], floored: true) { (1, $0, sessions) }),
            Chart(
                title: "Rows of a view (16 connections, 16 in flight)",
                lines: try lines([1, 5, 20, 50, 100, 200, 500]) { rows throws(StartFailure) in
                    (16, 16, try pages(rows: rows))
                }),
            Chart(
                title: "Sessions (16 connections, 16 in flight)",
                lines: try lines([1, 10, 100, 1_000].filter { $0 <= sessions.count }) {
                    (16, 16, Array(sessions.prefix($0)))
                }),
            Chart(
                title: "Items of the category (16 connections, 16 in flight)",
                lines: try lines([100, 1_000, 10_000, 100_000]) { items throws(StartFailure) in
                    (16, 16, try pages(of: items))
                }),
        ]
        guard let file = unsafe fopen(path, "we") else {
            throw StartFailure(.cannotCreate, "can't write \(path)")
        }
        let picture = Chart.picture(charts)
        let written = unsafe fputs(picture, file)
        guard unsafe fclose(file) == 0, written >= 0 else {
            throw StartFailure(.io, "can't write all of \(path)")
        }
    }

    /// The medians of some rounds, for the product as it is, for one that keeps no views, and for the floor.
    private func lines(
        _ sizes: [Int], floored: Bool = false,
        _ asked: (Int) throws(StartFailure) -> (connections: Int, inFlight: Int, sessions: [Sessions.Session])
    ) throws(StartFailure) -> [Line] {
        var lines = [Line(name: "kept views"), Line(name: "composed views")]
        if floored { lines.append(Line(name: "bare server")) }
        let targets = [product, composing, floor]
        for size in sizes {
            let (connections, inFlight, sessions) = try asked(size)
            for index in lines.indices {
                var all: [Figures] = []
                for round in 0...rounds {
                    let one = try Figures.measure(
                        targets[index],
                        Case(connections: connections, inFlight: inFlight, sessions: sessions.count),
                        sessions: sessions, milliseconds: milliseconds)
                    // The first round warms up.
                    if round > 0 { all.append(one) }
                }
                let median = Figures.median(all)
                lines[index].points.append((Double(size), median.requestsPerSecond))
                print(
                    "\(size): \(lines[index].name) \(Int(median.requestsPerSecond)) requests/s,",
                    "p50 \(Int(median.p50Microseconds)) us, p99 \(Int(median.p99Microseconds)) us")
            }
        }
        return lines
    }

    // MARK: Catalogs

    /// Views with so many rows, of a list that has more.
    private func pages(rows: Int) throws(StartFailure) -> [Sessions.Session] {
        try makeCatalog(items: 1_000)
        return windows(items: 1_000, limit: rows)
    }

    /// Views of places all over a list of so many items.
    private func pages(of items: Int) throws(StartFailure) -> [Sessions.Session] {
        try makeCatalog(items: items)
        return windows(items: items, limit: 20)
    }

    private func windows(items: Int, limit: Int) -> [Sessions.Session] {
        (0..<256).map { number in
            let item = number * 7_919 % items
            let params =
                #""session":"curve-\#(items)","limit":\#(limit),"around":"\#(LargeCatalog.item(item))""#
            return Sessions.Session(
                get: Array((#","method":"view.get","params":{"# + params + "}}\n").utf8), send: [])
        }
    }

    /// Makes a catalog of one category, and a session that shows it, unless they are there.
    private func makeCatalog(items: Int) throws(StartFailure) {
        let catalog = try Caller(path: "\(run)/catalog.sock")
        defer { catalog.close() }
        let id = "curve-\(items)"
        func apply(_ changes: [String]) throws(StartFailure) {
            _ = try catalog.call(
                "catalog.apply", #""catalog":"\#(id)","changes":[\#(changes.joined(separator: ","))]"#)
        }
        try apply([
            #"{"op":"putCatalog","title":"\#(items) items"}"#,
            #"{"op":"putCategory","category":{"id":"all","title":"All"}}"#,
        ])
        for start in stride(from: 0, to: items, by: 1_000) {
            try apply(
                (start..<min(items, start + 1_000)).map { number in
                    let title = "Item \(number)"
                    return
                        #"{"op":"putItem","item":{"id":"\#(LargeCatalog.item(number))","title":"\#(title)","categories":["all"]}}"#
                })
        }
        let gateway = try Caller(path: "\(run)/gateway.sock")
        defer { gateway.close() }
        _ = try gateway.call(
            "view.send",
            #""session":"\#(id)","catalog":"\#(id)","event":{"type":"select","column":"sidebar","id":"all"}"#)
    }
}
