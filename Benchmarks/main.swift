import Glibc
import Shared

// deploy/bench.sh calls this: to make the sessions, to serve the floor, and to measure; or, for a large catalog, to write
// it, to watch its import, and to read it.

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
        .init("changes", "ask for changes instead of views"),
        .init("output", value: "FILE", "where the figures go as JSON, or the large catalog"),
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
        // Many at once, so that what is counted is the work and not the waiting: one ping serves them all.
        let load = try Load(
            path: "\(try text("run"))/gateway.sock", connections: 1, inFlight: 64,
            sessions: try Sessions.made(run: try text("run"), count: 4),
            changesPercent: arguments.has("changes") ? 100 : 0)
        try load.ask(try number("requests"))
        load.close()
    case ["measure"]:
        let run = try text("run")
        let report = try Report(
            product: Target(path: "\(run)/gateway.sock", processes: Sessions.processes(run: run)),
            composing: Target(
                path: try text("composing"), processes: [("gateway", try number("composing-process"))]),
            floor: Target(
                path: try text("floor"), processes: [("floor", try number("floor-process"))]),
            sessions: try Sessions.made(run: run, count: try number("sessions")),
            rounds: try number("rounds"),
            milliseconds: try number("milliseconds"))
        report.printTable()
        try report.write(to: try text("output"))
    case ["catalog-file"]:
        try LargeCatalog.write(items: try number("items"), to: try text("output"))
    case ["catalog-import"]: try ImportWatch.run(try text("run"), items: try number("items"))
    case ["catalog-reads"]: try ListReads.run(try text("run"), items: try number("items"))
    default:
        throw StartFailure(
            .usage, "say prepare, floor, measure, catalog-file, catalog-import or catalog-reads")
    }
} catch {
    StandardError.writeLine("bench: \(error.message)")
    exit(error.status.rawValue)
}
