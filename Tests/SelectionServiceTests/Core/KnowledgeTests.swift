import Shared
import Testing

@testable import SelectionService

extension Knowledge {
    /// What is to be done so that a session is right about its catalog.
    fileprivate mutating func settling(_ session: Session) -> Settling {
        settling(session, session.state.catalog.flatMap { catalogs[$0] })
    }

    /// Whether an event can be applied to a session that is settled.
    fileprivate mutating func readiness(of event: NavigationEvent, for session: Session) -> Readiness {
        readiness(of: event, for: session, session.state.catalog.flatMap { catalogs[$0] })
    }
}

@Suite struct KnowledgeTests {
    /// Knowledge of the catalog `c` at revision 5, with a session that has seen it.
    private func start() -> (Knowledge, Session) {
        var knowledge = Knowledge()
        knowledge.subscribed(["c": 5])
        var session = Session("s", catalog: "c")
        session.place = Place(category: "A", items: ["a1", "a2"])
        session.seen = 5
        return (knowledge, session)
    }

    private func learn(_ knowledge: inout Knowledge, _ things: [Thing: Fact?]) {
        knowledge.located(Located(revision: knowledge.latest(of: "c"), facts: things), in: "c")
    }

    @Test func aSessionThatHasSeenAllIsSettled() {
        var (knowledge, session) = start()
        #expect(knowledge.settling(session) == .done)
    }

    @Test func aDeletionIsALossWithoutAskingAnybody() {
        var (knowledge, session) = start()
        let deleted: Set<Thing> = [.item("a1"), .item("elsewhere")]
        knowledge.changed(CatalogChange(catalog: "c", revision: 6, deleted: deleted))
        #expect(knowledge.settling(session) == .losses(Losses(gone: [.item("a1")])))
        session.seen = 6
        #expect(knowledge.settling(session) == .done)
    }

    @Test func aMoveIsLookedUp() {
        var (knowledge, session) = start()
        knowledge.changed(CatalogChange(catalog: "c", revision: 6, items: [.item("a1"), .item("a9")]))
        #expect(knowledge.settling(session) == .needs([.item("a1")]))
        learn(&knowledge, [.item("a1"): Fact(created: 1, categories: ["B"])])
        #expect(knowledge.settling(session) == .losses(Losses(categories: ["a1": ["B"]])))
        // What was found out holds until it changes again.
        knowledge.changed(CatalogChange(catalog: "c", revision: 7, items: [.item("a1")]))
        #expect(knowledge.settling(session) == .needs([.item("a1")]))
        session.seen = 6
        learn(&knowledge, [.item("a1"): Fact(created: 7, categories: ["A"])])
        #expect(knowledge.settling(session) == .losses(Losses(gone: [.item("a1")])))
    }

    @Test func whatCannotBeToldHasEverythingLookedUp() {
        var (knowledge, session) = start()
        knowledge.changed(CatalogChange(catalog: "c", revision: 6, isAll: true))
        #expect(knowledge.settling(session) == .needs([.category("A"), .item("a1"), .item("a2")]))
        learn(
            &knowledge,
            [
                .category("A"): Fact(created: 1), .item("a1"): nil,
                .item("a2"): Fact(created: 6, categories: ["A"]),
            ])
        #expect(knowledge.settling(session) == .losses(Losses(gone: [.item("a1"), .item("a2")])))
        session.seen = 6
        #expect(knowledge.settling(session) == .done)
    }

    @Test func moreChangesThanAreKeptHaveEverythingLookedUp() {
        var (knowledge, session) = start()
        for revision in 6...80 { knowledge.changed(CatalogChange(catalog: "c", revision: revision)) }
        #expect(knowledge.settling(session) == .needs([.category("A"), .item("a1"), .item("a2")]))
        #expect(knowledge.changedThings(of: "c") == nil)
        session.seen = 75
        #expect(knowledge.settling(session) == .losses(Losses()))
    }

