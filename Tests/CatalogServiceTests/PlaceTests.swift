import TestSupport
import Testing

@testable import CatalogService

@Suite struct PlaceTests {
    @Test(arguments: [
        [0], [1], [-1], [63], [64], [-64], [-65], [319], [320], [-320], [-321], [65_855], [1 << 40],
        [-(1 << 40)], [0, 0],
        [0, -70], [5, 1_000_000, 2],
    ])
    func numbersComeBack(_ numbers: [Int]) {
        let next = Place.between(Place(numbers: numbers), nil)
        #expect(next == Place(numbers: numbers.dropLast() + [numbers[numbers.count - 1] + 1]))
    }

    @Test func bytesSortAsNumbersDo() {
        let edges = [
            -(1 << 60), -70_000, -66_000, -321, -320, -65, -64, -1, 0, 63, 64, 319, 320, 66_000, 1 << 60,
        ]
        for (low, high) in zip(edges, edges.dropFirst()) {
            #expect(Place(numbers: [low]) < Place(numbers: [low, -5]))
            #expect(Place(numbers: [low, 5]) < Place(numbers: [high]))
        }
    }

    @Test func thereIsAPlaceBetweenAnyTwo() {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        var places = [Place.between(nil, nil)]
        for _ in 0..<3_000 {
            let index = Int.random(in: 0...places.count, using: &random)
            let low = index > 0 ? places[index - 1] : nil
            let high = index < places.count ? places[index] : nil
            places.insert(Place.between(low, high), at: index)
        }
        for (low, high) in zip(places, places.dropFirst()) { #expect(low < high, "seed \(seed)") }
        #expect(places.allSatisfy { $0.bytes.count < 40 })
    }

    @Test func puttingRowsAtOneSpotKeepsPlacesShort() {
        let (low, high) = (Place(numbers: [1]), Place(numbers: [2]))
        var (chain, before, after) = (low, low, high)
        for _ in 0..<100_000 {
            chain = .between(chain, high)
            before = .between(before, high)
            after = .between(low, after)
        }
        #expect([chain, before, after].allSatisfy { $0.bytes.count <= 5 && low < $0 && $0 < high })
    }
}
