import Testing

@testable import Gateway
@testable import Shared

extension GatewayCore.JobID: ExpressibleByIntegerLiteral {
    /// Makes one of a literal.
    public init(integerLiteral number: Int) { self.init(number) }
}

/// What a connection was shown: what nothing that was begun before may fall behind.
@Suite struct LaneTests {
    private func lane() -> GatewayCore.Lane {
        let lane = GatewayCore.Lane(ConnectionID(1))
        lane.jobs.insert(1)
        return lane
    }

    private func show(_ lane: GatewayCore.Lane, _ session: Identifier, _ revision: Int, at number: Int) {
        lane.show(session, revision, "c", revision, by: nil, number: number) { (["kept"], ["c"]) }
    }

    @Test func whatWasBegunBeforeShowsNothingOlder() {
        let lane = lane()
        show(lane, "s", 5, at: 10)
        #expect([1, 10, 11].map { lane.floor(of: "s", since: $0) } == [5, 5, 0])
        #expect([1, 10, 11].map { lane.floor(ofCatalog: "c", since: $0) } == [5, 5, 0])
        show(lane, "s", 7, at: 20)
        #expect([1, 15, 20, 21].map { lane.floor(of: "s", since: $0) } == [7, 7, 7, 0])
        #expect(lane.floor(of: "t", since: 1) == 0)
    }

    @Test func whatIsDeletedLeavesTheFloorToThoseBefore() {
        let lane = lane()
        show(lane, "s", 5, at: 10)
        show(lane, "s", 0, at: 20)
        #expect([1, 15].map { lane.floor(of: "s", since: $0) } == [5, 0])
    }

    @Test func nothingIsRememberedForATwinWithoutJobs() {
        let lane = GatewayCore.Lane(ConnectionID(1))
        lane.show("s", 5, "c", 5, by: 7, number: 10) { ([], []) }
        #expect(lane.floor(of: "s", since: 1) == 0)
    }

    @Test func nothingIsRememberedForNobody() {
        let lane = GatewayCore.Lane(ConnectionID(1))
        show(lane, "s", 5, at: 10)
        #expect(lane.floor(of: "s", since: 1) == 0)
    }

    @Test func whoIsShownSomethingAloneNotesItForNobody() {
        let lane = lane()
        lane.show("s", 5, "c", 5, by: 1, number: 10) { ([], []) }
        #expect(lane.floor(of: "s", since: 1) == 0)
        lane.jobs.insert(2)
        lane.show("s", 5, "c", 5, by: 1, number: 10) { ([], []) }
        #expect(lane.floor(of: "s", since: 2) == 5)
    }

    @Test func tooManyAreForgottenButWhatIsUnderWay() {
        let lane = lane()
        show(lane, "kept", 1, at: 1)
        for number in 2..<Limits.shownRevisionsMax {
            show(lane, Identifier("s\(number)"), number, at: number)
        }
        #expect(lane.floor(of: "s2", since: 1) == 2)
        show(lane, "one more", 1_000, at: 1_000)
        #expect(lane.floor(of: "s2", since: 1) == 0)
        #expect(lane.floor(of: "kept", since: 1) == 1)
        #expect(lane.floor(ofCatalog: "c", since: 1) == 1_000)
    }
}
