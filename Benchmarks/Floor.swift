import Shared
import UV

/// The least that a server of lines has to do: it answers each with as many bytes as the product does, which are not copied
/// either.
final class Floor {
    private let listener: Pipe
    private let answer: [UInt8]
    private var connections: [FloorConnection] = []

    /// Serves until the process is ended.
    static func serve(_ path: String, answerBytes: Int) throws(StartFailure) {
        let socket: ListeningSocket
        do throws(ListeningSocket.Failure) {
            socket = try ListeningSocket(path: path)
        } catch {
            throw StartFailure(.cannotCreate, "can't listen on \(path): \(error)")
        }
        do throws(UVError) {
            let loop = try Loop()
            let floor = try Floor(socket, on: loop, answerBytes: answerBytes)
            loop.run()
            _ = floor
        } catch {
            throw StartFailure(.system, "\(error)")
        }
    }

    private init(_ socket: ListeningSocket, on loop: Loop, answerBytes: Int) throws(UVError) {
        let frame = Answer.head.count + Answer.result.count + 8
        answer =
            Answer.result + [0x22] + [UInt8](repeating: 0x78, count: max(0, answerBytes - frame))
            + Array("\"}\n".utf8)
        listener = Pipe(on: loop)
        try listener.listen(on: socket) { [weak self] in
            guard let self, let pipe = try? self.listener.accept() else { return }
            pipe.setSendBuffer(bytes: Limits.sentBytesUnread)
            self.connections.removeAll { $0.isClosed }
            self.connections.append(FloorConnection(pipe, answer: self.answer))
        }
    }
}

private final class FloorConnection {
    private let pipe: Pipe
    private let answer: [UInt8]
    private var decoder = LineDecoder(lineBytesMax: Limits.incomingLineBytesMax)

    var isClosed: Bool { pipe.isClosing }

    init(_ pipe: Pipe, answer: [UInt8]) {
        (self.pipe, self.answer) = (pipe, answer)
        pipe.startReading(
            onBytes: { [weak self] in self?.received($0) }, onEnd: { [weak self] _ in self?.pipe.close() })
    }

    private func received(_ bytes: RawSpan) {
        decoder.append(bytes)
        var output = SplicedBytes()
        while case .text(let line)? = decoder.next() {
            guard let (id, _) = Answer.id(line) else { continue }
            output.append(Answer.head)
            output.append("", digits: id, "")
            output.append(answer)
        }
        pipe.write(output) { _ in }
    }
}
