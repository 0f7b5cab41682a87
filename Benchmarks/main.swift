import Glibc
import Shared
import UV

// deploy/bench.sh calls this: to make the sessions, to serve the floor, and to measure; for a large catalog, to write it, to
// watch its import, and to read it; and for live views. deploy/soak.sh calls it once.

Signal.ignoreBrokenPipes()
do throws(StartFailure) {
    let options: [Arguments.Option] = [
        .init("run", value: "DIR", "the run directory of the product"),
        .init("floor", value: "PATH", "the socket of the floor"),
        .init("floor-process", value: "PID", "the floor's process"),
        .init("composing", value: "PATH", "the socket of a gateway that keeps no views"),
        .init("composing-process", value: "PID", "that gateway's process"),
        .init("bytes", value: "N", "the size of the floor's answers"),
        .init("sessions", value: "N", "how many sessions are asked for"),
        .init("rounds", value: "N", "rounds of each case, of which the medians count"),
        .init("milliseconds", value: "N", "the length of a round"),
        .init("items", value: "N", "items of the large catalog"),
        .init("requests", value: "N", "how many requests to ask"),
        .init("sends", "ask for changes instead of views"),
        .init("events", "ask the selection service for them, without views"),
        .init("output", value: "FILE", "where the figures go as JSON, or the large catalog"),
        .init("changes", value: "N", "how many catalog changes a soak makes, and as many events"),
        .init("subscribers", value: "N", "how many windows a soak keeps"),
        .init("seconds", value: "N", "how long a soak takes"),
        .init("kill-ms", value: "N", "how often a soak kills a service, in milliseconds"),
        .init("seed", value: "N", "what a soak's chance begins with"),
        .init("spare", value: "SERVICE", "which one a soak never kills, whose memory must not grow"),
        .init("connections", value: "N", "how many connections a crowd has"),
    ]
    let arguments: Arguments
    do throws(Arguments.Failure) {
        arguments = try Arguments(CommandLine.arguments.dropFirst(), options: options)
    } catch {
        throw StartFailure(.usage, error.message)
    }
    func text(_ name: String) throws(StartFailure) -> String {
        guard let text = arguments[name] else { throw StartFailure(.usage, "--\(name) is missing") }
        return text
    }
    func number(_ name: String) throws(StartFailure) -> Int {
        guard let number = Int(try text(name)), number > 0 else {
            throw StartFailure(.usage, "--\(name) is a number above 0")
        }
        return number
    }
    switch arguments.operands {
    case ["prepare"]:
        print(try Sessions(run: try text("run"), count: try number("sessions")).answerBytesMean())
    case ["floor"]:
        try Floor.serve(try text("floor"), answerBytes: try number("bytes"))
    case ["ask"]:
        let run = try text("run")
        if arguments.has("events") {
            try EventLoad.ask(run: run, count: try number("requests"))
        } else {
            // Many at once, so that what is counted is the work and not the waiting: one ping serves them all.
            let load = try Load(
                path: "\(run)/gateway.sock", connections: 1, inFlight: 64,
                sessions: try Sessions.made(run: run, count: 4),
                changesPercent: arguments.has("sends") ? 100 : 0)
            try load.ask(try number("requests"))
            load.close()
        }
    case ["measure"]:
        let run = try text("run")
        let report = try Report(
            product: Target(path: "\(run)/gateway.sock", processes: Sessions.processes(run: run)),
            composing: Target(
                path: try text("composing"), processes: [("gateway", try number("composing-process"))]),
            floor: Target(
                path: try text("floor"), processes: [("floor", try number("floor-process"))]),
            directory: run,
            sessions: try Sessions.made(run: run, count: try number("sessions")),
            rounds: try number("rounds"),
            milliseconds: try number("milliseconds"))
        report.printTable()
        try report.write(to: try text("output"))
    case ["curves"]:
        let run = try text("run")
        try Curves(
            product: Target(path: "\(run)/gateway.sock", processes: []),
            composing: Target(path: try text("composing"), processes: []),
            floor: Target(path: try text("floor"), processes: []), run: run,
            sessions: try Sessions.made(run: run, count: try number("sessions")),
            rounds: try number("rounds"), milliseconds: try number("milliseconds")
        ).draw(to: try text("output"))
    case ["events"]:
        let run = try text("run")
        try EventLoad.measure(
            run: run, sessions: try Sessions.made(run: run, count: try number("sessions")),
            rounds: try number("rounds"), milliseconds: try number("milliseconds"))
    case ["catalog-file"]:
        try LargeCatalog.write(items: try number("items"), to: try text("output"))
    case ["catalog-import"]: try ImportWatch.run(try text("run"), items: try number("items"))
    case ["catalog-first"]: try ListReads.runFirst(try text("run"), items: try number("items"))
    case ["catalog-reads"]: try ListReads.run(try text("run"), items: try number("items"))
    case ["crowd"]:
        // Until it is ended: what is looked at is how others fare beside it.
        let run = try text("run")
        let load = try Load(
            path: "\(run)/gateway.sock", connections: try number("connections"), inFlight: 16,
            sessions: try Sessions.made(run: run, count: try number("sessions")), changesPercent: 0)
        try load.runForEver {
            print("ready")
            fflush(nil)
        }
    case ["polite"]:
        let run = try text("run")
        let load = try Load(
            path: "\(run)/gateway.sock", connections: 1, inFlight: 1,
            sessions: try Sessions.made(run: run, count: try number("sessions")), changesPercent: 0)
        try load.ask(try number("requests"))
        let sorted = load.latencies.sorted()
        print(sorted[sorted.count / 2], sorted[sorted.count * 99 / 100], sorted[sorted.count - 1])
        load.close()
    case ["catalog-changes"]:
        try ListReads.runChanges(
            try text("run"), items: try number("items"), count: try number("requests"))
    case ["catalog-views"]:
        try RandomViews.run(try text("run"), items: try number("items"), count: try number("requests"))
    case ["live"]:
        try LiveReport(run: try text("run"), rounds: try number("rounds")).perform()
    case ["soak"]:
        let plan = LiveSoak.Plan(
            changes: try number("changes"), subscribers: try number("subscribers"),
            seconds: try number("seconds"), seed: UInt64(try number("seed")),
            killMs: UInt64(try number("kill-ms")), spared: arguments["spare"])
        try LiveSoak(plan, run: try text("run")).perform()
    default:
        throw StartFailure(
            .usage,
            "say prepare, floor, measure, curves, events, crowd, polite, catalog-file, catalog-import, catalog-first, "
                + "catalog-reads, catalog-changes, catalog-views, live or soak")
    }
} catch {
    StandardError.writeLine("bench: \(error.message)")
    exit(error.status.rawValue)
}
