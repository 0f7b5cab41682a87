import Glibc
import JSON
import Shared
import TestSupport
import Testing

/// What real processes do to each other when one of them stands still, and what clients do to them.
@Suite struct FaultTests {
    private static let shortDeadline = #","_meta":{"deadlineMs":200}}"#

    private func choose(_ product: Product, _ gateway: TestClient, _ item: String) throws {
        _ = try gateway.call(
            "view.send", Product.event(#"{"type":"open","category":"A","item":"\#(item)"}"#))
    }

    private func view(_ gateway: TestClient) throws -> JSONValue? {
        try gateway.respond("view.get", #"{"session":"s","catalog":"c""# + Self.shortDeadline)["result"]?[
            "view"]
    }

    @Test func beforeAServiceThatStandsStillTheGatewayLivesAndIsRightAgainWhenItGoesOn() throws {
        let product = try Product()
        defer { product.finish() }
        let children = try product.startAll()
        try product.makeCatalog()
        let gateway = try product.connect("gateway")
        try choose(product, gateway, "a1")
        for service in ["catalog", "selection"] {
            let child = try #require(children[service])
            child.signal(SIGSTOP)
            // A change can't be made, within its deadline; others are answered meanwhile.
            gateway.send(
                #"{"jsonrpc":"2.0","id":"late","method":"view.send","params":{"session":"s","catalog":"c","#
                    + #""event":{"type":"open","category":"A","item":"unheard-of"}"# + Self.shortDeadline
                    + "}")
            #expect(try gateway.call("rpc.ping").count == 0)
            var late: JSONValue?
            try product.harness.until("it is too late") {
                late = try? gateway.message()
                return late?["id"]?.string == "late"
            }
            let reason = late?["error"]?["data"]?["reason"]?.string
            #expect(reason == "deadline_exceeded" || reason == "upstream_unavailable", "\(late?.text ?? "")")
            for _ in 0..<5 {
                let view = try view(gateway)
                // What it says of the place it was in is right, or it says that it does not know.
                let detail = view?["detail"]
                #expect(detail?["id"]?.string == "a1" || detail?["status"]?.string == "unavailable")
            }
            child.signal(SIGCONT)
            for other in Product.services { try product.untilHealth(other, "ok") }
            try choose(product, gateway, service == "catalog" ? "a2" : "a1")
            let after = try view(gateway)
            #expect(after?["detail"]?["id"]?.string == (service == "catalog" ? "a2" : "a1"))
            #expect(after?["detail"]?["status"]?.string == "ready")
            if service == "catalog" { try choose(product, gateway, "a1") }
        }
    }

    @Test func ofInstancesThatStartTogetherExactlyOneServes() throws {
        let product = try Product()
        defer { product.finish() }
        let service = "gateway"
        for _ in 0..<10 {
            let all = try (0..<4).map { _ in try product.start(service) }
            try product.harness.until("three have ended", seconds: 20) {
                all.filter { $0.poll() != nil }.count == 3
            }
            let winner = try #require(all.first { $0.poll() == nil })
            for loser in all where loser.process != winner.process {
                #expect(loser.poll() == .exited(StartFailure.Status.unavailable.rawValue))
                #expect(loser.errors.count == 1, "\(loser.errors)")
            }
            let client = try product.connect(service)
            #expect(try client.call("rpc.info")["pid"]?.int == Int(winner.process))
            client.close()
            winner.end()
        }
    }

    @Test(arguments: Product.services) func nothingStaysOfThousandsOfClientsThatComeAndGo(service: String)
        throws
    {
        let product = try Product()
        defer { product.finish() }
        let child = try product.startAll()[service]
        let process = try #require(child?.process)
        let asker = try product.connect(service)
        func descriptors() throws -> Int {
            _ = try asker.call("rpc.ping")
            return try entries(of: "/proc/\(process)/fd")
        }
        // Those of its peers are there by now.
        let before = try descriptors()
        for number in 0..<3_000 {
            let client = try product.harness.connect(service)
            // Some say something, some ask and do not wait, some leave half a line.
            switch number % 4 {
            case 0: client.send(#"{"jsonrpc":"2.0","id":1,"method":"rpc.ping"}"#)
            case 1: client.send(bytes: Array(#"{"jsonrpc":"2.0","#.utf8))
            case 2: _ = try client.call("rpc.ping")
            default: break
            }
            client.close()
        }
        try product.harness.until("all are gone") {
            (try? asker.call("rpc.metrics")["connections"]?.int).map { $0 < 20 } ?? false
        }
        var now = 0
        try product.harness.until("their descriptors are closed") {
            now = (try? descriptors()) ?? 0
            return now <= before
        }
        #expect(now <= before)
        #expect(child?.poll() == nil)
    }

    /// Any JSON at all as params of any method: refused or carried out, never a fault of the service.
    @Test func noParamsAreAFaultOfAService() throws {
        let product = try Product()
        defer { product.finish() }
        let children = try product.startAll()
        try product.makeCatalog()
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for service in Product.services {
            let client = try product.connect(service)
            let methods = try #require(try client.call("rpc.discover")["methods"])
            for method in methods.elements {
                let name = try #require(method["name"]?.string)
                let params = Array(try #require(method["params"]).elements).compactMap { $0["name"]?.string }
                for _ in 0..<40 {
                    let chosen = params.filter { _ in Bool.random(using: &random) }
                    let members = chosen.map { #""\#($0)":\#(Self.anyJSON(&random, depth: 3))"# }
                    let text = "{\(members.joined(separator: ","))}"
                    let answer = try client.respond(name, text)
                    let error = answer["error"]
                    #expect(error?["code"]?.int != -32603, "seed \(seed): \(name) \(text): \(answer.text)")
                    #expect(error == nil || error?["data"]?["reason"]?.string != nil)
                }
            }
            client.close()
            #expect(children[service]?.poll() == nil)
        }
    }

    private static let scalars = [
        "null", "true", "false", "0", "-1", "1", "1024", "0.5", "1e400", "18446744073709551616", "-0", "\"\"",
        "\"c\"", "\"s\"", "\"A\"", "\"a1\"", "\"select\"", "\"sidebar\"", "\"title\"", "\"\\u0000\"",
        "\"\\u2028\"", "\"\u{1F468}\u{200D}\u{1F469}\"", "\"" + String(repeating: "x", count: 129) + "\"",
    ]
    private static let names = [
        "type", "column", "id", "item", "category", "text", "scope", "by", "descending", "op", "items",
        "path",
        "visibility", "width", "", "a\\/b~",
    ]

    private static func anyJSON(_ random: inout SeededGenerator, depth: Int) -> String {
        switch depth == 0 ? 0 : UInt.random(in: 0..<4, using: &random) {
        case 1:
            let all = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                anyJSON(&random, depth: depth - 1)
            }
            return "[\(all.joined(separator: ","))]"
        case 2:
            let all = names.shuffled(using: &random).prefix(Int.random(in: 0..<5, using: &random)).map {
                #""\#($0)":\#(anyJSON(&random, depth: depth - 1))"#
            }
            return "{\(all.joined(separator: ","))}"
        default: return scalars.randomElement(using: &random) ?? "null"
        }
    }
}

/// How many entries a directory has.
private func entries(of path: String) throws -> Int {
    guard let directory = unsafe opendir(path) else { throw Failure(description: "can't look into \(path)") }
    defer { _ = unsafe closedir(directory) }
    var count = -2  // the directory itself and the one above
    while unsafe readdir(directory) != nil { count += 1 }
    return count
}
