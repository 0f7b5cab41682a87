import Shared
import TestSupport
import Testing

/// Worlds of many seeds.
///
/// `SEEDS`, `SEED`, `STEPS` and `TRACE` in the environment say how many, from which one on, how long,
/// and whether all is told that happens; deploy/simulate.sh sets them.
@Suite struct WorldTests {
    static let workers = 4
    private static let seeds = number("SEEDS") ?? 2_000
    private static let first = number("SEED").map { UInt64($0) } ?? 20_261_130

    private static func number(_ name: String) -> Int? { Paths.environment(name).flatMap { Int($0) } }

    /// Nothing that is promised is ever broken, and in the end all is as if nothing had gone wrong.
    ///
    /// Each worker takes every fourth seed; worlds have nothing in common.
    @Test(arguments: 0..<workers) func whateverHappensNothingIsWrong(_ worker: Int) throws {
        let template = try Template.make()
        defer { template.remove() }
        var reached: Set<Reached> = []
        for index in stride(from: worker, to: Self.seeds, by: Self.workers) {
            let seed = Self.first &+ UInt64(index)
            let world = try World(seed: seed, from: template, isTraced: Paths.environment("TRACE") != nil)
            world.run()
            reached.formUnion(world.reached)
            for line in world.trace.lines { print(line) }
            if let violation = world.ledger.violation {
                Issue.record(
                    "seed \(seed), step \(world.steps): \(violation)\nall of it: deploy/simulate.sh --trace 1 \(seed)"
                )
                return
            }
            let done = index / Self.workers + 1
            if Self.seeds > 5_000, done.isMultiple(of: 500) { print("worker \(worker): \(done) seeds") }
        }
        guard Self.seeds >= 1_000 else { return }
        let missed = Reached.allCases.filter { !reached.contains($0) }
        #expect(missed.isEmpty, "what never happens proves nothing")
    }

    /// A seed decides everything: else it could not be looked at again.
    @Test func aSeedIsTheSameWorldAgain() throws {
        let template = try Template.make()
        defer { template.remove() }
        for seed in Self.first..<(Self.first + 20) {
            let worlds = try (0..<2).map { _ in
                let world = try World(seed: seed, from: template, isTraced: true)
                world.run()
                return world
            }
            if worlds[0].trace.hash != worlds[1].trace.hash {
                let index = zip(worlds[0].trace.lines, worlds[1].trace.lines).prefix { $0 == $1 }
                    .underestimatedCount
                Issue.record(
                    "seed \(seed) is two worlds from line \(index) on: \(worlds.map { $0.trace.lines.dropFirst(index).first ?? "the end" })"
                )
            }
        }
    }

    // MARK: Planted bugs

    /// The first violation within some seeds.
    private func violation(within seeds: UInt64, _ plant: (World) -> Void) throws -> String? {
        let template = try Template.make()
        defer { template.remove() }
        for seed in 1...seeds {
            let world = try World(seed: seed, from: template)
            plant(world)
            world.run()
            if let violation = world.ledger.violation { return violation }
        }
        return nil
    }

    @Test func aDiskThatForgetsIsFound() throws {
        #expect(try violation(within: 200) { $0.disk.isForgetful = true } != nil)
    }

    @Test func aNetworkThatReordersIsFound() throws {
        #expect(try violation(within: 50) { $0.network.isReordering = true } != nil)
    }
}

extension World {
    private static let stepCount = Paths.environment("STEPS").flatMap { Int($0) } ?? 150

    /// Lives through a whole world.
    func run() {
        start()
        while steps < Self.stepCount, ledger.violation == nil { step() }
        if ledger.violation == nil { checkRest() }
        finish()
    }
}
