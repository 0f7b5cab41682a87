import JSON
import Shared

@testable import Shared

// When all trouble is over, everything is as if there had been none.

extension World {
    /// Lets the world come to rest, and looks at everything.
    func checkRest() {
        settle(milliseconds: 12_000)  // a service that is to stop may wait for 10 s
        guard ledger.violation == nil else { return }
        checkNothingIsLeft()
        for client in clients where client.isConnected { client.askForAll() }
        let checkers = ["gateway", "selection", "catalog"].map { service in
            clientCount += 1
            return Client(clientCount, of: service, in: self)
        }
        clients += checkers
        for client in checkers { client.ask("rpc.health", "{}") { $0.isLast = true } }
        for session in temper.sessions {
            let catalog = Self.catalog(of: session)
            checkers[0].ask("view.get", #"{"session":"\#(session)","catalog":"\#(catalog)"}"#) {
                $0.isLast = true
            }
            checkers[1].ask("selection.get", #"{"session":"\#(session)"}"#)
        }
        checkers[2].ask("catalog.items", #"{"catalog":"recipes","limit":500}"#) { $0.isLast = true }
        settle(milliseconds: 2_000)
        for client in clients where !client.asked.isEmpty && ledger.violation == nil {
            ledger.fail("client \(client.number) was never answered \(client.asked.count) requests")
        }
        checkNothingIsLeft()
    }

    /// Everybody was answered, and nobody works for nobody.
    private func checkNothingIsLeft() {
        guard ledger.violation == nil else { return }
        for process in processes {
            guard let metrics = process.metrics else { return ledger.fail("\(process.name) is down") }
            for name in Self.zeroAtRest where metrics[name] ?? 0 != 0 {
                return ledger.fail("\(process.name) has \(name) of \(metrics[name] ?? 0) when all is at rest")
            }
        }
        for client in clients where client.streams.values.contains(where: { $0.owed != nil }) {
            return ledger.fail("a window of client \(client.number) has lagged, and it is not told so")
        }
        let windows = clients.filter { $0.service == "gateway" }.flatMap { $0.streams.values }.count
        let held = gateway.metrics?["windows"] ?? 0
        if held != windows { ledger.fail("the gateway has \(held) windows, its clients \(windows)") }
    }

    private static let zeroAtRest = [
        "requests_in_flight", "output_queued_bytes", "views_in_flight", "calls_in_flight",
        "operations_pending",
        "requests_waiting", "searches_running",
    ]

    /// Checks what is answered at the very end.
    func checkLast(_ result: JSONValue, _ method: String) {
        switch method {
        case "rpc.health":
            if result["status"]?.string != "ok" { ledger.fail("at rest, health is \(result.text)") }
        case "view.get":
            let view = result["view"]
            for column in [view?["sidebar"], view?["content"], view?["detail"]] {
                let status = column?["status"]?.string ?? ""
                if status == "stale" || status == "unavailable" {
                    ledger.fail("at rest, a view is \(status): \(result.text)")
                }
            }
        case "catalog.items": checkItems(result)
        default: break
        }
    }

    /// What was acknowledged of items is there, unless something later may have become of it.
    private func checkItems(_ result: JSONValue) {
        var found: [String: Int] = [:]
        for item in result["items"]?.elements.map({ $0 }) ?? [] {
            guard let id = item["id"]?.string, let title = item["title"]?.string else { continue }
            found[id] = title.split(separator: " ").last.flatMap { Int($0) }
        }
        for (id, record) in ledger.items.sorted(by: { $0.key < $1.key }) where record.open.isEmpty {
            guard record.revision > 0, found[id] != record.serial else { continue }
            ledger.fail(
                "item \(id) is \(found[id].map(String.init) ?? "gone"), though \(record.serial.map(String.init) ?? "its deletion") was answered last"
            )
        }
    }
}

extension SimulatedProcess {
    /// The service's own figures; nil while it is down.
    var metrics: [String: Int]? {
        guard isAlive, let service else { return nil }
        var all: [String: Int] = [:]
        for (name, value) in service.server.gauges + (service.handler?.metrics ?? []) { all[name] = value }
        return all
    }

    /// How many requests it has not answered; nil while it is down.
    var requestCount: Int? { isAlive ? service?.server.destinations.count : nil }
}
