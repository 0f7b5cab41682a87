import Shared
import TestSupport
import Testing

@testable import SelectionService

@Suite struct SubscribersTests {
    @Test func whoHearsOfASessionComesBeforeWhoHearsOfAllInTheOrderOfTheirComing() {
        var subscribers = Subscribers()
        for (id, session) in [("s1", nil), ("s2", "a"), ("s3", "b"), ("s4", nil), ("s5", "a")] {
            subscribers.add(Identifier(id), of: session.map { Identifier($0) })
        }
        #expect(subscribers.of("a") == ["s2", "s5", "s1", "s4"])
        #expect(subscribers.of("b") == ["s3", "s1", "s4"])
        #expect(subscribers.of("c") == ["s1", "s4"])
    }

    @Test(arguments: [nil, "a"] as [Identifier?])
    func whoeverGoesTheOthersStayInTheirOrder(session: Identifier?) {
        var subscribers = Subscribers()
        var random = SeededGenerator(seed: 1)
        var left: [SubscriptionID] = []
        for number in 0..<1_000 {
            if number % 3 > 0 || left.isEmpty {
                left.append(SubscriptionID("s\(number)"))
                subscribers.add(SubscriptionID("s\(number)"), of: session)
            } else {
                subscribers.remove(left.remove(at: .random(in: left.indices, using: &random)))
            }
            #expect(subscribers.of("a") == left)
        }
        for id in left.shuffled(using: &random) {
            subscribers.remove(id)
            left.removeAll { $0 == id }
            #expect(subscribers.of("a") == left)
        }
        subscribers.add("s", of: session)
        #expect(subscribers.of("a") == ["s"])
    }

    @Test func whoeverGoesIsNotLookedForAmongTheOthers() {
        final class Counter { var comparisons = 0 }
        struct Member: Hashable {
            let number: Int
            let counter: Counter
            static func == (a: Self, b: Self) -> Bool {
                a.counter.comparisons += 1
                return a.number == b.number
            }
            func hash(into hasher: inout Hasher) { hasher.combine(number) }
        }
        let counter = Counter()
        var random = SeededGenerator(seed: 1)
        let all = (0..<4_096).map { Member(number: $0, counter: counter) }
        for leaving in [all, all.reversed(), all.shuffled(using: &random)] {
            var group = Group<Member>()
            for member in all { group.add(member) }
            counter.comparisons = 0
            for member in leaving { group.remove(member) }
            #expect(group.isEmpty)
            #expect(counter.comparisons < 8 * all.count)
        }
    }
}
