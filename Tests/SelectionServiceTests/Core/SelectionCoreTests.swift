import Shared
import TestSupport
import Testing

@testable import SelectionService
@testable import Shared

@Suite struct SelectionCoreTests {
    private func core() -> SelectionCore {
        var core = SelectionCore(Knowledge())
        #expect(core.handle(.connected) == [.subscribe])
        #expect(core.handle(.subscribed(["c": 5])) == [])
        return core
    }

    private func operation(
        _ id: Int, _ sessions: Identifier..., connection: Int? = nil, isChange: Bool = false,
        isBarrier: Bool = false, deadline: UInt64? = nil
    ) -> SelectionCore.Operation {
        SelectionCore.Operation(
            id: id, sessions: sessions, connection: connection.map { ConnectionID($0) }, isChange: isChange,
            isBarrier: isBarrier, deadline: deadline)
    }

    private func located(_ items: Identifier..., revision: Int = 5) -> Located {
        var facts: [Thing: Fact?] = [:]
        for id in items { facts[.item(id)] = .some(Fact(created: 1, categories: ["A"])) }
        return Located(revision: revision, facts: facts)
    }

    @Test func anOperationRunsAtOnce() {
        var core = core()
        #expect(core.handle(.arrived(operation(1, "s"))) == [.run(1)])
        #expect(core.handle(.finished(1)) == [])
        #expect(core.pendingCount == 0)
    }

    @Test func nothingRunsBeforeItIsKnownWhatHasChanged() {
        var core = SelectionCore(Knowledge())
        #expect(core.handle(.arrived(operation(1, "s"))) == [])
        #expect(core.handle(.connected) == [.subscribe])
        #expect(core.handle(.arrived(operation(2, "t"))) == [])
        #expect(core.handle(.subscribed([:])) == [.run(1), .run(2)])
    }

    @Test(arguments: [true, false]) func withoutTheCatalogEverythingRuns(_ isConnected: Bool) {
        var core = SelectionCore(Knowledge())
        if isConnected { _ = core.handle(.connected) }
        #expect(core.handle(.arrived(operation(1, "s"))) == [])
        #expect(core.handle(isConnected ? .notSubscribed : .disconnected) == [.run(1)])
        #expect(core.knowledge.link == .down)
    }

    @Test func oneThatWaitsHoldsUpThoseBehindItAndNobodyElse() {
        var core = core()
        _ = core.handle(.arrived(operation(1, "s")))
        #expect(core.handle(.blocked(1, catalog: "c", [.item("x")])) == [])
        #expect(core.handle(.arrived(operation(2, "s"))) == [])
        #expect(core.handle(.arrived(operation(3, "t"))) == [.run(3)])
        #expect(core.handle(.turnEnded) == [.locate(1, catalog: "c", [.item("x")])])
        #expect(core.handle(.located(1, located("x"))) == [.run(1)])
        #expect(core.handle(.finished(1)) == [.run(2)])
    }

    @Test func anOperationOnTwoSessionsWaitsForBoth() {
        var core = core()
        for (id, session) in [(1, "s"), (2, "t")] as [(Int, Identifier)] {
            _ = core.handle(.arrived(operation(id, session)))
            _ = core.handle(.blocked(id, catalog: "c", [.item("x")]))
        }
        #expect(core.handle(.arrived(operation(3, "s", "t"))) == [])
        #expect(core.handle(.arrived(operation(4, "t"))) == [])
        _ = core.handle(.turnEnded)
        #expect(core.handle(.located(1, located("x"))) == [.run(1), .run(2)])
        #expect(core.handle(.finished(1)) == [])
        #expect(core.handle(.finished(2)) == [.run(3)])
        #expect(core.handle(.finished(3)) == [.run(4)])
    }

