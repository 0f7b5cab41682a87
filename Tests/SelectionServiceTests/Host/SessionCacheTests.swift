import Shared
import Testing

@testable import SelectionService

@Suite struct SessionCacheTests {
    private func kept(_ id: Identifier, items: Int = 0) -> Store.Kept {
        var session = Session(id, catalog: "c")
        let long = String(repeating: "x", count: 112)
        session.state.items = (0..<items).map { Identifier("\(long)\($0)") }
        return Store.Kept(session: session, updatedMs: 1)
    }

    @Test func whatIsDoneToASessionIsFoundUnderItsId() {
        var cache = SessionCache()
        let loaded = LoadedSession("s", nil)
        cache.add(loaded)
        #expect(cache.find("s") == nil && cache.count == 0)  // there is no such session
        let (first, second) = (kept("s"), kept("s", items: 2))
        cache.change(loaded, to: first)
        #expect(cache.find("s")?.kept === first)
        cache.change(loaded, to: second)
        #expect(cache.find("s") === loaded && loaded.kept === second)
        cache.change(loaded, to: nil)
        #expect(cache.find("s") == nil && cache.count == 0)
        cache.change(loaded, to: first)
        #expect(cache.find("s")?.kept === first)
    }

    @Test func whatIsNotUsedGoesWithItsGeneration() {
        var cache = SessionCache()
        cache.add(LoadedSession("used", kept("used")))
        cache.add(LoadedSession("unused", kept("unused")))
        // Each is some 128 KiB.
        let enough = Limits.loadedBytesMax / 2 / (128 * 1_000) + 1
        for round in 0..<2 {
            let before = cache.count
            cache.makeRoom()
            #expect(cache.count == before)
            for index in 0..<enough {
                let id = Identifier("\(round) \(index)")
                cache.add(LoadedSession(id, kept(id, items: 1_000)))
            }
            cache.makeRoom()
            #expect(cache.find("used") != nil)
        }
        #expect(cache.find("unused") == nil)
        #expect(cache.count == enough + 1)
    }

    @Test func whatBecomesLongCountsAsMuchAsItIs() {
        var cache = SessionCache()
        cache.add(LoadedSession("other", kept("other")))
        let loaded = (0..<200).map { LoadedSession(Identifier("\($0)"), kept(Identifier("\($0)"))) }
        for one in loaded { cache.add(one) }
        // Longer and shorter again: nothing has to go.
        for one in loaded { cache.change(one, to: kept(one.id, items: 1_000)) }
        for one in loaded { cache.change(one, to: kept(one.id)) }
        cache.makeRoom()
        cache.makeRoom()
        #expect(cache.count == 201)
        // Long ones have to go, two generations later.
        for one in loaded { cache.change(one, to: kept(one.id, items: 1_000)) }
        cache.makeRoom()
        for one in loaded.dropFirst() { #expect(cache.find(one.id) === one) }
        cache.makeRoom()
        #expect(cache.count == 199)
    }
}
