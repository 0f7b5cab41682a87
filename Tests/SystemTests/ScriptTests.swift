import Glibc
import JSON
import Shared
import TestSupport
import Testing

/// `deploy/run-all.sh` and `deploy/stop-all.sh`, and socat as a client.
@Suite struct ScriptTests {
    private func script(_ name: String, _ product: Product, _ more: [String] = []) throws -> Child {
        let places = name == "run-all.sh" ? ["--data", "\(product.directory)/data"] : []
        return try product.spawn(
            "\(Repository.root)/deploy/\(name)", ["--run", product.directory] + places + more,
            variables: ["TRIPTYCH_BIN": Programs.directory])
    }

    private func process(_ service: String, _ product: Product) throws -> Int? {
        guard isListening(product.harness.socket(service)) else { return nil }
        let client = try product.connect(service)
        defer { client.close() }
        return try client.call("rpc.info")["pid"]?.int
    }

    private func stop(_ product: Product) throws {
        let stop = try script("stop-all.sh", product)
        #expect(try product.untilEnd(stop, seconds: 60) == .exited(0), "\(stop.errors)")
        for service in Product.services { #expect(!isListening(product.harness.socket(service))) }
    }

    @Test func detachedItIsHealthyWithSamplesAndRestartsWhatDies() throws {
        let product = try Product()
        defer { product.finish() }
        let start = try script("run-all.sh", product, ["--detach"])
        try #require(try product.untilEnd(start, seconds: 60) == .exited(0), "\(start.errors)")
        defer { try? stop(product) }
        #expect(start.output.contains("socat -t 30 - UNIX-CONNECT:\(product.directory)/gateway.sock"))
        for service in Product.services {
            #expect(
                try product.connect(service).call("rpc.health")["status"]?.string == "ok", "\(service)")
        }
        let catalogs = try product.connect("catalog").call("catalog.list")["catalogs"]
        #expect(
            catalogs.map { $0.elements.compactMap { $0["id"]?.string } } == [
                "recipes", "bands", "folders", "notes",
            ])

        let second = try script("run-all.sh", product)
        #expect(try product.untilEnd(second) == .exited(69))
        #expect(second.errors.count == 1)

