import Shared
import Testing
import TestSupport

@testable import Gateway

/// One line of split-view.txt.
struct Measurement: CustomTestStringConvertible {
    let id: String
    let request: LayoutRequest
    let resolved: Layout.Resolved
    let places: [Column: Layout.Place]

    var testDescription: String { id }

    init(_ line: Substring) throws {
        let fields = line.split(separator: " ")
        try #require(fields.count == 10, "\(line)")
        func pair(_ field: Substring) -> (Substring, Substring) {
            let parts = field.split(separator: "/")
            return (parts[0], parts[1])
        }
        func resolved(_ field: Substring) throws -> Layout.Resolved {
            let (visibility, presentation) = pair(field)
            return Layout.Resolved(
                visibility: try #require(Visibility(rawValue: String(visibility))),
                presentation: try #require(Presentation(rawValue: String(presentation))))
        }
        id = String(fields[0])
        let (visibility, style) = pair(fields[4])
        var request = LayoutRequest(
            width: try #require(Double(fields[3])), scale: try #require(Double(fields[2])),
            columns: try #require(Int(fields[1])),
            visibility: try #require(Visibility(rawValue: String(visibility))),
            style: try #require(Style(rawValue: String(style))),
            cause: try #require(LayoutCause(rawValue: String(fields[5]))),
            previous: fields[6] == "-" ? nil : try resolved(fields[6]))
        for wish in fields[7].split(separator: ",") where wish != "-" {
            let parts = wish.split { $0 == "." || $0 == "=" }
            let column = try #require(Column(rawValue: String(parts[0])))
            let value = try #require(Double(parts[2...].joined(separator: ".")))
            var spec = request.specs[column] ?? ColumnSpec()
            switch parts[1] {
            case "min": spec.min = value
            case "preferred": spec.preferred = value
            case "fraction": spec.fraction = value
            default: spec.max = value
            }
            request.specs[column] = spec
        }
        self.request = request
        self.resolved = try resolved(fields[8])
        var places: [Column: Layout.Place] = [:]
        for frame in fields[9].split(separator: ",") {
            let parts = frame.split { $0 == "=" || $0 == "+" }
            places[try #require(Column(rawValue: String(parts[0])))] = Layout.Place(
                x: try #require(Double(parts[1])), width: try #require(Double(parts[2])))
        }
        self.places = places
    }

    static func all() throws -> [Measurement] {
        let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return try Contracts.read("/\(tests)/Measurements/split-view.txt").split(separator: "\n")
            .filter { !$0.hasPrefix("#") }.map { try Measurement($0) }
    }
}

@Suite struct MeasuredLayoutTests {
    @Test func everyMeasurementIsReproduced() throws {
        let all = try Measurement.all()
        #expect(all.count == 277)
        for measured in all {
            let layout = Layout(measured.request)
            #expect(layout.resolved == measured.resolved, "\(measured.id)")
            let places = Dictionary(
                uniqueKeysWithValues: layout.frames.compactMap { frame in
                    frame.place.map { (frame.column, $0) }
                })
            #expect(places == measured.places, "\(measured.id)")
        }
    }
}
