import Shared
import UV

/// Shows on a terminal how far an import is.
final class Progress {
    private let isShown: Bool
    private let startedAt = Loop.nanoseconds
    private var shownAt: UInt64 = 0
    private static let intervalNanoseconds: UInt64 = 100_000_000
    private static let barCells = 24

    /// Shows nothing unless `isShown`.
    init(isShown: Bool) { self.isShown = isShown }

    /// Seconds since the start.
    var seconds: Double { Double(Loop.nanoseconds - startedAt) / 1e9 }

    /// Draws it again, unless that was just done.
    func show(_ source: ByteSource, changes: Int) {
        guard isShown, Loop.nanoseconds - shownAt >= Self.intervalNanoseconds else { return }
        shownAt = Loop.nanoseconds
        let text = Self.line(
            name: source.name, part: source.bytesTotal.map { Double(source.bytesRead) / Double(max($0, 1)) },
            changes: changes, seconds: seconds, columns: Terminal.columns - 1)
        writeAll(Array("\r\u{1B}[K\(text)".utf8), to: 2)
    }

    /// Takes it away.
    func clear() { if isShown { writeAll(Array("\r\u{1B}[K".utf8), to: 2) } }

    /// What is shown; without a bar if `part` of the whole is not known.
    static func line(name: String, part: Double?, changes: Int, seconds: Double, columns: Int) -> String {
        var bar = ""
        if let part {
            let part = min(max(part, 0), 1)
            let full = Int(part * Double(barCells))
            let cells = String(repeating: "█", count: full) + String(repeating: "░", count: barCells - full)
            bar = "\(cells) \(Int(part * 100)) %  "
        }
        let rate = seconds > 0.5 ? ", \(grouped(Int(Double(changes) / seconds))) a second" : ""
        let file = name.split(separator: "/").last.map(String.init) ?? name
        return TextWidth.fitted("\(bar)\(grouped(changes)) rows\(rate)  \(file)", to: columns)
    }

    /// A number with a comma between each three digits.
    static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