        for service in Product.services {
            let dead = try #require(try process(service, product))
            kill(pid_t(dead), SIGKILL)
            try product.harness.until("\(service) is back") {
                let now = try? process(service, product)
                return now != nil && now != dead
            }
        }
        for service in Product.services { try product.untilHealth(service, "ok") }
    }

    @Test func withWebItServesBrowsers() throws {
        let product = try Product()
        defer { product.finish() }
        let start = try script("run-all.sh", product, ["--detach", "--web", "0"])
        try #require(try product.untilEnd(start, seconds: 60) == .exited(0), "\(start.errors)")
        defer { try? stop(product) }
        let url = try Contracts.read("\(product.directory)/web.url").split(separator: "\n")[0]
        #expect(url.hasPrefix("http://127.0.0.1:"))
        #expect(start.output.contains("a browser: \(url)"))
        let log = try Contracts.read("\(product.directory)/web.log")
        #expect(log.contains(#""event":"started""#) && log.contains(#""url":"\#(url)""#))
    }

    @Test func placesAreThoseOfTheCallerAndCatalogsComeBesideTheSamples() throws {
        let product = try Product()
        defer { product.finish() }
        let catalog = try product.file(
            "mine.json",
            #"{"catalog":{"id":"mine","title":"Mine"},"categories":[{"id":"a","title":"A"}],"items":[]}"#)
        func run(_ script: String, _ arguments: [String]) throws -> Child {
            try product.spawn(
                "/usr/bin/env",
                ["-C", product.directory, "\(Repository.root)/deploy/\(script)"] + arguments,
                variables: ["TRIPTYCH_BIN": Programs.directory, "TRIPTYCH_DATA": "kept"])
        }
        let start = try run("run-all.sh", ["--detach", "--catalog", catalog])
        try #require(try product.untilEnd(start, seconds: 60) == .exited(0), "\(start.errors)")
        #expect(FileStatus("\(product.directory)/run")?.permissions == 0o700)
        #expect(FileStatus("\(product.directory)/kept/catalog.sqlite") != nil)
        let list = try product.spawn(
            try Programs.path("triptych"), ["call", "catalog", "catalog.list"],
            variables: ["TRIPTYCH_RUN": "\(product.directory)/run"])
        #expect(try product.untilEnd(list) == .exited(0))
        #expect(list.output.contains(#""recipes""#) && list.output.contains(#""mine""#))
        let stop = try run("stop-all.sh", [])
        #expect(try product.untilEnd(stop, seconds: 60) == .exited(0))
    }

    @Test(arguments: [["--nonsense"], ["--run"], ["--catalog", "/nowhere.json"], ["--run", "/"]])
    func aCommandLineThatCannotBeMeantChangesNothing(arguments: [String]) throws {
        let product = try Product()
        defer { product.finish() }
        let start = try product.spawn(
            "\(Repository.root)/deploy/run-all.sh", ["--run", product.directory] + arguments,
            variables: ["TRIPTYCH_BIN": Programs.directory])
        #expect(try [.exited(64), .exited(66), .exited(77)].contains(product.untilEnd(start)))
        #expect(start.errors.count == 1)
        #expect(FileStatus("\(product.directory)/run-all.pid") == nil)
    }

    @Test func sigtermStopsEverything() throws {
        let product = try Product()
        defer { product.finish() }
        let child = try script("run-all.sh", product)
        defer { try? stop(product) }
        try product.harness.until("it says what to try", seconds: 60) {
            child.output.contains("Ctrl-C stops it.")
        }
        let processes = try Product.services.compactMap { try process($0, product) }
        #expect(processes.count == 3)
        child.signal(SIGTERM)
        #expect(try product.untilEnd(child) == .exited(0))
        #expect(!processes.contains(where: isRunning))
    }

    @Test func servicesEndWithASupervisorThatIsKilled() throws {
        let product = try Product()
        defer { product.finish() }
        let start = try script("run-all.sh", product, ["--detach"])
        try #require(try product.untilEnd(start, seconds: 60) == .exited(0), "\(start.errors)")
        let processes = try Product.services.compactMap { try process($0, product) }
        let supervisor = try Contracts.read("\(product.directory)/run-all.pid")
        let number = try #require(pid_t(supervisor.split(separator: "\n")[0]))
        kill(number, SIGKILL)
        try stop(product)
        try product.harness.until("the services end") { !processes.contains(where: isRunning) }
    }

    @Test func nothingToStopIsNoError() throws {
        let product = try Product()
        defer { product.finish() }
        try stop(product)
    }

    @Test func socatGetsEveryAnswerAfterItsHalfClose() throws {
        let product = try Product()
        defer { product.finish() }
        _ = try product.startAll()
        try product.makeCatalog()
        let lines = (1...500).map {
            #"{"jsonrpc":"2.0","id":\#($0),"method":"view.get","params":{"catalog":"c","session":"s\#($0)"}}"#
        }
        // The last line has no LF.
        let input = try product.file("input", lines.joined(separator: "\n"))
        let socat = try product.spawn(
            "/usr/bin/socat", ["-t", "30", "-", "UNIX-CONNECT:\(product.harness.socket("gateway"))"],
            input: input)
        #expect(try product.untilEnd(socat) == .exited(0))
        let parser = JSONParser(depthMax: 64)
        let ids = try socat.output.split(separator: "\n").map { line in
            let message = try parser.parse(Array(line.utf8)).root
            #expect(message["result"]?["view"] != nil)
            return message["id"]?.int ?? 0
        }
        #expect(ids.sorted() == Array(1...500))
    }
}
