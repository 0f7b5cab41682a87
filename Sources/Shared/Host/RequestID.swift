import UV

// What a request is called by who sent it, and which of those names are taken.

/// The id of a request, as it has to come back.
enum RequestID: Equatable {
    /// A whole number that is written in digits alone.
    case number(Int)
    /// Any other, as it was written; `key` tells it from others under way, null has none. In memory of its own, so that
    /// numbers, which almost all are, are moved about like numbers.
    indirect case written([UInt8], key: [UInt8]?)

    /// The id as it was written.
    var written: [UInt8] {
        switch self {
        case .number(let number): Array(String(number).utf8)
        case .written(let text, _): text
        }
    }

    /// Bytes that it has as it was written, at most.
    var bytesMax: Int {
        switch self {
        case .number: RecurringRequests.digitsMax
        case .written(let text, _): text.count
        }
    }

    /// Whether it comes back as it is: one may have a line separator, which has to be escaped.
    var isPlain: Bool {
        switch self {
        case .number: true
        case .written(let text, _): !text.contains(0xE2)
        }
    }
}

extension SplicedBytes {
    /// Appends an id as it was written, between two texts.
    mutating func append(_ before: StaticString, _ id: RequestID, _ after: StaticString) {
        switch id {
        case .number(let number): append(before, digits: number, after)
        case .written(let text, _):
            append(before)
            append(text)
            append(after)
        }
    }
}

/// Ids of requests under way on one connection.
struct RequestIDs {
    /// Numbers, each in the place that its last bits name, if that was free: who counts up needs no more.
    private var numbers: [Int] = []
    private var otherNumbers: Set<Int> = []
    private var texts: Set<Bytes> = []

    private static let places = Limits.requestsInFlightMax
    private static let free = -1

    /// Whether an id is there.
    func contains(_ id: RequestID) -> Bool {
        switch id {
        case .number(let number):
            !numbers.isEmpty && numbers[Self.place(number)] == number
                || !otherNumbers.isEmpty && otherNumbers.contains(number)
        case .written(_, let key?): texts.contains(Bytes(key[...]))
        case .written(_, nil): false
        }
    }

    /// Adds an id; tells whether it was not there, as null never is.
    mutating func insert(_ id: RequestID) -> Bool {
        switch id {
        case .number(let number):
            if numbers.isEmpty { numbers = Array(repeating: Self.free, count: Self.places) }
            let place = Self.place(number)
            if numbers[place] == number { return false }
            guard numbers[place] == Self.free else { return otherNumbers.insert(number).inserted }
            if !otherNumbers.isEmpty, otherNumbers.contains(number) { return false }
            numbers[place] = number
            return true
        case .written(_, let key?): return texts.insert(Bytes(key[...])).inserted
        case .written(_, nil): return true
        }
    }

    /// Takes an id out.
    mutating func remove(_ id: RequestID) {
        switch id {
        case .number(let number):
            if !numbers.isEmpty, numbers[Self.place(number)] == number {
                numbers[Self.place(number)] = Self.free
            } else {
                otherNumbers.remove(number)
            }
        case .written(_, let key?): texts.remove(Bytes(key[...]))
        case .written(_, nil): break
        }
    }

    private static func place(_ number: Int) -> Int { number & (places - 1) }
}
