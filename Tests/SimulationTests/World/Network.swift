/// The sockets of a world, by path.
final class Network {
    /// What a socket's buffer holds: Linux gives 208 KiB, but counts each write with its overhead, so that short
    /// lines fill it at 11 KiB.
    ///
    /// Small ones show more.
    let bufferBytes: Int
    /// A bug that is planted on purpose: lines of one connection overtake each other.
    var isReordering = false
    private var listeners: [String: (Socket) -> Void] = [:]

    init(bufferBytes: Int) { self.bufferBytes = bufferBytes }

    /// Takes connections at a path, each told to `accept`.
    func listen(at path: String, accept: @escaping (Socket) -> Void) { listeners[path] = accept }

    func unlisten(_ path: String) { listeners[path] = nil }

    /// Connects; nil if nobody listens.
    func connect(to path: String) -> Socket? {
        guard let accept = listeners[path] else { return nil }
        let (near, far) = Socket.pair(self)
        accept(far)
        return near
    }

    func planted(on inbox: inout [UInt8]) {
        guard isReordering else { return }
        var lines = inbox.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.count > 2 else { return }
        lines.swapAt(lines.count - 2, lines.count - 3)
        inbox = Array(lines.joined(separator: [0x0A]))
    }
}
