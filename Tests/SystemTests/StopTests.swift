import Glibc
import JSON
import Shared
import TestSupport
import Testing

/// What becomes of requests, changes and peers when a service ends.
@Suite struct StopTests {
    @Test(arguments: Product.services) func sigtermEndsWithStatus0AndWithoutASocket(service: String) throws {
        let product = try Product()
        defer { product.finish() }
        let child = try product.start(service)
        let client = try product.connect(service)
        _ = try client.call("rpc.ping")
        child.signal(SIGTERM)
        #expect(try product.untilEnd(child) == .exited(0))
        #expect(try client.rest() == [])
        #expect(FileStatus(product.harness.socket(service)) == nil)
        for line in child.errors { #expect(line.hasPrefix("{") && line.hasSuffix("}"), "\(line)") }
    }

    @Test func afterACleanStopADatabaseIsOneFile() throws {
        let product = try Product()
        defer { product.finish() }
        let children = try product.startAll()
        try product.makeCatalog()
        _ = try product.connect("selection").call(
            "selection.send", Product.event(#"{"type":"select","column":"sidebar","id":"A"}"#))
        for service in ["gateway", "selection", "catalog"] {
            let child = try #require(children[service])
            child.signal(SIGTERM)
            #expect(try product.untilEnd(child) == .exited(0))
        }
        for name in ["catalog", "selection"] {
            #expect(FileStatus("\(product.directory)/data/\(name).sqlite") != nil)
            #expect(FileStatus("\(product.directory)/data/\(name).sqlite-wal") == nil)
        }
    }

    @Test func sigtermAnswersWhatIsInFlight() throws {
        let product = try Product()
        defer { product.finish() }
        let children = try product.startAll()
        try product.makeCatalog()
        let client = try product.connect("gateway")
        let patient = #","_meta":{"deadlineMs":60000}}"#
        _ = try client.call("view.get", #"{"catalog":"c""# + patient)
        // The catalog hears, and answers only when the gateway is already stopping.
        children["catalog"]?.signal(SIGSTOP)
        _ = try client.call("rpc.ping")
        client.send(
            #"{"jsonrpc":"2.0","id":"late","method":"view.get","params":{"catalog":"c","limit":3"# + patient
                + "}")
        _ = try product.connect("gateway").call("rpc.ping")
        children["gateway"]?.signal(SIGTERM)
        try product.harness.until("it stops listening") { !isListening(product.harness.socket("gateway")) }
        children["catalog"]?.signal(SIGCONT)
        let answers = try client.rest()
        #expect(answers.count == 1)
        #expect(answers.first?.hasPrefix(#"{"jsonrpc":"2.0","id":"late","result":{"view":"#) == true)
        #expect(try children["gateway"].map { try product.untilEnd($0) } == .exited(0))
    }

    @Test(arguments: [SIGTERM, SIGKILL]) func whatWasAnsweredIsThereAgain(signal: Int32) throws {
        let product = try Product()
        defer { product.finish() }
        let children = try product.startAll()
        try product.makeCatalog()
        let client = try product.connect("selection")
        _ = try client.call(
            "selection.send", Product.event(#"{"type":"select","column":"sidebar","id":"A"}"#))
        for number in 1...200 {
            let event = #"{"type":"select","column":"content","id":"a\#(number % 9 + 1)"}"#
            client.send(
                #"{"jsonrpc":"2.0","id":\#(number),"method":"selection.send","params":"#
                    + Product.event(event) + "}")
        }
        let first = try client.message()
        children["selection"]?.signal(signal)
        var last = first
        for line in try client.rest() {
            let message = try JSONParser(depthMax: 64).parse(Array(line.utf8)).root
            if message["result"] != nil { last = message }
        }
        #expect(
            try children["selection"].map { try product.untilEnd($0) }
                == (signal == SIGTERM ? .exited(0) : .killed(signal)))

        try product.start("selection")
        try product.untilHealth("selection", "ok")
        let state = try product.connect("selection").call("selection.get", #"{"session":"s"}"#)["state"]
        let known = try #require(last["result"]?["state"])
        if signal == SIGTERM {
            #expect(state?.text == known.text)
        } else {
            // What was carried out may not have been answered any more.
            #expect(try #require(state?["revision"]?.int) >= #require(known["revision"]?.int))
        }
    }

    @Test func aLostPeerIsFoundAgain() throws {
        let product = try Product()
        defer { product.finish() }
        var children = try product.startAll()
        for (service, others) in [("catalog", ["selection", "gateway"]), ("selection", ["gateway"])] {
            children[service]?.signal(SIGKILL)
            for other in others { try product.untilHealth(other, "degraded") }
            children[service] = try product.start(service)
            for other in Product.services { try product.untilHealth(other, "ok") }
        }
    }
}
