import TestSupport
import Testing
import UV

@testable import Shared

/// What the service manager is told, with a manager's socket of the test's own.
@Suite struct ServiceManagerTests {
    private typealias Settings = ServiceManager.Settings

    private func settings(
        _ socket: String?, _ microseconds: String? = nil, _ process: String? = nil
    ) -> Settings? {
        Settings(
            notifySocket: socket, watchdogMicroseconds: microseconds, watchdogProcess: process, process: 7)
    }

    @Test(arguments: [
        nil, "", "/", "@", "run/notify", "vsock:2:1234", "/" + String(repeating: "x", count: 107),
    ])
    func withoutASocketThereIsNoManager(socket: String?) {
        #expect(settings(socket) == nil)
    }

    @Test func aPathEndsWithANULAndAnAbstractNameBeginsWithOne() {
        #expect(settings("/a")?.address == [0x2F, 0x61, 0])
        #expect(settings("@a")?.address == [0, 0x61])
        #expect(settings("@" + String(repeating: "x", count: 107))?.address.count == 108)
        #expect(settings("/" + String(repeating: "x", count: 106))?.address.count == 108)
    }

    @Test func aSignOfLifeComesTwiceAsOftenAsItIsWaitedFor() {
        #expect(settings("/a")?.aliveMs == nil)
        #expect(settings("/a", "30000000")?.aliveMs == 15_000)
        #expect(settings("/a", "30000000", "7")?.aliveMs == 15_000)
        #expect(settings("/a", "30000000", "8")?.aliveMs == nil)
        #expect(settings("/a", "30000000", "x")?.aliveMs == nil)
        #expect(settings("/a", "1")?.aliveMs == 1)
        for text in ["0", "-1", "x", "", "18446744073709551616"] {
            #expect(settings("/a", text)?.aliveMs == nil)
        }
    }

    @Test(arguments: [false, true]) func itIsToldOfTheWholeLifeOfAService(isAbstract: Bool) throws {
        let harness = try Harness()
        defer { harness.finish() }
        let receiver = try Receiver(isAbstract ? "@\(harness.directory)/notify" : harness.socket("notify"))
        let settings = try #require(self.settings(receiver.name, "20000"))
        let manager = ServiceManager(settings, on: harness.loop, log: Log(service: "s", least: .error))
        defer { manager.close() }
        harness.settle()
        #expect(receiver.next() == nil)
        manager.tellReady()
        #expect(receiver.next() == "READY=1")
        for _ in 0..<3 {
            var told: String?
            try harness.until("a sign of life") {
                told = receiver.next()
                return told != nil
            }
            #expect(told == "WATCHDOG=1")
        }
        manager.tellStopping()
        var last: String?
        try harness.until("it is told of the end") {
            last = receiver.next()
            return last == "STOPPING=1"
        }
        manager.close()
        manager.close()
        while receiver.next() != nil {}
        harness.settle(turns: 30)
        #expect(receiver.next() == nil)
    }

    @Test func aManagerThatIsGoneStopsNothing() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let settings = try #require(self.settings(harness.socket("nobody"), "2000"))
        let manager = ServiceManager(settings, on: harness.loop, log: Log(service: "s", least: .error))
        defer { manager.close() }
        manager.tellReady()
        harness.settle()
        manager.tellStopping()
    }
}
