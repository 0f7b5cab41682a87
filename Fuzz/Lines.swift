import Shared

/// The first byte is the bound of a line, the second one says how the rest is cut; however that is, the lines are the same.
func fuzzLines(_ input: [UInt8]) {
    guard input.count >= 2 else { return }
    let bound = Int(input[0])
    let stream = Array(input[2...])
    let expected = lines(of: stream, bound: bound)
    let size = Int(input[1]) + 1
    for cuts in [[stream.count], [1], [size], [size, 1, 0, 3]] {
        let found = decode(stream, bound: bound, cuts: cuts)
        must(found == expected, "cut by \(cuts), bound \(bound): \(found) instead of \(expected)")
    }
}

/// What a line is, said as simply as possible.
private func lines(of stream: [UInt8], bound: Int) -> [LineDecoder.Line] {
    var parts = stream.split(separator: 0x0A, omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    return parts.compactMap { part in
        if part.count > bound { return .tooLong }
        let line = part.last == 0x0D ? part.dropLast() : part
        return line.contains { ![0x20, 0x09, 0x0D].contains($0) } ? .text(line) : nil
    }
}

private func decode(_ stream: [UInt8], bound: Int, cuts: [Int]) -> [LineDecoder.Line] {
    var decoder = LineDecoder(lineBytesMax: bound)
    var found: [LineDecoder.Line] = []
    var (start, turn) = (0, 0)
    while start < stream.count {
        let end = min(stream.count, start + cuts[turn % cuts.count])
        decoder.append(Array(stream[start..<end]).span.bytes)
        while let line = decoder.next() { found.append(line) }
        must(decoder.heldBytes <= bound, "\(decoder.heldBytes) bytes are held, \(bound) are allowed")
        (start, turn) = (end, turn + 1)
    }
    decoder.finish()
    while let line = decoder.next() { found.append(line) }
    must(!decoder.isInsideLine || found.last == .tooLong, "something is left at the end")
    return found
}