    @Test func whatIsSettledNeedsNoLookingUp() {
        var (knowledge, session) = start()
        session.seen = 2
        #expect(knowledge.settling(session) == .done)  // all sessions were right at 5
        knowledge.changed(CatalogChange(catalog: "c", revision: 6, deleted: [.item("a1")]))
        #expect(knowledge.unsettled == ["c"])
        #expect(knowledge.changedThings(of: "c") == [.item("a1")])
        #expect(knowledge.settling(session) == .losses(Losses(gone: [.item("a1")])))
        knowledge.settled("c", at: 6)
        #expect(knowledge.unsettled == [])
        #expect(knowledge.settling(session) == .done)
    }

    @Test func sessionsOfADroppedCatalogGoEvenIfItComesBack() {
        var (knowledge, session) = start()
        knowledge.changed(CatalogChange(catalog: "c", revision: 6, isDropped: true))
        #expect(knowledge.settling(session) == .dropped)
        knowledge.changed(CatalogChange(catalog: "c", revision: 7))
        #expect(knowledge.settling(session) == .dropped)
        session.seen = 7
        #expect(knowledge.settling(session) == .done)
        knowledge.settled("c", at: 7)
        #expect(knowledge.catalogs["c"]?.exists == true)
    }

    @Test func aCatalogThatWasDroppedUnseenIsGoneWithItsSessions() {
        var (knowledge, session) = start()
        knowledge.subscribed([:])
        #expect(knowledge.settling(session) == .dropped)
        #expect(knowledge.unsettled == ["c"])
        knowledge.settled("c", at: 5)
        #expect(knowledge.catalogs["c"] == nil)
        session.seen = 5
        #expect(knowledge.settling(session) == .dropped)
    }

    @Test func whatHasChangedUnseenIsLookedUpAndTheRestIsKept() {
        var (knowledge, session) = start()
        learn(&knowledge, [.item("a1"): Fact(created: 1, categories: ["A"])])
        knowledge.described("c", columns: 3)
        let back = NavigationEvent.push(.detail, "a9")
        #expect(knowledge.readiness(of: back, for: session) == .needs([.item("a9")]))
        knowledge.subscribed(["c": 5])
        #expect(knowledge.facts.find(.item("a1"), epoch: knowledge.catalogs["c"]?.epoch ?? -1) != nil)
        knowledge.subscribed(["c": 9])
        #expect(knowledge.settling(session) == .needs([.category("A"), .item("a1"), .item("a2")]))
        // The catalog may be another one now, under the same id.
        session.seen = 9
        #expect(knowledge.readiness(of: .historyBack, for: session) == .needsColumns)
        knowledge.link = .down
        #expect(knowledge.readiness(of: .historyBack, for: session) == .ready(Facts(columns: 3)))
    }

    @Test func withoutTheCatalogOnlyWhatExistsIsKnown() {
        var (knowledge, session) = start()
        knowledge.described("c", columns: 3)
        learn(
            &knowledge, [.item("x"): Fact(created: 1), .item("y"): nil, .item("z"): Fact(created: 6)])
        func push(_ id: Identifier) -> Readiness { knowledge.readiness(of: .push(.detail, id), for: session) }
        #expect(push("y") == .ready(Facts(columns: 3, things: [.item("y"): nil])))
        knowledge.link = .down
        #expect(push("x") == .ready(Facts(columns: 3, things: [.item("x"): Fact(created: 1)])))
        #expect(push("y") == .unavailable)
        #expect(push("z") == .unavailable)  // it came after all that the session has seen
        session.seen = 6
        #expect(push("z") == .ready(Facts(columns: 3, things: [.item("z"): Fact(created: 6)])))
        #expect(knowledge.readiness(of: .back(collapsed: true), for: session) == .ready(Facts(columns: 3)))
        session.state.catalog = "other"
        #expect(knowledge.readiness(of: .historyBack, for: session) == .unavailable)
    }

