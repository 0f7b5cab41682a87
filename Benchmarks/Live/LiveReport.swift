import JSON
import Shared
import UV

/// What windows that are kept current cost.
struct LiveReport {
    private let path: String
    private let gateway: Int
    private let rounds: Int

    init(run: String, rounds: Int) throws(StartFailure) {
        path = "\(run)/gateway.sock"
        self.rounds = rounds
        guard let gateway = try Sessions.processes(run: run).first(where: { $0.name == "gateway" }) else {
            throw StartFailure(.data, "there is no gateway")
        }
        self.gateway = gateway.id
    }

    /// Measures and prints all.
    func perform() throws(StartFailure) {
        try slowReaders()
        for format in ["patch", "full"] { try fanOut(format) }
        try manySessions()
    }

    private static func median(_ all: [Double]) -> Double { all.sorted()[all.count / 2] }

    static func fixed(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    private static func spread(_ all: [Double]) -> String {
        let sorted = all.sorted()
        return "\(fixed(median(all))) (\(fixed(sorted[0])) - \(fixed(sorted[sorted.count - 1])))"
    }

    private func processor() -> Double { Double(ProcessUsage.nanoseconds(of: gateway)) / 1e6 }

    // MARK: One session, many windows

    private func fanOut(_ format: String) throws(StartFailure) {
        let crowd = try LiveCrowd(path: path, connections: 100)
        defer { crowd.close() }
        try crowd.call("view.send", LiveCrowd.creation("live"))
        _ = try crowd.subscribe(format: format) { _ in Array(repeating: "live", count: 10) }
        var (heard, last): (Int, UInt64) = (0, 0)
        for connection in crowd.connections {
            connection.onEvent = { _ in
                heard += 1
                last = Loop.nanoseconds
            }
        }
        var (first, times, costs): ([Double], [Double], [Double]) = ([], [], [])
        for number in 0..<(rounds * 4 + 2) {
            heard = 0
            let (begin, before) = (Loop.nanoseconds, processor())
            var answered: UInt64 = 0
            crowd.sender.call("view.send", LiveCrowd.event("live", number)) { _ in
                answered = Loop.nanoseconds
            }
            try crowd.until { heard == 1_000 && answered > 0 }
            guard number > 1 else { continue }  // warms up
            first.append(Double(answered - begin) / 1e6)
            times.append(Double(last - begin) / 1e6)
            costs.append(processor() - before)
        }
        print(
            "100 connections x 10 windows of one session, \(format), one change, ms (median, least - most):")
        print(
            "  until the answer \(Self.spread(first)), until all 1,000 have their event \(Self.spread(times)),"
        )
        print("  processor time of the gateway \(Self.spread(costs))")
    }

    // MARK: Many sessions

    private func manySessions() throws(StartFailure) {
        let crowd = try LiveCrowd(path: path, connections: 100)
        defer { crowd.close() }
        func sessions(_ connection: Int, _ range: Range<Int>) -> [String] {
            range.map { "many-\(connection)-\($0)" }
        }
        for connection in 0..<100 {
            var open = 100
            for name in sessions(connection, 0..<100) {
                crowd.sender.call("view.send", LiveCrowd.creation(name)) { _ in open -= 1 }
            }
            try crowd.until { open == 0 }
        }
        _ = try crowd.subscribe(format: "patch") { sessions($0, 0..<1) }
        var (few, many, memory): ([Double], [Double], [Int]) = ([], [], [])
        for _ in 0..<rounds {
            let before = ProcessUsage(of: gateway).residentKiB
            few.append(try costOfEvent(crowd))
            let more = try crowd.subscribe(format: "patch") { sessions($0, 1..<100) }
            many.append(try costOfEvent(crowd))
            memory.append(ProcessUsage(of: gateway).residentKiB - before)
            try crowd.unsubscribe(more)
        }
        print("processor time of the gateway for one event in one of many sessions, us:")
        print("  100 windows \(Self.spread(few)), 10,000 windows \(Self.spread(many)),")
        let ratio = Self.median(many) / Self.median(few)
        print("  ratio of the medians \(Self.fixed(ratio)), of each round: ", terminator: "")
        print(zip(many, few).map { Self.fixed($0 / $1) }.joined(separator: " "))
        print(
            "memory of the gateway: \(memory[0]) KiB more for the first 9,900 windows,",
            "\(ProcessUsage(of: gateway).residentKiB) KiB in all")
    }

    /// Microseconds of the gateway for one change in one session, told to its one window.
    private func costOfEvent(_ crowd: LiveCrowd) throws(StartFailure) -> Double {
        var heard = 0
        crowd.connections[0].onEvent = { _ in heard += 1 }
        func change(_ number: Int) throws(StartFailure) {
            heard = 0
            try crowd.call("view.send", LiveCrowd.event("many-0-0", number))
            try crowd.until { heard == 1 }
        }
        for number in 0..<100 { try change(number) }
        let before = processor()
        for number in 100..<1_100 { try change(number) }
        return processor() - before
    }

    // MARK: Subscribers that do not read

    private func slowReaders() throws(StartFailure) {
        let count = 50
        let crowd = try LiveCrowd(path: path, connections: count + 1)
        defer { crowd.close() }
        let (slow, quick) = (crowd.connections.dropLast(), crowd.connections[count])
        try crowd.call("view.send", LiveCrowd.creation("slow"))
        let ids = try crowd.subscribe(format: "full") { _ in ["slow"] }
        var (heard, last): (Int, UInt64) = (0, 0)
        quick.onEvent = { _ in
            heard += 1
            last = Loop.nanoseconds
        }
        let readers = slow.map { SlowReader($0) }
        func latencies(_ changes: Int) throws(StartFailure) -> (events: [Double], pings: [Double]) {
            var (events, pings): ([Double], [Double]) = ([], [])
            for number in 0..<changes {
                let (begin, before) = (Loop.nanoseconds, heard)
                try crowd.call("view.send", LiveCrowd.event("slow", number))
                try crowd.until { heard > before }
                events.append(Double(last - begin) / 1e6)
                let ping = Loop.nanoseconds
                try crowd.call("rpc.ping", "{}")
                pings.append(Double(Loop.nanoseconds - ping) / 1e6)
            }
            return (events, pings)
        }
        let reading = try latencies(500)
        let (before, heardBefore) = (ProcessUsage(of: gateway).residentKiB, heard)
        for connection in slow { connection.pause() }
        _ = try latencies(500)
        let after500 = ProcessUsage(of: gateway).residentKiB
        let stuck = try latencies(500)
        _ = try latencies(2_000)
        let after3000 = ProcessUsage(of: gateway).residentKiB
        for reader in readers { reader.heard = 0 }
        for connection in slow { connection.resume() }
        try crowd.until { readers.allSatisfy { $0.lagged > 0 } }
        var wrong = 0
        for (number, reader) in readers.enumerated() {
            let params = #"{"subscription":"\#(ids[number][0])"}"#
            let kept = try crowd.call("view.get", params, on: slow[number])["view"].map { LiveTree($0) }
            if kept != reader.view.map({ LiveTree($0) }) || !reader.isGapless || reader.lagged != 1 {
                wrong += 1
            }
        }
        let told = readers.map { Double($0.heard) }
        print("\(count) of \(count + 1) windows of a session do not read for \(heard - heardBefore) changes:")
        print(
            "  the other's event, ms: \(Self.spread(reading.events)) while they read,",
            "\(Self.spread(stuck.events)) while not")
        print(
            "  a ping, ms: \(Self.spread(reading.pings)) while they read, \(Self.spread(stuck.pings)) while not"
        )
        print(
            "  memory of the gateway for each: \((after500 - before) / count) KiB after 500 changes,",
            "\((after3000 - before) / count) KiB after 3,000")
        print(
            "  when they read again each is told \(Self.spread(told)) events, the last one after having lagged;"
        )
        print("  \(wrong) of them have a gap, or a view that is not what the gateway says that they have")
        guard wrong == 0 else { throw StartFailure(.data, "slow readers were told wrong") }
    }
}

/// What a subscriber hears that does not always read.
private final class SlowReader {
    var heard = 0
    private(set) var lagged = 0
    private(set) var isGapless = true
    private(set) var view: JSONValue?
    private var seq = 0

    init(_ connection: LiveConnection) {
        connection.onEvent = { [weak self] params in
            guard let self else { return }
            self.heard += 1
            self.seq += 1
            if params["seq"]?.int != self.seq { self.isGapless = false }
            if params["lagged"]?.bool == true { self.lagged += 1 }
            self.view = params["view"] ?? self.view
        }
    }
}
