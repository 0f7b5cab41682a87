import Glibc
import JSON
import Shared
import UV

/// Watches an import from outside: how fast it is, and how long another client waits meanwhile.
struct ImportWatch {
    private struct Sample {
        let seconds: Double
        let items: Int
        let processorSeconds: Double
    }

    /// Prints the figures when all items are there.
    static func run(_ run: String, items: Int) throws(StartFailure) {
        let caller = try Caller(path: "\(run)/catalog.sock")
        defer { caller.close() }
        guard let process = try caller.call("rpc.info", "")["pid"]?.int else {
            throw StartFailure(.data, "the catalog service does not tell its process")
        }
        var waits: [UInt64] = []
        var samples: [Sample] = []
        let begin = Loop.nanoseconds
        var count = 0
        var sampledAt: UInt64 = 0
        while count < items {
            let before = Loop.nanoseconds
            _ = try caller.call("rpc.ping", "")
            let now = Loop.nanoseconds
            waits.append(now - before)
            guard now - sampledAt >= 100_000_000 else {
                usleep(1_000)
                continue
            }
            sampledAt = now
            count =
                try caller.call("catalog.list", "")["catalogs"]?.elements.first { _ in true }?["itemCount"]?
                .int ?? 0
            samples.append(
                Sample(
                    seconds: Double(now - begin) / 1e9, items: count,
                    processorSeconds: ProcessUsage(of: process).seconds))
        }
        // Items beyond these are part of the figure.
        func rate(_ from: Int, _ to: Int) -> String {
            guard let first = samples.first(where: { $0.items >= from }),
                let last = samples.first(where: { $0.items >= to }), last.items > first.items
            else { return "too few samples" }
            let items = Double(last.items - first.items)
            let perSecond = Int(items / (last.seconds - first.seconds))
            let processor = (last.processorSeconds - first.processorSeconds) / items * 1e6
            return "\(perSecond) items/s, \(Figure.fixed(processor)) us of processor an item"
        }
        print("import of all \(items): \(rate(1, items))")
        print("  the first 100,000: \(rate(1, min(items, 100_000)))")
        print("  the last 100,000: \(rate(max(1, items - 100_000), items))")
        print("  a ping meanwhile: \(Figure.summary(waits))")
        print("  most memory of the service: \(ProcessUsage.peakMiB(of: process)) MiB")
    }
}

/// How figures are printed.
enum Figure {
    static func fixed(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    /// The middle and the worst of some times.
    static func summary(_ nanoseconds: [UInt64]) -> String {
        let sorted = nanoseconds.sorted()
        guard let last = sorted.last else { return "none" }
        func text(_ value: UInt64) -> String { fixed(Double(value) / 1e6) }
        return "p50 \(text(sorted[sorted.count / 2])) ms, p99 \(text(sorted[sorted.count * 99 / 100])) ms, "
            + "max \(text(last)) ms (\(sorted.count))"
    }
}
