/// The beginning of an answer as it is written here, told without parsing all of it: the load must cost little.
enum Answer {
    static let head = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
    static let result = Array(#","result":"#.utf8)

    /// The id of an answer that is a result and not an error.
    static func idOfResult(_ line: ArraySlice<UInt8>) -> Int? {
        guard let (id, rest) = id(line), rest.starts(with: result) else { return nil }
        return id
    }

    /// The id of a line, and what follows it.
    static func id(_ line: ArraySlice<UInt8>) -> (id: Int, rest: ArraySlice<UInt8>)? {
        guard line.starts(with: head) else { return nil }
        var rest = line.dropFirst(head.count)
        var id = 0
        while let digit = rest.first, digit >= 0x30, digit <= 0x39 {
            id = id * 10 + Int(digit - 0x30)
            rest = rest.dropFirst()
        }
        return (id, rest)
    }
}