    @Test func aBarrierWaitsForTheEarlierChangesOfItsConnection() {
        var core = core()
        _ = core.handle(.arrived(operation(1, "s", connection: 7, isChange: true)))
        _ = core.handle(.blocked(1, catalog: "c", [.item("x")]))
        _ = core.handle(.arrived(operation(2, "s", connection: 8)))
        #expect(core.handle(.arrived(operation(3, connection: 8, isBarrier: true))) == [.run(3)])
        #expect(core.handle(.arrived(operation(4, connection: 7, isBarrier: true))) == [])
        #expect(core.handle(.arrived(operation(5, "t", connection: 7, isChange: true))) == [.run(5)])
        _ = core.handle(.turnEnded)
        _ = core.handle(.located(1, located("x")))
        #expect(core.handle(.finished(1)) == [.run(2), .run(4)])
    }

    @Test func aThingIsAskedForOnce() {
        var core = core()
        for id in 1...3 { _ = core.handle(.arrived(operation(id, Identifier("s\(id)")))) }
        _ = core.handle(.blocked(1, catalog: "c", [.item("x")]))
        #expect(core.handle(.turnEnded) == [.locate(1, catalog: "c", [.item("x")])])
        _ = core.handle(.blocked(2, catalog: "c", [.item("x"), .item("y")]))
        _ = core.handle(.blocked(3, catalog: "c", [.item("y")]))
        #expect(core.handle(.turnEnded) == [.locate(2, catalog: "c", [.item("y")])])
        #expect(core.handle(.located(1, located("x"))) == [.run(1)])
        #expect(core.handle(.located(2, located("y"))) == [.run(2), .run(3)])
    }

    @Test func manyThingsAreAskedForInSeveralCalls() {
        var core = core()
        _ = core.handle(.arrived(operation(1, "s")))
        _ = core.handle(.blocked(1, catalog: "c", Set((0..<250).map { .item(Identifier("\($0)")) })))
        let counts = core.handle(.turnEnded).map { effect -> Int in
            guard case .locate(_, _, let things) = effect else { return 0 }
            return things.count
        }
        #expect(counts == [100, 100, 50])
    }

    @Test func anAnswerThatWouldBeTooLongIsAskedForInHalves() {
        var core = core()
        _ = core.handle(.arrived(operation(1, "s")))
        _ = core.handle(.blocked(1, catalog: "c", [.item("x"), .item("y")]))
        _ = core.handle(.turnEnded)
        #expect(core.handle(.failed(1, RPCError(.responseTooLarge, ""))) == [])
        let calls = core.handle(.turnEnded)
        #expect(calls.count == 2)
        #expect(core.handle(.located(2, located("x"))) == [])
        #expect(core.handle(.located(3, located("y"))) == [.run(1)])
    }

    @Test func anAnswerOlderThanAKnownChangeIsAskedForAgain() {
        var core = core()
        _ = core.handle(.arrived(operation(1, "s")))
        _ = core.handle(.blocked(1, catalog: "c", [.item("x")]))
        _ = core.handle(.turnEnded)
        _ = core.handle(.changed(CatalogChange(catalog: "c", revision: 6)))
        #expect(core.handle(.located(1, located("x"))) == [])
        #expect(core.handle(.turnEnded) == [.locate(1, catalog: "c", [.item("x")])])
        #expect(core.handle(.located(1, located("x", revision: 6))) == [.run(1)])
    }

    @Test func aCatalogThatStaysBehindIsNotAskedForEver() {
        var core = core()
        _ = core.handle(.arrived(operation(1, "s")))
        _ = core.handle(.blocked(1, catalog: "c", [.item("x")]))
        var asked = 0
        while case .locate(let call, _, _)? = core.handle(.turnEnded).first {
            asked += 1
            let effects = core.handle(.located(call, located("x", revision: 4)))
            guard case .fail(1, let error)? = effects.first else { continue }
            #expect(error.reason == .internal)
        }
        #expect(asked == 9)
        #expect(core.pendingCount == 0)
    }

