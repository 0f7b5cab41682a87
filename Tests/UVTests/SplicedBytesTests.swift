import Glibc
import TestSupport
import Testing

@testable import UV

@Suite struct SplicedBytesTests {
    /// Random parts, some short and some as long as those that are spliced in, and the bytes that they make.
    private func random(
        _ generator: inout SeededGenerator, parts: Int
    ) -> (spliced: SplicedBytes, expected: [UInt8]) {
        var spliced = SplicedBytes()
        if Bool.random(using: &generator) {
            spliced.append([UInt8](repeating: 9, count: Int.random(in: 0...5_000, using: &generator)))
            spliced.removeAll()
        }
        var expected: [UInt8] = []
        for _ in 0..<parts {
            switch Int.random(in: 0...3, using: &generator) {
            case 0:
                spliced.append(0x0A)
                expected.append(0x0A)
            case 1:
                spliced.append("fixed" as StaticString)
                expected += Array("fixed".utf8)
            case 2:
                let number =
                    Bool.random(using: &generator) ? 0 : Int.random(in: 0 ... .max, using: &generator)
                spliced.append("<", digits: number, ">>")
                expected += Array("<\(number)>>".utf8)
            default:
                let around = SplicedBytes.splicedBytesMin - 2...SplicedBytes.splicedBytesMin + 2
                let length = Int.random(
                    in: Bool.random(using: &generator) ? 0...5 : around, using: &generator)
                let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
                spliced.append(bytes)
                expected += bytes
            }
        }
        return (spliced, expected)
    }

    private func pieces(_ bytes: SplicedBytes, from start: Int) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        unsafe bytes.forEachPiece(from: start) { unsafe pieces.append(Array($0)) }
        return pieces
    }

    @Test func thePiecesAreTheBytesWhereverTheyBegin() {
        let seed = SeededGenerator.newSeed()
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let (spliced, expected) = random(&generator, parts: Int.random(in: 0...12, using: &generator))
            #expect(spliced.count == expected.count, "seed \(seed)")
            #expect(spliced.joined == expected, "seed \(seed)")
            for start in [0, Int.random(in: 0...expected.count, using: &generator), expected.count] {
                let pieces = pieces(spliced, from: start)
                #expect(Array(pieces.joined()) == Array(expected[start...]), "seed \(seed)")
                #expect(pieces.allSatisfy { !$0.isEmpty }, "seed \(seed)")
            }
        }
    }

    @Test func longArraysStayWhereTheyAreAndShortOnesAreCopied() {
        var spliced = SplicedBytes()
        let long = [UInt8](repeating: 1, count: SplicedBytes.splicedBytesMin)
        spliced.append(long)
        spliced.append([UInt8](repeating: 2, count: SplicedBytes.splicedBytesMin - 1))
        #expect(spliced.copiedCount == SplicedBytes.splicedBytesMin - 1)
        var places: [Int] = []
        unsafe spliced.forEachPiece(from: 0) { places.append(Int(bitPattern: $0.baseAddress)) }
        let place = unsafe long.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
        #expect(places.count == 2)
        #expect(places.first == place)
    }

    /// Whatever the system takes at a time, from one byte to all, the other end reads the bytes in their order: also of
    /// more pieces than one call takes (1,024), and of one write behind another.
    @Test func theOtherEndReadsTheBytesHoweverManyTheSystemTakesAtATime() throws {
        let seed = SeededGenerator.newSeed()
        var generator = SeededGenerator(seed: seed)
        for parts in [1, 3, 40, 5_000] {
            let loop = try Loop()
            var ends: [Int32] = [0, 0]
            #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            let (writer, reader) = (Pipe(on: loop), Pipe(on: loop))
            try writer.open(descriptor: ends[0])
            try reader.open(descriptor: ends[1])
            writer.setSendBuffer(bytes: 1)  // as few as the system has
            var (expected, received): ([UInt8], [UInt8]) = ([], [])
            var written = 0
            for _ in 0..<3 {
                let (spliced, bytes) = random(&generator, parts: parts)
                expected += bytes
                writer.write(spliced) { error in
                    #expect(error == nil, "seed \(seed)")
                    written += 1
                    if written == 3 { writer.shutDownWriting() }
                }
            }
            if parts == 5_000 { #expect(writer.queuedBytes > expected.count / 2) }
            reader.startReading(
                onBytes: { bytes in unsafe bytes.withUnsafeBytes { unsafe received.append(contentsOf: $0) } },
                onEnd: { _ in
                    reader.close()
                    writer.close()
                })
            loop.run()
            #expect(received == expected, "seed \(seed)")
            #expect(written == 3)
        }
    }

    @Test func theSystemTakesMoreThatIsUnreadWhenItIsAskedTo() throws {
        let loop = try Loop()
        var ends: [Int32] = [0, 0]
        #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let pipe = Pipe(on: loop)
        try pipe.open(descriptor: ends[0])
        pipe.setSendBuffer(bytes: 200_000)
        let bytes = 300_000
        pipe.write([UInt8](repeating: 1, count: bytes)) { _ in }
        #expect(pipe.queuedBytes == 0)
        pipe.close()
        loop.run()
        _ = Glibc.close(ends[1])
    }
}
