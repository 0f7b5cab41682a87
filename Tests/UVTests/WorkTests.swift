import Glibc
import Testing
import UV

@Suite struct WorkTests {
    /// Nothing else hangs on the loop, which waits for it all the same.
    @Test func theLoopWaitsForItsEnd() throws {
        let loop = try Loop()
        var results: [Int32] = []
        unsafe Work.run(system, "exit 3", on: loop) { status in
            results.append(status >> 8)
            unsafe Work.run(system, "exit 4", on: loop) { results.append($0 >> 8) }
        }
        #expect(results == [])
        loop.run()
        #expect(results == [3, 4])
    }

    /// What it is told with is held until then, and not longer.
    @Test func whatItIsToldWithIsLetGo() throws {
        final class Held {}
        let loop = try Loop()
        weak var held: Held?
        do {
            let object = Held()
            held = object
            unsafe Work.run(system, "true", on: loop) { _ in withExtendedLifetime(object) {} }
        }
        #expect(held != nil)
        loop.run()
        #expect(held == nil)
    }
}
