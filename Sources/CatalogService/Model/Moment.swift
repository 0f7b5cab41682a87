// Dates are stored as they were written; what is sorted by is the instant that they name.

/// An instant that an RFC 3339 date-time names.
struct Moment: Equatable {
    /// Seconds since 0000-03-01T00:00:00Z.
    private let seconds: Int
    /// The digits behind the point, without zeros at the end.
    private let fraction: [UInt8]

    /// Reads a date-time such as `2024-02-29T23:59:60.25+01:00`; nil if it is none.
    init?(_ text: some Collection<UInt8>) {
        var reader = DigitReader(Array(text))
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("T") || reader.take("t"), let hour = reader.number(2),
            reader.take(":"), let minute = reader.number(2), reader.take(":"), let second = reader.number(2),
            (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        var digits: [UInt8] = []
        if reader.take(".") {
            digits = reader.digits()
            guard !digits.isEmpty else { return nil }
        }
        guard let offset = reader.offset(), reader.isAtEnd else { return nil }
        let minutes = (Self.days(year, month, day) * 24 + hour) * 60 + minute - offset
        // A leap second is the last one of a day in UTC, and only some months have one.
        if second == 60 {
            guard minutes % 1_440 == 1_439, Self.isLastOfMonth(minutes / 1_440) else { return nil }
        }
        seconds = minutes * 60 + second
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        fraction = digits
    }

    /// Bytes whose order is the order of instants; none is above 0x7F.
    var key: [UInt8] {
        let shifted = UInt64(seconds + 1 << 40)  // so that none is negative
        return (0..<8).reversed().map { UInt8(shifted >> ($0 * 7) & 0x7F) } + fraction
    }

    /// Days since 0000-03-01: a year that begins in March has its leap day at the end.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let month = (month + 9) % 12
        let era = year >= 0 ? year / 400 : -1
        let yearOfEra = year - era * 400
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + (month * 153 + 2) / 5 + day
            - 1
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLastOfMonth(_ day: Int) -> Bool {
        // The year in which a day is, give or take one; then the first of each of its months.
        let about = day / 365
        return (about - 2...about + 2).contains { year in
            (1...12).contains { month in days(year, month, 1) == day + 1 }
        }
    }
}

/// Takes digits and signs off a text.
private struct DigitReader {
    private let text: [UInt8]
    private var index = 0

    init(_ text: [UInt8]) { self.text = text }

    var isAtEnd: Bool { index == text.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    mutating func digits() -> [UInt8] {
        let run = text[index...].prefix { (0x30...0x39).contains($0) }
        index += run.count
        return Array(run)
    }

    mutating func number(_ count: Int) -> Int? {
        let run = text[index...].prefix(count)
        guard run.count == count, run.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        index += count
        return run.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Minutes that local time is ahead of UTC.
    mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let isAhead = take("+")
        guard isAhead || take("-"), let hours = number(2), take(":"), let minutes = number(2), hours < 24,
            minutes < 60
        else { return nil }
        return (isAhead ? 1 : -1) * (hours * 60 + minutes)
    }
}
