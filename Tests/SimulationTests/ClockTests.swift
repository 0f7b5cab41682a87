import JSON
import Testing

@testable import Shared

/// What ends after a time ends at exactly that time: by the clock of the simulation, which a test can set.
@Suite final class ClockTests {
    private let template: Disk
    private let world: World
    private var gateway: SimulatedProcess { world.gateway }
    private var server: Server? { gateway.service?.server }

    init() throws {
        template = try Template.make()
        world = try World(seed: 1, from: template)
        world.hasFaults = false
        world.start()
        run()
        server?.bounds.watchMs = 1
    }

    deinit {
        world.finish()
        template.remove()
    }

    /// Runs whoever has something to do now.
    private func run() { while let process = world.processes.first(where: \.isReady) { process.runTurn() } }

    /// Lets time go by, with all that happens on the way.
    private func pass(to time: UInt64) {
        while let due = world.processes.filter({ $0.stalledUntil == 0 }).compactMap(\.nextDue).min(),
            due < time
        {
            world.clock = max(world.clock, due * 1_000_000)
            run()
        }
        world.clock = max(world.clock, time * 1_000_000)
        run()
    }

    /// Whether it holds before a time, and not any more from then on.
    private func expectEnd(at time: UInt64, _ holds: () -> Bool) {
        // The clock goes on a little with each turn.
        for early in [time - 1_000, time - 20] {
            pass(to: early)
            #expect(holds(), "too early, at \(gateway.now) instead of \(time)")
        }
        while holds(), world.now < time + 100 { pass(to: world.now + 1) }
        #expect(gateway.now == time)
    }

    private func connect(_ line: String = "") throws -> Socket {
        let socket = try #require(world.network.connect(to: "gateway"))
        _ = socket.write(Array(line.utf8)[...])
        run()
        return socket
    }

    @Test func whoIsRefusedIsLeftAfterASecond() throws {
        server?.bounds.connectionsMax = 0
        let refused = try connect()
        let begun = gateway.now
        #expect(server?.lingering.count == 1)
        expectEnd(at: begun + Limits.refusedLingerMs) { server?.lingering.isEmpty == false }
        #expect(refused.isPeerGone)
    }

    @Test func aLineMayBeIncompleteFor30Seconds() throws {
        let client = try connect(#"{"jsonrpc":"#)
        let begun = try #require(server?.connections.values.first?.partialLineSince)
        expectEnd(at: begun + Limits.partialLineMs + 1) { !client.isPeerGone }
    }

    @Test(arguments: [UInt64(0), 1]) func threeLinesThatAreTooLongEndAConnectionWithinAMinute(_ late: UInt64)
        throws
    {
        let client = try connect(#"{"jsonrpc":"2.0","id":1,"method":"rpc.ping"}"# + "\n")
        let connection = try #require(server?.connections.values.first)
        for _ in 0..<2 { server?.refuseOversize(connection) }
        pass(to: gateway.now + Limits.oversizeWindowMs - 100)
        let first = try #require(connection.oversizeAt.first)
        while gateway.now < first + Limits.oversizeWindowMs + late {
            world.clock += 100_000
            _ = client.write(Array((#"{"jsonrpc":"2.0","id":1,"method":"rpc.ping"}"# + "\n").utf8)[...])
            run()
            _ = client.read()
        }
        #expect(gateway.now == first + Limits.oversizeWindowMs + late)
        server?.refuseOversize(connection)
        run()
        #expect(connection.closesAfterOutput == (late == 0))
    }

    @Test func whoWaitsForASilentServiceIsAnsweredAfter5Seconds() throws {
        try expectRefusal(meta: "", after: UInt64(Limits.deadlineMsDefault))
    }

    @Test func theLongestDeadlineIsFiveMinutes() throws {
        try expectRefusal(
            meta: #","_meta":{"deadlineMs":\#(Limits.deadlineMsMax)}"#, after: UInt64(Limits.deadlineMsMax))
        let refused = try connect(line(#","_meta":{"deadlineMs":\#(Limits.deadlineMsMax + 1)}"#))
        #expect(refused.read().text.contains(#""path":"/_meta/deadlineMs""#))
    }

    private func line(_ meta: String) -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"view.send","params":{"session":"s1","catalog":"recipes","event":{"type":"reset"}\#(meta)}}"#
            + "\n"
    }

    private func expectRefusal(meta: String, after time: UInt64) throws {
        world.selection.stalledUntil = UInt64.max
        let client = try connect(line(meta))
        let begun = gateway.now
        var told = ""
        expectEnd(at: begun + time) {
            told += client.read().text
            return told.isEmpty
        }
        #expect(told.contains(#""reason":"deadline_exceeded""#))
    }

    @Test func aStoppingServiceWaitsFor10Seconds() throws {
        world.selection.stalledUntil = UInt64.max
        let client = try connect(line(#","_meta":{"deadlineMs":60000}"#))
        gateway.service?.stop()
        let begun = gateway.now
        expectEnd(at: begun + Limits.drainMs) { gateway.service?.isRunning == true }
        #expect(client.isPeerGone)
    }
}
