import Shared
import Testing
import WebSockets

@testable import Web

/// One browser and its gateway connection, without either.
@Suite struct BridgeTests {
    private static let bounds = Limits.Web(outputBytesPause: 100, slowMs: 10_000, inputBytesPause: 100)
    private var bridge = Bridge(session: { _ in "own" }, bounds: bounds)
    private let request = Array(#"{"jsonrpc":"2.0","id":1,"method":"view.get"}"#.utf8)

    private mutating func open() {
        _ = bridge.handle(.browserOpened)
        _ = bridge.handle(.gatewayOpened)
    }

    @Test mutating func aBrowserIsReadWhenTheGatewayIsThere() {
        #expect(bridge.handle(.browserOpened) == [.readBrowser(false), .connectGateway])
        #expect(bridge.handle(.gatewayOpened) == [.readBrowser(true)])
        let line = #"{"jsonrpc":"2.0","id":1,"method":"view.get","params":{"session":"own"}}"# + "\n"
        #expect(bridge.handle(.message(request)) == [.sendToGateway(Array(line.utf8))])
        #expect(bridge.handle(.line([1, 2])) == [.sendToBrowser([1, 2])])
    }

    @Test mutating func theBrowserIsToldThatTheGatewayIsAway() {
        let end: [Bridge.Effect] = [
            .closeBrowser(.tryAgainLater, "The gateway can't be reached."), .closeGateway,
        ]
        #expect(bridge.handle(.browserOpened).count == 2)
        #expect(bridge.handle(.gatewayEnded) == end)
        #expect(bridge.handle(.gatewayEnded) == [])
        var later = Bridge(session: { _ in "own" }, bounds: Self.bounds)
        _ = later.handle(.browserOpened)
        _ = later.handle(.gatewayOpened)
        #expect(later.handle(.gatewayEnded) == end)
        #expect(later.handle(.message(request)) == [])
        #expect(later.handle(.line([1])) == [])
        #expect(later.handle(.browserEnded) == [])
    }

    @Test mutating func theGatewayIsLeftWithTheBrowser() {
        open()
        #expect(bridge.handle(.browserEnded) == [.closeGateway])
        #expect(bridge.handle(.stop) == [])
    }

    @Test mutating func theGatewayWaitsForASlowBrowser() {
        open()
        #expect(bridge.handle(.browserQueue(bytes: 100, now: 0)) == [])
        #expect(
            bridge.handle(.browserQueue(bytes: 101, now: 1)) == [.readGateway(false), .readBrowser(false)])
        #expect(bridge.handle(.browserQueue(bytes: 102, now: 2)) == [])
        #expect(bridge.handle(.browserQueue(bytes: 51, now: 3)) == [])
        #expect(
            bridge.handle(.browserQueue(bytes: 50, now: 4)) == [.readGateway(true), .readBrowser(true)])
    }

    /// Answers that are made here wait for it, too: who asks faster than it takes them is not read meanwhile.
    @Test mutating func aBrowserIsReadWhenItTakesItsAnswersAndTheGatewayItsRequests() {
        open()
        #expect(bridge.handle(.gatewayQueue(bytes: 101)) == [.readBrowser(false)])
        #expect(bridge.handle(.browserQueue(bytes: 101, now: 0)) == [.readGateway(false)])
        #expect(bridge.handle(.gatewayQueue(bytes: 0)) == [])
        #expect(bridge.handle(.browserQueue(bytes: 0, now: 1)) == [.readGateway(true), .readBrowser(true)])
    }

    @Test mutating func whoTakesNothingIsCut() {
        open()
        _ = bridge.handle(.browserQueue(bytes: 200, now: 1_000))
        #expect(bridge.handle(.look(now: 10_999)) == [])
        // It has taken something; then it stops again, and what comes for it meanwhile does not count.
        _ = bridge.handle(.browserQueue(bytes: 150, now: 10_999))
        _ = bridge.handle(.browserQueue(bytes: 190, now: 15_000))
        #expect(bridge.handle(.look(now: 20_998)) == [])
        #expect(bridge.handle(.look(now: 20_999)) == [.cutBrowser, .closeGateway])
        #expect(bridge.handle(.look(now: 99_999)) == [])
    }

    @Test mutating func whoHasLittleToTakeIsNotCut() {
        open()
        _ = bridge.handle(.browserQueue(bytes: 100, now: 0))
        #expect(bridge.handle(.look(now: 1_000_000)) == [])
    }

    @Test mutating func aBrowserWaitsForASlowGateway() {
        open()
        #expect(bridge.handle(.gatewayQueue(bytes: 100)) == [])
        #expect(bridge.handle(.gatewayQueue(bytes: 101)) == [.readBrowser(false)])
        #expect(bridge.handle(.gatewayQueue(bytes: 51)) == [])
        #expect(bridge.handle(.gatewayQueue(bytes: 50)) == [.readBrowser(true)])
    }

    @Test mutating func aStoppingProcessSaysSo() {
        open()
        #expect(bridge.handle(.stop) == [.closeBrowser(.goingAway, "The server stops."), .closeGateway])
        #expect(bridge.handle(.browserEnded) == [])
    }
}