    @Test func aFailureOfTheCatalogIsTheOperationsButItsLossIsNot() {
        var core = core()
        for id in 1...2 {
            _ = core.handle(.arrived(operation(id, "s")))
        }
        _ = core.handle(.blocked(1, catalog: "c", [.item("x")]))
        _ = core.handle(.turnEnded)
        let error = RPCError(.overloaded, "")
        #expect(core.handle(.failed(1, error)) == [.fail(1, error), .run(2)])
        _ = core.handle(.blockedByColumns(2, catalog: "c"))
        #expect(core.handle(.turnEnded) == [.describe(2, catalog: "c")])
        #expect(core.handle(.failed(2, RPCError(.upstreamUnavailable, ""))) == [.run(2)])
    }

    @Test func whoWaitsForACatalogThatIsDroppedGoesOnWithoutIt() {
        var core = core()
        _ = core.handle(.arrived(operation(1, "s")))
        _ = core.handle(.blocked(1, catalog: "c", [.item("x")]))
        _ = core.handle(.turnEnded)
        _ = core.handle(.changed(CatalogChange(catalog: "c", revision: 6, isDropped: true)))
        #expect(core.handle(.failed(1, RPCError(.notFound, ""))) == [.run(1)])
    }

    @Test func aCallerThatHasWaitedLongEnoughIsToldSo() {
        var core = core()
        _ = core.handle(.arrived(operation(1, "s", deadline: 100)))
        _ = core.handle(.blocked(1, catalog: "c", [.item("x")]))
        _ = core.handle(.arrived(operation(2, "s", deadline: 50)))
        _ = core.handle(.arrived(operation(3, "s", deadline: 200)))
        #expect(core.nextDeadline == 50)
        let late = RPCError(.deadlineExceeded, "The catalog service did not answer in time.")
        #expect(core.handle(.timePassed(60)) == [.fail(2, late)])
        #expect(core.handle(.timePassed(100)) == [.fail(1, late), .run(3)])
        _ = core.handle(.finished(3))
        _ = core.handle(.turnEnded)
        #expect(core.handle(.located(1, located("x"))) == [])
        #expect(core.pendingCount == 0)
    }

    /// Whatever comes in whatever order: every operation runs or fails, and those on a session in their order.
    @Test func everyOperationComesToItsEndInTheOrderOfItsSession() {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var core = core()
            var work: [SelectionCore.Effect] = []
            var running: [Int] = []
            var calls: [(Int, [Thing])] = []
            var done: [Identifier: [Int]] = [:]
            var sessions: [Int: Identifier] = [:]
            var ids = Array(1...20)
            func take(_ effects: [SelectionCore.Effect]) { work += effects }
            while !ids.isEmpty || !running.isEmpty || !calls.isEmpty || !work.isEmpty || core.pendingCount > 0
            {
                for effect in work {
                    switch effect {
                    case .run(let id): running.append(id)
                    case .locate(let call, _, let things): calls.append((call, things))
                    default: Issue.record("\(effect), seed \(seed)")
                    }
                }
                work = []
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where !ids.isEmpty:
                    let id = ids.removeFirst()
                    let session = Identifier("s\(Int.random(in: 0..<3, using: &random))")
                    sessions[id] = session
                    take(core.handle(.arrived(operation(id, session))))
                case 1 where !running.isEmpty:
                    let id = running.remove(at: Int.random(in: 0..<running.count, using: &random))
                    if Bool.random(using: &random) {
                        let thing = Thing.item(Identifier("\(Int.random(in: 0..<4, using: &random))"))
                        take(core.handle(.blocked(id, catalog: "c", [thing])))
                    } else {
                        done[sessions[id] ?? "", default: []].append(id)
                        take(core.handle(.finished(id)))
                    }
                case 2 where !calls.isEmpty:
                    let call = calls.remove(at: Int.random(in: 0..<calls.count, using: &random)).0
                    take(core.handle(.located(call, Located(revision: 5, facts: [:]))))
                default: take(core.handle(.turnEnded))
                }
            }
            for (session, ids) in done { #expect(ids == ids.sorted(), "\(session), seed \(seed)") }
            #expect(done.values.reduce(0) { $0 + $1.count } == 20, "seed \(seed)")
        }
    }
}
