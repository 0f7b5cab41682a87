import Glibc
import JSON
import Shared

/// What one round, or the median of all, has measured.
struct Figures {
    var requestsPerSecond: Double
    var p50Microseconds: Double
    var p99Microseconds: Double
    /// Processor seconds for 1,000 requests, by process.
    var cpuPerThousand: [(name: String, seconds: Double)]

    /// One round.
    static func measure(
        _ target: Target, _ one: Case, sessions: [Sessions.Session], milliseconds: Int
    ) throws(StartFailure) -> Figures {
        let load = try Load(
            path: target.path, connections: one.connections, inFlight: one.inFlight,
            sessions: Array(sessions.prefix(one.sessions)), changesPercent: one.changesPercent)
        defer { load.close() }
        let before = target.processes.map { ProcessUsage(of: $0.id).seconds }
        let seconds = try load.run(milliseconds: milliseconds)
        let after = target.processes.map { ProcessUsage(of: $0.id).seconds }
        let sorted = load.latencies.sorted()
        let thousands = Double(sorted.count) / 1_000
        return Figures(
            requestsPerSecond: Double(sorted.count) / seconds,
            p50Microseconds: Double(sorted[sorted.count / 2]),
            p99Microseconds: Double(sorted[sorted.count * 99 / 100]),
            cpuPerThousand: zip(target.processes, zip(before, after)).map { process, used in
                (process.name, (used.1 - used.0) / thousands)
            })
    }

    /// The median of each figure.
    static func median(_ all: [Figures]) -> Figures {
        func middle(_ value: (Figures) -> Double) -> Double { all.map(value).sorted()[all.count / 2] }
        return Figures(
            requestsPerSecond: middle(\.requestsPerSecond), p50Microseconds: middle(\.p50Microseconds),
            p99Microseconds: middle(\.p99Microseconds),
            cpuPerThousand: all[0].cpuPerThousand.indices.map { index in
                (all[0].cpuPerThousand[index].name, middle { $0.cpuPerThousand[index].seconds })
            })
    }

    func write(to json: inout JSONWriter) {
        json.member("requestsPerSecond", requestsPerSecond.rounded())
        json.member("p50Microseconds", p50Microseconds)
        json.member("p99Microseconds", p99Microseconds)
        json.object("cpuSecondsPerThousand") { json in
            for (name, seconds) in cpuPerThousand {
                json.key(name)
                json.value((seconds * 1e6).rounded() / 1e6)
            }
        }
    }
}

/// What is asked, by how many at once.
struct Case {
    let connections: Int
    let inFlight: Int
    var sessions = 1_000
    /// How many of a hundred requests select something, durably.
    var changesPercent = 0
    /// Whether the gateway keeps composed views.
    var keepsViews = true

    static let all: [Case] = [
        Case(connections: 1, inFlight: 1), Case(connections: 1, inFlight: 64),
        Case(connections: 16, inFlight: 16), Case(connections: 1, inFlight: 1, sessions: 4),
        Case(connections: 1, inFlight: 64, sessions: 4), Case(connections: 16, inFlight: 16, sessions: 4),
        Case(connections: 1, inFlight: 1, sessions: 4, changesPercent: 10),
        Case(connections: 1, inFlight: 64, sessions: 4, changesPercent: 10),
        Case(connections: 16, inFlight: 16, sessions: 4, changesPercent: 10),
        Case(connections: 16, inFlight: 16, changesPercent: 10),
        Case(connections: 1, inFlight: 1, keepsViews: false),
        Case(connections: 16, inFlight: 16, keepsViews: false),
        Case(connections: 16, inFlight: 16, changesPercent: 10, keepsViews: false),
    ]

    /// What it is called in the table.
    var name: String {
        "\(connections) x \(inFlight), \(sessions)"
            + (changesPercent > 0 ? ", \(changesPercent) % sends" : "")
            + (keepsViews ? "" : ", composed")
    }
}

/// The figures of all cases, product and floor round by round in turn.
struct Report {
    private var cases: [(asked: Case, product: Figures, floor: Figures)] = []
    private let memory: [(name: String, residentKiB: Int)]
    private let send: SendLatency

    /// Measures; `composing` is a gateway that keeps no views, `directory` one on the product's disk.
    init(
        product: Target, composing: Target, floor: Target, directory: String, sessions: [Sessions.Session],
        rounds: Int, milliseconds: Int
    ) throws(StartFailure) {
        for asked in Case.all where asked.sessions <= sessions.count {
            var (products, floors): ([Figures], [Figures]) = ([], [])
            // The first round warms up and does not count.
            for round in 0...rounds {
                func one(_ target: Target) throws(StartFailure) -> Figures {
                    try Figures.measure(target, asked, sessions: sessions, milliseconds: milliseconds)
                }
                let (a, b) = (try one(asked.keepsViews ? product : composing), try one(floor))
                if round > 0 {
                    products.append(a)
                    floors.append(b)
                }
            }
            cases.append((asked, .median(products), .median(floors)))
        }
        send = try SendLatency(
            product: product, floor: floor, directory: directory, sessions: sessions, rounds: rounds,
            milliseconds: milliseconds)
        memory = product.processes.map { ($0.name, ProcessUsage(of: $0.id).residentKiB) }
    }

    func printTable() {
        print(
            "                                product                    floor            ratio  CPU ms/1,000"
        )
        print(
            "conn x in flight, sessions        req/s   p50 us   p99 us    req/s   p50 us   p99 us      gateway/catalog/selection"
        )
        for one in cases {
            let name = Self.right(one.asked.name, 30)
            let ratio = one.product.requestsPerSecond / one.floor.requestsPerSecond
            let cpu = one.product.cpuPerThousand.map { Self.fixed($0.seconds * 1_000) }
            print(
                name, Self.columns(one.product), Self.columns(one.floor),
                Self.right(Self.fixed(ratio * 100), 6)
                    + "%", " " + cpu.joined(separator: " / "))
        }
        print(send.line)
        print("memory:", memory.map { "\($0.name) \($0.residentKiB) KiB" }.joined(separator: ", "))
    }

    func write(to path: String) throws(StartFailure) {
        var json = JSONWriter()
        json.object { json in
            json.array("cases") { json in
                for one in cases {
                    json.object { json in
                        json.member("connections", one.asked.connections)
                        json.member("inFlight", one.asked.inFlight)
                        json.member("sessions", one.asked.sessions)
                        json.member("changesPercent", one.asked.changesPercent)
                        json.member("keepsViews", one.asked.keepsViews)
                        json.object("product") { json in one.product.write(to: &json) }
                        json.object("floor") { json in one.floor.write(to: &json) }
                        json.member(
                            "ratio",
                            (one.product.requestsPerSecond / one.floor.requestsPerSecond * 1_000).rounded()
                                / 1_000)
                    }
                }
            }
            send.write(to: &json)
            json.object("residentKiB") { json in
                for (name, size) in memory {
                    json.key(name)
                    json.value(size)
                }
            }
        }
        guard let file = unsafe fopen(path, "we") else {
            throw StartFailure(.cannotCreate, "can't write \(path)")
        }
        let bytes = json.bytes + [0x0A]
        let written = unsafe fwrite(bytes, 1, bytes.count, file)
        guard unsafe fclose(file) == 0, written == bytes.count else {
            throw StartFailure(.io, "can't write all of \(path)")
        }
    }

    private static func columns(_ figures: Figures) -> String {
        [figures.requestsPerSecond, figures.p50Microseconds, figures.p99Microseconds]
            .map { right(String(Int($0.rounded())), 8) }.joined(separator: " ")
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// Two digits after the point.
    private static func fixed(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
