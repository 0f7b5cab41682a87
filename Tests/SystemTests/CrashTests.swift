import Glibc
import JSON
import Shared
import TestSupport
import Testing
import UV

/// What was acknowledged is there after `kill -9`, whichever service is killed and whenever.
///
/// `CRASH_ROUNDS` sets how often, `SEED` repeats a run.
@Suite struct CrashTests {
    @Test func whatWasAcknowledgedSurvivesAKillAtAnyMoment() throws {
        let seed = SeededGenerator.newSeed()
        let rounds = Paths.environment("CRASH_ROUNDS").flatMap(Int.init) ?? 20
        let product = try Product()
        defer { product.finish() }
        var crash = try Crash(product, seed: seed)
        do {
            for round in 1...rounds {
                let problems = try crash.round()
                try #require(problems == [], "seed \(seed), round \(round)")
            }
            let problems = try crash.end()
            #expect(problems == [], "seed \(seed), at the end")
        } catch let failure as Harness.Failure {
            Issue.record("seed \(seed), after \(crash.rounds) rounds: \(failure)")
        }
        print(
            "crash: seed \(seed), \(crash.rounds) rounds,",
            "\(crash.acknowledged) acknowledged, killed while under way: \(crash.unanswered),",
            "of them carried out: \(crash.carriedOut)")
    }
}

/// The three services, writers that are never idle, and a generator that kills.
private struct Crash {
    private let product: Product
    private var random: SeededGenerator
    private var children: [String: Child]
    private var events = (1...3).map { EventWriter(session: "s\($0)") }
    private var changes = (1...2).map { ChangeWriter(name: "w\($0)") }
    private(set) var rounds = 0
    private(set) var acknowledged = 0
    private(set) var unanswered = 0
    private(set) var carriedOut = 0

    init(_ product: Product, seed: UInt64) throws {
        self.product = product
        random = SeededGenerator(seed: seed)
        children = try product.startAll()
        try product.makeCatalog()
    }

    /// Writes, kills a service, starts it again, and tells what is not as it must be.
    mutating func round() throws -> [String] {
        let victim = Product.services.randomElement(using: &random) ?? "catalog"
        let moment = Loop.nanoseconds + UInt64.random(in: 100_000...40_000_000, using: &random)
        for index in events.indices { events[index].client = try product.connect("gateway") }
        for index in changes.indices { changes[index].client = try product.connect("catalog") }
        defer {
            for event in events { event.client?.close() }
            for change in changes { change.client?.close() }
        }
        try write { Loop.nanoseconds >= moment }
        let child = children[victim]
        child?.signal(SIGKILL)
        try product.harness.until("writers know what became of what they sent", seconds: 20) {
            takeAnswers()
            return events.allSatisfy(\.isIdle) && changes.allSatisfy(\.isIdle)
        }
        child?.end()
        children[victim] = try product.start(victim)
        for service in Product.services { try product.untilHealth(service, "ok") }
        rounds += 1
        return try check().map { "\(victim) was killed: \($0)" }
    }

    /// Kills everything, lets SQLite look at the files, and looks at all that was ever acknowledged.
    mutating func end() throws -> [String] {
        for child in children.values { child.signal(SIGKILL) }
        for child in children.values { child.end() }
        var problems: [String] = []
        for name in ["catalog", "selection"] {
            let path = "\(product.directory)/data/\(name).sqlite"
            let look = try product.spawn(
                "/usr/bin/sqlite3", [path, "PRAGMA integrity_check; PRAGMA foreign_key_check"])
            let ending = try product.untilEnd(look, seconds: 60)
            if ending != .exited(0) || look.output != "ok\n" {
                problems.append("\(path): \(ending), \(look.output) \(look.errors)")
            }
        }
        children = try product.startAll()
        let client = try product.connect("catalog")
        defer { client.close() }
        var there: Set<String> = []
        var cursor = ""
        while true {
            let page = try client.call("catalog.items", #"{"catalog":"c","limit":500\#(cursor)}"#)
            for row in page["items"]?.elements.map({ $0 }) ?? [] {
                there.insert("\(row["id"]?.string ?? "") \(row["title"]?.string ?? "")")
            }
            guard let after = page["after"], !after.isNull else { break }
            cursor = #","after":\#(after.text)"#
        }
        var expected = Set((1...9).map { "a\($0) Title \($0)" })
        for change in changes { expected.formUnion(change.rows) }
        if there != expected {
            problems.append(
                "lost: \(expected.subtracting(there).sorted()), torn: \(there.subtracting(expected).sorted())"
            )
        }
        return problems + (try check())
    }

    // MARK: Writing

    private mutating func write(until isOver: () -> Bool) throws {
        try product.harness.until("it is time", seconds: 20) {
            takeAnswers()
            for index in events.indices { events[index].sendNext() }
            for index in changes.indices { changes[index].sendNext() }
            return isOver()
        }
    }

    private mutating func takeAnswers() {
        for index in events.indices where events[index].takeAnswer() { acknowledged += 1 }
        for index in changes.indices where changes[index].takeAnswer() { acknowledged += 1 }
    }

    // MARK: Looking

    private mutating func check() throws -> [String] {
        var problems: [String] = []
        let clients = try Product.services.map { try product.connect($0) }
        defer { for client in clients { client.close() } }
        for index in events.indices {
            let isOpen = events[index].isUnknown
            let before = events[index].done
            let params = #"{"session":"\#(events[index].session)"}"#
            let state = try clients[1].call("selection.get", params)["state"].flatMap(SessionState.init)
            let view = try clients[2].call("view.get", params)["view"]
            if let problem = events[index].compare(state) { problems.append(problem) }
            if view?["revision"]?.int != state?.revision {
                problems.append("the view has revision \(view?["revision"]?.text ?? "none")")
            }
            if isOpen { unanswered += 1 }
            carriedOut += events[index].done - before
        }
        for index in changes.indices {
            let isOpen = changes[index].isUnknown
            let before = changes[index].done
            if let problem = changes[index].compare(try changes[index].found(clients[0])) {
                problems.append(problem)
            }
            if isOpen { unanswered += 1 }
            carriedOut += changes[index].done - before
        }
        return problems
    }
}