    @Test func aDeletedCategoryMakesAllFactsDoubtful() {
        var (knowledge, session) = start()
        knowledge.described("c", columns: 3)
        learn(&knowledge, [.item("x"): Fact(created: 1, categories: ["B", "A"])])
        knowledge.changed(CatalogChange(catalog: "c", revision: 6, deleted: [.category("B")]))
        session.seen = 6
        let open = NavigationEvent.open(category: nil, item: "x", path: [], query: Query())
        #expect(knowledge.readiness(of: open, for: session) == .needs([.item("x")]))
    }

    /// Beyond, it is not known any more what has changed, so that all that a session shows is looked up.
    @Test(arguments: [64, 65]) func soManyChangesAreRemembered(_ count: Int) {
        var (knowledge, session) = start()
        for number in 1...count {
            knowledge.changed(
                CatalogChange(catalog: "c", revision: 5 + number, items: [.item(Identifier("x\(number)"))]))
        }
        let isAll = count > Limits.changesMax
        #expect(
            knowledge.settling(session)
                == (isAll ? .needs([.category("A"), .item("a1"), .item("a2")]) : .losses(Losses())))
        session.seen = 5 + count
        #expect(knowledge.settling(session) == .done)
    }

    @Test func factsAreKeptInGenerationsOf32768() {
        var cache = FactCache()
        for index in 0..<2 * Limits.factsMax {
            cache.learn(nil, of: .item(Identifier("\(index)")), epoch: 0)
        }
        #expect(cache.count == 2 * Limits.factsMax)
        cache.learn(nil, of: .item("one more"), epoch: 0)
        #expect(cache.count == Limits.factsMax + 1)
        #expect(cache.find(.item("0"), epoch: 0) == nil)
        #expect(cache.find(.item("40000"), epoch: 0) != nil)
    }

    @Test func aFactThatIsAskedForOutlivesItsGeneration() {
        var cache = FactCache()
        for index in 0..<Limits.factsMax { cache.learn(nil, of: .item(Identifier("\(index)")), epoch: 0) }
        cache.learn(nil, of: .item("one more"), epoch: 0)
        #expect(cache.find(.item("0"), epoch: 0) != nil)
        #expect(cache.count == Limits.factsMax + 1)
        for index in 0..<Limits.factsMax { cache.learn(nil, of: .item(Identifier("b\(index)")), epoch: 0) }
        #expect(cache.find(.item("0"), epoch: 0) != nil)
        #expect(cache.find(.item("1"), epoch: 0) == nil)
    }

    @Test func theCacheOfFactsIsBounded() {
        var cache = FactCache()
        for index in 0..<100_000 {
            cache.learn(Fact(created: index), of: .item(Identifier("\(index)")), epoch: 0)
        }
        #expect(cache.count <= 2 * 32_768)
        #expect(cache.find(.item("99999"), epoch: 0) == .some(Fact(created: 99_999)))
        #expect(cache.find(.item("99999"), epoch: 1) == nil)
        #expect(cache.find(.item("0"), epoch: 0) == nil)
        cache.forget([.item("99999")], epoch: 0)
        #expect(cache.find(.item("99999"), epoch: 0) == nil)
    }

    @Test func catalogsThatWereKnownAtTheStartHaveFactsOfTheirOwn() {
        var knowledge = Knowledge([(id: "c", columns: 3, settled: 5), (id: "d", columns: 3, settled: 5)])
        knowledge.subscribed(["c": 5, "d": 5])
        learn(&knowledge, [.item("x"): Fact(created: 1)])
        let push = NavigationEvent.push(.detail, "x")
        let facts = Facts(columns: 3, things: [.item("x"): Fact(created: 1)])
        #expect(knowledge.readiness(of: push, for: Session("s", catalog: "c")) == .ready(facts))
        #expect(knowledge.readiness(of: push, for: Session("s", catalog: "d")) == .needs([.item("x")]))
    }
}
