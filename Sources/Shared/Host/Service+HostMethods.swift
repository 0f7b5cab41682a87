import Glibc
import JSON
import UV

// What every service answers by itself.

extension Service {
    func answer(_ method: String, _ params: JSONValue?) throws(RPCError) -> [UInt8]? {
        guard method.hasPrefix("rpc.") else { return nil }
        var reader = try ObjectReader(params)
        let isText =
            method == HostMethods.metrics.name
            ? try reader.word("format", MetricsFormat.self) == .prometheus : false
        try reader.finish()
        var json = JSONWriter()
        switch method {
        case HostMethods.info.name: writeInfo(to: &json)
        case HostMethods.health.name: writeHealth(to: &json)
        case HostMethods.metrics.name: writeMetrics(to: &json, isText: isText)
        case HostMethods.connections.name: server.writeConnections(to: &json)
        case HostMethods.discover.name: writeDiscovery(to: &json)
        default: json.object { _ in }
        }
        return json.bytes
    }

    func writeInfo(to json: inout JSONWriter) {
        json.object { json in
            json.member("service", name)
            json.member("version", Version.product)
            json.member("protocol", Version.wire)
            json.object("limits") { json in
                json.member("incomingLineBytes", Limits.incomingLineBytesMax)
                json.member("outgoingLineBytes", Limits.outgoingLineBytesMax)
                json.member("nestingLevels", Limits.nestingLevelsMax)
                json.member("batchItems", Limits.batchItemsMax)
                json.member("requestsInFlight", Limits.requestsInFlightMax)
                json.member("subscriptionsPerConnection", Limits.subscriptionsPerConnectionMax)
                json.member("connections", Limits.connectionsMax)
                json.member("connectionsPerUser", Limits.connectionsPerUserMax)
            }
            json.member("pid", Int(getpid()))
            json.member("startedAt", startedAt)
        }
    }

    func writeHealth(to json: inout JSONWriter) {
        var checks: [(name: String, problem: String?)] = handler?.checks ?? []
        for client in clients {
            checks.append((client.name, client.isUp ? nil : "the \(client.name) service can't be reached"))
        }
        let isWell = checks.allSatisfy { $0.problem == nil }
        json.object { json in
            json.member("status", isStopping ? "draining" : isWell ? "ok" : "degraded")
            json.object("checks") { json in
                for check in checks {
                    json.key(check.name)
                    json.value(check.problem ?? "ok")
                }
            }
        }
    }

    func writeDiscovery(to json: inout JSONWriter) {
        json.object { json in
            json.member("openrpc", "1.3.2")
            json.object("info") { json in
                json.member("title", "Triptych \(name)")
                json.member("version", Version.product)
            }
            json.array("methods") { json in
                for method in (handler?.methods ?? []) + HostMethods.all { method.write(to: &json) }
            }
        }
    }

    func writeMetrics(to json: inout JSONWriter, isText: Bool) {
        let counters = server.counters
        var all: [(name: String, value: Int)] = [
            ("connections_accepted_total", counters.connectionsAccepted),
            ("connections_refused_total", counters.connectionsRefused),
            ("connections_cut_total", counters.connectionsCut), ("requests_total", counters.requests),
            ("turns_total", counters.turns),
            ("notifications_dropped_total", counters.notificationsDropped),
            ("responses_dropped_total", counters.responsesDropped), ("events_total", counters.events),
        ]
        for reason in ErrorReason.allCases {
            all.append(("errors_\(reason.rawValue)_total", counters.errors[reason] ?? 0))
        }
        let memory = Memory.bytes
        all += [
            ("memory_resident_bytes", memory.resident), ("memory_used_bytes", memory.used),
            ("memory_unused_bytes", memory.unused),
        ]
        all += server.gauges + (handler?.metrics ?? [])
        json.object { json in
            if isText {
                json.member("text", all.map { "triptych_\(name)_\($0.name) \($0.value)\n" }.joined())
            } else {
                for (name, value) in all {
                    json.key(name)
                    json.value(value)
                }
            }
        }
    }
}

private enum MetricsFormat: String, CaseIterable { case json, prometheus }
