import Shared
import TestSupport
import Testing

@testable import SelectionService

@Suite struct JournalPageTests {
    /// Entries with ids and texts of all lengths, in pages as they are written.
    private func pages(_ random: inout SeededGenerator) -> [(
        entries: [(id: Identifier, bytes: [UInt8])], page: JournalPage
    )] {
        var pages: [(entries: [(id: Identifier, bytes: [UInt8])], page: JournalPage)] = [([], JournalPage())]
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            let length = Int.random(in: 1...Limits.idBytesMax, using: &random)
            let id = Identifier(
                String((0..<length).map { _ in "abcdef".randomElement(using: &random) ?? "a" }))
            let size = Int.random(in: 0...9, using: &random) == 0 ? 6_000 : 900
            let bytes = (0..<Int.random(in: 2...size, using: &random)).map { _ in
                UInt8.random(in: 0x20...0x7E, using: &random)
            }
            if !pages[pages.count - 1].page.hasRoom(for: id, bytes: bytes.count) {
                pages.append(([], JournalPage()))
            }
            unsafe bytes.withUnsafeBytes { unsafe pages[pages.count - 1].page.add(id, $0) }
            pages[pages.count - 1].entries.append((id, bytes))
        }
        for index in pages.indices { pages[index].page.fill() }
        return pages
    }

    @Test func whatIsPutIntoAPageIsFoundInIt() {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            for (entries, page) in pages(&random) {
                #expect(
                    JournalPage.read(page.bytes) == entries.map { .entry($0.id, $0.bytes) }, "seed \(seed)")
                #expect(page.bytes.count == Limits.journalPageBytes || entries.count == 1, "seed \(seed)")
            }
        }
    }

    @Test func damageHarmsTheEntryThatItIsInAndNoOther() {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            for (entries, page) in pages(&random) {
                var bytes = page.bytes
                // The frames lie one behind the other.
                var ends: [Int] = []
                for entry in entries {
                    ends.append((ends.last ?? 0) + 22 + entry.id.text.utf8.count + entry.bytes.count)
                }
                let start = Int.random(in: 0..<(ends.last ?? 1), using: &random)
                let length = Int.random(in: 1...40, using: &random)
                let damage = start..<min(start + length, ends.last ?? 1)
                for at in damage { bytes[at] ^= UInt8.random(in: 1...255, using: &random) }
                let found = JournalPage.read(bytes)
                var begin = 0
                var expected: [JournalPage.Found] = []
                for (entry, end) in zip(entries, ends) {
                    if !damage.overlaps(begin..<end) { expected.append(.entry(entry.id, entry.bytes)) }
                    begin = end
                }
                let sound = found.filter { if case .entry = $0 { true } else { false } }
                #expect(sound == expected, "seed \(seed)")
                #expect(found.count > sound.count, "seed \(seed)")
            }
        }
    }

    @Test func aPageOfNothingButDamageIsRead() {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for count in [1, 30, 4_032] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 1...255, using: &random) }
            #expect(JournalPage.read(bytes) == [.damaged(nil, bytes)], "seed \(seed)")
        }
        #expect(JournalPage.read([UInt8](repeating: 0x1E, count: 4_032)).count == 1)
        #expect(JournalPage.read([UInt8](repeating: 0, count: 4_032)).isEmpty)
        #expect(JournalPage.read([]).isEmpty)
    }
}
