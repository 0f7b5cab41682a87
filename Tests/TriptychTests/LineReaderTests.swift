import Shared
import Testing

@testable import Triptych

@Suite struct LineReaderTests {
    @Test(arguments: [1, 2, 3, 7, 1_000])
    func linesDoNotDependOnHowTheyArrive(pieceBytes: Int) throws {
        var lines = reader(of: "one\r\n\n  two  \nlast", pieceBytes: pieceBytes)
        var found: [String] = []
        while let line = try lines.next() {
            found.append("\(lines.line):\(String(decoding: line, as: UTF8.self))")
        }
        #expect(found == ["1:one", "2:", "3:  two  ", "4:last"])
    }

    @Test func aLineBeyondTheBoundIsNamed() {
        let long = String(repeating: "x", count: Limits.importLineBytesMax + 70_000)
        var lines = reader(of: "short\n\(long)\n", pieceBytes: 65_536, name: "huge.ndjson")
        let message = failure { () throws(StartFailure) in while try lines.next() != nil {} }
        #expect(message == "huge.ndjson:2: the line has more than \(Limits.importLineBytesMax) bytes")
    }
}
