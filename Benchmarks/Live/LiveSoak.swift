import Glibc
import JSON
import Shared
import UV

/// Random changes, events and windows against services that are killed all the time; afterwards everything
/// must be as if nothing had happened.
final class LiveSoak {
    /// How much of everything.
    struct Plan {
        /// Catalog changes, and as many events.
        let changes: Int
        let subscribers: Int
        let seconds: Int
        let seed: UInt64
        let killMs: UInt64
        /// The service that lives through all of it, if one does: its memory must not grow.
        let spared: String?
    }

    /// What a service needs after two minutes, and may grow by afterwards.
    private enum Growth {
        static let warmUpSeconds: UInt64 = 120
        static let percentMax = 5
        /// How often what it has in memory is told.
        static let reportSeconds: UInt64 = 60
    }

    private let plan: Plan
    private let loop: Loop
    private let tick: Timer
    private let services: [LiveProcess]
    private var writers: [LiveWriter] = []
    private var sessions: [LiveSession] = []
    private var subscribers: [LiveSubscriber] = []
    private let setUp: LiveConnection
    private var random: LiveRandom
    private var kills: [String: Int] = [:]
    private let run: String
    private var warm: (residentKiB: Int, descriptors: Int)?

    init(_ plan: Plan, run: String) throws(StartFailure) {
        loop = try Loop.ofProgram()
        (self.plan, self.run) = (plan, run)
        tick = Timer(on: loop)
        tick.start(milliseconds: 2, repeating: 2) {}
        let loop = loop
        services = ["gateway", "catalog", "selection"].map { LiveProcess($0, run: run, loop: loop) }
        setUp = LiveConnection(path: "\(run)/catalog.sock", loop: loop)
        setUp.start()
        random = LiveRandom(seed: plan.seed, party: 0)
    }

    /// Does all of it.
    func perform() throws(StartFailure) {
        defer { close() }
        print("seed \(plan.seed)")
        try prepare()
        printUsage("at the start")
        try work()
        let begun = Loop.nanoseconds
        try recover()
        try changeOnceMore()
        try compare()
        print("recovered and compared in \((Loop.nanoseconds - begun) / 1_000_000) ms")
        try verify()
        printUsage("at the end")
        var isTold = false
        reportMemory("at the end") { isTold = true }
        try until("the memory is told", seconds: 10) { isTold }
        try compareUsage()
        summarize()
    }

    private func close() {
        for service in services { service.close() }
        for writer in writers { writer.close() }
        for session in sessions { session.close() }
        for subscriber in subscribers { subscriber.close() }
        setUp.close()
        tick.close()
        loop.run()
    }

    private func until(_ what: String, seconds: UInt64, _ condition: () -> Bool) throws(StartFailure) {
        let end = Loop.nanoseconds + seconds * 1_000_000_000
        while !condition() {
            try check()
            guard Loop.nanoseconds < end else { throw StartFailure(.io, "never happened: \(what)") }
            loop.step()
        }
    }

    /// Stops at the first thing that is wrong.
    private func check() throws(StartFailure) {
        let failures =
            writers.flatMap(\.failures) + sessions.flatMap(\.failures) + subscribers.flatMap(\.failures)
        guard let first = failures.first else { return }
        throw StartFailure(.data, "seed \(plan.seed): \(failures.count) failures; the first: \(first)")
    }

    // MARK: Work

