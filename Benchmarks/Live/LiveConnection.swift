import JSON
import Shared
import UV

/// A connection to a service that comes back by itself, and a reader that can be slow.
///
/// It shares no code with the client that the services themselves use, so that it can judge them.
final class LiveConnection {
    /// What has become of a request.
    enum Reply {
        case result(JSONValue)
        case refusal(JSONValue)
        /// The connection was lost before the answer: nobody knows.
        case lost

        /// The result, if there is one.
        var value: JSONValue? { if case .result(let value) = self { value } else { nil } }
    }

    var onUp: (() -> Void)?
    var onDown: (() -> Void)?
    /// Told the params of each event.
    var onEvent: ((JSONValue) -> Void)?
    private(set) var isUp = false
    private(set) var bytesReceived = 0
    private let path: String
    private let loop: Loop
    private let parser = JSONParser(depthMax: Limits.nestingLevelsMax)
    private var decoder = LineDecoder(lineBytesMax: Limits.outgoingLineBytesMax)
    private var pipe: Pipe?
    private var pending: [Int: (Reply) -> Void] = [:]
    private var lastId = 0
    private var isClosed = false
    private let retry: Timer

    init(path: String, loop: Loop) {
        (self.path, self.loop) = (path, loop)
        retry = Timer(on: loop)
    }

    /// Connects, and again whenever the connection is lost.
    func start() {
        guard pipe == nil, !isClosed else { return }
        let pipe = Pipe(on: loop)
        self.pipe = pipe
        pipe.connect(to: path) { [weak self] error in
            guard let self, self.pipe === pipe, !pipe.isClosing else { return }
            guard error == nil else { return self.lose() }
            self.decoder = LineDecoder(lineBytesMax: Limits.outgoingLineBytesMax)
            self.isUp = true
            pipe.startReading(
                onBytes: { [weak self] in self?.received($0) }, onEnd: { [weak self] _ in self?.lose() })
            self.onUp?()
        }
    }

    /// Ends it for good.
    func close() {
        isClosed = true
        (onUp, onDown, onEvent) = (nil, nil, nil)
        retry.close()
        lose()
    }

    /// Leaves what comes in the socket.
    func pause() { pipe?.pauseReading() }

    /// Reads again.
    func resume() { if isUp { pipe?.resumeReading() } }

    /// Calls a method; `params` is a JSON object.
    func call(_ method: String, _ params: String = "{}", then: @escaping (Reply) -> Void) {
        guard isUp, let pipe else { return then(.lost) }
        lastId += 1
        pending[lastId] = then
        let line = #"{"jsonrpc":"2.0","id":\#(lastId),"method":"\#(method)","params":\#(params)}"#
        pipe.write(Array(line.utf8) + [0x0A]) { _ in }
    }

    private func lose() {
        pipe?.close()
        pipe = nil
        let wasUp = isUp
        isUp = false
        let lost = pending
        pending = [:]
        for (_, then) in lost.sorted(by: { $0.key < $1.key }) { then(.lost) }
        if wasUp { onDown?() }
        if !isClosed { retry.start(milliseconds: 50) { [weak self] in self?.start() } }
    }

    private func received(_ bytes: RawSpan) {
        bytesReceived += bytes.byteCount
        decoder.append(bytes)
        while isUp, let line = decoder.next() {
            guard case .text(let text) = line, let message = try? parser.parse(text).root else {
                return lose()
            }
            if let params = message["params"] {
                onEvent?(params)
            } else if let id = message["id"]?.int, let then = pending.removeValue(forKey: id) {
                if let result = message["result"] {
                    then(.result(result))
                } else if let error = message["error"] {
                    then(.refusal(error))
                }
            }
        }
    }
}
