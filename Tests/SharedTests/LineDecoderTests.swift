import Shared
import TestSupport
import Testing

@Suite struct LineDecoderTests {
    private func lines(_ chunks: [[UInt8]], lineBytesMax: Int = 100, ends: Bool = true) -> [String] {
        var decoder = LineDecoder(lineBytesMax: lineBytesMax)
        var out: [String] = []
        func drain() {
            while let line = decoder.next() {
                switch line {
                case .text(let bytes): out.append(String(decoding: bytes, as: UTF8.self))
                case .tooLong: out.append("<too long>")
                }
            }
        }
        for chunk in chunks {
            unsafe decoder.append(chunk.span.bytes)
            drain()
        }
        if ends {
            decoder.finish()
            drain()
        }
        return out
    }

    private static let stream = Array("{\"a\":1}\r\n\n  \r\n{\"é\u{2028}\u{85}\":2}\n\r\n\t\nlast".utf8)
    private static let expected = ["{\"a\":1}", "{\"é\u{2028}\u{85}\":2}", "last"]

    @Test func aStreamGivesTheSameLinesWhereverItIsCut() {
        #expect(lines([Self.stream]) == Self.expected)
        #expect(lines(Self.stream.map { [$0] }) == Self.expected)
        for cut in 0...Self.stream.count {
            #expect(lines([Array(Self.stream[..<cut]), Array(Self.stream[cut...])]) == Self.expected)
        }
    }

    @Test func aStreamCutAtRandomGivesTheSameLines() {
        let seed = SeededGenerator.newSeed()
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var chunks: [[UInt8]] = []
            var rest = Self.stream[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...min(7, rest.count), using: &generator)
                chunks.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(lines(chunks) == Self.expected, "seed \(seed)")
        }
    }

    @Test func aLineWithoutItsEndWaits() {
        #expect(lines([Array("abc".utf8)], ends: false) == [])
        #expect(lines([Array("abc".utf8), Array("\nd".utf8)], ends: false) == ["abc"])
    }

    @Test func aLineOfTheBoundIsTakenAndALongerOneIsSkippedOnce() {
        let fits = [UInt8](repeating: 0x78, count: 100)
        let long = [UInt8](repeating: 0x79, count: 101)
        let stream = fits + [0x0A] + long + [0x0A] + Array("z\n".utf8)
        let expected = [String(decoding: fits, as: UTF8.self), "<too long>", "z"]
        #expect(lines([stream]) == expected)
        #expect(lines(stream.map { [$0] }) == expected)
        let endless = (0..<50).map { _ in [UInt8](repeating: 0x79, count: 77) }
        #expect(lines(endless + [Array("\nz\n".utf8)]) == ["<too long>", "z"])
        #expect(lines(endless) == ["<too long>"])
    }

    @Test func whatIsSkippedIsNotHeld() {
        var decoder = LineDecoder(lineBytesMax: 100)
        let chunk = [UInt8](repeating: 0x79, count: 64)
        for _ in 0..<1_000 {
            unsafe decoder.append(chunk.span.bytes)
            _ = decoder.next()
            #expect(decoder.heldBytes <= 128)
        }
        #expect(decoder.isInsideLine)
    }
}
