import Glibc

/// A picture of some lines over a logarithmic axis, as SVG.
struct Chart {
    let title: String
    let lines: [Curves.Line]

    private static let width = 460.0
    private static let height = 270.0
    private static let plot = (left: 62.0, right: 16.0, top: 40.0, bottom: 44.0)
    /// Told apart also without seeing colours: by lightness, and by dashes.
    private static let strokes = ["#0b61a4", "#d9822b", "#8a8f98"]
    private static let dashes = ["", "6 3", "2 3"]

    /// Several charts, two beside each other.
    static func picture(_ charts: [Chart]) -> String {
        let rows = (charts.count + 1) / 2
        let (width, height) = (Int(Self.width) * 2, Int(Self.height) * rows + 28)
        var parts = [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(width) \#(height)" width="\#(width)" "#
                + #"height="\#(height)" role="img" aria-label="Requests a second as one thing grows" "#
                + #"font-family="system-ui,sans-serif" font-size="11">"#,
            #"<rect width="100%" height="100%" fill="white"/>"#,
        ]
        for (index, chart) in charts.enumerated() {
            let (x, y) = (Double(index % 2) * Self.width, Double(index / 2) * Self.height)
            parts.append(#"<g transform="translate(\#(text(x)) \#(text(y)))">"#)
            parts += chart.parts()
            parts.append("</g>")
        }
        parts.append(legend(y: Double(height) - 10))
        parts.append("</svg>")
        return parts.joined(separator: "\n") + "\n"
    }

    private static func legend(y: Double) -> String {
        var (parts, x): ([String], Double) = ([], plot.left)
        for (index, name) in ["kept views", "composed views", "bare server of as many bytes"].enumerated() {
            parts.append(
                #"<path d="M\#(text(x)) \#(text(y - 4))h26" stroke="\#(strokes[index])" stroke-width="2" "#
                    + #"stroke-dasharray="\#(dashes[index])"/><text x="\#(text(x + 32))" y="\#(text(y))">\#(name)</text>"#
            )
            x += 150
        }
        return parts.joined(separator: "\n")
    }

    private func parts() -> [String] {
        let all = lines.flatMap(\.points)
        guard let least = all.map(\.at).min(), let most = all.map(\.at).max(),
            let top = all.map(\.value).max()
        else { return [] }
        let step = Self.step(top)
        let ceiling = (top / step).rounded(.up) * step
        let span = (
            x: Self.width - Self.plot.left - Self.plot.right,
            y: Self.height - Self.plot.top - Self.plot.bottom
        )
        func x(_ at: Double) -> Double {
            Self.plot.left + span.x * (most > least ? log(at / least) / log(most / least) : 0.5)
        }
        func y(_ value: Double) -> Double { Self.plot.top + span.y * (1 - value / ceiling) }

        var parts = [
            #"<text x="\#(Self.text(Self.plot.left))" y="22" font-size="13" font-weight="600">\#(title)</text>"#
        ]
        for mark in stride(from: 0, through: ceiling, by: step) {
            parts.append(
                #"<path d="M\#(Self.text(Self.plot.left)) \#(Self.text(y(mark)))h\#(Self.text(span.x))" stroke="gainsboro"/>"#
                    + #"<text x="\#(Self.text(Self.plot.left - 8))" y="\#(Self.text(y(mark) + 4))" "#
                    + #"text-anchor="end" fill="dimgray">\#(Self.short(mark))</text>"#)
        }
        for at in lines.first?.points.map(\.at) ?? [] {
            parts.append(
                #"<text x="\#(Self.text(x(at)))" y="\#(Self.text(Self.height - Self.plot.bottom + 18))" "#
                    + #"text-anchor="middle" fill="dimgray">\#(Self.short(at))</text>"#)
        }
        for (index, line) in lines.enumerated() {
            let path = line.points.map { "\(Self.text(x($0.at))) \(Self.text(y($0.value)))" }
            parts.append(
                #"<path d="M\#(path.joined(separator: "L"))" fill="none" stroke="\#(Self.strokes[index])" "#
                    + #"stroke-width="2" stroke-dasharray="\#(Self.dashes[index])"/>"#)
        }
        return parts
    }

    /// A distance of marks of which there are about five: 1, 2 or 5 times a power of ten.
    private static func step(_ top: Double) -> Double {
        let power = pow(10, floor(log10(max(top, 1) / 5)))
        return [1, 2, 5, 10].map { $0 * power }.first { top / $0 <= 5 } ?? power
    }

    /// A number as people write it: 1500000 is 1.5M, 20000 is 20k.
    private static func short(_ value: Double) -> String {
        switch value {
        case 1_000_000...: "\(text(value / 1_000_000))M"
        case 1_000...: "\(text(value / 1_000))k"
        default: text(value)
        }
    }

    /// At most one digit after the point.
    private static func text(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
    }
}
