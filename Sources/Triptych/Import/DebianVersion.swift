/// The version of a Debian package: `[epoch:]upstream[-revision]`, in Debian's order.
struct DebianVersion: Comparable {
    private let epoch: Int
    private let upstream: Substring.UTF8View
    private let revision: Substring.UTF8View

    init(_ text: String) {
        var rest = text[...]
        if let colon = rest.firstIndex(of: ":") {
            epoch = Int(rest[..<colon]) ?? 0
            rest = rest[rest.index(after: colon)...]
        } else {
            epoch = 0
        }
        if let dash = rest.lastIndex(of: "-") {
            revision = rest[rest.index(after: dash)...].utf8
            rest = rest[..<dash]
        } else {
            revision = Substring().utf8
        }
        upstream = rest.utf8
    }

    static func == (a: DebianVersion, b: DebianVersion) -> Bool { order(a, b) == 0 }

    static func < (a: DebianVersion, b: DebianVersion) -> Bool { order(a, b) < 0 }

    private static func order(_ a: DebianVersion, _ b: DebianVersion) -> Int {
        if a.epoch != b.epoch { return a.epoch < b.epoch ? -1 : 1 }
        let upstream = order(a.upstream, b.upstream)
        return upstream != 0 ? upstream : order(a.revision, b.revision)
    }

    /// Runs of other characters and numbers take turns; the first difference decides.
    private static func order(_ a: Substring.UTF8View, _ b: Substring.UTF8View) -> Int {
        var (a, b) = (a, b)
        while !a.isEmpty || !b.isEmpty {
            while a.first.map({ !isDigit($0) }) ?? false || b.first.map({ !isDigit($0) }) ?? false {
                let (left, right) = (rank(a.first), rank(b.first))
                if left != right { return left < right ? -1 : 1 }
                (a, b) = (a.dropFirst(), b.dropFirst())
            }
            let (left, right) = (number(&a), number(&b))
            if left.count != right.count { return left.count < right.count ? -1 : 1 }
            for (one, other) in zip(left, right) where one != other { return one < other ? -1 : 1 }
        }
        return 0
    }

    /// A tilde comes even before the end, letters come before everything else.
    private static func rank(_ byte: UInt8?) -> Int {
        switch byte {
        case UInt8(ascii: "~"): -1
        case nil: 0
        case let byte? where isDigit(byte): 0
        case let byte?:
            byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") ? Int(byte) : Int(byte) + 256
        }
    }

    /// Takes the digits at the start, without leading zeros, so that more of them are a greater number.
    private static func number(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
        let digits = text.prefix(while: isDigit)
        text = text.dropFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}
