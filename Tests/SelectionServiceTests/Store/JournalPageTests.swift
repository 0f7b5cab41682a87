import JSON
import Shared
import TestSupport
import Testing

@testable import SelectionService

@Suite struct JournalPageTests {
    private let parser = JSONParser(depthMax: 64)

    private func name(_ id: Identifier) -> [UInt8] {
        var json = JSONWriter()
        json.value(id.text)
        return json.bytes
    }

    private func add(_ id: Identifier, _ bytes: [UInt8], to page: inout JournalPage) {
        unsafe name(id).withUnsafeBytes { name in
            unsafe bytes.withUnsafeBytes { unsafe page.add(name, $0) }
        }
    }

    /// Entries with ids and texts of all lengths, in pages as they are written.
    private func pages(_ random: inout SeededGenerator) -> [(
        entries: [(id: Identifier, bytes: [UInt8])], page: JournalPage
    )] {
        var pages: [(entries: [(id: Identifier, bytes: [UInt8])], page: JournalPage)] = [
            ([], JournalPage(number: 1, revision: 7))
        ]
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            let length = Int.random(in: 1...Limits.idBytesMax, using: &random)
            let id = Identifier(
                String((0..<length).map { _ in "abcdef".randomElement(using: &random) ?? "a" }))
            let size = Int.random(in: 0...9, using: &random) == 0 ? 6_000 : 900
            let bytes = (0..<Int.random(in: 2...size, using: &random)).map { _ in
                UInt8.random(in: 0x20...0x7E, using: &random)
            }
            if !pages[pages.count - 1].page.hasRoom(forName: name(id).count, entry: bytes.count) {
                pages.append(([], JournalPage(number: 2, revision: 7)))
            }
            add(id, bytes, to: &pages[pages.count - 1].page)
            pages[pages.count - 1].entries.append((id, bytes))
        }
        return pages
    }

    @Test func whatIsPutIntoAPageIsFoundInIt() {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            for (entries, page) in pages(&random) {
                #expect(
                    JournalPage.read(page.bytes, parser: parser) == entries.map { .entry($0.id, $0.bytes) },
                    "seed \(seed)")
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
                    ends.append(
                        (ends.last ?? JournalPage.headBytes) + 23 + name(entry.id).count + entry.bytes.count)
                }
                let start = Int.random(in: JournalPage.headBytes..<(ends.last ?? 25), using: &random)
                let length = Int.random(in: 1...40, using: &random)
                let damage = start..<min(start + length, ends.last ?? 1)
                for at in damage { bytes[at] ^= UInt8.random(in: 1...255, using: &random) }
                let found = JournalPage.read(bytes, parser: parser)
                var begin = JournalPage.headBytes
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

    @Test func aDamagedFrameHidesNotWhoseItsEntryWas() {
        let ids: [Identifier] = ["a", "\"{\u{1E}\\", "c", "\u{2028}é"]
        var page = JournalPage(number: 1, revision: 1)
        for id in ids {
            add(
                id, Array(#"{"deleted":\#(String(decoding: name(id), as: UTF8.self)),"revision":1}"#.utf8),
                to: &page)
        }
        let sound = JournalPage.read(page.bytes, parser: parser)
        var start = JournalPage.headBytes
        for (index, id) in ids.enumerated() {
            let frame = 23 + name(id).count
            guard case .entry(id, let entry) = sound[index] else {
                Issue.record("\(id) is not found")
                return
            }
            for at in start..<start + frame {
                var bytes = page.bytes
                bytes[at] ^= 1
                var expected = sound
                expected[index] = .damaged(id, Array(bytes[start..<start + frame + entry.count]))
                #expect(JournalPage.read(bytes, parser: parser) == expected)
            }
            start += frame + entry.count
        }
        // All of them at once.
        let bytes = page.bytes.map { $0 == JournalPage.mark ? 0x1F : $0 }
        let owners = JournalPage.read(bytes, parser: parser).map { found -> Identifier? in
            if case .damaged(let id, _) = found { id } else { nil }
        }
        #expect(owners == ids)
    }

    @Test func noIdHasTheMarkInAPage() {
        var page = JournalPage(number: 1, revision: 1)
        add("\u{1E}\u{1E}", Array("{}".utf8), to: &page)
        #expect(page.bytes.count { $0 == JournalPage.mark } == 1)
        let longest = Identifier(String(repeating: "\u{1E}", count: Limits.idBytesMax))
        add(longest, Array("{}".utf8), to: &page)
        #expect(JournalPage.read(page.bytes, parser: parser).last == .entry(longest, Array("{}".utf8)))
    }

    @Test func aBitOfTheHeadIsFoundOut() {
        let page = JournalPage(number: 1_000, revision: 70_000)
        let head = JournalPage.Head(page.bytes)
        #expect(head?.number == 1_000 && head?.revision == 70_000)
        for bit in 0..<8 * JournalPage.headBytes {
            var bytes = page.bytes
            bytes[bit / 8] ^= 1 << (bit % 8)
            #expect(JournalPage.Head(bytes) == nil)
        }
    }

    @Test func aPageOfNothingButDamageIsRead() {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for count in [1, 30, 4_032] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 1...255, using: &random) }
            let rest = Array(bytes.dropFirst(JournalPage.headBytes))
            let expected: [JournalPage.Found] = rest.isEmpty ? [] : [.damaged(nil, rest)]
            #expect(JournalPage.read(bytes, parser: parser) == expected, "seed \(seed)")
        }
        #expect(JournalPage.read([UInt8](repeating: 0x1E, count: 4_032), parser: parser).count == 1)
        #expect(JournalPage.read([UInt8](repeating: 0, count: 4_032), parser: parser).isEmpty)
        #expect(JournalPage.read([], parser: parser).isEmpty)
    }
}