    private func prepare() throws(StartFailure) {
        try until("the catalog takes connections", seconds: 30) { setUp.isUp }
        for (number, catalog) in LiveWriter.catalogs.enumerated() {
            let columns = number == 0 ? 3 : 2
            let categories = LiveWriter.categories.map {
                #"{"op":"putCategory","category":{"id":"\#($0)","title":"Category \#($0)"}}"#
            }
            let changes =
                [#"{"op":"putCatalog","title":"\#(catalog)","columns":\#(columns)}"#] + categories
            var reply: LiveConnection.Reply?
            setUp.call(
                "catalog.apply",
                #"{"catalog":"\#(catalog)","changes":[\#(changes.joined(separator: ","))]}"#
            ) { reply = $0 }
            try until("a catalog is made", seconds: 10) { reply != nil }
            guard reply?.value != nil else { throw StartFailure(.data, "no catalog: \(reply, default: "")") }
        }
        for number in 0..<8 {
            writers.append(
                LiveWriter(number: number, seed: plan.seed, path: "\(run)/catalog.sock", loop: loop))
        }
        for number in 0..<max(4, plan.subscribers / 4) {
            sessions.append(
                LiveSession(
                    number: number, seed: plan.seed, gateway: "\(run)/gateway.sock",
                    selection: "\(run)/selection.sock", loop: loop))
        }
        for number in 0..<plan.subscribers {
            subscribers.append(
                LiveSubscriber(
                    number: number, sessions: sessions.count, seed: plan.seed, path: "\(run)/gateway.sock",
                    loop: loop))
        }
        try until("all have subscribed", seconds: 30) { subscribers.allSatisfy { $0.subscribed > 0 } }
    }

    private func work() throws(StartFailure) {
        let begin = Loop.nanoseconds / 1_000_000
        var nextKill = begin + plan.killMs
        var nextReport = begin + Growth.reportSeconds * 1_000
        let end = begin + UInt64(plan.seconds) * 1_000
        try until("all changes and events are done", seconds: UInt64(plan.seconds) * 10 + 120) {
            let now = Loop.nanoseconds / 1_000_000
            // As many as are due by now.
            let share = min(1, Double(now - begin) / Double(end - begin))
            let due = Int(Double(plan.changes) * share)
            for (number, writer) in writers.enumerated() {
                writer.step(now: now, maySend: writer.sent < Self.part(of: due, number, of: writers.count))
            }
            for (number, session) in sessions.enumerated() {
                session.step(now: now, maySend: session.sent < Self.part(of: due, number, of: sessions.count))
            }
            for subscriber in subscribers { subscriber.step(now: now) }
            if warm == nil, now >= begin + Growth.warmUpSeconds * 1_000 {
                warm = spared?.usage
                printUsage("after \(Growth.warmUpSeconds) s")
            }
            if now >= nextReport {
                reportMemory("after \((now - begin) / 1_000) s")
                nextReport += Growth.reportSeconds * 1_000
            }
            if now >= nextKill {
                nextKill = now + plan.killMs
                let service = random.one(services.filter { $0.name != plan.spared })
                if service.kill() { kills[service.name, default: 0] += 1 }
            }
            return writers.allSatisfy { $0.isIdle } && sessions.allSatisfy { $0.isIdle }
                && writers.map(\.sent).reduce(0, +) >= plan.changes
                && sessions.map(\.sent).reduce(0, +) >= plan.changes
        }
        print("worked for \((Loop.nanoseconds / 1_000_000 - begin) / 1_000) s, killed \(kills.description)")
    }

    /// The part of one of several that share some work evenly.
    private static func part(of all: Int, _ number: Int, of count: Int) -> Int {
        all / count + (number < all % count ? 1 : 0)
    }

    // MARK: Afterwards

    private func recover() throws(StartFailure) {
        for subscriber in subscribers { subscriber.calm() }
        var next: UInt64 = 0
        try until("all services are well again", seconds: 90) {
            let now = Loop.nanoseconds / 1_000_000
            if now >= next {
                next = now + 100
                for service in services { service.look() }
            }
            return services.allSatisfy { $0.isHealthy && $0.process != nil }
        }
    }

    /// Changes items when no event follows that would have windows drawn again anyway.
    private func changeOnceMore() throws(StartFailure) {
        let sent = writers.map(\.sent)
        try until("everyone has changed something once more", seconds: 30) {
            let now = Loop.nanoseconds / 1_000_000
            for (writer, before) in zip(writers, sent) {
                writer.step(now: now, maySend: writer.sent == before)
            }
            return zip(writers, sent).allSatisfy { $0.isIdle && $0.sent > $1 }
        }
    }

    private func compare() throws(StartFailure) {
        let end = Loop.nanoseconds + 30_000_000_000
        while true {
            var (open, differences): (Int, [String]) = (subscribers.count, [])
            for (number, subscriber) in subscribers.enumerated() {
                subscriber.look { look in
                    open -= 1
                    if case .different(let how) = look { differences.append("subscriber \(number): \(how)") }
                }
            }
            try until("all subscribers are answered", seconds: 30) { open == 0 }
            guard let first = differences.first else { return }
            guard Loop.nanoseconds < end else {
                throw StartFailure(
                    .data, "seed \(plan.seed): \(differences.count) views differ; the first: \(first)")
            }
            let again = Loop.nanoseconds + 200_000_000
            try until("a moment has passed", seconds: 5) { Loop.nanoseconds >= again }
        }
    }

    private func verify() throws(StartFailure) {
        var open = writers.count + sessions.count
        for writer in writers { writer.verify { open -= 1 } }
        for session in sessions { session.verify { open -= 1 } }
        try until("everything is read again", seconds: 30) { open == 0 }
        try check()
    }

    private func printUsage(_ when: String) {
        for service in services { print("\(when): \(service.usageText)") }
    }

    /// Tells what the spared service has in memory, in KiB, and what of it is which.
    private func reportMemory(_ when: String, then: @escaping () -> Void = {}) {
        guard let spared else { return then() }
        spared.askMemory { figures in
            print("\(when): \(spared.name): \(figures ?? "not there")")
            // To be seen at once, also in a file.
            fflush(nil)
            then()
        }
    }

    private var spared: LiveProcess? { services.first { $0.name == plan.spared } }

    /// Whoever lived through all of it needs no more than after two minutes.
    private func compareUsage() throws(StartFailure) {
        guard let spared, let warm, let now = spared.usage else { return }
        let percent = Double(now.residentKiB - warm.residentKiB) * 100 / Double(warm.residentKiB)
        print(
            "\(spared.name), never killed: \(LiveReport.fixed(percent)) % more memory than after",
            "\(Growth.warmUpSeconds) s, descriptors \(warm.descriptors) and \(now.descriptors)")
        guard percent <= Double(Growth.percentMax), now.descriptors == warm.descriptors else {
            throw StartFailure(.data, "seed \(plan.seed): \(spared.name) has grown")
        }
    }

    private func summarize() {
        func sum<Party>(_ all: [Party], _ value: (Party) -> Int) -> Int { all.map(value).reduce(0, +) }
        print(
            """
            changes: \(sum(writers, \.acknowledged)) acknowledged, \(sum(writers, \.inDoubt)) in doubt and looked up
            events: \(sum(sessions, \.acknowledged)) acknowledged, \(sum(sessions, \.refused)) not possible, \
            \(sum(sessions, \.inDoubt)) in doubt and looked up, in \(sessions.count) sessions
            subscribers: \(subscribers.count), subscribed \(sum(subscribers, \.subscribed)) times, told \
            \(sum(subscribers, \.events)) events, \(sum(subscribers, \.patches)) of them patches, \
            \(sum(subscribers, \.lagged)) after having lagged
            every view is what its patches make of it, every seq was without a gap, nothing acknowledged is lost
            """)
    }
}
