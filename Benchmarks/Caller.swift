import JSON
import Shared
import UV

/// Calls one method after the other.
final class Caller {
    private let loop: Loop
    private let pipe: Pipe
    private let parser = JSONParser(depthMax: Limits.nestingLevelsMax)
    private var decoder = LineDecoder(lineBytesMax: Limits.outgoingLineBytesMax)
    private var answer: JSONValue?
    private var failure: String?
    /// The size of the last answer, with its LF.
    private(set) var lineBytes = 0

    init(path: String) throws(StartFailure) {
        loop = try Loop.ofProgram()
        pipe = Pipe(on: loop)
        var isConnected = false
        pipe.connect(to: path) { [weak self] error in
            if let error { self?.failure = "\(error)" }
            isConnected = true
        }
        while !isConnected { loop.step() }
        guard failure == nil else { return }
        pipe.startReading(
            onBytes: { [weak self] in self?.received($0) },
            onEnd: { [weak self] _ in self?.failure = "the connection was closed" })
    }

    func close() {
        pipe.close()
        loop.run()
    }

    /// The result of a call; `members` are those of its params.
    func call(_ method: String, _ members: String) throws(StartFailure) -> JSONValue {
        answer = nil
        pipe.write(
            Array(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{\#(members)}}"#.utf8) + [0x0A]
        ) { _ in }
        while answer == nil, failure == nil { loop.step() }
        guard let result = answer?["result"] else {
            let text = answer.map { String(decoding: $0.raw, as: UTF8.self) }
            throw StartFailure(.io, "\(method): \(failure ?? text ?? "no answer")")
        }
        return result
    }

    private func received(_ bytes: RawSpan) {
        decoder.append(bytes)
        while case .text(let line)? = decoder.next() {
            lineBytes = line.count + 1
            answer = try? parser.parse(line).root
        }
    }
}
